#!/usr/bin/perl
# Every test that stands on t/lib/store.h, on store_for_test() of t/lib/Dynamo.pm or on with_site() of
# t/e2e/checks.js, once more on DynamoDB Local. A test gets there by itself: its program knows the switch,
# TEST_STORE, its script calls one of these.
#
#	t/dynamodb.t [PART...]    only those with such a part in their path
#	t/dynamodb.t --list       which they are: script/test makes a job of each

use strict;
use warnings;
use File::Basename 'dirname';
use FindBin;
use lib "$FindBin::Bin/lib";
use FastCGI;
use Test::More;

my $source = dirname($FindBin::Bin);
my $build = build_dir();

sub knows_the_switch
{
	my ($file, $how) = @_;
	open my $in, '<:raw', $file or return 0;
	local $/;
	return <$in> =~ $how;
}

# Programs of this build whose source is still there, and scripts.
my @tests = map { s{^\Q$build\E/}{}r } grep {
	my $c = s{^\Q$build\E/(.*)\.t$}{$source/$1.c}r;

	-x && -f $c && knows_the_switch($_, qr/TEST_STORE/)
} sort glob "'$build'/t/*/*.t";
push @tests, map { s{^\Q$source\E/}{}r } grep { -x && knows_the_switch($_, qr/\b(?:store_for_test|with_site)\(/) }
	sort glob "'$source'/t/*/*.t";
my $list = @ARGV && $ARGV[0] eq '--list';
if (@ARGV && !$list) {
	my $parts = join '|', map { quotemeta } @ARGV;
	@tests = grep { /$parts/ } @tests;
}

my $help = `'$build/broadsheet' table describe --store dynamodb:test 2>&1`;
my $without = $help =~ /without DynamoDB/ ? 'this is built without DynamoDB'
	: system("$source/script/dynamodb-local", '--install') != 0 ? 'DynamoDB Local is not to be had here' : undef;
if ($list) {
	print map { (-x "$build/$_" ? "$build/$_" : "$source/$_") . "\n" } defined $without ? () : @tests;
	exit;
}
plan skip_all => $without if defined $without;
cmp_ok(scalar @tests, '>', @ARGV ? 0 : 5, 'There are ' . @tests . ' of them.');
$ENV{BROADSHEET_BUILD} = $build;
for my $test (@tests) {
	my $path = -x "$build/$test" ? "$build/$test" : "$source/$test";
	my @out = `'$source/t/lib/job' 'dynamodb:$path' </dev/null`;
	my $status = $?;
	my @failed = grep { /^\s*not ok/ } @out;
	my $count = grep { /^ok/ } @out;
	my $skipped = grep { /^1\.\.0 # SKIP/ } @out;

	ok($status == 0 && !@failed && ($count || $skipped), "$test on DynamoDB: $count checks")
	    or diag("status $status\n", grep { /^\s*(not ok|#)/ } @out);
}
done_testing;
