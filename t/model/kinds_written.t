#!/usr/bin/perl
# The table of kinds (src/model/kinds.c) and the tables of items in docs/table.md say the same: which Types there are, where
# each lies and stands, and which attributes it has.

use strict;
use warnings;
use File::Find;
use FindBin;
use Test::More;

my $top = "$FindBin::Bin/../..";

sub text_of
{
	local (@ARGV, $/) = @_;
	return scalar <>;
}

# --- What the program says -----------------------------------------------------------------------------

my %letters = (STRING => '', TEXT => '', TIME => '', CHOICE => '', NUMBER => 'N', BOOLEAN => 'BOOL', STRINGS => 'L of S',
	TEXTS => 'L of S', MAP => 'M', MAPS => 'L of M', BINARY => 'B', STRING_SET => 'SS');
my (%tables, %kinds);

find({no_chdir => 1, wanted => sub {
	return if !/\.c$/;
	my $text = text_of($_);
	my %arrays;

	while ($text =~ /struct binding (\w+)\[\] = \{(.*?)\n\};/gs) {
		my ($name, $rows) = ($1, $2);

		push @{$arrays{$name}}, {name => $3, mark => $2, letters => $letters{$1}}
			while $rows =~ /BIND_(\w+)\((\w+),\s*"(\w+)"/g;
	}
	$tables{$1} = $arrays{$2} while $text =~ /^const struct binding_table (\w+) = BINDINGS\((\w+)\);/mg;
}}, "$top/src");

my $source = join "", map { text_of($_) } sort glob "$top/src/model/kinds_*.def";
$source =~ s/\bEXPIRES\b/HAS(RECORDED, "ExpiresAt", NUMBER)/g;
while ($source =~ /^    \[ITEM_\w+\] = \{(.*?)^    \},/msg) {
	my $row = $1;
	my ($type) = $row =~ /\.type = STR_INIT\("(\w+)"\)/;
	my %kind = (shared => []);

	push @{$kind{$1}}, [$2, $3] while $row =~ /\b(LIES|GSI[1-4])\("([^"]+)", "([^"]+)"\)/g;
	for my $table ($row =~ /&(\w+)/g) {
		push @{$kind{$table =~ /^post_(head|body)_/ ? 'shared' : 'own'}}, @{$tables{$table} // die "$type: $table"};
	}
	push @{$kind{own}}, {name => $2, mark => $1, letters => $letters{$3}} while $row =~ /HAS\((\w+), "(\w+)", (\w+)\)/g;
	$kinds{$type} = \%kind;
}

# --- What the document says ----------------------------------------------------------------------------

my $document = text_of("$top/docs/table.md");
my %rows;
while ($document =~ /^\| Type \| PK \/ SK \| indexes \| attributes \|\n\|[-|]+\n((?:\|.*\n)+)/mg) {
	for (split /\n/, $1) {
		my ($type, @cells) = /^\| (\w+)(?: \(the head\))?(?: °)? \| (.*?) \| (.*?) \| (.*) \|$/ or die $_;

		$rows{$type} = \@cells;
	}
}
my ($of_heads) = $document =~ /^(\| a post that is \|.*?)\n\n/ms;

is(join(' ', sort keys %rows), join(' ', sort keys %kinds), 'The same Types are in both.');

# What stands for a value is called by another name in the document.
sub plain
{
	return $_[0] =~ s/<[^>]*>/<>/gr;
}

sub keys_in
{
	return map { plain($_) => 1 } $_[0] =~ /`([^`]+)`/g;
}

sub missing
{
	my ($from, $in) = @_;

	return join ', ', grep { !$in->{$_} } sort keys %$from;
}

for my $type (sort keys %kinds) {
	my ($kind, $row) = ($kinds{$type}, $rows{$type} // next);
	my ($lies, $stands, $attributes) = @$row;
	my %lies = map { plain($_) => 1 } map { @$_ } @{$kind->{LIES}};
	my %stands = map { plain($_) => 1 } map { @$_ } map { @{$kind->{"GSI$_"} // []} } 1 .. 4;
	my %written = keys_in($lies);

	is(missing(\%lies, \%written) . missing(\%written, \%lies), '', "$type lies where the document says");
	if ($stands eq 'see below' || $stands =~ /as the head/) {
		my %heads = keys_in($of_heads);

		is(missing(\%stands, {%heads, keys_in($stands)}), '', '... and stands where it does');
	} else {
		%written = keys_in($stands);
		is(missing(\%stands, \%written) . missing(\%written, \%stands), '', '... and stands where it does');
	}
	for my $index (grep { $kind->{$_} } map { "GSI$_" } 1 .. 4) {
		ok($stands =~ /\b$index\b/ || $stands eq 'see below', "... in $index");
	}
}

# --- Attributes ----------------------------------------------------------------------------------------

# A text that people write may be described among the keys of files alone.
my ($keys) = text_of("$top/docs/posts.md") =~ /^## Keys\n(.*?)^## /ms;
sub is_key
{
	my ($field) = @_;

	return $field->{mark} eq 'WRITTEN' && $field->{letters} eq '' && $keys =~ /`\L$field->{name}\E`/;
}

for my $type (sort keys %kinds) {
	my ($kind, $text) = ($kinds{$type}, ($rows{$type} // next)->[2]);
	my @of_posts = @{$kind->{shared}};
	my (@missing, %known);

	@of_posts = () if $text =~ /all that the head has|everything that people write/;
	@of_posts = grep { !is_key($_) || $text =~ /\b$_->{name}\b/ } @of_posts if $text =~ /Any other text that people write/;
	for my $field (@{$kind->{own}}, @of_posts) {
		my ($name, $letters) = @$field{qw(name letters)};
		my $as = !defined $letters || $letters eq '' ? qr/\b$name\b(?! (?:N|B|BOOL|SS|L of|M)\b)/ : qr/\b$name $letters\b/;

		$known{$name} = 1;
		push @missing, "$name $letters" if defined $letters && $text !~ $as || $text !~ /\b$name\b/;
	}
	# "Stars1 N … Stars5 N"
	@missing = grep { !/^Stars[234] N$/ } @missing;
	is(join(', ', @missing), '', "the document has all attributes of a $type");
	1 while $text =~ s/\([^()]*\)//g;
	$text =~ s/\{[^{}]*\}//g;
	my @named = grep { !$known{$_} } $text =~ /(?:^|, |\. |: )([A-Z]\w*[A-Za-z0-9])(?= (?:N|B|BOOL|SS|L|M)\b|,|\.| \(|$)/g;
	is(join(', ', @named), '', '... and no other');
}

# --- Who derives it -------------------------------------------------------------------------------------

my (%derives, %described);
while ($source =~ /^    \[ITEM_\w+\] = \{(.*?)^    \},/msg) {
	my $row = $1;
	my ($type) = $row =~ /\.type = STR_INIT\("(\w+)"\)/;
	my ($names) = $row =~ /\.derived_by = \{([^{}]*)\}/ or next;

	$derives{$_}{$type} = 1 for $names =~ /"(\w+)"/g;
}
my ($derivations) = text_of("$top/docs/worker.md") =~ /^\| name \| what \| Types of its own \| from \|\n\|[-|]+\n((?:\|.*\n)+)/m;
for (split /\n/, $derivations) {
	my ($name, $types) = /^\| `(\w+)` \| .*? \| (.*?) \|/ or die $_;

	$described{$name} = {map { $_ => 1 } $types =~ /\w+/g};
}
my @named = text_of("$top/src/derive/derivations.c") =~ /\.name = STR_INIT\("(\w+)"\)/g;

is(join(' ', sort keys %described), join(' ', sort @named), 'docs/worker.md has all derivations');
is(missing(\%derives, \%described), '', 'What kinds are derived by is a derivation.');
is(join(' ', sort keys %{$derives{$_} // {}}), join(' ', sort keys %{$described{$_} // {}}), "$_ derives what the document says")
	for sort @named;

done_testing();
