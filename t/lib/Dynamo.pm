package Dynamo;

# DynamoDB Local for a test script, and the environment that leads the program there.

use strict;
use warnings;
use Exporter 'import';
use Cwd 'abs_path';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use IPC::Open2;

our @EXPORT = qw(dynamo_start store_for_test);

my ($server, $stdin, $stdout, $starter);

# Sets the environment up for the server that it names, else for one that is started and ends with this
# process. False when there is none to be had.
sub dynamo_start
{
	$ENV{AWS_REGION} //= 'eu-central-1';
	$ENV{AWS_ACCESS_KEY_ID} //= 'local';
	$ENV{AWS_SECRET_ACCESS_KEY} //= 'local';
	$ENV{AWS_EC2_METADATA_DISABLED} = 'true';
	return 1 if defined $ENV{AWS_ENDPOINT_URL_DYNAMODB};
	my $source = dirname(dirname(dirname(abs_path(__FILE__))));
	# Its input ends when we do, however that comes about, and so does it.
	$starter = $$;
	$server = open2($stdout, $stdin, "$source/script/dynamodb-local", '--bound');
	chomp(my $url = <$stdout> // return 0);
	$ENV{AWS_ENDPOINT_URL_DYNAMODB} = $url;
	return 1;
}

# Names an empty store for the program in the environment: a file, in memory where there is any to be had as files,
# as on a busy disk a page would wait for longer than it may, else in the folder; or, with TEST_STORE=dynamodb, a
# table of DynamoDB Local; t/dynamodb.t runs scripts that use this once more so.
sub store_for_test
{
	my ($program, $dir) = @_;

	if (($ENV{TEST_STORE} // 'sqlite') ne 'dynamodb') {
		my $place = -w '/dev/shm' ? tempdir('broadsheet-XXXXXX', DIR => '/dev/shm', CLEANUP => 1) : $dir;
		$ENV{BROADSHEET_STORE} = "sqlite:$place/test.db";
		return;
	}
	dynamo_start() or die "DynamoDB Local does not start\n";
	$ENV{BROADSHEET_STORE} = "dynamodb:test-$$";
	system("'$program' table create >/dev/null") == 0 or die "no table\n";
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
