#!/usr/bin/perl
# A site that is served while its table is handed over to another store: readers notice nothing, and the server goes on in
# the other one by itself.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use File::Basename 'dirname';
use File::Temp 'tempdir';
use Test::More;

my $source = dirname(dirname($FindBin::Bin));
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
store_for_test($program, $dir);
my ($from, $to) = ($ENV{BROADSHEET_STORE}, "sqlite:$dir/other.db");
my %served = (socket => "$dir/socket", log => "$dir/log");

# Both stores have one secret, as with next-store; templates and static files are the source's.
$ENV{BROADSHEET_SECRET_FILE} = "$dir/secret";
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
$ENV{BROADSHEET_MEDIA} = $dir;

sub said { return text($served{log}) }
sub page { return ask(connect_to($served{socket}), request('/', keep => 0)) // '' }

my ($code, $out, $err) = run('seed', "$source/migrations-free-seed");
is($code, 0, 'A site is there,') or diag($err);
my $server = background($served{log}, $program, 'serve', '--socket', $served{socket}, '--next-store', $to);
wait_for('the server', sub { said() =~ /is ready/ });
like(page(), qr/Slack Water/, '... and served.');
unlike(said(), qr/handed over/, 'It is where it is.');
($code, $out, $err) = run('copy', $from, $to, '--follow', '--hand-over');
is($code, 0, 'It is handed over,') or diag($err);
like($out, qr/^Handed over to \Q$to\E: nothing was written for \d+ ms/m, '... which is told.');
wait_for('another worker', sub { my @ready = said() =~ /is ready/g; @ready > 1 });
like(said(), qr/handed over to \Q$to\E: a new worker opens it/, 'The server goes on there,');
like(page(), qr/Slack Water/, '... and serves what there was.');

# What is written now is in the other store.
($code, $out, $err) = run('user', 'create', 'newcomer', 'newcomer@example.org', '--store', $from);
isnt($code, 0, 'Nobody can write to the one that was left,');
($code, $out, $err) = run('user', 'create', 'newcomer', 'newcomer@example.org', '--store', $from, '--next-store', $to);
is($code, 0, '... and commands, too, go on in the other.') or diag($err);
($code, $out) = run('get', 'USER#newcomer', 'METADATA', '--store', $to);
is($code, 0, 'What they write is there.');

kill 'TERM', $server;
waitpid $server, 0;
($code, $out, $err) = run('table', 'release', '--store', $from);
is($code, 1, 'The one that was left is not taken back by mistake,');
like($err, qr/it says "moved", of \Q$to\E/, '... and says why.');
($code, $out) = run('table', 'release', '--yes', '--store', $from);
like($out, qr/^It takes writes from now on/, 'It is, if that is wanted.');
done_testing;
