#!/usr/bin/perl
# Every fuzzer over its kept cases, then for a moment over what it makes of them by chance, always the
# same. `make fuzz` is how they are built; Makefile.am says how to let one look for longer.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use Test::More;

my $seconds = 20; # for all of them together, however many there are

my $source = "$FindBin::Bin/..";
my ($build) = grep { defined && -f "$_/Makefile" }
	($ENV{BROADSHEET_BUILD}, '.', "$source/build/test", "$source/build/dev");
die "No build was found: set BROADSHEET_BUILD.\n" if !defined $build;

plan skip_all => 'clang is not installed'
	if !grep { -x "$_/clang" || -x "$_/clang-14" } split /:/, $ENV{PATH};

# The flags of a make around us are not for this one.
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
my $made = `make -s -j2 -C '$build' fuzz 2>&1`;
if (!ok($? == 0, 'The fuzzers are built.')) {
	diag($made);
	done_testing();
	exit 1;
}

my @fuzzers = split /\n/, `make -s --no-print-directory -C '$build' list-fuzzers`;
ok(@fuzzers > 0, 'There are fuzzers.');
my $moment = int($seconds / (@fuzzers || 1)) || 1;

for my $name (@fuzzers) {
	my $cases = "$source/t/fuzz/cases/$name";
	my @files = sort glob "'$cases/*'";
	my $found = tempdir(CLEANUP => 1);

	# What breaks it stays in the build tree, to be looked at and kept.
	my $run = "'$build/fuzz/$name' -timeout=60 -artifact_prefix='$build/fuzz/$name-'";
	my $said;

	ok(@files > 0, "$name: cases are kept in t/fuzz/cases/$name.");
	$said = `$run @{[map { "'$_'" } @files]} 2>&1`;
	ok($? == 0, "$name: ... all " . @files . ' hold.') or diag($said);
	$said = `$run -runs=20000 -max_len=4096 -seed=1 -max_total_time=$moment '$found' '$cases' 2>&1`;
	ok($? == 0, "$name: nothing falls over.") or diag($said);
}
done_testing();
