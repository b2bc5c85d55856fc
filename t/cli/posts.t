#!/usr/bin/perl
# Posts as a folder of Markdown files: what goes out comes in again as it was; what is written by hand is
# understood, or refused with file and line, and then nothing is written.

use strict;
use warnings;
use utf8;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use JSON::PP;
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^BROADSHEET_/ && !/STORE|BUILD/ } keys %ENV};
store_for_test($program, $dir);
my $store = $ENV{BROADSHEET_STORE};
$ENV{BROADSHEET_MEDIA} = "$dir/media";

sub says
{
	my ($sentence, $status, $out, $err, @words) = @_;
	my @got = run(@words);
	is($got[0], $status, $sentence) or diag($got[2]);
	like($got[1], $out, '... and it says so') if $out;
	like($got[2], $err, '... and complains so') if $err;
}

sub write_text
{
	my ($path, $text) = @_;
	utf8::encode($text) if utf8::is_utf8($text);
	open my $out, '>:raw', $path or die "$path: $!";
	print $out $text;
	close $out;
}

# All files of a folder by their names.
sub folder { return { map { s{.*/}{}r => text($_) } glob "'$_[0]'/*.md '$_[0]'/media/*" } }

# Another empty table of the same kind of store.
my $stores = 0;
sub another_store
{
	$stores++;
	$ENV{BROADSHEET_STORE} = $store =~ /^sqlite/ ? "sqlite:$dir/$stores.db" : "$store-$stores";
	run('table', 'create');
}

# --- What is there goes out and comes in again -----------------------------------------------------

is((run('seed', "$source/migrations-free-seed"))[0], 0, 'A table has the seed');

# And posts whose texts are made to break it.
my @hostile = (
	"---\ntitle: another\n---\n", "\r\nwindows\r\n\ra lone CR", "\x{feff}begins with a mark", "ends\n\n\n",
	"\n\nbegins with lines", "nul \0 and \x01 and \x7f", "  indented\n\ttab\n", "\n", '', "\x{2028}\x{85}🐉",
	"| pipe\n> quote\n# heading\n- item\n...", "'single' \"double\" \\ back {a: b} [c] &d *e !f %g \@h `i",
);
my @names = ('no', '2026', 'null', 'true', 'a--b', '-', '1e3', '0x10', 'y', '2026-11-18', '~' x 0 . 'on', 'x' x 100);
my @items;
for my $i (0 .. $#hostile) {
	my ($id, $text) = ($names[$i], $hostile[$i]);
	# What is no Markdown has the rules of forms.
	my $line = $text =~ s/[\x00-\x1f\x7f-\x9f]/ /gr;
	my $t = '2026-01-01T00:00:00.000Z';
	push @items, { PK => "POST#$id", SK => 'METADATA', Type => 'Post', Id => $id, Slug => $i % 2 ? $id : "r$i",
		Kind => 'howto', Title => "T: $line #x", Excerpt => $text =~ s/[\x00-\x08\x0b-\x1f\x7f-\x9f]//gr, Author => 'kofi', AuthorName => "K: $line",
		Status => $i == 1 ? 'unpublished' : 'draft', Visibility => 'group', Group => 'no', CreatedAt => $t, UpdatedAt => $t, Cost => $i ? "$i.50" : '0',
		Category => 'kitchen', Tags => ['no', '1', 'a-b'], Minutes => 5, Version => 1, Revisions => 0,
		Canonical => 'https://example.org/a?b=c#d', Language => 'zh-Hant-TW', PlannedAt => $t,
		Coauthors => [{ Username => 'noor', Name => "N: $line" }],
		Thumbnail => { URL => '/media/x%20y.jpg', Alt => $line, Width => 3, Height => 0 } },
	    { PK => "POST#$id", SK => 'BODY', Type => 'Body', Markdown => $text, Tools => [grep { length } $line, 'saw'],
		Source => $text, Instructions => [map { { Markdown => $_ } } $text, 'step'],
		Materials => [{ Name => "M: $line", Amount => $line }, { Name => '- x', Amount => '1' }] },
	    { PK => "SLUG#$id", SK => "SLUG#$id", Type => 'SlugClaim', Post => $id };
	push @items, map { { PK => "SLUG#$_", SK => "SLUG#$_", Type => 'SlugClaim', Post => $id } } "r$i", "old-$i"
	    if $i % 2 == 0;
}

