#!/usr/bin/perl
# The layers: a file includes headers of its own layer and of lower ones, and some libraries are included only where they
# belong.

use strict;
use warnings;
use FindBin;
use Test::More;

my $source = "$FindBin::Bin/..";
my @layers = qw(base table model text web derive pages server cli image);
my %height = map { $layers[$_] => $_ } 0 .. $#layers;

# Who may include what, beside the standard library's and POSIX's headers.
my @places = (
	{what => qr/^(fcgi|fastcgi)/, where => qr{^src/server/records\.h$}, name => 'FastCGI'},
	{what => qr/^aws\//, where => qr{^src/table/dynamo/}, name => 'the aws libraries'},
	{what => qr/^sqlite3\.h$/, where => qr{^src/table/sqlite/}, name => 'SQLite'},
	{what => qr/^gd\.h$|^seccomp\.h$/, where => qr{^src/image/}, name => 'gd and seccomp'},
	{what => qr/^curl\//, where => qr{^src/web/mail/mail_smtp\.c$}, name => 'libcurl'},
	{what => qr/^cmark/, where => qr{^src/text/markdown|^src/cli/cmd_version\.c$}, name => 'cmark'},
	{what => qr/^unicode\//, where => qr{^src/base/(unicode|confusable)\.c$|^src/cli/cmd_version\.c$}, name => 'ICU'},
	{what => qr/^libstemmer\.h$/, where => qr{^src/text/words\.c$}, name => 'libstemmer'},
	{what => qr/^zlib\.h$/, where => qr{^src/web/http/gzip\.c$|^src/base/zip\.c$|^src/table/dynamo/|^src/table/sqlite/row\.c$
		|^src/cli/(corpus|cmd_version)\.c$}x,
		name => 'zlib'},
);

# The words that keys are made of, from the table of kinds: those before a "#", and those that are a key by themselves. Some
# of these are words of pages, too.
my $kinds_of = do { local @ARGV = glob "$source/src/model/kinds_*.def"; join "", <> };
my %words_of_pages = map { $_ => 1 } qw(POST HOT);
my (%before, %alone);
for my $keys ($kinds_of =~ /\b(?:LIES|GSI[1-4])\((".*?")\)/g) {
	$before{$1}++ while $keys =~ /([A-Z]+)#/g;
	$alone{$1}++ while $keys =~ /"([A-Z]+)"/g;
}
my $before = join '|', sort keys %before;
my $alone = join '|', grep { !$words_of_pages{$_} } sort keys %alone;
ok(keys %before > 40 && keys %alone > 20, 'The table of kinds has the words of all keys.');

my @files = map { s{^\Q$source\E/}{}r } sort glob "'$source/src/{*,*/*}/*.{c,h,def}'";
ok(@files > 100, 'There are ' . @files . ' files.');

# A file may have so many lines.
my $lines_max = 800;

# What tests alone call, as the program has no way to show it.
my %seen_by_tests = (
	arena_footprint => 'what a reset gives back',
	clock_fixed => 'the time of tests',
	limiter_waiting => 'who waits, without a time',
	mailer_rest => 'letters that are sent on another thread',
	password_limiter_count => 'that each way of being wrong costs a hash',
);

my (%wrong, @strange, @keys, %made, %defined, %used, %lines, %users, %views);
for my $file (@files) {
	my ($layer) = $file =~ m{^src/([^/]+)/};
	my $text = do { local (@ARGV, $/) = "$source/$file"; <> };

	push @strange, $file if !defined $height{$layer};
	$lines{$file} = () = $text =~ /\n/g;
	while ($text =~ /^\s*#\s*include\s+([<"])([^>"]+)[>"]/mg) {
		my ($quote, $name) = ($1, $2);

		if ($quote eq '"') {
			my ($of) = $name =~ m{^([^/]+)/};

			$users{"src/$name"}{$file} = 1 if "src/$name" =~ s/h$/c/r ne $file;
			if (!defined $of || !defined $height{$of} || !-f "$source/src/$name") {
				push @strange, "$file: \"$name\" is not \"layer/file.h\"";
			} elsif ($height{$of} > $height{$layer}) {
				push @{$wrong{$layer}}, "$file includes $name";
			}
		}
		for my $place (@places) {
			push @{$wrong{$place->{name}}}, "$file includes $name"
				if $name =~ $place->{what} && $file !~ $place->{where};
		}
	}
	# Comments may name keys.
	$text =~ s{/\*.*?\*/}{}gs;
	count_calls($file, $text);
	while ($text =~ /^VIEW_FIELDS\((\w+),((?:[^()]|\([^()]*\))*)\)/mg) {
		my ($view, $fields) = ($1, $2);

		$views{$view}{$_} = 1 for $fields =~ /\b[A-Z]+\((\w+)/g;
	}
	$made{$file} += () = $text =~ /\bhtml_trusted\(|\(struct html\)\s*\{|html\.text\s*=[^=]/g;
	if ($file !~ m{^src/model/(key(_\w+)?\.[ch]|kinds(_\w+)?\.(c|h|def))$}) {
		push @keys, "$file: $1" while $text =~ /("(?:$before)#[^"]*"|"(?:$alone)")/g;
	}
}

# Which functions a file offers, and which names it uses: neither a prototype nor where something is defined is a use.
sub count_calls
{
	my ($file, $text) = @_;

	$text =~ s/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'//g;
	if ($file =~ /\.h$/) {
		$text =~ s/^[a-z][^;{}#]*\([^;{}]*\)[^;{}()]*;//mg;
	} else {
		$defined{$1} = $file while $text =~ /^(?!static\b)[a-z][^\n;{}=#]*\n(\w+)\(/mg;
		$text =~ s/^\w+\(//mg;
	}
	$used{$_}++ for $text =~ /\b[a-z]\w+\b/g;
}

# Tests that speak to a file by itself.
for my $file (glob "'$source/t/{*,*/*}/*.[ch]'") {
	my $text = do { local (@ARGV, $/) = $file; <> };

	$users{"src/$1"}{$file} = 1 while $text =~ /^#include "([^"]+)"/mg;
}

# The lines of a header and of the file behind it.
sub lines_of
{
	my ($stem) = $_[0] =~ /^(.*)\.[ch]$/;

	return ($lines{"$stem.h"} // 0) + ($lines{"$stem.c"} // 0);
}

# Is this a header with but one user, of its own layer and so short that both could be one file?
sub is_private
{
	my ($header) = @_;
	my ($user, @others) = keys %{$users{$header}};

	return !@others && (!defined $user || (split m{/}, $user)[1] eq (split m{/}, $header)[1] &&
		lines_of($user) + lines_of($header) <= $lines_max);
}

sub holds
{
	my ($sentence, @failed) = @_;

	ok(!@failed, $sentence) or diag(join "\n", @failed);
}

holds('Every include of ours is "layer/file.h", and the file is there.', @strange);
holds("$_: includes nothing from above.", @{$wrong{$_} // []}) for @layers;
holds("Only its own files include $_->{name}.", @{$wrong{$_->{name}} // []}) for @places;
holds("No file has more than $lines_max lines.", grep { $lines{$_} > $lines_max } @files);
holds('No header has but one user that it could be one file with.', grep { /\.h$/ && is_private($_) } @files);
holds('Every function that a file offers is called by the program.',
	map { "$_ ($defined{$_})" } grep { $_ ne 'main' && !$used{$_} && !$seen_by_tests{$_} } sort keys %defined);
holds('What tests alone may call is there, and called by them alone.',
	grep { !$defined{$_} || $used{$_} } sort keys %seen_by_tests);
holds('Only src/model/key*.c and kinds*.c know what a key looks like.', @keys);
my ($style, $colours) = map { local (@ARGV, $/) = "$source/$_"; scalar <> } 'static/style.css', 'src/model/site/colour.c';
is(join(' ', $colours =~ /STR_INIT\("(#\w+)"\)/g), join(' ', $style =~ /--tint: (#\w{6});/g),
	'Colours are measured on the papers that the stylesheet has.');
holds('No page has a field that its layout has, too: a template would find the layout’s.',
	map { my $view = $_; map { "$view: $_" } grep { $views{layout_view}{$_} } keys %{$views{$view}} }
	grep { $views{$_}{layout} } sort keys %views);
is(join(' ', map { "$_:$made{$_}" } grep { $made{$_} } sort keys %made),
	'src/text/escape.c:1 src/text/markdown.c:1 src/text/view.h:2', 'Two functions, both in text, make a struct html.');
done_testing();
