#!/usr/bin/perl
# The command line from outside: what each command answers, how it ends, and what it leaves behind.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command qw(text without_progress);
use JSON::PP;
use Test::More;

my $source = "$FindBin::Bin/../..";
my ($build) = grep { defined && -x "$_/broadsheet" }
	($ENV{BROADSHEET_BUILD}, '.', "$source/build/test", "$source/build/dev");
die "No build was found: set BROADSHEET_BUILD.\n" if !defined $build;
$build = `cd '$build' && pwd` =~ s/\n//r;

my $dir = tempdir(CLEANUP => 1);
my $seed = "$source/migrations-free-seed";
delete @ENV{grep { /^BROADSHEET_/ || $_ eq 'NO_COLOR' } keys %ENV};
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{BROADSHEET_MEDIA} = "$dir/media";
# What the sanitizers need more than a small limit of memory or of files.
$ENV{ASAN_OPTIONS} = 'detect_leaks=1';

my ($code, $out, $err);

# Whoever still runs when this ends, ends with it.
my ($self, %running) = $$;
END { kill 'KILL', keys %running if $$ == ($self // 0) }

sub store { return ('--store', "sqlite:$dir/$_[0].db") }
sub write_text { my ($path, $text) = @_; open(my $f, '>', $path) or die $!; print $f $text; close $f }
sub quoted { return join ' ', map { s/'/'\\''/gr =~ s/(.*)/'$1'/sr } @_ }

# Runs a command of the shell's; `@` in it is the program.
sub shell
{
	my ($command) = @_;

	$command =~ s{(^|[|;(]\s*)\@ }{$1'$build/broadsheet' }g;
	my $status = system('/bin/sh', '-c', "cd '$dir' || exit 99\n{ $command\n} >out 2>err");
	($code, $out, $err) = ($status & 127 ? 128 + ($status & 127) : $status >> 8,
		text("$dir/out"), without_progress(text("$dir/err")));
}
sub run { shell('@ ' . quoted(@_)) }

# One call, in a sentence: status, what is on standard output, what is on standard error.
sub says
{
	my ($sentence, $status, $output, $error, @words) = @_;

	run(@words);
	my $good = $code == $status && $out =~ $output && $err =~ $error;
	ok($good, $sentence) or diag("$code, not $status\nout: $out\nerr: $err");
}

# What a command says that has made its table.
my $made = qr/^broadsheet: there was no table: made sqlite:\S+\n?$/;
sub exported { run('export', store($_[0])); return $out }

# A seed that does not fit, beside all else, as it takes a minute: so long it hopes that there is room again. The shell's
# limit of a file's size is in blocks of 512 bytes; without the signal, a write fails with EFBIG.
my $no_room = fork // die;
if ($no_room == 0) {
	open(STDOUT, '>', '/dev/null');
	open(STDERR, '>', "$dir/no-room");
	exec('/bin/sh', '-c', "trap '' XFSZ; ulimit -f 1600; exec \"\$@\"", 'sh', "$build/broadsheet", 'seed', $seed, store('small'));
}
$running{$no_room} = 1;

# --- Help, and what is typed wrongly -----------------------------------------------------------------

says('No command is wrong usage.', 2, qr/^$/, qr/^broadsheet: a command is missing/);
says('help lists the commands.', 0, qr/^  seed  .*^  version  /ms, qr/^$/, 'help');
my $help = $out;
my ($list) = $help =~ /Commands\n(.*?)\n\n/s;
my @commands = $list =~ /^  (\w+) /mg;
says('--help does the same.', 0, qr/^\Q$help\E$/, qr/^$/, '--help');
says('-h does the same.', 0, qr/^\Q$help\E$/, qr/^$/, '-h');
for my $command (@commands) {
	says("$command --help begins with its name.", 0, qr/^broadsheet $command - .*^Usage\n/ms, qr/^$/,
		$command, '--help');
	my $same = $out;
	says('... and help gives the same.', 0, qr/^\Q$same\E$/, qr/^$/, 'help', $command);
	# However long the paths are that it was configured with.
	my @long = grep { length > 100 } split /\n/, $same =~ s{/\S*/}{/}gr;
	ok(!@long, '... in lines of a readable length.') or diag(join "\n", @long);
	says('... and knows no option that is made up.', 2, qr/^$/, qr/$command: there is no option --xyzzy/,
		$command, '--xyzzy');
}
says('--version is version.', 0, qr/^broadsheet \d+\.\d+\.\d+\nsqlite 3\./, qr/^$/, '--version');

my @mistyped = (
	[['sede'], qr/there is no command "sede"; did you mean "seed"\?/],
	[['exprot'], qr/did you mean "export"\?/],
	[['xyzzy'], qr/there is no command "xyzzy"; see `broadsheet help`/],
	[['help', 'serv'], qr/did you mean "serve"\?/],
	[['seed', '--replcae'], qr/there is no option --replcae; did you mean --replace\?/],
	[['serve', '--thread', '4'], qr/did you mean --threads\?/],
	[['seed', '--threads', '4'], qr/there is no option --threads/],
	[['seed', '--store'], qr/a value is missing behind --store/],
	[['seed', '--replace=yes'], qr/no value belongs behind --replace/],
	[['seed', '-r'], qr/there is no option -r/],
	[['seed', 'a', 'b'], qr/seed: "b" is one argument too many/],
	[['get', 'SITE'], qr/get: an argument is missing: broadsheet get PK SK/],
	[['import'], qr/import: an argument is missing/],
	[['import', 'x', '--replace', '--merge'], qr/--replace and --merge exclude each other/],
	[['query', 'POST', '--index', 'gsi5'], qr/--index is "gsi5", but should be/],
	[['query', 'POST', '--limit', '0'], qr/--limit is "0", but should be a number from 1 to 1000/],
	[['query', 'POST', '--limit', '2x'], qr/--limit is "2x"/],
	[['query', 'POST', '--begins', 'a', '--from', 'b'], qr/--from does not go together/],
	[['query', 'POST', '--cursor', '!'], qr/--cursor is not one that a query printed/],
);
says("Wrong usage: @{$_->[0]}", 2, qr/^$/, $_->[1], @{$_->[0]}) for @mistyped;

# --- Settings -----------------------------------------------------------------------------------------

write_text("$dir/conf", "store = sqlite:$dir/none.db\n\nlog-level = loud\n");
says('A wrong value in the file is named with its line.', 3, qr/^$/,
	qr/conf:3: log-level is "loud", but should be error, /, 'export', '--config', "$dir/conf");
says('A file that is not there is named.', 3, qr/^$/, qr{/nowhere/conf: No such file}, 'export',
	'--config', '/nowhere/conf');
says('A wrong flag is named.', 3, qr/^$/, qr/--store: store is "x", but should be sqlite:PATH/, 'export',
	'--store', 'x');
{
	local $ENV{BROADSHEET_CACHE} = 'much';
	says('A wrong variable is named.', 3, qr/^$/, qr/BROADSHEET_CACHE: cache is "much"/, 'export');
}
says('A store of another kind needs a library, or its variables.', 4, qr/^$/, qr/^broadsheet: ./, 'export',
	'--store', 'dynamodb:') if !grep { /^(AWS|DYNAMODB)_/ } keys %ENV;

# --- The seed ------------------------------------------------------------------------------------------

says('A table that is not there is told of.', 4, qr/^$/, qr/none\.db: there is no table; .* make one with `broadsheet table create`; .* mounted/,
	'get', 'SITE', 'SETTINGS', store('none'));
ok(!-e "$dir/none.db", '... and not made by looking for it.');
says('The seed is loaded.', 0, qr/^Loaded [\d,]+ items from \d+ files .*\d+ posts, /s, $made, 'seed', $seed,
	store('a'));
is((stat "$dir/a.db")[2] & 07007, 0, '... into a file that not everybody can read.');
my $first = exported('a');
says('A second time it is refused,', 1, qr/^$/, qr/has content already; --replace removes it/, 'seed',
	$seed, store('a'));
is(exported('a'), $first, '... and all is as it was.');
says('... or not needed,', 0, qr/^Nothing loaded/, qr/^$/, 'seed', '--if-empty', $seed, store('a'));
is(exported('a'), $first, '... and all is as it was.');
says('... or replaces all,', 0, qr/^Loaded/, qr/^$/, 'seed', '--replace', $seed, store('a'));
my $second = exported('a');
is(($second =~ tr/\n//), ($first =~ tr/\n//), '... with as many items as before,');

# What a start notes of the secret that seals the table stays, whatever replaces the rest.
mkdir "$dir/marked";
write_text("$dir/marked/mark.jsonl", '{"PK":{"S":"SITE"},"SK":{"S":"SECRET"},"KeyId":{"S":"0123456789abcdef"},"Type":{"S":"Secret"}}' . "\n");
my $marked = qr/"KeyId":\{"S":"0123456789abcdef"\}/;
says('A table with nothing but the mark of a secret', 0, qr/^Wrote 1 items?$/, $made, 'import', "$dir/marked/mark.jsonl", store('marked'));
says('... is empty for the seed,', 0, qr/^Loaded/, qr/^$/, 'seed', $seed, store('marked'));
like(exported('marked'), $marked, '... which leaves the mark,');
says('... also where it replaces all.', 0, qr/^Loaded/, qr/^$/, 'seed', '--replace', $seed, store('marked'));
like(exported('marked'), $marked, '... There it is.');

mkdir "$dir/broken";
my $site = '{"PK":{"S":"SITE"},"SK":{"S":"SETTINGS"},"Type":{"S":"Site"},"Name":{"S":"%s"}}';
my @broken = (
	["# one\n" . sprintf($site, 'x') . "\n{\"PK\":{\"S\":\"A\"}\n", qr/a\.jsonl:3:\d+: ./, 'no JSON'],
	[sprintf($site, '@{-3x}') . "\n", qr/a\.jsonl:1: "\@\{-3x\}" is no placeholder/, 'an unknown unit'],
	[sprintf($site, '@{-1h2d}'), qr/is no placeholder/, 'units out of order'],
	[sprintf($site, '@{3d}'), qr/is no placeholder/, 'an offset without a sign'],
	[sprintf($site, '@id{-3d}'), qr/is no placeholder/, 'an id without a number'],
	[sprintf($site, '@id{-3d:4194304}'), qr/is no placeholder/, 'an id with a large number'],
	[sprintf($site, '@hot{-3d:'), qr/is no placeholder/, 'an open brace'],
	[sprintf($site, 'x') . "\n\n" . sprintf($site, 'y'), qr/a\.jsonl:3: the same key as at .*a\.jsonl:1/,
		'one key twice'],
	["{\"PK\":{\"S\":\"A\"}}\n", qr/a\.jsonl:1: /, 'an item without SK'],
	["{\"PK\":{\"S\":\"A\"},\"SK\":{\"S\":\"\"}}\n", qr/a\.jsonl:1: /, 'an empty key'],
);
for my $case (@broken) {
	write_text("$dir/broken/a.jsonl", $case->[0]);
	says("A seed with $case->[2] is refused with file and line.", 1, qr/^$/, $case->[1], 'seed',
		"$dir/broken", store('b'));
}
ok(!-e "$dir/b.db", 'None of these has made a table.');
write_text("$dir/broken/a.jsonl", sprintf($site, '@@{-3d} @@id{ me@example.org @{ +'));
says('A brace alone is a placeholder that can not be read.', 1, qr/^$/, qr/is no placeholder/, 'seed',
	"$dir/broken", store('b'));
write_text("$dir/broken/a.jsonl", sprintf($site, '@@{-3d} @@id{ @@@hot{ me@example.org @'));
run('seed', "$dir/broken", store('b'));
run('get', 'SITE', 'SETTINGS', store('b'));
is(decode_json($out)->{Name}{S}, '@{-3d} @id{ @@hot{ me@example.org @', 'Two @ are one before a brace.');
says('An empty directory holds no seed.', 1, qr/^$/, qr/holds no \*\.jsonl/, 'seed', "$dir", store('c'));
says('A directory that is not there is named.', 1, qr/^$/, qr{/nowhere: No such file}, 'seed', '/nowhere',
	store('c'));

# --- An older table ---------------------------------------------------------------------------------------

write_text("$dir/old.jsonl", <<'END' =~ s/ +//gr);
{"PK":{"S":"USER#ana"}, "SK":{"S":"METADATA"}, "Type":{"S":"User"}, "Username":{"S":"ana"}, "Followers":{"N":"2"}}
{"PK":{"S":"POST#p"}, "SK":{"S":"STATS"}, "Type":{"S":"Stats"}, "Post":{"S":"p"}, "Likes":{"N":"1"}}
{"PK":{"S":"POST#p"}, "SK":{"S":"METADATA"}, "Type":{"S":"Post"}, "Id":{"S":"p"}, "Slug":{"S":"p"}, "Status":{"S":"draft"}}
END
my $older = qr/older form: `broadsheet table upgrade` carries them over/;
says('Whoever imports items of an older form is told,', 0, qr/^Wrote 3 items$/, $older, 'import', "$dir/old.jsonl",
	store('older'));
run('check', store('older'));
like($err, $older, '... and whoever checks the table.');
says('They are carried over,', 0, qr/^Read 4 items\nCarried over 1 person, .*\nCarried over 1 post, /, qr/^$/, 'table', 'upgrade',
	store('older'));
says('... once,', 0, qr/^Read \d+ items\nNothing was of an older form$/, qr/^$/, 'table', 'upgrade', store('older'));
run('check', store('older'));
unlike($err, qr/older form/, '... and the table is like a new one.');
says('The numbers are where they are read.', 0, qr/"Followers":\{"N":"2"\}/, qr/^$/, 'get', 'USER#ana', 'COUNTS',
	store('older'));
write_text("$dir/newer.jsonl", '{"PK":{"S":"SITE"},"SK":{"S":"FORMAT"},"Type":{"S":"TableFormat"},"Format":{"N":"99"}}');
run('import', '--merge', "$dir/newer.jsonl", store('older'));
says('A table of a newer version is refused', 4, qr/^$/, qr/has format 99, of a newer version of this program/, @$_,
	store('older')) for ['get', 'SITE', 'FORMAT'], ['table', 'upgrade'], ['user', 'list'];
run('serve', '--socket', "$dir/older.socket", '--templates', "$source/templates", '--static', "$source/static", store('older'));
ok($code != 0 && $err =~ /has format 99/, '... by the server, too.') or diag($err);

# --- Looking into the table ----------------------------------------------------------------------------

says('get shows an item on one line.', 0, qr/^\{".*"CreatedAt".*\}\n\z/, qr/^$/, 'get', 'SITE', 'SETTINGS',
	store('a'));
my $line = $out;
says('... or one attribute a line,', 0, qr/^\{\n(?:  ".*\n)*  "CreatedAt": \{"S":/, qr/^$/, 'get', '--pretty', 'SITE',
	'SETTINGS', store('a'));
is_deeply(decode_json($out), decode_json($line), '... which is the same.');
says('What is not there is told of.', 1, qr/^$/, qr{there is no item SITE / NOTHING}, 'get', 'SITE',
	'NOTHING', store('a'));

run('query', 'POST', '--index', 'gsi3', '--limit', '1000', store('a'));
my @all = split /\n/, $out;
ok(@all > 30, 'query shows all posts of an index.');
is_deeply([sort { $a cmp $b } map { decode_json($_)->{GSI3SK}{S} } @all],
	[map { decode_json($_)->{GSI3SK}{S} } @all], '... in the order of their keys,');
run('query', 'POST', '--index', 'GSI3', '--limit', '1000', '--desc', store('a'));
is_deeply([reverse split /\n/, $out], \@all, '... or the other way round.');
my (@pages, @cursor);
for (1 .. 100) {
	run('query', 'POST', '--index', 'gsi3', '--limit', '7', @cursor, store('a'));
	push @pages, split /\n/, $out;
	last if $err !~ /^more with --cursor (\S+)$/;
	@cursor = ('--cursor', $1);
}
is_deeply(\@pages, \@all, 'The cursors of small pages lead through all of it.');
says('A cursor of another query is refused.', 1, qr/^$/, qr/--cursor belongs to another query/, 'query',
	'POST', '--index', 'gsi4', @cursor, store('a'));

my @slugs = map { decode_json($_)->{Slug}{S} } do { run('query', 'CATEGORY', '--index', 'gsi3',
	store('a')); split /\n/, $out };
my @order = map { sprintf '%s', decode_json($_)->{GSI3SK}{S} } split /\n/, $out;
for (['--equals' => sub { $_[0] eq $order[2] }, $order[2]],
	['--begins' => sub { index($_[0], '00') == 0 }, '00'],
	['--from' => sub { $_[0] ge $order[2] }, $order[2]],
	['--to' => sub { $_[0] le $order[2] }, $order[2]],
	['--after' => sub { $_[0] gt $order[2] }, $order[2]],
	['--before' => sub { $_[0] lt $order[2] }, $order[2]]) {
	my ($option, $is, $value) = @$_;

	run('query', 'CATEGORY', '--index', 'gsi3', $option, $value, store('a'));
	is_deeply([map { decode_json($_)->{GSI3SK}{S} } split /\n/, $out], [grep { $is->($_) } @order],
		"query $option finds what it should.");
}
run('query', 'CATEGORY', '--index', 'gsi3', '--from', $order[1], '--to', $order[3], store('a'));
is_deeply([map { decode_json($_)->{GSI3SK}{S} } split /\n/, $out], [@order[1 .. 3]],
	'--from and --to go together.');

# --- Out and in ------------------------------------------------------------------------------------------

says('export writes a file,', 0, qr/^Wrote [\d,]+ items to /, qr/^$/, 'export', "$dir/all.jsonl",
	store('a'));
is(text("$dir/all.jsonl"), exported('a'), '... which is what it writes to standard output,');
is((stat "$dir/all.jsonl")[2] & 0777, 0600, '... for this user only,');
is_deeply([grep { /all\.jsonl/ } glob "$dir/*"], ["$dir/all.jsonl"], '... and nothing beside it.');
says('import takes it,', 0, qr/^Wrote [\d,]+ items$/, $made, 'import', "$dir/all.jsonl", store('copy'));
is(exported('copy'), exported('a'), '... and the copy is equal.');
shell("@ export @{[quoted store('a')]} | @ import - @{[quoted store('pipe')]}");
is($code, 0, 'It goes through a pipe,');
is(exported('pipe'), exported('a'), '... and is equal.');
says('A table with content is left alone,', 1, qr/^$/, qr/--replace removes it, --merge adds to it/, 'import',
	"$dir/all.jsonl", store('copy'));
write_text("$dir/few.jsonl", "# two\n\n" . sprintf($site, 'Anew') .
	"\n{\"PK\":{\"S\":\"NEW\"},\"SK\":{\"S\":\"ONE\"},\"Type\":{\"S\":\"X\"}}");
my $before = () = exported('copy') =~ /\n/g;
says('... or added to,', 0, qr/^Wrote 2 items$/, qr/^$/, 'import', '--merge', "$dir/few.jsonl", store('copy'));
is(scalar(() = exported('copy') =~ /\n/g), $before + 1, '... where one was new,');
like($out, qr/"Name":\{"S":"Anew"\}/, '... and one took the place of another;');
says('... or replaced,', 0, qr/^Wrote 2 items\nRemoved [\d,]+ that/, qr/^$/, 'import', '--replace',
	"$dir/few.jsonl", store('copy'));
is(scalar(() = exported('copy') =~ /\n/g), 2, '... by them.');
says('... but for the mark of a secret.', 0, qr/^Wrote 2 items\nRemoved [\d,]+ that/, qr/^$/, 'import', '--replace',
	"$dir/few.jsonl", store('marked'));
like(exported('marked'), $marked, '... There it is.');

my @bad = (
	["{\"PK\":{\"S\":\"A\"},\"SK\":{\"S\":\"B\"}}\nnonsense\n", qr/bad\.jsonl:2:1: /, 'no JSON'],
	["{\"PK\":{\"S\":\"A\"},\"SK\":{\"S\":\"B\"}}\n" x 2, qr/bad\.jsonl:2: the same key as in line 1/,
		'a key twice'],
	["{\"PK\":{\"S\":\"A\"},\"SK\":{\"N\":\"1\"}}\n", qr/bad\.jsonl:1: /, 'a key that is a number'],
	["{\"PK\":{\"S\":\"A\"},\"SK\":{\"S\":\"B\"},\"X\":{\"S\":\"" . ('x' x 410000) . "\"}}",
		qr/bad\.jsonl:1: /, 'too large an item'],
	(map { my ($type, $attribute, $value, $name) = @$_;
		["{\"PK\":{\"S\":\"A\"},\"SK\":{\"S\":\"B\"},\"Type\":{\"S\":\"$type\"},\"$attribute\":$value}\n",
			qr/bad\.jsonl:1: $name: expected /, "what no form takes, $name of $type,"] }
		(['Post', 'URL', '{"S":"javascript:alert(1)"}', 'URL'],
		['Post', 'Thumbnail', '{"M":{"URL":{"S":"/\\\\evil.test/x"}}}', 'URL'],
		['Post', 'Thumbnail', '{"M":{"URL":{"S":"http://a.test/x.png"}}}', 'URL'],
		['Post', 'Title', '{"S":"a\u202eb"}', 'Title'],
		['PostCopy', 'Title', '{"S":"a\u0001b"}', 'Title'],
		['Post', 'Tags', '{"L":[{"S":"sea"},{"S":"Not a tag"}]}', 'Tags'],
		['Post', 'Cost', '{"S":"much"}', 'Cost'],
		['Revision', 'Canonical', '{"S":"data:text/html,x"}', 'Canonical'],
		['User', 'Link', '{"S":"javascript:alert(1)"}', 'Link'],
		['User', 'AvatarURL', '{"S":"/\\t/evil.test"}', 'AvatarURL'],
		['Site', 'Name', '{"S":"a\\nb"}', 'Name'])),
);
my $untouched = exported('copy');
for my $case (@bad) {
	write_text("$dir/bad.jsonl", $case->[0]);
	says("$case->[2]: import refuses it with file and line,", 1, qr/^$/, $case->[1], 'import', '--replace',
		"$dir/bad.jsonl", store('copy'));
	is(exported('copy'), $untouched, '... and all is as it was.');
}
says('What can not be read is named.', 1, qr/^$/, qr{/nowhere: No such file}, 'import', '/nowhere',
	store('copy'));

# --- The table as a whole, and from one store to another ---------------------------------------------------

says('table create makes an empty table,', 0, qr/^Made sqlite:.*made\.db\n\z/, qr/^$/, 'table', 'create',
	store('made'));
is(exported('made'), '', '... which holds nothing,');
says('... and not twice.', 1, qr/^$/, qr/made\.db: there already; name another store/, 'table', 'create',
	store('made'));
says('table create names a folder that is not there.', 4, qr/^$/, qr{there is no folder /nowhere}, 'table',
	'create', '--store', 'sqlite:/nowhere/x.db');
says('table describe tells what there is,', 0, qr/^store +sqlite:.*\nitems +0\nbytes +0\nfile +[\d,]+\n/,
	qr/^$/, 'table', 'describe', store('made'));
my $count = () = exported('a') =~ /\n/g;
run('table', 'describe', store('a'));
like($out, qr/^items +@{[$count =~ s{(?<=\d)(?=(\d{3})+$)}{,}gr]}$/m, '... with the number of its items,');
says('... and makes none by it.', 4, qr/^$/, qr/there is no table/, 'table', 'describe', store('none'));
ok(!-e "$dir/none.db", '... Really not.');
says('table delete leaves files to people.', 3, qr/^$/, qr/a table in a file is not deleted so.*a\.db/, 'table',
	'delete', '--yes', "$dir/a.db", store('a'));
ok(-e "$dir/a.db", '... It is still there.');
says('table knows its actions.', 2, qr/^$/, qr/table: there is no "drop"/, 'table', 'drop');
says('... and what belongs to them.', 2, qr/^$/, qr/broadsheet table create$/, 'table', 'create', 'x');
if (!grep { /^(AWS|DYNAMODB)_/ } keys %ENV) {
	# Without the library it names the way to it, without the variables the first of them.
	says("table $_ needs a library, or its variables.", 4, qr/^$/,
		qr/^broadsheet: (this broadsheet was built without DynamoDB|.*AWS_).*\n\z/, 'table', $_, '--store',
		'dynamodb:site') for qw(create describe delete);
	says('... and so does copy,', 4, qr/^$/, qr/^broadsheet: (this .* without DynamoDB|.*AWS_).*\n\z/, 'copy',
		"sqlite:$dir/a.db", 'dynamodb:site');
}

sub copy { my ($from, $to, @options) = @_; return ('copy', @options, "sqlite:$dir/$from.db", "sqlite:$dir/$to.db") }
says('copy takes all of a table,', 0, qr/^Copied [\d,]+ items from .*^Both hold the same$/ms, qr/^$/,
	copy('a', 'twin'));
is(exported('twin'), exported('a'), '... and both are equal,');
run(copy('a', 'made'));
my %digests = map { $_ => 1 } $out =~ /^([0-9a-f]{64})  /mg;
ok($code == 0 && keys %digests == 1, '... as their digests say, also where an empty table was.') or diag("$out$err");
run('import', '--merge', "$dir/few.jsonl", store('twin'));
my $twin = exported('twin');
isnt($twin, exported('a'), 'A table with other content');
says('... is left alone,', 1, qr/^$/, qr/twin\.db has content already; --replace removes it, --resume/,
	copy('a', 'twin'));
is(exported('twin'), $twin, '... as it was,');
says('... or replaced.', 0, qr/^Copied .*^Removed 1 that .*^Both hold the same$/ms, qr/^$/,
	copy('a', 'twin', '--replace'));
is(exported('twin'), exported('a'), '... Then both are equal.');
says('What is no cursor is refused.', 2, qr/^$/, qr/--resume is not a cursor that a copy printed/,
	copy('a', 'twin', '--resume', '!'));
says('... also one that is made up.', 2, qr/^$/, qr/--resume is not a cursor of this table/,
	copy('a', 'twin', '--resume', '____'));
says('One table is not two,', 2, qr/^$/, qr/both stores are the same table/, copy('a', 'a'));
symlink "$dir/a.db", "$dir/alias.db";
says('... whatever it is called.', 2, qr/^$/, qr/both stores are the same table/, copy('a', 'alias'));
says('A source that is not there is told of,', 4, qr/^$/, qr/none\.db: there is no table/, copy('none', 'late'));
ok(!-e "$dir/late.db", '... and no target made for it.');
says('What is no store is named.', 2, qr/^$/, qr/"x" is no store, but should be sqlite:PATH/, 'copy', 'x', 'y');

# A signal that waits since before the start: the copy is broken off behind its first page.
my $signalled = 'use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); kill "TERM", $$; exec @ARGV';
shell("perl -e @{[quoted $signalled, qq($build/broadsheet), copy('a', 'short')]}");
my ($cursor) = $err =~ /^go on with --resume (\S+)$/m;
ok($code == 143 && $out eq '' && $cursor, 'A copy that is broken off tells where to go on,') or diag("$code: $err");
my $part = () = exported('short') =~ /\n/g;
ok($part > 0 && $part < $count, '... with a part of the items copied.');
says('It does not begin anew by itself,', 1, qr/^$/, qr/short\.db has content already/, copy('a', 'short'));
run(copy('a', 'short', '--resume', $cursor // ''));
my ($rest) = $out =~ /^Copied ([\d,]+) items from .*^Both hold the same$/ms;
is($code == 0 && ($rest // '') =~ s/,//gr, $count - $part, '... but goes on with what is missing,');
is(exported('short'), exported('a'), '... and both are equal.');

# --- Backup and restore -----------------------------------------------------------------------------------

my $backed_up = exported('a');
says('backup writes a file,', 0, qr/^Wrote /, qr/^$/, 'backup', "$dir/backup.db", store('a'));
is((stat "$dir/backup.db")[2] & 0777, 0600, '... for this user only,');
is_deeply([grep { /backup/ } glob "$dir/*"], ["$dir/backup.db"], '... and nothing beside it,');
says('... and not twice.', 1, qr/^$/, qr/backup\.db: there already; name another file/, 'backup',
	"$dir/backup.db", store('a'));
says('restore asks before it replaces,', 1, qr/^$/, qr/has content already; --yes replaces it/, 'restore',
	"$dir/backup.db", store('copy'));
is(exported('copy'), $untouched, '... and all is as it was.');
chmod 0400, "$dir/backup.db";
says('With --yes it does,', 0, qr/^Restored /, qr/^$/, 'restore', '--yes', "$dir/backup.db", store('copy'));
ok(exported('copy') eq $backed_up, '... and the table is what was backed up,');
says('... also where there was none.', 0, qr/^Restored /, $made, 'restore', "$dir/backup.db", store('new'));
ok(exported('new') eq $backed_up, '... The same again.');
like(exported('a'), qr/"Type":\{"S":"Backup"\}/, 'When that was is noted for the staff.');
my $good = exported('copy');
says('What is no backup is refused,', 1, qr/^$/, qr/few\.jsonl: no backup of this program/, 'restore', '--yes',
	"$dir/few.jsonl", store('copy'));
write_text("$dir/damaged.db", substr(text("$dir/backup.db"), 0, 200_000) . ('x' x 200_000));
run('restore', '--yes', "$dir/damaged.db", store('copy'));
ok($code == 4 && $out eq '' && $err =~ /damaged\.db: /, '... and so is a damaged one;')
	or diag("$code: $out$err");
is(exported('copy'), $good, '... all is as it was.');

# While somebody writes: ten backups, each of which shows one moment. The writer replaces a pair of items in
# one transaction, so that a copy that mixed moments would hold two halves that differ.
my $writer = fork;
if ($writer == 0) {
	open(STDOUT, '>', '/dev/null');
	for my $n (1 .. 100_000) {
		write_text("$dir/pair.jsonl", join '', map {
			"{\"PK\":{\"S\":\"PAIR\"},\"SK\":{\"S\":\"$_\"},\"N\":{\"N\":\"$n\"}}\n"
		} 'LEFT', 'RIGHT');
		system("$build/broadsheet", 'import', '--merge', "$dir/pair.jsonl", store('a')) == 0 or exit 1;
	}
	exit 0;
}
$running{$writer} = 1;
my ($mixed, $failed) = (0, 0);
for my $n (1 .. 10) {
	run('backup', "$dir/live$n.db", store('a'));
	$failed++ if $code != 0;
	my $copy = exported("live$n");
	my ($left) = $copy =~ /^(?=.*"SK":\{"S":"LEFT"\})\{"N":\{"N":"(\d+)"/m;
	my ($right) = $copy =~ /^(?=.*"SK":\{"S":"RIGHT"\})\{"N":\{"N":"(\d+)"/m;
	$mixed++ if ($left // 0) != ($right // 0);
	$failed++ if $copy !~ /"SK":\{"S":"SETTINGS"\}/;
}
ok(kill(0, $writer) && waitpid($writer, 1) == 0, 'While somebody writes,');
kill 'TERM', $writer;
waitpid $writer, 0;
delete $running{$writer};
is($failed, 0, '... a backup succeeds,');
is($mixed, 0, '... and shows one moment.');

# --- check -----------------------------------------------------------------------------------------------

my @templates = ('--templates', "$source/templates", '--static', "$source/static", '--media', $dir);
says('check finds all well,', 0, qr/^store +sqlite:\S* +\(--store\)\n.*^ok   templates\n^ok   static files\n(?:^ok   pictures\n)?^ok   table/ms,
	-x "$build/broadsheet-image" ? qr/^$/ : qr/pictures: broadsheet-image is not installed/,
	'check', @templates, store('a'));
write_text("$dir/conf", "cache = 1M\n");
{
	local $ENV{BROADSHEET_THREADS} = '3';
	local $ENV{BROADSHEET_STROE} = 'x';
	run('check', '--config', "$dir/conf", @templates, store('a'));
	like($out, qr{^cache +1M +\(\S*/conf:1\)$}m, '... says which line of the file sets what,');
	like($out, qr/^threads +3 +\(BROADSHEET_THREADS\)$/m, '... which variable,');
	like($out, qr/^log-level +info +\(default\)$/m, '... and what nobody sets,');
	like($err, qr/warning: BROADSHEET_STROE sets nothing; did you mean BROADSHEET_STORE\?/,
		'... and warns of a variable that was mistyped.');
}
run('check', store('a'), '--templates', '/nowhere');
ok($code == 1 && $out =~ m{^bad  templates: .*/nowhere}m, 'It finds templates missing.');
mkdir "$dir/views";
shell("cp '$source'/templates/* views/ && echo '{{nothing_of_this_name}}' >>views/front.mustache");
run('check', @templates, '--templates', "$dir/views", store('a'));
ok($code == 1 && $out =~ m{^bad  templates: .*front\.mustache:\d+: unknown name "nothing_of_this_name"}m,
	'It finds a mistake in a template.') or diag($out);
run('check', @templates, store('none'));
ok($code == 4 && $out =~ /^bad  table .*there is no table/m, 'It finds the table missing.');
write_text("$dir/foreign.db", "not a table at all\n" x 100);
run('check', @templates, store('foreign'));
ok($code == 4 && $out =~ /^bad  table .*not a table of this program, or damaged/m,
	'It finds a file that is no table.') or diag($out);
is(text("$dir/foreign.db"), "not a table at all\n" x 100, '... and leaves it as it is.');
says('A folder is no table.', 4, qr/^$/, qr/a folder, not a file/, 'export', '--store', "sqlite:$dir");
says('A folder that is not there is named.', 4, qr/^$/, qr{there is no folder /nowhere}, 'seed', $seed,
	'--store', 'sqlite:/nowhere/x.db');
SKIP: {
	skip 'root can read everything', 1 if $> == 0;
	write_text("$dir/closed.db", '');
	chmod 0, "$dir/closed.db";
	says('A file that may not be read is named.', 4, qr/^$/, qr/closed\.db: /, 'export', store('closed'));
}

# --- serve: settings are read again -----------------------------------------------------------------------

# Waits until the log has so many lines of a kind; prove's own limit is the end of patience.
sub logged
{
	my ($pattern, $count) = @_;

	for (1 .. 2400) {
		return 1 if (() = text("$dir/log") =~ /$pattern/g) >= $count;
		select(undef, undef, undef, 0.05);
	}
	diag(text("$dir/log"));
	return 0;
}

write_text("$dir/serve.conf", "cache = 1M\n");
my $server = fork;
if ($server == 0) {
	open(STDERR, '>', "$dir/log");
	exec("$build/broadsheet", 'serve', '--config', "$dir/serve.conf", '--socket', "$dir/socket", @templates,
		store('a'));
}
$running{$server} = 1;
ok(logged(qr/is ready/, 1), 'serve starts a worker.');
write_text("$dir/serve.conf", "\ncache = much\n");
kill 'HUP', $server;
ok(logged(qr/^<3>.*serve\.conf:2: cache is "much", but should be/m, 1),
	'After SIGHUP a new worker reads the file, and says what is wrong with it,');
ok(kill(0, $server), '... and the old one goes on.');
write_text("$dir/serve.conf", "cache = 2M\n");
kill 'HUP', $server;
ok(logged(qr/is ready/, 2), 'When it is right again, the new worker starts.');
for (1 .. 5) {
	my $ready = () = text("$dir/log") =~ /is ready/g;
	write_text("$dir/serve.conf", "cache = much\n");
	kill 'HUP', $server;
	select(undef, undef, undef, 0.01 * $_);
	write_text("$dir/serve.conf", "cache = 2M\n");
	kill 'HUP', $server;
	ok(logged(qr/is ready/, $ready + 1), 'A reload that comes while another fails is not forgotten.');
}
# Not even the worker of a reload that fails makes an end of it that is none.
write_text("$dir/serve.conf", "cache = much\n");
kill 'HUP', $server;
kill 'TERM', $server;
waitpid $server, 0;
delete $running{$server};
is($?, 0, 'SIGTERM ends it well.');
ok(!-e "$dir/socket", '... and its socket is gone.');

# --- No room --------------------------------------------------------------------------------------------

shell("trap '' XFSZ; ulimit -f 100; @ export '$dir/large.jsonl' @{[quoted store('a')]}");
ok($code == 1 && $err =~ /large\.jsonl: /, 'An export that does not fit fails,') or diag("$code $out $err");
is_deeply([glob "$dir/large*"], [], '... and leaves nothing.');
shell("trap '' XFSZ; ulimit -f 100; @ backup '$dir/large.db' @{[quoted store('a')]}");
ok($code != 0 && $err =~ /large\.db: /, 'A backup that does not fit fails,') or diag("$code $out $err");
is_deeply([glob "$dir/large*"], [], '... and leaves nothing.');
shell("trap '' XFSZ; ulimit -f 400; @ seed '$seed' @{[quoted store('smaller')]}");
ok($code == 4 && $err =~ /^broadsheet: ./, 'A seed whose locks do not fit fails.') or diag("$code $out $err");
waitpid $no_room, 0;
delete $running{$no_room};
$err = without_progress(text("$dir/no-room"));
ok($? >> 8 == 4 && $err =~ /^broadsheet: ./, 'A seed that does not fit fails.') or diag("$? $err");
says('... With room it can be loaded after all,', 0, qr/^Loaded/, qr/^$/, 'seed', '--replace', $seed, store('small'));
says('... and so can the other one.', 0, qr/^Loaded/, $made, 'seed', '--replace', $seed, store('smaller'));
shell("@ export @{[quoted store('a')]} >/dev/full");
ok($code == 1 && $err =~ /standard output can't be written/, 'A full disk behind a pipe is noticed.')
	or diag("$code $err");
shell("@ help >/dev/full");
is($code, 1, '... even by help.');

# --- Manners -----------------------------------------------------------------------------------------------

shell("(@ export @{[quoted store('a')]}; echo \$? >status) | head -n 1 >/dev/null");
ok($err eq '' && text("$dir/status") =~ /^(0|141)$/, 'A reader that has enough ends it without a word.');

SKIP: {
	skip 'script(1) is not installed', 4 if system('command -v script >/dev/null') != 0;
	local $ENV{TERM} = 'xterm';
	my $on_terminal = sub { scalar `script -qec "$_[0]" /dev/null </dev/null 2>&1` };

	like($on_terminal->("'$build/broadsheet' help"), qr/\033\[1m/, 'On a terminal there are colours,');
	like($on_terminal->("'$build/broadsheet' xyzzy"), qr/\033\[1;31mbroadsheet:/, '... also of complaints;');
	unlike($on_terminal->("NO_COLOR=1 '$build/broadsheet' help"), qr/\033/, '... none with NO_COLOR,');
	unlike($on_terminal->("TERM=dumb '$build/broadsheet' help"), qr/\033/, '... nor on a dumb one.');
}
says('A complaint can not speak to the terminal.', 2, qr/^$/, qr/there is no command "\\x1b\[2J/, "\033[2J");

# Ctrl-C during a backup: whenever it comes, there is a whole file or none.
my $left = 0;
for my $n (1 .. 10) {
	my $pid = fork;
	if ($pid == 0) {
		open(STDOUT, '>', '/dev/null');
		exec("$build/broadsheet", 'backup', "$dir/broken$n.db", store('a'));
	}
	select(undef, undef, undef, $n * 0.01);
	kill 'INT', $pid;
	waitpid $pid, 0;
	my @files = glob "$dir/broken$n.*";
	$left++ if grep { $_ ne "$dir/broken$n.db" } @files;
	next if !@files;
	run('check', @templates, store("broken$n"));
	$left++ if $code != 0;
}
is($left, 0, 'A backup that is broken off leaves nothing behind.');

# A first command of root's, in the folder of who is to serve the site.
SKIP: {
	skip 'only root can make files of others', 1 if $> != 0;
	mkdir "$dir/theirs" and chown 65534, 65534, "$dir/theirs" or die;
	run('table', 'create', store('theirs/table'));
	run('user', 'create', 'ada', 'ada@example.org', store('theirs/table'));
	is(join(' ', grep { (stat "$dir/theirs/$_")[4] != 65534 } map { s{.*/}{}r } glob "$dir/theirs/*"), '',
		'What root makes belongs to the owner of the folder.');
}

done_testing();