sub attribute
{
	my ($v) = @_;
	return { L => [map { attribute($_) } @$v] } if ref $v eq 'ARRAY';
	return { M => { map { $_ => attribute($v->{$_}) } grep { ref $v->{$_} || length $v->{$_} } keys %$v } }
	    if ref $v eq 'HASH';
	return { N => "$v" } if $v =~ /^(?:5|3|0)$/;
	return { S => $v };
}
my $json = JSON::PP->new->utf8->canonical;
write_text("$dir/hostile.jsonl", join '', map {
	my $item = $_;
	for (qw(Version Revisions)) { $item->{$_} = delete($item->{$_}) if exists $item->{$_} }
	my %a = map { $_ => /^(?:Version|Revisions)$/ ? { N => "$item->{$_}" } : attribute($item->{$_}) }
	    grep { ref $item->{$_} || length $item->{$_} } keys %$item;
	$json->encode(\%a) . "\n"
} @items);
is((run('import', '--merge', "$dir/hostile.jsonl"))[0], 0, '... and posts of hostile texts.');

# A picture, in two sizes, that a post shows.
my $hash = '0123456789abcdef' x 2;
mkdir "$dir/media";
write_text("$dir/media/$hash-1600x1067.jpg", "large\0");
write_text("$dir/media/$hash-480x320.jpg", 'small');
write_text("$dir/media/" . 'f' x 32 . '-480x320.jpg', 'of nobody');
write_text("$dir/one.md", "---\ntitle: Shows a picture\nauthor: kofi\n---\n\n![A boat](/media/$hash-1600x1067.jpg)\n");
mkdir "$dir/one";
rename "$dir/one.md", "$dir/one/shows.md";
says('A post is imported beside them.', 0, qr/^Wrote 1 new post, 0 changed; 0 are/, qr/^$/, 'import', 'posts', "$dir/one");

like((run('get', 'POST#shows', 'METADATA'))[1], qr/"AuthorName":\{"S":"Kofi Mensah-Boyd"\}/,
    '... by somebody who is called what they are called.');

# Whoever has left is a pseudonym.
my $left = 'left-06gz0402vywgyh';
mkdir "$dir/left";
write_text("$dir/left/left.md", "---\ntitle: From before\nauthor: $left\nauthor_name: Somebody who has left\n"
    . "coauthors:\n  - username: noor\n    name: Noor Haddad\n  - username: left-06gz0402vywgyj\n    name: Somebody who has left\n---\n\nThen they left.\n");
says('What somebody wrote who has left comes in;', 0, qr/^Wrote 1 new post, 0 changed; 0 are[^\n]*\n$/, qr/^$/, 'import', 'posts',
    "$dir/left");
unlike((run('user', 'list'))[1], qr/left-/, '... nobody finds them,');
like((run('get', "USER#$left", 'METADATA'))[1], qr/"Status":\{"S":"disabled"\}/, '... nor is let in as them.');

my $posts = 54 + @hostile + 2;
says('All posts are exported.', 0, qr/^Wrote $posts posts to /, qr/^$/, 'export', 'posts', "$dir/first");
my $first = folder("$dir/first");
is(scalar(grep { /\.md$/ } keys %$first), $posts, '... each has a file,');
my $covers = () = glob "$source/migrations-free-seed/media/*-960x640.png";
is(scalar(grep { !/\.md$/ } keys %$first), 2 + 2 * $covers, '... and pictures that are shown come along.');
ok(!exists $first->{'we-are-giving-up-paper.md'}, '... What is deleted is left out.');
like($first->{'a-clock-that-runs-on-the-moon.md'}, qr/^id: a-clock-for-the-tide$/m, 'A renamed post keeps its id.');
like($first->{'r0.md'}, qr/^old_slugs: \[old-0\]$/m, '... and its old addresses.');
like($first->{'fog-a-first-attempt.md'}, qr/^status: draft$/m, 'A draft is one.');

# What is not for everybody says so in the words of other programs, which leave it out by them.
my $for_all = qr/^status: published\nvisibility: public$/m;
my @hidden = grep { /\.md$/ && $first->{$_} !~ $for_all } sort keys %$first;
my %kinds = map { $first->{$_} =~ /^status: (.*)\nvisibility: (.*)$/m ? ("$1 $2" => 1) : () } @hidden;
ok($kinds{'unpublished group'} && $kinds{'published private'} && $kinds{'published followers'} && $kinds{'draft group'},
    'There are posts of all kinds that not everybody may read.') or diag(join ', ', sort keys %kinds);
