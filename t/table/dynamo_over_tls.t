#!/usr/bin/perl
# Over TLS, too, nothing is done twice or lost (t/table/dynamo_faults.c), and the table is closed with calls under way
# (t/table/dynamo_closing.c).

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use Test::More;

my $build = build_dir();
my $dir = $ENV{TEST_TLS} = tempdir(CLEANUP => 1);

plan skip_all => 'this is built without DynamoDB' if !-x "$build/t/table/dynamo_faults.t";
plan skip_all => 'no certificate can be made without openssl'
	if system("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost "
		. "-addext subjectAltName=DNS:localhost -keyout '$dir/localhost.key' -out '$dir/localhost.pem' 2>'$dir/log'") != 0;
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';
for my $test ('dynamo_closing', 'dynamo_faults') {
	my @said = `'$build/t/table/$test.t' </dev/null`;
	my $count = grep { /^ok/ } @said;

	ok($? == 0 && $count, "t/table/$test.t over TLS: $count checks") or diag(grep { !/^ok/ } @said);
}
done_testing;
