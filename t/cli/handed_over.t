#!/usr/bin/perl
# A site that is served while its table is handed over to another store: readers notice nothing, and the server and the worker
# go on in the other one by themselves. And a copier that was away for too long.

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
sub worked { return text("$dir/work.log") }
sub page { return ask(connect_to($served{socket}), request('/', keep => 0)) // '' }

my ($code, $out, $err) = run('seed', "$source/migrations-free-seed");
is($code, 0, 'A site is there,') or diag($err);
my $server = background($served{log}, $program, 'serve', '--socket', $served{socket}, '--next-store', $to);
wait_for('the server', sub { said() =~ /is ready/ });
like(page(), qr/Slack Water/, '... and served.');
my $worker = background("$dir/work.log", $program, 'work', '--next-store', $to);
my $left = background("$dir/left.log", $program, 'work');
wait_for('the workers', sub { worked() =~ /changes of \Q$from\E\./ && -e "$dir/left.log" && text("$dir/left.log") =~ /changes of/ });
unlike(said(), qr/handed over/, 'It is where it is.');
($code, $out, $err) = run('copy', $from, $to, '--follow', '--hand-over');
is($code, 0, 'It is handed over,') or diag($err);
like($out, qr/^Handed over to \Q$to\E: nothing was written for \d+ ms/m, '... which is told.');
wait_for('another worker', sub { my @ready = said() =~ /is ready/g; @ready > 1 });
like(said(), qr/handed over to \Q$to\E: a new worker opens it/, 'The server goes on there,');
like(page(), qr/Slack Water/, '... and serves what there was.');
wait_for('the worker', sub { worked() =~ /changes of \Q$to\E\./ });
like(worked(), qr/The table was handed over to \Q$to\E/, 'So does the worker, which says so.');
waitpid $left, 0;
is($? >> 8, 3, 'One that was not told where ends,');
like(text("$dir/left.log"), qr/was handed over to \Q$to\E: set store, or next-store, to that/, '... and says why.');

# What is written now is in the other store.
($code, $out, $err) = run('user', 'create', 'newcomer', 'newcomer@example.org', '--store', $from);
isnt($code, 0, 'Nobody can write to the one that was left,');
($code, $out, $err) = run('user', 'create', 'newcomer', 'newcomer@example.org', '--store', $from, '--next-store', $to);
is($code, 0, '... and commands, too, go on in the other.') or diag($err);
($code, $out) = run('get', 'USER#newcomer', 'METADATA', '--store', $to);
is($code, 0, 'What they write is there.');

kill 'TERM', $server, $worker;
waitpid $server, 0;
waitpid $worker, 0;
is($?, 0, 'The worker ends in order.');

# A copy: an export of it has nothing that makes it one, so that what is made of that takes writes.
my $copy = "sqlite:$dir/copy.db";

sub follow
{
	my ($until) = @_;

	unlink "$dir/copy.log";
	my $copier = background("$dir/copy.log", $program, 'copy', $to, $copy, '--follow');

	wait_for('the copier', sub { -e "$dir/copy.log" && text("$dir/copy.log") =~ /$until/ });
	kill 'TERM', $copier;
	waitpid $copier, 0;
	return text("$dir/copy.log");
}

my $ended = qr/the same command goes on from here/;
like(follow(qr/following; to hand/), $ended, 'A copy follows.');
($code, $out) = run('export', '--store', $copy);
unlike($out, qr/"TableMove"|"Lease"|"WorkState"/, 'An export of it is of what it copies alone,');
open my $file, '>', "$dir/copy.jsonl" or die $!;
print $file $out, '{"PK":{"S":"MOVE"},"SK":{"S":"STATE"},"Type":{"S":"TableMove"},"State":{"S":"copy"}}', "\n";
close $file;
($code, $out, $err) = run('import', "$dir/copy.jsonl", '--store', "sqlite:$dir/again.db");
is($code, 0, '... and an import leaves out what an older one has beside.') or diag($err);
($code, $out, $err) = run('user', 'create', 'another', 'another@example.org', '--store', "sqlite:$dir/again.db");
is($code, 0, 'It takes writes.') or diag($err);

# The stream no longer has what the copier did not see: here since a backup was restored, elsewhere after a day.
run('backup', "$dir/backup.db", '--store', $to);
run('user', 'create', 'too_late', 'too_late@example.org', '--store', $to);
like(follow(qr/following; to hand/), $ended, 'It goes on;');
($code, $out, $err) = run('restore', '--yes', "$dir/backup.db", '--store', $to);
is($code, 0, '... then the stream has lost what comes next.') or diag($err);
like(follow(qr/Compared both/), qr/^Compared both: [1-9][\d,]* items? differed/m, 'All is compared by itself,');
like(text("$dir/copy.log"), qr/the stream no longer has the changes since the last ones: all is compared/, '... which is said,');
($code) = run('get', 'USER#too_late', 'METADATA', '--store', $copy);
isnt($code, 0, '... and what differs is copied.');
($code, $out, $err) = run('table', 'release', '--store', $from);
is($code, 1, 'The one that was left is not taken back by mistake,');
like($err, qr/it says "moved", of \Q$to\E/, '... and says why.');
($code, $out) = run('table', 'release', '--yes', '--store', $from);
like($out, qr/^It takes writes from now on/, 'It is, if that is wanted.');
done_testing;
