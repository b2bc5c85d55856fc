#!/usr/bin/perl
# Every test that stands on t/store.h, on store_for_test() of t/lib/Dynamo.pm or on start_stack() of
# t/e2e/stack.mjs, once more on DynamoDB Local. A test gets there by itself: its program knows the switch,
# TEST_STORE, its script calls one of these. Each has a server of its own, as DynamoDB Local grows slower with every change it has seen.
#
#	t/dynamodb.t [PART...]    only those with such a part in their path

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use FastCGI;
use Test::More;

my $source = "$FindBin::Bin/..";
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
push @tests, map { s{^\Q$source\E/}{}r } grep { -x && knows_the_switch($_, qr/\b(?:store_for_test|start_stack)\(/) }
	sort glob "'$source'/t/*/*.t";
if (@ARGV) {
	my $parts = join '|', map { quotemeta } @ARGV;
	@tests = grep { /$parts/ } @tests;
}

my $help = `'$build/broadsheet' table describe --store dynamodb:test 2>&1`;
plan skip_all => 'this is built without DynamoDB' if $help =~ /without DynamoDB/;
system("$source/script/dynamodb-local", '--install') == 0 or plan skip_all => 'DynamoDB Local is not to be had here';
cmp_ok(scalar @tests, '>', @ARGV ? 0 : 5, 'There are ' . @tests . ' of them.');
$ENV{TEST_STORE} = 'dynamodb';
delete $ENV{AWS_ENDPOINT_URL_DYNAMODB};
$ENV{BROADSHEET_BUILD} = $build;
for my $test (@tests) {
	my $path = -x "$build/$test" ? "$build/$test" : "$source/$test";
	my @out = `'$path' </dev/null`;
	my $status = $?;
	my @failed = grep { /^\s*not ok/ } @out;
	my $count = grep { /^ok/ } @out;
	my $skipped = grep { /^1\.\.0 # SKIP/ } @out;

	ok($status == 0 && !@failed && ($count || $skipped), "$test on DynamoDB: $count checks")
	    or diag("status $status\n", grep { /^\s*(not ok|#)/ } @out);
}
done_testing;
