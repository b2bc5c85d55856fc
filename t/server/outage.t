#!/usr/bin/perl
# DynamoDB is slow, broken or gone: readers get a page that says so, soon, the process stays as it is, and when
# DynamoDB is back so is everything, by itself. Commands, which nobody waits for as for a page, are patient.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use IO::Select;
use IO::Socket::IP;
use POSIX ();
use Socket qw(AF_INET6 IN6ADDR_LOOPBACK SOCK_STREAM pack_sockaddr_in6);
use Test::More;
use Time::HiRes 'time';

# Three seconds are what a reader is promised. Sanitizers add to it, but never another wait of two and a half; a busy
# machine multiplies it.
use constant {SOON => 5, CROWD => 120};

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
plan skip_all => 'this is built without DynamoDB'
	if `'$program' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
plan skip_all => 'the fault server needs Node.js' if system('node --version >/dev/null 2>&1') != 0;
delete $ENV{AWS_ENDPOINT_URL_DYNAMODB};
my $secret = $ENV{AWS_SECRET_ACCESS_KEY} = 'nobodys-business';
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';

my $dir = tempdir(CLEANUP => 1);
my $port = faults_start();
$ENV{AWS_ENDPOINT_URL_DYNAMODB} = "http://127.0.0.1:$port";
$ENV{BROADSHEET_STORE} = 'dynamodb:outage';
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
system("'$program' table create >/dev/null && '$program' seed '$source/migrations-free-seed' >/dev/null 2>&1") == 0
	or die 'no table';

my $server = fork // die;
if ($server == 0) {
	open STDERR, '>', "$dir/log" or die;
	open STDOUT, '>&', \*STDERR or die;
	exec 'setpriv', '--pdeathsig', 'TERM', $program, 'serve', '--socket', "$dir/socket" or POSIX::_exit(127);
}
sub log_text { open my $in, '<', "$dir/log" or return ''; local $/; return <$in> // '' }
wait_for('the program', sub { log_text() =~ /is ready/ });

# Sends a request; the connection, from which the answer can be read.
sub send_for
{
	my ($path) = @_;
	my $socket = connect_to("$dir/socket") or die "no connection: $!";
	syswrite $socket, request($path, keep => 0);
	return $socket;
}

sub status_of { return ($_[0] // '') =~ /^Status: (\d+)/m ? $1 : ($_[0] // '') =~ /^Content-Type/m ? 200 : 0 }

# Another address each time, so that no page cache answers; there is no such post, which only the table knows.
my $number = 0;
my $broken = 0; # answers
sub fresh { return '/post/no-' . ++$number }

# Is the table asked, and does it answer? Where the machine is so busy that a page can't wait for it, it is asked again.
sub is_well
{
	return wait_for('a page', sub {
		my $status = status_of(read_answer(send_for(fresh())));
		$broken++ if $status == 503;
		$status == 404;
	});
}

ok(is_well(), 'At first all is well.');
for my $case (
	['gone', 'back', 'nobody is there'],
	['fault stall 100', 'calm', 'nobody answers'],
	['fault hang 100', 'calm', 'nothing comes back'],
	['fault late 100', 'calm', 'all answers come late'],
	['fault error 100', 'calm', 'every answer is an error'],
	['fault throttle 100', 'calm', 'all is throttled'],
	['fault trickle 100', 'calm', 'answers come drop by drop'],
	['fault truncate 100', 'calm', 'answers are cut off'],
) {
	my ($begin, $end, $what) = @$case;

	obey($begin);
	my $slow = slowness();
	my $began = time;
	my @answers = map { read_answer($_) } map { send_for(fresh()) } 1 .. 3;
	my $took = time - $began;
	$broken += @answers;
	is(join(' ', map { status_of($_) } @answers), '503 503 503', "When $what, readers get a 503,");
	like($answers[0], qr/^Retry-After: 5\r?\n.*<html.*Slack Water/ms, '... a page of the site, which says when to come again,');
	cmp_ok($took, '<', SOON * slowness($slow), '... soon.');
	obey($end);
	ok(is_well(), '... Afterwards all is well by itself.');
}

# Many more readers than threads: nobody waits for the waits of those before.
sub crowd
{
	my %waits = map { my $began = time; my $socket = send_for(fresh()); ($socket->fileno => [$socket, $began]) } 1 .. CROWD;
	my $all = IO::Select->new(map { $_->[0] } values %waits);
	my (@statuses, @took);
	while ($all->count) {
		for my $socket ($all->can_read) {
			push @took, time - $waits{$socket->fileno}[1];
			push @statuses, status_of(read_answer($socket));
			$all->remove($socket);
		}
	}
	$broken += @statuses;
	return (scalar(grep { $_ == 503 } @statuses), sort { $a <=> $b } @took);
}
obey('fault stall 100');
my $slow = slowness();
my ($told, @took) = crowd();
is($told, CROWD, 'When nobody answers ' . CROWD . ' readers who come at once, each gets a 503,');
$slow = slowness($slow);
cmp_ok($took[-1], '<', SOON * $slow, '... and the last one as soon as the first.');
my $asked = obey('count');
($told, @took) = crowd();
is($told, CROWD, 'As many again');
$slow = slowness($slow);
cmp_ok($took[-1], '<', SOON * $slow, '... are told so,');
cmp_ok($took[CROWD / 2], '<', $slow, '... most of them at once:');
cmp_ok(obey('count') - $asked, '<', CROWD / 2, '... only a few ask.');
obey('calm');
my $calm = time;
ok(is_well(), 'When it answers, all is well by itself,');
cmp_ok(time - $calm, '<', SOON * slowness($slow), '... within seconds.');

# Lines are written when a thread has nothing else to do.
my $warned = wait_for('the log', sub {
	my $lines = () = log_text() =~ /^<4>id=\S+ method=GET status=503 .* why="[^"]+" cache=- address=/mg;
	$lines >= $broken && $lines;
});
is($warned, $broken, 'Each 503 is a warning in the log, with what the table said;');
my $log = log_text();
unlike($log, qr/the name is not known/, '... of an address, nobody says that its name is not known,');
unlike($log, qr/status=404 .* why=/, '... what went well has none.');
like($log, qr/ why="DynamoDB has served no call for \d+ s; one call a second is let through" /, '... Whoever was not let to ask is told so.');
is(scalar(() = $log =~ /is ready/g), 1, 'The program was started once');
# Where the worker takes its time to start, one stands in for it, and ends when it is ready.
my ($stand_in) = $log =~ /^<4>No worker can start: process (\d+) answers with status 503 until one can\.$/m;
my $of_workers = defined $stand_in ? $log =~ s/^<5>Worker $stand_in has ended\.$//mr : $log;
unlike($of_workers, qr/ended|killed|Sanitizer/, '... and no worker of it has ended.') or diag($log);
unlike($log, qr/Signature=|AWS4-HMAC|$secret/, 'The log holds nothing that was signed, and no secret.');

# The first answer on each connection comes later than a page could wait for it. All commands at once, to wait together.
my $people = "$source/migrations-free-seed/10-people.jsonl";
mkdir("$dir/late") && open(my $post, '>', "$dir/late/late.md") or die;
print $post "---\ntitle: Late\nauthor: kofi\n---\nA text.\n";
close $post;
mkdir("$dir/seed") && symlink($people, "$dir/seed/people.jsonl") or die;
for my $table ('from', 'to', 'import', 'seed') {
	system("'$program' table create --store dynamodb:late-$table >/dev/null") == 0 or die 'no table';
}
system("'$program' import --store dynamodb:late-from '$people' >/dev/null 2>&1") == 0 or die 'no people';
obey('fault drowsy 100');
my @late = (
	['get', 'SITE', 'SETTINGS'],
	['query', 'SITE'],
	['export', "$dir/all.jsonl"],
	['export', 'posts', "$dir/posts"],
	['import', 'posts', "$dir/late"],
	['copy', 'dynamodb:late-from', 'dynamodb:late-to'],
	['import', '--store', 'dynamodb:late-import', $people],
	['seed', '--store', 'dynamodb:late-seed', "$dir/seed"],
	['user', 'role', 'kofi', 'editor'],
);
my %command;
for my $i (0 .. $#late) {
	my $pid = fork // die;
	if ($pid == 0) {
		open STDERR, '>', "$dir/late$i" or die;
		open STDOUT, '>&', \*STDERR or die;
		exec $program, @{$late[$i]} or POSIX::_exit(127);
	}
	$command{$pid} = $i;
}
my @status;
$status[$command{waitpid $_, 0}] = $? for keys %command;
obey('calm');
for my $i (0 .. $#late) {
	is($status[$i], 0, "When answers come late, broadsheet $late[$i][0] waits for them.") or diag(`cat '$dir/late$i'`);
}

# Of a host's two addresses one lets nobody in: its queue is full. Whoever comes by the other one waits for the attempt
# to end, and for no more. A name with two addresses takes a file of hosts of our own.
sub full_queue
{
	socket(my $listener, AF_INET6, SOCK_STREAM, 0) or return;
	bind($listener, pack_sockaddr_in6($port, IN6ADDR_LOOPBACK)) && listen($listener, 0) or return;
	return ($listener, map { IO::Socket::IP->new(PeerHost => '::1', PeerPort => $port, Blocking => 0) } 1 .. 6);
}
SKIP: {
	my @full = full_queue() or skip 'IPv6 is not to be had here', 2;
	my $own = "mount --bind '$dir/hosts' /etc/hosts";
	open(my $hosts, '>', "$dir/hosts") or die;
	print $hosts "::1 both.test\n127.0.0.1 both.test\n";
	close $hosts;
	my ($how) = grep { system('unshare', @$_, '--mount', 'sh', '-c', "$own 2>/dev/null") == 0 } [], ['--user', '--map-root-user'];
	skip 'no file of hosts of its own can be had here', 2 if !$how;
	my @words = ($program, 'get', '--store', 'dynamodb:late-from', 'USER#kofi', 'METADATA');
	my $said_of = `AWS_ENDPOINT_URL_DYNAMODB=http://both.test:$port unshare @$how --mount sh -c "$own && exec @words" 2>&1`;
	is($?, 0, 'A host is reached by one of its addresses when nobody answers at the other,') or diag($said_of);
	unlike($said_of, qr/Sanitizer/, '... and nothing is left behind.');
}

# It is asked to end while requests are under way.
obey('fault stall 100');
my $stalled = obey('count');
my @waiting = map { send_for(fresh()) } 1 .. 3;
wait_for('the requests', sub { obey('count') > $stalled });
kill 'TERM', $server;
waitpid $server, 0;
is($?, 0, 'Asked to end with requests under way, it ends well,') or diag(log_text());
unlike(log_text(), qr/Sanitizer|runtime error/, '... and leaves nothing behind.');
is(status_of(read_answer($waiting[0])), 503, '... Their readers are answered.');
faults_stop();
done_testing;
