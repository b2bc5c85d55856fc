package Dynamo;

# DynamoDB Local for a test script, the environment that leads the program there, and the fault server in between.

use strict;
use warnings;
use Exporter 'import';
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use HTTP::Tiny;
use IPC::Open2;
use JSON::PP;

our @EXPORT = qw(dynamo_start ask_local store_for_test faults_start obey faults_stop);

my $source = dirname(dirname(dirname(abs_path(__FILE__))));
my ($server, $stdin, $stdout, $starter, $local, $key);

# Sets the environment up for the server that it names, else for one that is ours until this process ends. False when
# there is none to be had.
sub dynamo_start
{
	# A table on the net has no folder in which the site's secret could lie.
	$ENV{BROADSHEET_SECRET_FILE} //= tempdir(CLEANUP => 1) . '/secret';
	$ENV{AWS_REGION} //= 'eu-central-1';
	$key = $ENV{AWS_ACCESS_KEY_ID} //= "local$$" . 't' . time;
	$ENV{AWS_SECRET_ACCESS_KEY} //= 'local';
	$ENV{AWS_EC2_METADATA_DISABLED} = 'true';
	# See script/test.
	$ENV{AWS_CA_BUNDLE} //= $ENV{SSL_CERT_FILE} if defined $ENV{SSL_CERT_FILE};
	return 1 if defined($local = $ENV{AWS_ENDPOINT_URL_DYNAMODB});
	# Its input ends when we do, however that comes about, and so does it.
	$starter = $$;
	$server = open2($stdout, $stdin, "$source/t/lib/dynamodb-local");
	chomp(my $url = <$stdout> // return 0);
	$ENV{AWS_ENDPOINT_URL_DYNAMODB} = $local = $url;
	return 1;
}

# Asks the server for something past the program and past all faults.
sub ask_local
{
	my ($operation, $body) = @_;
	my $got = HTTP::Tiny->new(timeout => 300)->post($local, {content => encode_json($body), headers => {
		'Content-Type' => 'application/x-amz-json-1.0', 'X-Amz-Target' => "DynamoDB_20120810.$operation",
		Authorization => "AWS4-HMAC-SHA256 Credential=$key/20261118/eu-central-1/dynamodb/aws4_request, "
			. 'SignedHeaders=host, Signature=0'}});
	$got->{success} or die "$operation: $got->{content}";
}

# Names an empty store for the program in the environment: a file where script/test says, or else in memory where there is any
# to be had as files, as on a busy disk a page would wait for longer than it may, else in the folder; or, with
# TEST_STORE=dynamodb, a table of DynamoDB Local; t/dynamodb.t runs scripts that use this once more so.
sub store_for_test
{
	my ($program, $dir) = @_;

	$ENV{BROADSHEET_TABLE_TIMEOUT} //= 120; # a busy machine is no failure
	if (($ENV{TEST_STORE} // 'sqlite') ne 'dynamodb') {
		my $memory = $ENV{TEST_MEMORY} // '/dev/shm';
		my $place = -w $memory ? tempdir('broadsheet-XXXXXX', DIR => $memory, CLEANUP => 1) : $dir;
		$ENV{BROADSHEET_STORE} = "sqlite:$place/test.db";
		return;
	}
	dynamo_start() or die "DynamoDB Local does not start\n";
	$ENV{BROADSHEET_STORE} = "dynamodb:test-$$";
	system("'$program' table create >/dev/null") == 0 or die "no table\n";
}

my ($faults, $said, $tell);

# Starts a fault server (t/fault/dynamodb.js) in front of DynamoDB Local, and gives its port.
sub faults_start
{
	$faults = open2($said, $tell, 'node', "$source/t/fault/dynamodb.js", $local);
	chomp(my $port = <$said>);
	return $port;
}

# Tells it what to do from now on, and gives what it answers.
sub obey
{
	my ($line) = @_;
	print $tell "$line\n";
	$tell->flush;
	<$said> =~ /^ok ?(.*)/ or die "the fault server does not obey: $line";
	return $1;
}

# It ends with its input, so at the latest with the script.
sub faults_stop
{
	close $tell;
	waitpid $faults, 0;
}

END {
	if ($server && $starter == $$) {
		my $status = $?;
		close $stdin;
		waitpid $server, 0;
		$? = $status;
	}
}

1;
