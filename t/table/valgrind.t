#!/usr/bin/perl
# The engine for DynamoDB under valgrind, closed with requests under way (t/table/dynamo_closing.c): no memory is used
# that was given back or never written, and none is lost. Built without sanitizers, which it takes the place of.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use File::Temp 'tempdir';
use Test::More;

my $build = build_dir();
my $program = "$build/valgrind/dynamo_closing";
my $dir = tempdir(CLEANUP => 1);

plan skip_all => 'this is built without DynamoDB'
	if `'$build/broadsheet' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
plan skip_all => 'valgrind is not installed' if !grep { -x "$_/valgrind" } split /:/, $ENV{PATH};
# The flags of a make around us are not for this one.
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
my $made = `make -s -j2 -C '$build' valgrind/dynamo_closing 2>&1`;
$? == 0 or die $made;
delete @ENV{grep { /^AWS_/ } keys %ENV};
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';

my @words = ('--leak-check=full', '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite', '--error-exitcode=99',
	'--num-callers=25', '--child-silent-after-fork=yes', "--log-file=$dir/log");
open my $run, '-|', 'valgrind', @words, $program or die;
my @said = <$run>;
close $run;
my $status = $? >> 8;
my $log = do { local (@ARGV, $/) = "$dir/log"; <> };
cmp_ok(scalar(grep { /^ok/ } @said), '>', 5, 'The calls are made and given up, the table is closed.') or diag(@said, $log);
ok(!(grep { /^(not ok|Bail out)/ } @said), '... All of it as it should be.') or diag(@said);
is($status, 0, '... and valgrind finds nothing.') or diag($log);
done_testing;