is_deeply([grep { /\.md$/ && $first->{$_} =~ /^draft: true\npublished: false$/m } sort keys %$first], \@hidden,
    '... They, and no others, are drafts for Hugo and unpublished for Jekyll.');
is_deeply([grep { /\.md$/ && $first->{$_} =~ /^published: \d/m } keys %$first], [], '... A time is a date.');

another_store();
rename "$dir/media", "$dir/media-before";
says('A dry run says what would be done', 0, qr/^Would write $posts new posts, 0 changed.*Would make authors: .*kofi/s,
    qr/^$/, 'import', 'posts', '--dry-run', "$dir/first");
is((run('export'))[1], '', '... and does nothing.');
says('An empty table takes all of it,', 0, qr/^Wrote $posts new posts.*Made authors: .*Made categories: .*Brought @{[1 + $covers]} /s,
    qr/^$/, 'import', 'posts', "$dir/first");
is(text("$dir/media/$hash-1600x1067.jpg"), "large\0", '... with the picture,');
like((run('query', "MEDIA#$hash"))[1], qr/"Owner":\{"S":"kofi"\}/, '... which is its author\'s now,');
like((run('query', "MEDIA#$hash"))[1], qr/POST#shows/, '... and is noted as used.');
my $exported = (run('export'))[1];
says('... and once more changes nothing.', 0, qr/^Wrote 0 new posts, 0 changed; $posts are/, qr/^$/, 'import', 'posts',
    "$dir/first");
is((run('export'))[1], $exported, '... in the whole table.');
says('It is exported again.', 0, undef, undef, 'export', 'posts', "$dir/second");
my $second = folder("$dir/second");
is_deeply([sort keys %$second], [sort keys %$first], '... The same files');
is(join(' ', grep { $first->{$_} ne $second->{$_} } sort keys %$first), '', '... are the same, byte for byte.');
like((run('query', 'SLUG#old-0'))[1], qr/"Post":\{"S":"no"\}/, 'Old addresses lead to the post.');
like((run('get', 'POST#whip-a-ropes-end', 'BODY'))[1], qr/<em>common whipping<\/em>/, 'Markdown is rendered.');
like((run('get', 'CATEGORIES', 'kitchen'))[1], qr/"Posts":\{"N":"[1-9]/, 'Posts are counted.');
is((run('user', 'list'))[0], 0, '... and there are people.');

# --- Changes ------------------------------------------------------------------------------------------

my $file = "$dir/first/first-brent-geese.md";
my $text = text($file);
write_text($file, $text =~ s/^title: .*$/title: Other geese/mr =~ s/^updated: .*\n//mr);
says('What differs is not written over,', 1, qr/^$/, qr/first-brent-geese.md: the table has another text of it.*--merge/s,
    'import', 'posts', "$dir/first");
is((run('export'))[1], $exported, '... and nothing else is written,');
says('... unless one says so.', 0, qr/^Wrote 0 new posts, 1 changed; /, qr/^$/, 'import', 'posts', '--merge', "$dir/first");
my $head = $json->decode((run('get', 'POST#first-brent-geese', 'METADATA'))[1]);
is($head->{Title}{S}, 'Other geese', 'It is changed,');
is($head->{Revisions}{N}, 2, '... as a new revision.');
says('That changes nothing again.', 0, qr/^Wrote 0 new posts, 0 changed/, qr/^$/, 'import', 'posts', '--merge', "$dir/first");
write_text($file, text($file) =~ s/^slug: .*$/slug: other-geese/mr =~ s/^---\n/---\nid: first-brent-geese\n/r);
rename $file, "$dir/first/other-geese.md";
says('A post gets another address', 0, qr/ 1 changed/, qr/^$/, 'import', 'posts', '--merge', "$dir/first");
like((run('query', 'SLUG#other-geese'))[1], qr/"Post":\{"S":"first-brent-geese"\}/, '... which leads to it.');

# --- Files by hand --------------------------------------------------------------------------------------

another_store();
mkdir "$dir/hand";
write_text("$dir/hand/low-tide.md", "\x{feff}---\r\ntitle: Low tide: a start # no comment\r\ndate: 2026-01-02\r\n"
	. "tags: [tides, mud]\r\n---\r\nOne\r\n\r\nTwo\r\n");
write_text("$dir/hand/Über Straße.md", "---\ntitle: Ü\ndraft: true\nauthor: ada\n---\n");
write_text("$dir/hand/when.md", "---\ntitle: W\npublished: 2026-03-04 05:06+02:00\nvisibility: private\n---\n");
write_text("$dir/hand/jekyll.md", "---\ntitle: J\npublished: false\ndate: 2026-03-04\n---\n");
write_text("$dir/hand/not-a-post.txt", 'x');
says('Who wrote it must be said.', 1, qr/^$/, qr{low-tide.md:1: who wrote it\?}, 'import', 'posts', "$dir/hand");
says('Files of other programs are read.', 0, qr/^Wrote 4 new posts/, qr/^$/, 'import', 'posts', '--author', 'noor',
    "$dir/hand");
$head = $json->decode((run('get', 'POST#low-tide', 'METADATA'))[1]);
is($head->{Title}{S}, 'Low tide: a start', 'A colon and a comment are what they seem,');
is($head->{Status}{S} . ' ' . $head->{PublishedAt}{S}, 'published 2026-01-02T00:00:00.000Z', '... what has a date is published,');
is($head->{Author}{S}, 'noor', '... and somebody\'s.');
is($json->decode((run('get', 'POST#low-tide', 'BODY'))[1])->{Markdown}{S}, "One\n\nTwo", 'CRLF is a line end.');
is($json->decode((run('get', 'POST#jekyll', 'METADATA'))[1])->{Status}{S}, 'draft', 'So is what Jekyll leaves out.');
is($json->decode((run('get', 'POST#ueber-strasse', 'METADATA'))[1])->{Status}{S}, 'draft', 'A file\'s name becomes an address.');
is($json->decode((run('get', 'POST#when', 'METADATA'))[1])->{PublishedAt}{S}, '2026-03-04T03:06:00.000Z',
    'A time has a zone.');
says('Again, nothing changes.', 0, qr/^Wrote 0 new posts, 0 changed; 4 are/, qr/^$/, 'import', 'posts', "$dir/hand");
$exported = (run('export'))[1];
for my $case (
	['title: T', 2, 'nothing', qr{bad.md:1: no second line ---}, "---\ntitle: T\n"],
	['an unknown key', 3, 'colour', qr{bad.md:3: there is no key "colour"}, "---\ntitle: T\ncolour: red\n---\n"],
	['no title', 1, '', qr{bad.md:1: the title is missing}, "---\nkind: article\n---\n"],
	['another kind', 3, '', qr{bad.md:3: kind: expected article, link}, "---\ntitle: T\nkind: poem\n---\n"],
	['a wrong time', 3, '', qr{bad.md:3: published: expected a time}, "---\ntitle: T\npublished: soon\n---\n"],
	['a word that is neither true nor false', 3, '', qr{bad.md:3: draft: expected true or false}, "---\ntitle: T\ndraft: yes\n---\n"],
	['words that contradict each other', 4, '', qr{bad.md:4: published: draft and published say different},
	    "---\ntitle: T\ndraft: true\npublished: true\n---\n"],
	['a draft that is published', 1, '', qr{bad.md:1: draft \(or published\) and status say different},
	    "---\ntitle: T\nstatus: published\ndraft: true\n---\n"],
	['what is no draft, and one', 1, '', qr{bad.md:1: draft \(or published\) and status say different},
	    "---\ntitle: T\nstatus: draft\ndraft: false\n---\n"],
	['a wrong slug', 3, '', qr{bad.md:3: slug: expected letters, digits}, "---\ntitle: T\nslug: A b\n---\n"],
	['a long slug', 3, '', qr{bad.md:3: slug: expected .* 100 at most, and 200 bytes}, "---\ntitle: T\nslug: " . "\x{6f6e}" x 67 . "\n---\n"],
	['a tag of signs', 3, '', qr{bad.md:3: tags: "!\?" has no letter}, "---\ntitle: T\ntags: [sea, '!?']\n---\n"],
	['too many in one text', 3, '', qr{bad.md:3: tags: these are too many}, "---\ntitle: T\ntags: " . join(', ', 'a' .. 'k') . "\n---\n"],
	['too many tags', 3, '', qr{bad.md:3: tags: these are too many}, "---\ntitle: T\ntags: [" . join(', ', 'a' .. 'k') . "]\n---\n"],
	['a script for a link', 4, '', qr{bad.md:4: url: expected an address}, "---\ntitle: T\nkind: link\nurl: javascript:alert(1)\n---\n"],
	['a script for a picture', 3, '', qr{bad.md:4: thumbnail: its url}, "---\ntitle: T\nthumbnail:\n  url: javascript:x\n---\n"],
	['another host\'s picture', 3, '', qr{bad.md:4: thumbnail: its url: expected an address that}, "---\ntitle: T\nthumbnail:\n  url: /\\evil.test/x\n---\n"],
	['one behind a tab', 3, '', qr{bad.md:4: thumbnail: its url}, "---\ntitle: T\nthumbnail:\n  url: \"/\\t/evil.test/x\"\n---\n"],
	['an SVG that was uploaded', 3, '', qr{bad.md:4: thumbnail: its url: An SVG can be the nameplate},
		"---\ntitle: T\nthumbnail:\n  url: /media/0123456789abcdef0123456789abcdef-8x2.svg?x\n---\n"],
	['a picture that no page shows', 3, '', qr{bad.md:4: thumbnail: its url}, "---\ntitle: T\nthumbnail:\n  url: http://a.test/x.png\n---\n"],
	['a picture\'s text of two lines', 3, '', qr{bad.md:4: thumbnail: its alt}, "---\ntitle: T\nthumbnail:\n  url: /x.png\n  alt: \"a\\nb\"\n---\n"],
	['a title that turns letters', 2, '', qr{bad.md:2: title: expected one line of text without control}, "---\ntitle: \"a\\u202eb\"\n---\n"],
	['a title with a control character', 2, '', qr{bad.md:2: title: expected one line}, "---\ntitle: \"a\\x01b\"\n---\n"],
	['an excerpt with one', 3, '', qr{bad.md:3: excerpt: expected text without control}, "---\ntitle: T\nexcerpt: \"a\\x1bb\"\n---\n"],
	['a script for where it appeared', 3, '', qr{bad.md:3: canonical: expected an address}, "---\ntitle: T\ncanonical: javascript:x\n---\n"],
	['a cost that is none', 4, '', qr{bad.md:4: cost: expected an amount, such as 12 or 12\.50}, "---\ntitle: T\nkind: howto\ncost: five\n---\n"],
	['a currency that is none', 4, '', qr{bad.md:4: currency: expected a currency's three letters}, "---\ntitle: T\nkind: howto\ncurrency: Euro\n---\n"],
	['a tool of two lines', 4, '', qr{bad.md:4: tools: expected one line}, "---\ntitle: T\nkind: howto\ntools: [\"a\\nb\"]\n---\n"],
	['a text for a list', 3, '', qr{bad.md:3: materials: expected a list of maps}, "---\ntitle: T\nmaterials: x\n---\n"],
	['a list for a text', 3, '', qr{bad.md:3: excerpt: expected a text}, "---\ntitle: T\nexcerpt: [x]\n---\n"],
	['a page with tags', 1, '', qr{bad.md:1: a page has no category}, "---\ntitle: T\nkind: page\ntags: [x]\n---\n"],
	['no UTF-8', 2, '', qr{bad.md:2: this is not UTF-8}, "---\ntitle: \xff\n---\n"],
	['another\'s address', 0, '', qr{low-tide.md: the address "low-tide" is that of bad.md}, "---\ntitle: T\nslug: low-tide\n---\n"],
	['a status that is none', 3, '', qr{bad.md:3: status: expected draft}, "---\ntitle: T\nstatus: deleted\n---\n"],
	['another kind than the table has', 0, '', qr{when.md: a post stays of its kind},
	    "---\ntitle: T\nslug: bad\n---\n", "---\ntitle: W\nkind: note\n---\n"],
) {
	my ($what, undef, undef, $why, $bad, $when) = @$case;
	my $kept = text("$dir/hand/when.md");
	write_text("$dir/hand/bad.md", $bad);
	write_text("$dir/hand/when.md", $when) if $when;
	says("Of $what", 1, qr/^$/, $why, 'import', 'posts', '--merge', '--author', 'noor', "$dir/hand");
	is((run('export'))[1], $exported, '... nothing is written.');
	write_text("$dir/hand/when.md", $kept);
}
unlink "$dir/hand/bad.md";

# --- The command line ------------------------------------------------------------------------------------

says('A folder with files is not written to,', 1, qr/^$/, qr/has files already; --merge/, 'export', 'posts', "$dir/hand");
says('... unless one says so.', 0, qr/^Wrote 4 posts/, qr/^$/, 'export', 'posts', '--merge', "$dir/hand");
is(text("$dir/hand/not-a-post.txt"), 'x', '... Other files stay.');
says('A folder that is not there is named.', 1, qr/^$/, qr{/nowhere: No such file}, 'import', 'posts', "$dir/nowhere");
mkdir "$dir/empty";
says('An empty one is, too.', 1, qr/^$/, qr{/empty: holds no \*.md}, 'import', 'posts', "$dir/empty");
says('There is nothing but posts.', 2, qr/^$/, qr/is one argument too many/, 'import', 'users', "$dir/hand");
says('... Nor to export.', 2, qr/^$/, qr/is one argument too many/, 'export', 'users', "$dir/hand");
says('Nothing is removed.', 2, qr/^$/, qr/nothing is removed/, 'import', 'posts', '--replace', "$dir/hand");
says('An option of posts is of posts.', 2, qr/^$/, qr/are for import posts DIR/, 'import', '--dry-run', "$dir/hostile.jsonl");
# --- A folder of somebody else --------------------------------------------------------------------------

mkdir "$dir/$_" for qw(links links/media);
my $text_of = "---\ntitle: Mine\nauthor: kofi\n---\n\n![Yours](/media/" . 'e' x 32 . "-480x320.jpg)\n";
write_text("$dir/private", $text_of);
symlink "$dir/private", "$dir/links/mine.md" or die;
says('A link to a file elsewhere is not followed,', 1, qr/^$/, qr{links/mine\.md: }, 'import', 'posts', "$dir/links");
unlink "$dir/links/mine.md";
write_text("$dir/links/mine.md", $text_of);
symlink "$dir/private", "$dir/links/media/" . 'e' x 32 . '-480x320.jpg' or die;
says('... nor is one that says it is a picture,', 1, qr/^$/, qr/./, 'import', 'posts', "$dir/links");
is(scalar(grep { /e{32}/ } glob "'$dir/media/'*"), 0, '... which everybody could read then.');

# --- Names in other scripts ------------------------------------------------------------------------------

another_store();
mkdir "$dir/scripts";
my $long = "\x{6f6e}" x 66;
write_text("$dir/scripts/a.md", "---\ntitle: \x{6f6e}\x{304c}\x{5f15}\x{304f}\nslug: \x{6f6e}\x{304b}\x{3099}\nold_slugs: [\x{535}\x{0301}]\n"
	. "tags: sea, C++, \x{6d77}\x{3001}C#\ndate: 2026-01-02\nauthor: noor\n---\nOne\n");
write_text("$dir/scripts/b.md", "---\ntitle: Long\nslug: $long\ntags: [Sea, .NET, sea]\nauthor: noor\n---\n");
# As a file system has it that decomposes names.
write_text("$dir/scripts/" . do { my $name = "\x{304b}\x{3099}.md"; utf8::encode($name); $name }, "---\ntitle: Name\nauthor: noor\n---\n");
says('Files of other scripts are read.', 0, qr/^Wrote 3 new posts/, qr/^$/, 'import', 'posts', "$dir/scripts");
utf8::encode(my $of_the_sea = "POST#\x{6f6e}\x{304c}");
$head = $json->decode((run('get', $of_the_sea, 'METADATA'))[1]);
is_deeply([map { $_->{S} } @{$head->{Tags}{L}}], ['sea', 'cpp', "\x{6d77}", 'csharp'], 'Tags are those that a form would make of them.');
says('They go out', 0, qr/^Wrote 3 posts/, qr/^$/, 'export', 'posts', "$dir/scripts-out");
my $out = folder("$dir/scripts-out");
is_deeply([sort map { my $n = $_; utf8::decode($n); $n } keys %$out], [sort "\x{304c}.md", "\x{6f6e}\x{304c}.md", "$long.md"],
	'... under names that a file system takes,');
ok(!(grep { length > 255 } keys %$out), '... in bytes, too;');
another_store();
says('... and come in again', 0, qr/^Wrote 3 new posts/, qr/^$/, 'import', 'posts', "$dir/scripts-out");
run('export', 'posts', "$dir/scripts-again");
is_deeply(folder("$dir/scripts-again"), $out, '... as they were.');

done_testing();
