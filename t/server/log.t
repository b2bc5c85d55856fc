#!/usr/bin/perl
# Where the log goes nobody reads, or nobody is any more: the site goes on, and what is missing is told.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use Test::More;
use Time::HiRes 'sleep';

# As much as fills what a pipe holds, some times over.
use constant REQUESTS => 3000;
my $address = '/' . 'x' x 200;

$SIG{PIPE} = 'IGNORE';
pipe(my $out, my $in) or die;
my $server = start(no_wait => 1, before => sub { open STDERR, '>&', $in or die });
close $in;
wait_for('the socket', sub { -S $server->{socket} && connect_to($server->{socket}) });

my $c = connect_to($server->{socket});
is(scalar(grep { (ask($c, request($address)) // '') =~ /^pid/ } 1 .. REQUESTS), REQUESTS,
	'While nobody reads the log, ' . REQUESTS . ' requests are answered.');

# What is there to be read, until there is nothing for a while.
sub log_text
{
	my $text = '';
	for (1 .. 25) {
		vec(my $ready = '', fileno $out, 1) = 1;
		while (select my $is = $ready, undef, undef, 0.02) {
			sysread($out, $text, 65536, length $text) or last;
		}
	}
	return $text;
}
my $text = log_text();
my $told = wait_for('the log', sub {
	ask($c, request('/last'));
	$text .= log_text();
	$text =~ /^<4>\d+ lines of this log were lost: nobody read it\.$/m;
});
ok($told, 'Once it is read again, it says that lines are missing,');
my $lost = 0;
$lost += $1 while $text =~ /(\d+) lines of this log/g;
my $kept = () = $text =~ /address=\/x{200}$/mg;
is($kept + $lost, REQUESTS, '... how many,') if $text !~ /address=\/last.*were lost/s;
cmp_ok($lost, '>', 0, '... and goes on.');

my ($worker) = ask($c, request('/')) =~ /pid (\d+)/;
close $out;
kill 'KILL', $worker;
ok(wait_for('another worker', sub { (ask(connect_to($server->{socket}), request('/')) // '') =~ /pid (\d+)/ && $1 != $worker }),
	'When its reader has gone, a worker that dies is replaced,');
is(stop($server), 0, '... and the server ends in order.');
done_testing;
