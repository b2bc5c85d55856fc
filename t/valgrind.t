#!/usr/bin/perl
# On DynamoDB under valgrind: the engine, closed with calls of every kind under way (t/table/dynamo_closing.c), and the
# whole program, asked to end with requests in flight. No memory is used that was given back or never written, and
# none is lost. Both are built without sanitizers, which valgrind takes the place of. Nothing here depends on how slow
# that makes them.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Dynamo;
use FastCGI;
use File::Temp 'tempdir';
use Test::More;

my $source = "$FindBin::Bin/..";
my $build = build_dir();
my $program = "$build/valgrind/broadsheet";
my $dir = tempdir(CLEANUP => 1);

plan skip_all => 'this is built without DynamoDB'
	if `'$build/broadsheet' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
for my $needed ('valgrind', 'node') {
	plan skip_all => "$needed is not installed" if !grep { -x "$_/$needed" } split /:/, $ENV{PATH};
}
# The flags of a make around us are not for this one.
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
my $made = `make -s -j2 -C '$build' valgrind 2>&1`;
$? == 0 or die $made;
delete @ENV{grep { /^(AWS|BROADSHEET|DYNAMODB)_/ } keys %ENV};
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';

sub text { my ($path) = @_; open(my $f, '<', $path) or return ''; local $/; return <$f> // '' }

my @valgrind = ('valgrind', '--quiet', '--leak-check=full', '--show-leak-kinds=definite,indirect,possible',
	'--errors-for-leak-kinds=definite,indirect,possible', '--error-exitcode=99', '--num-callers=25', '--fair-sched=try');

# --- The engine --------------------------------------------------------------------------------------------

my $status = system("@valgrind --child-silent-after-fork=yes --log-file='$dir/engine' '$build/valgrind/dynamo_closing' >'$dir/said'");
my @said = split /^/, text("$dir/said");
cmp_ok(scalar(grep { /^ok/ } @said), '>', 5, 'The calls are made and given up, the table is closed.') or diag(@said);
ok(!(grep { /^(not ok|Bail out)/ } @said), '... All of it as it should be.') or diag(@said);
is($status, 0, '... and valgrind finds nothing.') or diag(text("$dir/engine"));

# --- The program -------------------------------------------------------------------------------------------

my $port = faults_start();
$ENV{AWS_ENDPOINT_URL_DYNAMODB} = "http://127.0.0.1:$port";
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{BROADSHEET_STORE} = 'dynamodb:valgrind';
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
# It would derive the whole table anew, which takes most of the time and is no part of this.
$ENV{BROADSHEET_STREAM_WORKER} = 'no';
system("'$program' table create >/dev/null && '$program' seed '$source/migrations-free-seed' >/dev/null 2>&1") == 0
	or die 'no table';

# Sends a request; the connection, from which the answer can be read.
sub send_for
{
	my ($path, %o) = @_;
	my $socket = connect_to("$dir/socket") or die "no connection: $!";
	syswrite $socket, request($path, keep => 0, %o);
	return $socket;
}
# It is counted in the table that somebody tries, before any password is looked at. The form is that of the first page.
my ($cookie, $token);
sub try_login
{
	if (!defined $token) {
		my $form = read_answer(send_for('/login')) // '';
		($cookie) = $form =~ /^Set-Cookie: ([^;]+)/m;
		($token) = $form =~ /name="csrf" value="([\w-]+)"/;
	}
	return send_for('/login', method => 'POST', body => "csrf=$token&name=noor&password=mistyped", with => {
		CONTENT_TYPE => 'application/x-www-form-urlencoded', HTTP_SEC_FETCH_SITE => 'same-origin', HTTP_COOKIE => $cookie});
}
sub status_of { return ($_[0] // '') =~ /^Status: (\d+)/m ? $1 : ($_[0] // '') =~ /^Content-Type/m ? 200 : 0 }

my $server = background("$dir/log", @valgrind, "--log-file=$dir/valgrind.%p", $program, 'serve', '--threads', 4,
	'--socket', "$dir/socket", '--media', $dir);
wait_for('the program', sub { text("$dir/log") =~ /is ready|could not start/ });
for my $case (['/', 200], ['/post/the-hour-when-nothing-moves', 200], ['/post/no-such', 404], ['/archive', 200], ['/feed.atom', 200]) {
	my ($path, $wanted) = @$case;
	# In the end: so slow, and on a busy machine, a page may wait for the table for longer than it can.
	ok(wait_for($path, sub { status_of(read_answer(send_for($path))) == $wanted }), "$path is answered.");
}
ok(wait_for('/login', sub { status_of(read_answer(try_login())) == 422 }), 'So is who mistypes a password.');

# Some wait for an answer that never comes, some for the end of one. Each asks for what no cache has.
my $before = obey('count');
obey("fault $_") for 'stall 34', 'hang 33', 'trickle 33';
my @waiting = (try_login(), map { send_for("/post/no-$_") } 1 .. 3);
wait_for('the requests', sub { obey('count') >= $before + @waiting });
kill 'TERM', $server;
waitpid $server, 0;
is($?, 0, 'Asked to end with requests in flight, the program ends well:') or diag(text("$dir/log"));
is(status_of(read_answer($_)), 503, '... who waits is answered,') for @waiting;
my @logs = glob "$dir/valgrind.*";
cmp_ok(scalar @logs, '>=', 2, 'Valgrind has watched it and its worker,');
is(join('', map { text($_) } @logs), '', '... and has found nothing.');
faults_stop();
done_testing;
