package FastCGI;

# What the tests of the process side need: a FastCGI client that can also misbehave, and a server
# program under test in a directory of its own.

use strict;
use warnings;
use Exporter 'import';
use File::Temp 'tempdir';
use IO::Socket::INET;
use IO::Socket::UNIX;
use POSIX ':sys_wait_h';
use Test::Builder;
use Time::HiRes qw(clock sleep time);

our @EXPORT = qw(
	build_dir record params request connect_to ask answer read_answer start stop wait_for slowness background beside free_port);

use constant {FCGI_BEGIN => 1, FCGI_ABORT => 2, FCGI_END => 3, FCGI_PARAMS => 4, FCGI_STDIN => 5, FCGI_STDOUT => 6, FCGI_VALUES => 9};

# Seconds. A busy machine is no failure.
use constant PATIENCE => 120;

# Where the programs were built: make and script/test say so; by hand, the usual place.
sub build_dir
{
	return $ENV{BROADSHEET_BUILD} if defined $ENV{BROADSHEET_BUILD};
	for my $dir ('build/test', 'build/dev') {
		return $dir if -x "$dir/broadsheet";
	}
	die "set BROADSHEET_BUILD to the directory that the programs were built in\n";
}

sub record
{
	my ($type, $content, $id) = @_;
	return pack('CCnnCC', 1, $type, $id // 1, length $content, 0, 0) . $content;
}

sub pair_length
{
	my ($n) = @_;
	return $n < 128 ? pack('C', $n) : pack('N', $n | 0x80000000);
}

sub params
{
	my (%param) = @_;
	return join '', map {
		pair_length(length $_) . pair_length(length $param{$_}) . $_ . $param{$_}
	} sort keys %param;
}

# The bytes of a whole request. Options: body, length (what CONTENT_LENGTH says), keep, method, with (more parameters).
sub request
{
	my ($uri, %o) = @_;
	my %param = (REQUEST_METHOD => $o{method} // 'GET', REQUEST_URI => $uri, %{$o{with} // {}});
	my $body = $o{body} // '';
	my $stdin = '';
	$param{CONTENT_LENGTH} = $o{length} // length $body if defined $o{body};
	while (length $body) {
		$stdin .= record(FCGI_STDIN, substr $body, 0, 32768, '');
	}
	return record(FCGI_BEGIN, pack('nCx5', 1, $o{keep} // 1)) . record(FCGI_PARAMS, params(%param))
	    . record(FCGI_PARAMS, '') . $stdin . record(FCGI_STDIN, '');
}

sub connect_to
{
	my ($path) = @_;
	return IO::Socket::UNIX->new(Peer => $path);
}

sub read_exactly
{
	my ($socket, $size) = @_;
	my $bytes = '';
	while (length $bytes < $size) {
		my $got = sysread $socket, $bytes, $size - length $bytes, length $bytes;
		return undef if !$got;
	}
	return $bytes;
}

# What the server says up to the end of the request; undef when the connection ended before.
sub read_answer
{
	my ($socket) = @_;
	my $out = '';
	local $SIG{ALRM} = sub { die "no answer\n" };
	alarm PATIENCE;
	while (defined(my $header = read_exactly($socket, 8))) {
		my (undef, $type, undef, $length, $padding) = unpack 'CCnnC', $header;
		my $content = $length + $padding ? read_exactly($socket, $length + $padding) : '';
		last if !defined $content;
		$out .= substr $content, 0, $length if $type == FCGI_STDOUT;
		alarm(0), return $out if $type == FCGI_END;
	}
	alarm 0;
	return undef;
}

# Sends bytes, and returns the answer's body.
sub ask
{
	my ($socket, $bytes) = @_;
	local $SIG{PIPE} = 'IGNORE';
	return undef if !defined $socket || !defined syswrite $socket, $bytes;
	return answer($socket);
}

sub answer
{
	my ($socket) = @_;
	my $answer = read_answer($socket);
	return undef if !defined $answer;
	$answer =~ s/\A.*?\r\n\r\n//s;
	return $answer;
}

# Calls a sub until it returns something true; fails after a long time.
sub wait_for
{
	my ($what, $sub) = @_;
	for (1 .. PATIENCE * 50) {
		my $result = $sub->();
		return $result if $result;
		sleep 0.02;
	}
	die "waited in vain for $what\n";
}

# How many times as long as on an idle machine everything takes now, as a piece of work of our own does; the longer of
# this and what it was before. For what is promised to be quick: a deadline in seconds is one of an idle machine.
sub slowness
{
	my ($before) = @_;
	my ($began, $busy) = (time, clock);
	1 while clock() - $busy < 0.1;
	my $now = (time - $began) / (clock() - $busy);
	return $now > ($before // 1) ? $now : $before // 1;
}

# A port that is free now, from below those that the kernel gives to whoever asks for any, so that it seldom is taken
# before it is used.
sub free_port
{
	for (1 .. 100) {
		my $port = 20000 + int rand 12000;
		return $port if IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1', LocalPort => $port);
	}
	die "no port is free\n";
}

my ($main, @logs) = $$;

# Starts a program that writes to a log, and ends when the test does; returns its process.
sub background
{
	my ($log, @words) = @_;
	push @logs, $log;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<', '/dev/null' or die;
		open STDERR, '>>', $log or die;
		open STDOUT, '>&', \*STDERR or die;
		exec 'setpriv', '--pdeathsig', 'TERM', @words or POSIX::_exit(127);
	}
	return $pid;
}

# Runs a sub in a process beside the test, which ends with it, also when the test breaks off: who waits for all
# that holds the test's output would wait for ever. Returns the process.
my %beside;
sub beside
{
	my ($sub) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		eval { $sub->() };
		POSIX::_exit(0);
	}
	$beside{$pid} = $$;
	return $pid;
}
END {
	my $status = $?;
	kill 'TERM', grep { $beside{$_} == $$ } keys %beside;
	# Of a test that fails on another machine this is all that is left.
	if ($$ == $main && ($status != 0 || !Test::Builder->new->is_passing)) {
		my %shown;
		for my $log (grep { -s && !$shown{$_}++ } @logs) {
			my @lines = do { local @ARGV = $log; <> };
			splice @lines, 0, -20;
			print STDERR "# The end of $log:\n", map { "#   $_" } @lines;
		}
	}
	$? = $status;
}

# Starts the test server. Options: threads, transfer, drain, dir, before (a sub run in the child), socket.
sub start
{
	my (%o) = @_;
	my $dir = $o{dir} // tempdir(CLEANUP => 1);
	my %server = (dir => $dir, socket => "$dir/socket", log => "$dir/log", fail => "$dir/fail");
	push @logs, $server{log};
	$server{pid} = fork // die "fork: $!";
	if ($server{pid} == 0) {
		open STDERR, '>>', $server{log} or die;
		open STDOUT, '>&', \*STDERR or die;
		$o{before}->() if $o{before};
		# A test that breaks off leaves nobody behind.
		exec 'setpriv', '--pdeathsig', 'TERM', build_dir() . '/t/server/server',
		    $o{socket} // $server{socket}, $o{threads} // 4, $o{transfer} // 20, $o{drain} // 20, $server{fail}
		    or POSIX::_exit(127);
	}
	wait_for('the server', sub { log_has(\%server, qr/is ready/) || !alive($server{pid}) })
	    if !$o{no_wait};
	return \%server;
}

sub log_has
{
	my ($server, $pattern) = @_;
	open my $fh, '<', $server->{log} or return 0;
	local $/;
	my @found = (<$fh> // '') =~ /$pattern/g;
	return scalar @found;
}

sub alive
{
	my ($pid) = @_;
	open my $fh, '<', "/proc/$pid/stat" or return 0;
	return <$fh> !~ /\) Z /;
}

# Ends it; returns its exit status.
sub stop
{
	my ($server, $signal) = @_;
	kill $signal // 'TERM', $server->{pid};
	waitpid $server->{pid}, 0;
	return $?;
}

1;
