package Restarts;

# A server whose socket is held while it restarts, as systemd holds it, and people behind nginx who read and write
# meanwhile.

use strict;
use warnings;
use Exporter 'import';
use Fcntl 'F_SETFD';
use FastCGI;
use File::Temp 'tempdir';
use IO::Socket::INET;
use IO::Socket::UNIX;
use Nginx;
use POSIX ();
use Socket;

our @EXPORT = qw(hold_socket start_held restart_held unlimited crowd);

# A directory with a socket in it that stays when a server ends.
sub hold_socket
{
	my $dir = tempdir(CLEANUP => 1);
	return {dir => $dir, listener => IO::Socket::UNIX->new(Local => "$dir/socket", Listen => SOMAXCONN)};
}

# The server on that socket. Options as for start().
sub start_held
{
	my ($held, %o) = @_;
	return start(
		dir => $held->{dir}, socket => '-', no_wait => 1, %o,
		before => sub {
			# Where it stands there already, it is to outlive the exec.
			POSIX::dup2(fileno $held->{listener}, 3);
			fcntl $held->{listener}, F_SETFD, 0;
			($ENV{LISTEN_PID}, $ENV{LISTEN_FDS}) = ($$, 1);
		});
}

# Ends it, and starts the next one then; returns it.
sub restart_held
{
	my ($held, $server, %o) = @_;
	die "it ended with status $?\n" if stop($server) != 0;
	my $next = start_held($held, %o);
	# Asked to end before that, it would not know how.
	ask(connect_to($next->{socket}), request('/quick')) eq 'quick' or die;
	return $next;
}

# For start_nginx(): nobody is limited.
sub unlimited
{
	my ($dir) = @_;
	system('sed', '-i', '/^limit_req zone/d', "$dir/broadsheet/broadsheet_locations.conf") == 0 or die;
}

# Sends a request at once, which HTTP::Tiny does not with a body, over a connection that it opens where there is none; status
# and body of the answer, or nothing.
sub speak
{
	my ($c, $address, $request) = @_;
	$$c //= IO::Socket::INET->new($address) // return;
	syswrite $$c, $request;
	my $got = '';
	while ($got !~ /\r\n\r\n/) {
		sysread $$c, $got, 65536, length $got or (undef $$c, return);
	}
	my ($head, $body) = split /\r\n\r\n/, $got, 2;
	my ($length) = $head =~ /^Content-Length: (\d+)/mi;
	while (length $body < ($length // 0)) {
		sysread $$c, $body, 65536, length $body or (undef $$c, return);
	}
	undef $$c if !defined $length || $head =~ /^Connection: close/mi;
	return ($head =~ m{^HTTP/1.1 (\d+)}, $body);
}

# So many who post and as many who read, each over a connection that is kept, until the file is there. Returns a sub that
# waits for them and gives the numbers: posts, posts that failed, pages, pages that failed.
sub crowd
{
	my ($count, $url, $enough) = @_;
	my @reports;
	for my $n (1 .. 2 * $count) {
		pipe my $read, my $write or die;
		my $posts = $n % 2;
		beside(sub {
			my ($address) = $url =~ m{//(.*)};
			my ($done, $failed, $c) = (0, 0);
			for (my $i = 0; !-e $enough; $i++) {
				my $body = "$n-$i";
				my $length = length $body;
				my ($status, $got) = speak(\$c, $address, $posts
					? "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: $length\r\n\r\n$body"
					: "GET /x HTTP/1.1\r\nHost: x\r\n\r\n");
				$done++;
				$failed++ if ($status // 0) != 200 || ($posts && $got ne $body);
			}
			print $write "$posts $done $failed\n";
			close $write;
		});
		close $write;
		push @reports, $read;
	}
	return sub {
		my @sums = (0) x 4;
		for my $report (@reports) {
			my ($posts, $done, $failed) = split ' ', <$report> // die "somebody has given up\n";
			$sums[$posts ? 0 : 2] += $done;
			$sums[$posts ? 1 : 3] += $failed;
		}
		return @sums;
	};
}

1;
