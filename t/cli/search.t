#!/usr/bin/perl
# broadsheet search: what readers find, why, and what they may have meant; and test collections.

use strict;
use warnings;
use utf8;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^BROADSHEET_/ && !/STORE|BUILD/ } keys %ENV};
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{TMPDIR} = $dir;
store_for_test($program, $dir);

sub says
{
	my ($sentence, $status, $out, $err, @words) = @_;
	my @got = run(@words);
	utf8::decode($_) for @got[1, 2];
	is($got[0], $status, $sentence) or diag($got[2]);
	like($got[1], $out, '... and it says so') if $out;
	like($got[2], $err, '... and complains so') if $err;
	return $got[1];
}

sub write_text
{
	my ($path, $text) = @_;
	utf8::encode($text);
	open my $out, '>:raw', $path or die "$path: $!";
	print $out $text;
	close $out;
}

# --- A publication -----------------------------------------------------------------------------------

is((run('seed', "$source/migrations-free-seed"))[0], 0, 'A table has the seed');
is((run('rebuild', 'search'))[0], 0, '... and its index.');

says('A post is found by its words', 0, qr{1  What the redshank knows about Tuesday\n +/post/\S+, article by \w+, \d{4}-}, undef,
	qw(search redshank tuesday));
says('... also when they are folded and stemmed', 0, qr/What the redshank knows/, undef, qw(search REDSHANKS));
says('... and by a phrase', 0, qr/What the redshank knows/, undef, 'search', '"redshank knows"');
unlike(says('... not by one that is nowhere', 0, qr/^nothing has these phrases/, undef, 'search', '"knows redshank"'),
	qr/^\s+2 {2}/m, '... but by its words.');
says('The beginning of a word is enough', 0, qr/What the redshank knows/, undef, 'search', 'tuesday redsh*');
says('... also alone, as it is typed', 0, qr/What the redshank knows/, undef, 'search', 'RedSh*');
says('... and of no word', 0, qr/^0 found/, undef, 'search', 'qqqx*');
says('A filter chooses', 0, qr/^ +1 .*\n.*howto by/, undef, qw(search kind:howto rope));
my $limited = says('... and so many are shown', 0, qr/found$/, undef, qw(search the --limit 2));
unlike($limited, qr/^  3 /m, '... and no more.');
says('What is understood is said, and what each word adds', 0,
	qr/\APosts with redshank and xyzzy, without boats\.\n.*score \d+\.\d+\n +\d+\.\d+  redshank, as redshank: \d+ times here.*read: \d+ postings/s,
	undef, qw(search --explain redshank xyzzy), '--', '-boats');
says('Nothing is found', 0, qr/\A0 found\n\z/, undef, qw(search qqqxyzzy));
says('A word is misspelled', 0, qr/^did you mean: redshank tuesday$/m, undef, qw(search redhsank tuesday));
for my $typed (qw(refrigertor refrigeratorr advectoin)) {
	unlike(says("“$typed” is near a word that stands only in what is not for everybody", 0, qr/^0 found/, undef,
		'search', $typed), qr/did you mean/, '... which is not told.');
}
says('Any bytes are a query', 0, qr/found$/, undef, 'search', "\"\xff\x01 -", 'tag:', "\xe2\x80\xae");
says('There must be some', 2, undef, qr/no words to look for/, 'search');
says('A limit is bounded', 2, undef, qr/--limit/, qw(search x --limit 201));
says('A language goes with a folder', 2, undef, qr/--language goes with --run/, qw(search x --language de));

# --- A collection -------------------------------------------------------------------------------------

my $folder = "$dir/collection";
mkdir $folder;
write_text("$folder/docs.tsv", <<'END');
d1	Der Hafen	Die Häfen der Küste *sind* bei Ebbe trocken.
d2	Boote	Ein Boot liegt im Hafen, zwei Boote liegen davor.
d3		Kein Titel, aber ein_Wort & <b>Zeichen</b>.
END
write_text("$folder/queries.tsv", "q1\thafen kuste\nq2\tBoot\nq3\tzeichen\nq4\tnirgends\n");
is(says('A collection is asked', 0, undef, undef, 'search', '--run', $folder, '--language', 'de'),
	"q1 d1\nq1 d2\nq2 d2\nq3 d3\n", '... and what is found is printed, best first.');
system("gzip '$folder/docs.tsv'") == 0 or die 'gzip';
is(says('It may be compressed', 0, undef, undef, 'search', '--run', $folder, '--language', 'de'),
	"q1 d1\nq1 d2\nq2 d2\nq3 d3\n", '... and gives the same.');
is_deeply([glob "$dir/broadsheet-search-*"], [], 'Its table is gone afterwards.');
says('It takes no words', 2, undef, qr/takes no words/, 'search', '--run', $folder, 'x');
says('It must be there', 1, undef, qr{nowhere/queries\.tsv: No such file}, 'search', '--run', "$dir/nowhere");

done_testing();
