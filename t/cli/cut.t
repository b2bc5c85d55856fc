#!/usr/bin/perl
# Loads and backups that are killed halfway: what is there in part is told of, and finished or begun anew; what a backup
# leaves goes with the next one.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use FastCGI;
use POSIX ();
use Test::More;

use constant {KILLS => 6, MARK => qr/"LEASE"/};

my $source = "$FindBin::Bin/../..";
my $seed = "$source/migrations-free-seed";
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
my $db = "$dir/table.db";
$ENV{BROADSHEET_STORE} = "sqlite:$db";
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";

sub clear { unlink glob "$db*" }

# The items that there are, by their keys; without what serve makes for itself.
sub keys_of
{
	my (undef, $out) = run('export');
	my @keys = map { join ' ', /[{,]("[PS]K":\{"S":"(?:[^"\\]|\\.)*"\})/g } split /\n/, $out;
	return join "\n", sort grep { !/"SECRET"|"PICTUREKEY"|"sweep"/ } @keys;
}
sub count_of { return () = keys_of() =~ /^./mg }

# Runs a command, and kills it once the table's log has so many bytes. True when it was killed before its end.
sub cut
{
	my ($bytes, @words) = @_;
	my $pid = fork // die;
	if ($pid == 0) {
		open STDOUT, '>', '/dev/null' or die;
		open STDERR, '>', '/dev/null' or die;
		exec build_dir() . '/broadsheet', @words or POSIX::_exit(127);
	}
	until (waitpid $pid, POSIX::WNOHANG) {
		select undef, undef, undef, 0.0005;
		next if (-s "$db-wal" // 0) < $bytes;
		kill 'KILL', $pid;
		waitpid $pid, 0;
		return ($? & 127) == 9;
	}
	return 0;
}

# How much a whole load writes to the log.
my $whole = 0;
{
	my $pid = fork // die;
	exec("exec '" . build_dir() . "/broadsheet' seed '$seed' >/dev/null 2>&1") or POSIX::_exit(127) if $pid == 0;
	until (waitpid $pid, POSIX::WNOHANG) {
		my $now = -s "$db-wal" // 0;
		$whole = $now if $now > $whole;
		select undef, undef, undef, 0.0005;
	}
}
my $items = count_of();
cmp_ok($items, '>', 900, 'A seed that nobody kills has all its items.');
my (undef, $exported) = run('export', "$dir/all.jsonl");

# --- seed --------------------------------------------------------------------------------------------------

my $cut = 0;
for my $n (1 .. KILLS) {
	clear();
	next if !cut($whole * $n / (KILLS + 1), 'seed', $seed);
	my $there = count_of();
	my ($code, $out, $err) = run('seed', '--if-empty', $seed);

	is($code, 0, "A seed that was killed at $there items is taken up again,") or diag("$out$err");
	next if $out =~ /Nothing loaded/ && $there == $items;
	$cut++;
	like("$out$err", qr/(?:a seed was interrupted: completing it.*)?Loaded/s, '... which it says,');
	is(count_of(), $items, '... and has all its items, and none twice.');
	unlike(keys_of(), MARK, '... It is not marked any more.');
}
cmp_ok($cut, '>', 0, "$cut of " . KILLS . ' kills came halfway.');
my ($code, $out, $err) = run('seed', '--if-empty', $seed);
like($out, qr/^Nothing loaded/, 'Then there is content already.');

# --- serve, and a seed that was to replace all ----------------------------------------------------------------

sub cut_somewhere
{
	my ($prepare, @words) = @_;
	for my $n (1 .. 2 * KILLS) {
		$prepare->();
		return 1 if cut($whole * $n / (2 * KILLS + 1), @words) && keys_of() =~ MARK;
	}
	return 0;
}

ok(cut_somewhere(\&clear, 'seed', '--replace', $seed), 'A seed that replaces is killed.');
($code, $out, $err) = run('seed', '--if-empty', $seed);
is($code, 1, 'It is finished by nobody who did not say so again:');
like($err, qr/begun at \S+, is in progress or was interrupted: .* `broadsheet seed --replace`/, '... the command says what to do,');
my $server = fork // die;
if ($server == 0) {
	open STDERR, '>', "$dir/log" or die;
	exec build_dir() . '/broadsheet', 'serve', '--socket', "$dir/socket" or POSIX::_exit(127);
}
wait_for('the site', sub { text("$dir/log") =~ /is ready/ });
like(text("$dir/log"), qr/^<4>`broadsheet seed`, begun at \S+, .* items are missing; run it again/m, '... and serve warns.');
kill 'TERM', $server;
waitpid $server, 0;
is((run('seed', '--replace', $seed))[0], 0, 'Said again, it is done,');
is(count_of(), $items, '... as a whole.');

# --- import ---------------------------------------------------------------------------------------------------

ok(cut_somewhere(\&clear, 'import', "$dir/all.jsonl"), 'An import is killed.');
($code, $out, $err) = run('import', "$dir/all.jsonl");
is($code, 1, 'The next one finds a part,');
like($err, qr/`broadsheet import`, begun at .* interrupted: .*--merge to finish .*--replace/, '... and says how to go on.');
($code, $out, $err) = run('seed', '--if-empty', $seed);
is($code, 1, 'A seed does not take it for content,') or diag("$out$err");
is((run('import', '--merge', "$dir/all.jsonl"))[0], 0, '... With --merge it is finished,');
is(count_of(), $items, '... as a whole,');
unlike(keys_of(), MARK, '... and not marked any more.');

# --- backup ---------------------------------------------------------------------------------------------------

mkdir "$dir/backups" or die;
sub parts { return grep { /part/ } glob "$dir/backups/*" }
my $left = 0;
for my $n (1 .. 200) {
	my $pid = fork // die;
	exec("exec '" . build_dir() . "/broadsheet' backup '$dir/backups/old.db' >/dev/null 2>&1") or POSIX::_exit(127) if $pid == 0;
	until (waitpid $pid, POSIX::WNOHANG) {
		next if !parts();
		kill 'KILL', $pid;
		waitpid $pid, 0;
		last;
	}
	$left = parts();
	last if $left;
	unlink "$dir/backups/old.db";
}
ok($left, 'A backup that is killed leaves a part.');
unlink "$dir/backups/old.db";
for my $name ('mine.broadsheet-part-', 'mine.broadsheet-part-1234567', 'backup.db.AbCdEf') {
	open my $file, '>', "$dir/backups/$name" or die;
	close $file;
}
open my $busy, '>', "$dir/backups/busy.broadsheet-part-AbCdEf" or die;
flock $busy, 2 or die;
is((run('backup', "$dir/backups/new.db"))[0], 0, 'The next one');
is_deeply([map { s{.*/}{}r } sort glob "$dir/backups/*"],
	['backup.db.AbCdEf', 'busy.broadsheet-part-AbCdEf', 'mine.broadsheet-part-', 'mine.broadsheet-part-1234567', 'new.db'],
	'... clears it away, and leaves what is in use, and what is not ours.');
close $busy;
my $odd = q{a%41?b#c "d'.db};
is((run('backup', "$dir/backups/$odd"))[0], 0, 'Its name may be any,');
ok(-s "$dir/backups/$odd", '... and is what was said.');
done_testing();
