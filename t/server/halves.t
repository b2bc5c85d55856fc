#!/usr/bin/perl
# Peers that are slow: half requests, half bodies, answers that nobody takes, more connections than descriptors. None of
# them keeps anybody else waiting. No request is given up here for being slow, so who waits for one waits in vain.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use IO::Select;
use Test::More;
use Time::HiRes 'sleep';

$SIG{PIPE} = 'IGNORE';
use constant LONG => 600; # seconds

my $page = request('/');
my $posted = request('/echo', method => 'POST', body => 'x' x 100_000);

# What of some connections is open and has said nothing.
sub silent
{
	my @spoke = IO::Select->new(@_)->can_read(0);
	return @_ - @spoke;
}

sub send_all
{
	my ($c, $bytes) = @_;
	while (length $bytes) {
		my $sent = syswrite $c, $bytes or return;
		substr($bytes, 0, $sent) = '';
	}
}

my $server = start(threads => 4, transfer => LONG, drain => LONG);
for my $case (['half requests', $page, 30], ['half bodies', $posted, 60_000]) {
	my ($what, $bytes, $half) = @$case;
	for my $count (4, 12, 100) {
		my @slow = map { connect_to($server->{socket}) } 1 .. $count;
		send_all($_, substr $bytes, 0, $half) for @slow;
		like(ask(connect_to($server->{socket}), $page), qr/^pid/, "With $count $what under way a page is answered,") for 1, 2;
		is(silent(@slow), $count, '... and they are waited for.');
		send_all($_, substr $bytes, $half) for @slow;
		my @answers = map { answer($_) // '' } @slow;
		is(scalar(grep { $bytes eq $page ? /^pid/ : $_ eq 'x' x 100_000 } @answers), $count, '... Each is answered when it is whole,');
		like(ask($slow[0], $page), qr/^pid/, '... and its connection lives on.');
	}
}

{
	my @deaf = map { connect_to($server->{socket}) } 1 .. 100;
	send_all($_, request('/large')) for @deaf;
	like(ask(connect_to($server->{socket}), $page), qr/^pid/, 'With 100 who ask and do not read a page is answered.') for 1, 2;
	is(scalar(grep { length(answer($_) // '') == 1_000_000 } @deaf), 100, '... When they read, it is all there,');
	like(ask($deaf[0], $page), qr/^pid/, '... and the connections live on.');
	my $c = connect_to($server->{socket});
	send_all($c, request('/large?2'));
	IO::Select->new($c)->can_read;
	send_all($c, $page);
	is(length(answer($c)), 2_000_000, 'What was asked meanwhile');
	like(answer($c), qr/^pid/, '... is answered, too.');
}

{
	my @slow = map { connect_to($server->{socket}) } 1 .. 8;
	my $old = ask($slow[0], $page);
	send_all($_, substr $posted, 0, 60_000) for @slow;
	my $before = FastCGI::log_has($server, qr/is ready/);
	kill 'HUP', $server->{pid};
	wait_for('the new worker', sub { FastCGI::log_has($server, qr/is ready/) > $before });
	isnt(wait_for('the new worker', sub { my $pid = ask(connect_to($server->{socket}), $page); $pid ne $old && $pid }), $old,
		'At a reload who comes is answered by the new worker,');
	send_all($_, substr $posted, 60_000) for @slow;
	is(scalar(grep { (answer($_) // '') eq 'x' x 100_000 } @slow), 8, '... and what was half there by the old one.');
	isnt(ask($slow[0], $page), $old, '... Then its connections are handed over.');

	send_all($_, substr $posted, 0, 60_000) for @slow;
	like(ask(connect_to($server->{socket}), $page), qr/^pid/, 'Half requests are there again.');
	kill 'TERM', $server->{pid};
	wait_for('the log', sub { FastCGI::log_has($server, qr/Stopping/) });
	send_all($_, substr $posted, 60_000) for @slow;
	is(scalar(grep { (answer($_) // '') eq 'x' x 100_000 } @slow), 8, 'Asked to end, it answers them when they are whole,');
	waitpid $server->{pid}, 0;
	is($?, 0, '... and ends in order.');
}

{
	$server = start(threads => 4, transfer => LONG, drain => LONG);
	my $large = request('/echo', method => 'POST', body => 'x' x 250_000);
	my @slow = map { my $c = connect_to($server->{socket}); send_all($c, substr $large, 0, -100); $c } 1 .. 400;
	ok(wait_for('the log', sub { FastCGI::log_has($server, qr/hold more than 128 MB; the oldest are dropped/) }),
		'Where half bodies take too much memory the oldest are dropped,');
	is(FastCGI::log_has($server, qr/the oldest are dropped/), 1, '... of which the log has one line,');
	send_all($slow[-1], substr $large, -100);
	is(length(answer($slow[-1]) // ''), 250_000, '... the newest is not,');
	is(answer($slow[0]), undef, '... and the oldest knows.');
	undef @slow;
	is(stop($server), 0, 'It ends in order.');
}

{
	$server = start(threads => 4, transfer => LONG, before => sub { system('prlimit', '--pid', $$, '--nofile=64:64') });
	my $first = connect_to($server->{socket});
	like(ask($first, $page), qr/^pid/, 'Of 64 descriptors the first reader has one.');
	sleep 0.5;
	my @readers = map { my $c = connect_to($server->{socket}); send_all($c, $page); $c } 1 .. 150;
	is(scalar(grep { (answer($_) // '') =~ /^pid/ } @readers), 150, '150 who come at once are served,');
	is(ask($first, $page), undef, '... for which a connection that was idle was closed.');
	sleep 0.5;
	my $last = connect_to($server->{socket});
	like(ask($last, $page), qr/^pid/, 'Who comes last is served, and kept.') for 1 .. 2;
	is(FastCGI::log_has($server, qr/those that have been idle for longest are closed/), 1, 'The log says so once,');
	is(FastCGI::log_has($server, qr/Accepting a connection failed/), 0, '... and of no failure.');
	my @slow = map { connect_to($server->{socket}) } 1 .. 150;
	send_all($_, substr $page, 0, 30) for @slow;
	like(ask(connect_to($server->{socket}), $page), qr/^pid/, 'With 150 half requests a page is answered.');
	undef @slow;
	is(stop($server), 0, 'It ends in order.');
}
done_testing;
