#!/usr/bin/perl
# What `make dist` ships: every file of the repository.

use strict;
use warnings;
use FindBin;
use Test::More;

my $source = "$FindBin::Bin/..";
my ($build) = grep { defined && -f "$_/Makefile" }
	($ENV{BROADSHEET_BUILD}, '.', "$source/build/test", "$source/build/dev");
die "No build was found: set BROADSHEET_BUILD.\n" if !defined $build;
my @files = split /\n/, `git -C '$source' ls-files 2>/dev/null`;
plan skip_all => 'this is no repository' if !@files;

# Not for those who build it.
my %ours = map { $_ => 1 } qw(.ci/run);

delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
my @shipped = map { s{^(?:\.\./)+|^\Q$source\E/}{}r }
	split /\n/, `make -s --no-print-directory -C '$build' list-dist`;
my %shipped = map { $_ => 1 } @shipped;
my @trees = grep { -d "$source/$_" } @shipped;

is($?, 0, 'make says what it ships.');
my @missing = grep {
	my $file = $_;

	-e "$source/$file" && !$shipped{$file} && !$ours{$file} &&
		!grep { index($file, "$_/") == 0 } @trees
} @files;
ok(!@missing, 'Every file of the repository is shipped.') or diag(join "\n", @missing);
done_testing();
