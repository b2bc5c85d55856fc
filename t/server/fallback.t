#!/usr/bin/perl
# A worker dies, and the next one can't start: a stand-in tells everybody so at once, and when a worker can start
# again, all is well by itself.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use POSIX ();
use Test::More;
use Time::HiRes 'time';

# One second is what is promised. A busy machine, and sanitizers, add to it, but never what nginx waits: a minute.
use constant SOON => 20;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
my $dir = tempdir(CLEANUP => 1);
chmod 0755, $dir;

# Root may write anywhere, so what is forbidden is tried by somebody who is not.
my @nobody = $> == 0 ? ('setpriv', '--reuid', 65534, '--regid', 65534, '--clear-groups') : ();
@nobody = () if @nobody && system(@nobody, $program, 'version') != 0;

my ($server, $log, $socket, $said);
sub serve
{
	my ($name, @as) = @_;

	$log = "$dir/$name.log";
	$socket = "$dir/$name.socket";
	$server = background($log, @as, $program, 'serve', '--socket', $socket);
	wait_for('the program', sub { said() =~ /is ready/ });
}
sub said { open my $in, '<', $log or return ''; local $/; return <$in> // '' }
sub whole { my ($path, %o) = @_; return get(connect_to($socket), $path, %o) }
sub get
{
	my ($connection, $path, %o) = @_;
	syswrite $connection, request($path, %o);
	return read_answer($connection) // '';
}
sub status_of { return $_[0] =~ /^Status: (\d+)/m ? $1 : 0 }
sub is_well { return wait_for('a page', sub { status_of(whole('/')) == 200 }) }

sub kill_worker
{
	# The log tells of it a moment after it answers.
	my $worker = wait_for('a worker', sub { said() =~ /.*Worker (\d+) is ready/s && kill(0, $1) && $1 });
	kill 'KILL', $worker;
	wait_for('its end', sub { !kill 0, $worker });
}

sub end
{
	kill 'TERM', $server;
	waitpid $server, 0;
	is($?, 0, '... and the program ends in order.') or diag(said());
	unlike(said(), qr/Sanitizer|runtime error/, '... leaving nothing behind.');
}

# The worker is gone and none can start: looks at what is said, mends the matter, and waits for the site.
sub tells
{
	my ($what, $mend) = @_;
	kill_worker();
	my $began = time;
	my @pages = map { whole($_) } '/', '/healthz', '/tags', '/feed.atom', '/robots.txt', '/no/such/page';
	cmp_ok(time - $began, '<', SOON, "When $what, nobody waits for long:");
	is(join(' ', map { status_of($_) } @pages), '503 503 503 503 503 404', 'readers and monitors get a 503,');
	like($pages[0], qr/^Retry-After: 5\r?\n.*Back in a moment/ms, '... a page of the site that says when to come again.');
	my ($style) = $pages[0] =~ m{href="(/static/style\.[^"]+)"};
	is(status_of(whole($style // '/no-style')), 200, '... which has its style.');
	my $kept = connect_to($socket);
	is(status_of(get($kept, '/archive')), 503, '... So does who keeps the connection.');
	wait_for('the log', sub { said() =~ /status=503 .*why="no worker is ready[^"]*" cache=- address=\/archive$/m });
	like(said(), qr/^<4>No worker can start: process \d+ answers/m, '... The log tells it.');
	$mend->();
	ok(is_well(), '... Once it can start, all is well by itself,');
	# The stand-in may answer once more before it hands over.
	ok(wait_for('the kept connection', sub { status_of(get($kept, '/archive')) == 200 }),
		'... also for who kept the connection.');
}

# --- A file ------------------------------------------------------------------------------------------------

my $data = "$dir/data";
mkdir $data or die;
$ENV{BROADSHEET_STORE} = "sqlite:$data/test.db";
$ENV{BROADSHEET_STATIC} = "$source/static";
$ENV{BROADSHEET_TEMPLATES} = "$dir/templates";
$ENV{BROADSHEET_MEDIA} = "$dir/media";
system('cp', '-r', "$source/templates", "$dir/templates") == 0 or die;
system("'$program' seed '$source/migrations-free-seed' >/dev/null 2>&1") == 0 or die 'no table';

# Puts something else where the data is, while the worker still has the old.
sub put_aside
{
	my ($fill) = @_;
	rename $data, "$data.good" or die;
	mkdir $data or die;
	$fill->();
	return sub { rename $data, "$data.bad." . time and rename "$data.good", $data or die };
}

serve('file');
ok(is_well(), 'At first all is well.');
tells('the table is damaged', put_aside(sub {
	open my $out, '>', "$data/test.db" or die;
	print $out 'This is no table. ' x 1000;
}));
tells('a folder lies where the table was', put_aside(sub { mkdir "$data/test.db" or die }));

# What somebody has written is not lost: it waits in the page.
my $mend = put_aside(sub { mkdir "$data/test.db" or die });
kill_worker();
like(whole('/write/note', method => 'POST', body => 'title=&text=Kept',
	with => {CONTENT_TYPE => 'application/x-www-form-urlencoded', HTTP_HOST => 'localhost',
		REQUEST_SCHEME => 'http', HTTP_SEC_FETCH_SITE => 'same-origin'}),
	qr/^Status: 503.*name="text" value="Kept"/s, 'A form that is sent meanwhile waits in the answer.');
$mend->();
ok(is_well(), '... Afterwards all is well.');

# Not even the page can be made as usual.
rename "$dir/templates", "$dir/templates.away" or die;
kill_worker();
like(whole('/'), qr/^Status: 503.*<h1>Service Unavailable/s, 'Without templates the page is a plain one.');
rename "$dir/templates.away", "$dir/templates" or die;
ok(is_well(), '... With them, all is well.');
like(whole('/'), qr/style-/, '... in its own style.');

# --- Reloading: who asks is told what becomes of it. ---
is(system($program, 'reload', $server), 0, 'A reload that goes well is told so.');
rename "$dir/templates", "$dir/templates.away" or die;
my $told = `'$program' reload $server 2>&1`;
is($? >> 8, 1, 'One that fails is told so, too,');
like($told, qr/could not start, and the old one goes on/, '... and why nothing has changed.');
is(status_of(whole('/')), 200, '... The site goes on.');
rename "$dir/templates.away", "$dir/templates" or die;
my $before = said();
kill 'HUP', $server;
wait_for('a new worker and the end of the old', sub {
	my $since = substr said(), length $before;
	$since =~ /is ready/ && $since =~ /has ended/;
});
ok(is_well(), 'Nobody needs to ask so.');
like(`'$program' reload 999999999 2>&1`, qr/No such process/, 'A process that is not there is no server.');

# It is told to end while there is nobody but the stand-in.
$mend = put_aside(sub { mkdir "$data/test.db" or die });
kill_worker();
is(status_of(whole('/')), 503, 'Again nobody can start.');
end();
$mend->();

SKIP: {
	skip 'nobody is there who may not write anywhere', 10 if $> == 0 && !@nobody;
	system('chown', '-R', 65534, $data, "$dir/media") if @nobody;
	chmod 0777, $dir;
	serve('read-only', @nobody);
	ok(is_well(), 'With a table of somebody else all is well.');
	my $set = sub { chmod $_[0], glob "$data/*"; chmod $_[1], $data };
	$set->(0444, 0555);
	tells('nothing can be written', sub { $set->(0644, 0755) });
	end();

	# Nobody else is this user. There are the supervisor, a worker, and what it starts.
	skip 'processes can\'t be bounded here', 1 if !@nobody || system('prlimit --version >/dev/null 2>&1') != 0;
	my $only = 60000 + $$ % 5000;
	mkdir "$dir/only" and chown $only, $only, "$dir/only" or die;
	$said = `prlimit --nproc=4 setpriv --reuid $only --regid $only --clear-groups '$program' serve --create --store 'sqlite:$dir/only/db' --socket '$dir/only/s' 2>&1`;
	like($said, qr/Thread \d+ of \d+ can't be started: Resource temporarily unavailable\. Raise what limits/,
		'Where no more threads are to be had, it says why, and what to do.');
}

# --- Two who are ready at once -----------------------------------------------------------------------------

{
	my $held = tempdir(CLEANUP => 1);
	my $file = sub { open my $out, '>', "$held/fail.$_[0]" or die };
	$file->('stand-in');
	my $two = start(dir => $held);
	my $answer = sub { ask(connect_to($two->{socket}), request('/')) // '' };
	my ($worker) = $answer->() =~ /(\d+)/;
	$file->('wait');
	kill 'KILL', $worker;
	wait_for('a stand-in', sub { FastCGI::log_has($two, qr/answers with status 503/) });
	kill 'STOP', $two->{pid};
	unlink "$held/fail.stand-in";
	my ($fallback) = wait_for('the stand-in', sub { $answer->() }) =~ /(\d+)/;
	unlink "$held/fail.wait";
	wait_for('the worker', sub { $answer->() !~ /\b$fallback$/ });
	kill 'CONT', $two->{pid};
	ok(wait_for('the log', sub { FastCGI::log_has($two, qr/is ready/) == 2 && FastCGI::log_has($two, qr/Worker $fallback has ended/) }),
		'Where a stand-in and a worker are ready at once, the worker takes over.');
	is(stop($two), 0, '... It ends in order.');
}

# --- The first start ---------------------------------------------------------------------------------------

$mend = put_aside(sub { mkdir "$data/test.db" or die });
$said = `'$program' serve --socket '$dir/first' 2>&1`;
is($? >> 8, 1, 'A program that can\'t start at all ends with status 1,');
like($said, qr/test\.db.*The server could not start/s, '... and says why.');
$mend->();

# --- DynamoDB ----------------------------------------------------------------------------------------------

SKIP: {
	skip 'this is built without DynamoDB', 1
		if `'$program' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
	skip 'the fault server needs Node.js', 1 if system('node --version >/dev/null 2>&1') != 0;
	delete $ENV{AWS_ENDPOINT_URL_DYNAMODB};
	dynamo_start() or skip 'DynamoDB Local does not start here', 1;
	$ENV{AWS_ENDPOINT_URL_DYNAMODB} = 'http://127.0.0.1:' . faults_start();
	$ENV{BROADSHEET_STORE} = 'dynamodb:stand-in';
	system("'$program' table create >/dev/null && '$program' seed '$source/migrations-free-seed' >/dev/null 2>&1") == 0
		or die 'no table';
	serve('dynamo');
	ok(is_well(), 'With DynamoDB all is well.');
	for my $case (['gone', 'back', 'nobody is there'], ['fault stall 100', 'calm', 'nobody answers']) {
		obey($case->[0]);
		tells("DynamoDB is away, $case->[2]", sub { obey($case->[1]) });
	}
	unlike(said(), qr/the name is not known/, 'Of an address nobody says that its name is not known.');
	end();
	faults_stop();
}
done_testing;
