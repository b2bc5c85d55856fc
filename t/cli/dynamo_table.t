#!/usr/bin/perl
# What the commands and the start make of a DynamoDB table that is not finished: indexes that are being made, a time
# to live that is missing, point-in-time recovery that comes later or not at all. Somebody between the program and
# DynamoDB Local bends the answers, as the local one has all at once; at last at an address of IPv6.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use HTTP::Tiny;
use IO::Socket::INET;
use IO::Socket::IP;
use JSON::PP;
use Test::More;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^(BROADSHEET|AWS|DYNAMODB)_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
$ENV{BROADSHEET_MEDIA} = $dir;
plan skip_all => 'this is built without DynamoDB'
	if `'$program' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';
$ENV{HOME} = $dir;

# --- Somebody between ----------------------------------------------------------------------------------

my $local = $ENV{AWS_ENDPOINT_URL_DYNAMODB};
my $listener = IO::Socket::INET->new(Listen => 16, LocalAddr => '127.0.0.1') or die;
my (%bent, %asked);

# The answer to an operation: the next one of those that were told, the last of which stays; else the local server's.
sub said_to
{
	my ($operation, $body, $head) = @_;
	my $queue = $bent{$operation} // [];
	my $told = @$queue > 1 ? shift @$queue : $queue->[0];

	$asked{$operation}++;
	return ([400, encode_json({__type => "com.amazonaws.dynamodb.v20120810#$told", message => 'bent'})]) if $told && !ref $told;
	return ([200, encode_json($told)]) if $told && !$told->{GSI4};
	my $got = HTTP::Tiny->new(timeout => 300)->post($local, {content => $body, headers => $head});
	my $said = $got->{content};
	if ($told) {
		my $table = decode_json($said);
		$_->{IndexStatus} = $told->{GSI4} for grep { $_->{IndexName} eq 'GSI4' } @{$table->{Table}{GlobalSecondaryIndexes}};
		$said = encode_json($table);
	}
	return [$got->{status}, $said];
}
sub serve_one
{
	my ($client) = @_;
	my $request = <$client> // return;
	my %head;
	while (defined(my $line = <$client>)) {
		last if $line =~ /^\r?\n/;
		$head{lc $1} = $2 if $line =~ /^([^:]+): *(.*?)\r?\n/;
	}
	read $client, (my $body), $head{'content-length'} // 0;
	my $said = [200, '{}'];
	$asked{"at $head{host}"}++;
	if ($request =~ m{^POST /bend }) {
		$said->[1] = encode_json(\%asked);
		%bent = %{decode_json($body)};
		%asked = ();
	} else {
		$said = said_to($head{'x-amz-target'} =~ s/.*\.//r, $body,
			{map { $_ => $head{$_} } qw(content-type x-amz-target authorization x-amz-date)});
	}
	print $client "HTTP/1.1 $said->[0] So\r\nContent-Length: ", length $said->[1], "\r\nConnection: close\r\n\r\n$said->[1]";
}
my $serve = sub {
	$SIG{PIPE} = 'IGNORE';
	while (my $client = $listener->accept) {
		serve_one($client);
		close $client;
	}
};
my $between = beside($serve);
my $bender = 'http://127.0.0.1:' . $listener->sockport;
$ENV{AWS_ENDPOINT_URL_DYNAMODB} = $bender;
# From now on these operations are answered so. Gives how often each was asked for since the last time.
sub bend { return decode_json(HTTP::Tiny->new(timeout => 300)->post("$bender/bend", {content => encode_json({@_})})->{content}) }

sub says
{
	my ($sentence, $status, $output, $error, @words) = @_;
	my ($code, $out, $err) = run(@words);
	ok($code == $status && $out =~ $output && $err =~ $error, $sentence)
		or diag("$code, not $status\nout: $out\nerr: $err");
}
my @site = ('--store', 'dynamodb:site');
my @serve = ('serve', '--socket', "$dir/socket", @site);

# --- Point-in-time recovery --------------------------------------------------------------------------------

my %recovery = map { $_ => {ContinuousBackupsDescription => {ContinuousBackupsStatus => 'ENABLED',
	PointInTimeRecoveryDescription => {PointInTimeRecoveryStatus => $_}}} } qw(ENABLED DISABLED);
bend(UpdateContinuousBackups => [('ContinuousBackupsUnavailableException') x 2, {}]);
says('A table is made whose point-in-time recovery comes a little later,', 0, qr/^Made dynamodb:site$/, qr/^$/, 'table', 'create', @site);
is(bend(DescribeContinuousBackups => [$recovery{ENABLED}])->{UpdateContinuousBackups}, 3, '... which is asked for until it is on.');
says('That it is on is shown.', 0, qr/^expiry +ExpiresAt\nrecovery +on$/m, qr/^$/, 'table', 'describe', @site);
says('Where all is there, nothing is left to do.', 1, qr/^$/, qr/there is a table of that name already$/, 'table', 'create', @site);
bend(DescribeContinuousBackups => [$recovery{DISABLED}], UpdateContinuousBackups => [{}]);
says('That it is off is shown,', 0, qr/^recovery +off$/m, qr/^$/, 'table', 'describe', @site);
says('... and the same command turns it on.', 0, qr/^Finished dynamodb:site\nPoint-in-time recovery is on from now on$/, qr/^$/,
	'table', 'create', @site);
bend(DescribeContinuousBackups => ['AccessDeniedException']);
says('Where nobody tells, it is not known.', 0, qr/^recovery +not known$/m, qr/^$/, 'table', 'describe', @site);
bend(UpdateContinuousBackups => ['AccessDeniedException']);
says('One that may not be turned on is told.', 0, qr/^Made dynamodb:second$/,
	qr/warning: the DynamoDB table second .*: point-in-time recovery is off: .*AccessDeniedException.*; do the same again when that is mended$/,
	'table', 'create', '--store', 'dynamodb:second');

# --- Time to live ------------------------------------------------------------------------------------------

bend(UpdateTimeToLive => ['AccessDeniedException']);
my $third = 'dynamodb:third';
says('A table whose time to live is refused is not finished,', 4, qr/^$/,
	qr/it is there, but what expires is never removed: .*AccessDeniedException.*; do the same again when that is mended$/,
	'table', 'create', '--store', $third);
bend();
says('... until the same command finishes it.', 0, qr/^Finished dynamodb:third\nWhat expires is removed from now on$/, qr/^$/,
	'table', 'create', '--store', $third);
says('Then it is.', 0, qr/^expiry +ExpiresAt$/m, qr/^$/, 'table', 'describe', '--store', $third);

sub starts_with
{
	my ($warning) = @_;
	my $server = background("$dir/log", $program, @serve);
	wait_for('the program', sub { text("$dir/log") =~ /is ready/ });
	my @lines = grep { /what expires/ } split /\n/, text("$dir/log");
	ok($warning ? @lines == 1 && $lines[0] =~ $warning : !@lines, '... The start says ' . ($warning ? 'so in one line.' : 'nothing.'))
		or diag(text("$dir/log"));
	kill 'TERM', $server;
	waitpid $server, 0;
	unlink "$dir/log";
}
for my $case (
	['none', undef, qr/what expires is never removed, as it has no time to live: broadsheet table create turns it on$/],
	['Until', 'Until', qr/what expires is never removed, as its time to live is on Until: turn that off, then broadsheet table create/],
) {
	my ($shown, $attribute, $warning) = @$case;
	ask_local('UpdateTimeToLive', {TableName => 'site', TimeToLiveSpecification => {AttributeName => 'ExpiresAt', Enabled => JSON::PP::false}})
		if !defined $attribute;
	ask_local('UpdateTimeToLive', {TableName => 'site', TimeToLiveSpecification => {AttributeName => $attribute, Enabled => JSON::PP::true}})
		if defined $attribute;
	says("A time to live on $shown is shown,", 0, qr/^expiry +$shown$/m, $warning, 'table', 'describe', @site);
	says('... check warns of it,', 0, qr/^ok +table dynamodb:site$/m, $warning, 'check', @site);
	starts_with($warning);
}
ask_local('UpdateTimeToLive', {TableName => 'site', TimeToLiveSpecification => {AttributeName => 'Until', Enabled => JSON::PP::false}});
says('... and the command that makes tables ends that.', 0, qr/^Finished/, qr/^$/, 'table', 'create', @site);
says('Then check has nothing to say.', 0, qr/^ok +table dynamodb:site$/m, qr/^$/, 'check', @site);
starts_with(undef);

# --- Indexes -----------------------------------------------------------------------------------------------

for my $case (
	['CREATING', qr/the DynamoDB table site in .*: its index GSI4 is being made; try again when it is active$/m],
	['DELETING', qr/the DynamoDB table site in .*: its index GSI4 is being deleted; make another with broadsheet table create$/m],
) {
	my ($status, $wanted) = @$case;
	bend(DescribeTable => [{GSI4 => $status}]);
	says("With an index that is $status the program does not start;", 1, qr/^$/, $wanted, @serve);
	says('... check says the same;', 4, $wanted, qr/^$/, 'check', @site);
	says('... so does describe;', 4, qr/^status +ACTIVE$/m, $wanted, 'table', 'describe', @site);
	says('... and no table is made.', 1, qr/^$/, qr/there is a table of that name already: its index GSI4/, 'table', 'create', @site);
}
bend(DescribeTable => [{GSI4 => 'UPDATING'}]);
says('With one whose settings are changed all is well.', 0, qr/^ok +table dynamodb:site$/m, qr/^$/, 'check', @site);

# --- An address of IPv6 --------------------------------------------------------------------------------------

SKIP: {
	$listener = IO::Socket::IP->new(Listen => 16, LocalAddr => '::1') or skip 'this machine has no IPv6', 2;
	my $six = beside($serve);
	$bender = $ENV{AWS_ENDPOINT_URL_DYNAMODB} = 'http://[::1]:' . $listener->sockport;
	bend();
	says('An address of IPv6 leads there, too,', 0, qr/^status +ACTIVE$/m, qr/^$/, 'table', 'describe', @site);
	ok(bend()->{'at [::1]:' . $listener->sockport} > 1, '... and who is asked knows it by its brackets.');
	kill 'TERM', $six;
	waitpid $six, 0;
}

kill 'TERM', $between;
waitpid $between, 0;
done_testing;
