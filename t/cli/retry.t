#!/usr/bin/perl
# Commands that read or write a whole table wait out a moment in which DynamoDB takes no more, or breaks; when it
# does so for good, they say so and end. A copy that is killed on its way is gone on with from where it last said.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

# How long it lasts; far longer than the engine's own attempts. And how long a command may take that gives up after
# a minute, on a busy machine.
use constant { MOMENT => 3, AT_LAST => 240 };

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
$ENV{BROADSHEET_CONFIG} = '/dev/null';
plan skip_all => 'this is built without DynamoDB'
	if `'$program' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
plan skip_all => 'the fault server needs Node.js' if system('node --version >/dev/null 2>&1') != 0;
delete $ENV{AWS_ENDPOINT_URL_DYNAMODB};
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';

my $dir = tempdir(CLEANUP => 1);
my $port = faults_start();
$ENV{AWS_ENDPOINT_URL_DYNAMODB} = "http://127.0.0.1:$port";

my $people = "$source/migrations-free-seed/10-people.jsonl";
mkdir("$dir/seed") && symlink($people, "$dir/seed/people.jsonl") or die;
system("'$program' import --store sqlite:$dir/from.db '$people' >/dev/null 2>&1") == 0 or die 'no people';

mkdir "$dir/posts" or die;
for my $number (1 .. 8) {
	open(my $post, '>', "$dir/posts/post-$number.md") or die;
	print $post "---\ntitle: Post $number\nauthor: kofi\ncategory: new\n---\nText $number.\n";
}

# Those that are given a table of their own, by its name; what is to be removed from some of them lies there already.
my %words = (
	export => sub { ['export', '--store', 'dynamodb:from', "$dir/$_[0].jsonl"] },
	'export posts' => sub { ['export', 'posts', '--merge', '--store', 'dynamodb:from', "$dir/$_[0]"] },
	import => sub { ['import', '--store', "dynamodb:$_[0]", $people] },
	'import posts' => sub { ['import', 'posts', '--store', "dynamodb:$_[0]", "$dir/posts"] },
	'import --replace' => sub { ['import', '--replace', '--store', "dynamodb:$_[0]", $people] },
	seed => sub { ['seed', '--store', "dynamodb:$_[0]", "$dir/seed"] },
	'seed --replace' => sub { ['seed', '--replace', '--store', "dynamodb:$_[0]", "$dir/seed"] },
	copy => sub { ['copy', "sqlite:$dir/from.db", "dynamodb:$_[0]"] },
	'copy --replace' => sub { ['copy', '--replace', "sqlite:$dir/from.db", "dynamodb:$_[0]"] },
);
run('table', 'create', '--store', 'dynamodb:from');
run('seed', '--store', 'dynamodb:from', "$source/migrations-free-seed");

sub table_of { my ($round, $name) = @_; return "$round-" . $name =~ s/\W+/-/gr }

sub make_tables
{
	my ($round) = @_;
	for my $name (grep { !/^export/ } keys %words) {
		my @store = ('--store', 'dynamodb:' . table_of($round, $name));
		run('table', 'create', @store);
		run('import', @store, "$source/migrations-free-seed/20-categories.jsonl") if $name =~ /replace/;
	}
}

# All of them at once, to wait together: what each ends with, what it says, how long it took.
sub all_of_them
{
	my ($round, $fault, $meanwhile) = @_;
	my (%name_of, %ended);
	obey("fault $fault 100");
	my $began = time;
	for my $name (keys %words) {
		my $table = table_of($round, $name);
		my $pid = fork // die;
		if ($pid == 0) {
			open STDERR, '>', "$dir/said-$table" or die;
			open STDOUT, '>&', \*STDERR or die;
			exec $program, @{$words{$name}->($table)} or POSIX::_exit(127);
		}
		$name_of{$pid} = [$name, $table];
	}
	$meanwhile->();
	while (%name_of) {
		my ($name, $table) = @{delete $name_of{my $pid = waitpid -1, 0} // next};
		$ended{$name} = {status => $? & 127 ? 128 : $? >> 8, took => time - $began,
			said => without_progress(text("$dir/said-$table"))};
	}
	return \%ended;
}

for my $case (['throttle', 'all is throttled'], ['broken', 'what items are asked for breaks']) {
	my ($fault, $what) = @$case;
	make_tables($fault);
	my $ended = all_of_them($fault, $fault, sub {
		# From when about each of them has met it, as often as the engine tries by itself.
		my $before = obey('count');
		wait_for('the requests', sub { obey('count') >= $before + 4 * keys %words });
		sleep MOMENT;
		obey('calm');
	});
	for my $name (sort keys %words) {
		is($ended->{$name}{status}, 0, "When $what for a moment, broadsheet $name waits.") or diag($ended->{$name}{said});
	}
}
my ($code, $out) = run('export', '--store', 'dynamodb:from');
is(text("$dir/throttle-export.jsonl"), $out, 'What was exported meanwhile is all of it,');
for my $name ('import --replace', 'seed --replace', 'copy --replace') {
	my $table = table_of('broken', $name);
	unlike((run('export', '--store', "dynamodb:$table"))[1], qr/CATEGOR/, "... and by $name all was removed that was to go.");
}

my $ended = all_of_them('broken', 'broken', sub { });
obey('calm');
for my $name (sort keys %words) {
	my $it = $ended->{$name};
	is($it->{status}, 4, "When it breaks for good, broadsheet $name gives up,");
	like($it->{said}, qr/\Abroadsheet: [^\n]*InternalServerError[^\n]*\n\z/, '... says why in one line,');
	cmp_ok($it->{took}, '<', AT_LAST, '... in its time.');
}

# What is written is told as failed.
run('table', 'create', '--store', 'dynamodb:unsure');
obey('fault untold 100');
($code, $out, my $said_of) = run('import', 'posts', '--store', 'dynamodb:unsure', "$dir/posts");
obey('calm');
is($code, 0, 'Of posts nobody says that they were written: it is looked up;') or diag($said_of);
like($out, qr/^Wrote 8 new posts,/, '... all of them are,');
(undef, $out) = run('export', '--store', 'dynamodb:unsure');
my $revisions = () = $out =~ /"Type":\{"S":"Revision"\}/g;
is($revisions, 8, '... each of them once.');

# Some answers come so late that each page takes some seconds.
system("'$program' seed --store sqlite:$dir/whole.db '$source/migrations-free-seed' >/dev/null 2>&1") == 0 or die 'no seed';
run('table', 'create', '--store', 'dynamodb:killed');
obey('fault late 50');
my $copy = open(my $saying, '-|', "exec '$program' copy 'sqlite:$dir/whole.db' dynamodb:killed 2>&1") // die;
my $cursor;
while (!$cursor && defined(my $line = <$saying>)) {
	($cursor) = $line =~ /^copy: if it is broken off, go on with --resume (\S+)$/;
}
kill 'KILL', $copy;
close $saying;
is($? & 127, 9, 'A copy is killed,');
obey('calm');
my $whole = () = (run('export', '--store', "sqlite:$dir/whole.db"))[1] =~ /\n/g;
my $part = () = (run('export', '--store', 'dynamodb:killed'))[1] =~ /\n/g;
ok($part > 0 && $part < $whole, '... in the middle.') or diag("$part of $whole");
($code, $out) = run('copy', "sqlite:$dir/whole.db", 'dynamodb:killed', '--resume', $cursor // '');
my ($copied) = $out =~ /^Copied ([\d,]+) items from .*^Both hold the same$/ms;
is($code, 0, 'It goes on from where it last said, and both hold the same;') or diag($out);
cmp_ok(($copied // $whole) =~ s/,//gr, '<', $whole, '... it does not begin anew.');
faults_stop();
done_testing;
