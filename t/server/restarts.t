#!/usr/bin/perl
# The program is restarted while somebody else holds its socket: connections that are kept open outlive it, and nobody
# who reads or writes notices.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use IO::Select;
use Nginx;
use Restarts;
use Test::More;
use Time::HiRes 'sleep';

$SIG{PIPE} = 'IGNORE';
my $held = hold_socket();
my $server = start_held($held);
my $posted = request('/echo', method => 'POST', body => 'kept');

# More than one message can carry.
my @kept = map { connect_to($server->{socket}) } 1 .. 300;
my ($old) = (ask($kept[0], request('/')) // '') =~ /^pid (\d+)/;
is(scalar(grep { (ask($_, $posted) // '') eq 'kept' } @kept), 300, 'Three hundred connections are kept.');
my $slow = connect_to($server->{socket});
syswrite $slow, substr $posted, 0, 60;
my $busy = connect_to($server->{socket});
syswrite $busy, request('/slow?1000');
wait_for('the request to begin', sub { ask($kept[0], request('/busy')) eq '1' });
kill 'TERM', $server->{pid};
wait_for('the log', sub { FastCGI::log_has($server, qr/Stopping/) });
syswrite $_, $posted for @kept[1 .. 100];
# The worker learns of it a moment later, and answers who comes before.
my ($new, @before);
do {
	push @before, $new if defined $new;
	$new = connect_to($server->{socket});
	syswrite $new, request('/');
} while (IO::Select->new($new)->can_read(0.5));
my $waiting = 302 + @before;
like(answer($busy), qr/^pid $old$/, 'Asked to end, the server answers what it had begun,');
syswrite $slow, substr $posted, 60;
is(answer($slow), 'kept', '... and what was half there.');
waitpid $server->{pid}, 0;
is($?, 0, 'It ends in order.');
# One more or less: whoever came in the moment in which the worker left may have been answered and closed, or kept.
my ($told) = grep { FastCGI::log_has($server, qr/\b$_ open connections wait for the next start/) } $waiting - 1 .. $waiting + 1;
ok($told, '... The log says how many connections wait.') or diag("They should be $waiting.");
$server = start_held($held);
is(scalar(grep { (answer($_) // '') eq 'kept' } @kept[1 .. 100]), 100, 'What was sent on them meanwhile is answered by the next server,');
like(answer($new), qr/^pid (?!$old$)\d+$/, '... as is who connected.');
is(scalar(grep { (ask($_, $posted) // '') eq 'kept' } @kept, $slow, $busy), 302, 'They are all kept.');

is(stop($server), 0, 'It ends in order,');
$server = start_held($held);
is(scalar(grep { (ask($_, $posted) // '') eq 'kept' } @kept), 300, '... and once more they are kept.');

SKIP: {
	have_nginx() or skip 'nginx is not installed', 2;
	my $nginx = start_nginx($server, \&unlimited);
	my $reports = crowd(4, $nginx->{url}, "$held->{dir}/enough");
	for (1 .. 20) {
		sleep 0.1;
		$server = restart_held($held, $server);
	}
	open my $enough, '>', "$held->{dir}/enough" or die;
	my ($posts, $lost, $pages, $missed) = $reports->();
	is($lost, 0, "Of $posts POSTs during twenty restarts behind nginx none is lost,");
	is($missed, 0, "... and of $pages pages none.");
	kill 'TERM', $nginx->{pid};
}
is(stop($server), 0, 'It ends in order.');
ok(!FastCGI::log_has($server, qr/can't wait for the next start/), 'Every connection could wait.');
done_testing;
