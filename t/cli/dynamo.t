#!/usr/bin/perl
# The commands on DynamoDB Local: tables made, described and deleted, copies both ways, exports; and what is
# said, at start and by `broadsheet check`, of all that can be missing or wrong.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use IO::Socket::INET;
use JSON::PP;
use Test::More;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^(BROADSHEET|AWS|DYNAMODB)_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
plan skip_all => 'this is built without DynamoDB'
	if `'$program' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';
my $local = $ENV{AWS_ENDPOINT_URL_DYNAMODB};
$ENV{HOME} = $dir;

sub says
{
	my ($sentence, $status, $output, $error, @words) = @_;
	my ($code, $out, $err) = run(@words);
	ok($code == $status && $out =~ $output && $err =~ $error, $sentence)
		or diag("$code, not $status\nout: $out\nerr: $err");
	return $out;
}
sub exported { my ($store) = @_; return join '', sort map { "$_\n" } split /\n/, (run('export', '--store', $store))[1] }


# --- The table as a whole ------------------------------------------------------------------------------

my @site = ('--store', 'dynamodb:site');
says('table create makes one,', 0, qr/^Made dynamodb:site$/, qr/^$/, 'table', 'create', @site);
says('... once.', 1, qr/^$/, qr/there is a table of that name already$/, 'table', 'create', @site);
says('table describe shows it:', 0,
	qr/^store +dynamodb:site\nstatus +ACTIVE\nitems +0\nbytes +0\nstream +arn:.*\nexpiry +ExpiresAt\nrecovery +not known$/, qr/^$/,
	'table', 'describe', @site);
says('... also with the certificates that this machine trusts.', 0, qr/^store +dynamodb:site$/m, qr/^$/,
	{AWS_CA_BUNDLE => undef, SSL_CERT_FILE => undef}, 'table', 'describe', @site);
says('check finds it good.', 0, qr/^ok +table dynamodb:site$/m, qr/^$/, 'check', @site, '--media', $dir);
says('DYNAMODB_TABLE names it, too.', 0, qr/^store +dynamodb:site$/m, qr/^$/, {DYNAMODB_TABLE => 'site'},
	'table', 'describe', '--store', 'dynamodb:');
says('What is not there can\'t be described', 4, qr/^$/, qr/the DynamoDB table none .*there is none; make it/,
	'table', 'describe', '--store', 'dynamodb:none');
for my $words (['delete'], ['delete', '--yes'], ['delete', 'site'], ['delete', '--yes', 'other']) {
	says("table @$words deletes nothing", 1, qr/^$/, qr/broadsheet table delete --yes site$/, 'table', @$words, @site);
}

# --- Items in and out ----------------------------------------------------------------------------------

my $file = "sqlite:$dir/a.db";
says('A site', 0, qr/^Loaded/, qr//, 'seed', '--store', $file, "$source/migrations-free-seed");
says('... is copied to DynamoDB,', 0, qr/^Copied [\d,]+ items from .*^Both hold the same$/ms, qr//,
	'copy', $file, 'dynamodb:site');
is(exported('dynamodb:site'), exported($file), '... where it is the same;');
says('... not twice,', 1, qr/^$/, qr/dynamodb:site has content already; --replace/, 'copy', $file, 'dynamodb:site');
says('... and back,', 0, qr/^Both hold the same$/m, qr//, 'copy', 'dynamodb:site', "sqlite:$dir/b.db");
is(exported("sqlite:$dir/b.db"), exported($file), '... where it still is.');
says('An export of DynamoDB', 0, qr/^Wrote [\d,]+ items/m, qr//, 'export', @site, "$dir/all.jsonl");
says('... is imported there', 0, qr/^Wrote [\d,]+ items/m, qr//, 'import', '--replace', @site, "$dir/all.jsonl");
is(exported('dynamodb:site'), exported($file), '... and all is as it was.');

# A signal that waits since before the start: the copy is broken off behind its first page.
for my $case (['dynamodb:site', "sqlite:$dir/c.db"], [$file, 'dynamodb:short']) {
	my ($from, $to) = @$case;
	run('table', 'create', '--store', $to) if $to =~ /^dynamodb/;
	my $signalled = 'use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); kill "TERM", $$; exec @ARGV';
	my $err = `perl -e '$signalled' '$program' copy '$from' '$to' 2>&1 >/dev/null`;
	my ($cursor) = $err =~ /^go on with --resume (\S+)$/m;
	ok($? & 127 || $? >> 8 == 143, "A copy to $to is broken off") or diag("$? $err");
	my $part = () = exported($to) =~ /\n/g;
	cmp_ok($part, '>', 0, '... in the middle,');
	says('... and goes on', 0, qr/^Both hold the same$/m, qr//, 'copy', $from, $to, '--resume', $cursor // '');
	is(exported($to), exported($from), '... to the end.');
}
says('table delete deletes what is named twice.', 0, qr/^Deleted dynamodb:short$/, qr/^$/,
	'table', 'delete', '--yes', 'short', '--store', 'dynamodb:short');
says('Then it is gone.', 4, qr/^$/, qr/there is none/, 'table', 'describe', '--store', 'dynamodb:short');

# --- What is missing or wrong ----------------------------------------------------------------------------

my @strings = map { {AttributeName => $_, AttributeType => 'S'} } 'PK', 'SK', map { ("GSI${_}PK", "GSI${_}SK") } 1 .. 4;
sub keys_of { return [{AttributeName => $_[0], KeyType => 'HASH'}, {AttributeName => $_[1], KeyType => 'RANGE'}] }
my @indexes = map { {IndexName => "GSI$_", KeySchema => keys_of("GSI${_}PK", "GSI${_}SK"), Projection => {ProjectionType => 'ALL'}} } 1 .. 4;
my %good = (BillingMode => 'PAY_PER_REQUEST', AttributeDefinitions => \@strings, KeySchema => keys_of('PK', 'SK'),
	GlobalSecondaryIndexes => \@indexes, StreamSpecification => {StreamEnabled => JSON::PP::true, StreamViewType => 'NEW_AND_OLD_IMAGES'});
ask_local('CreateTable', {%good, TableName => 'keys', KeySchema => keys_of('SK', 'PK')});
ask_local('CreateTable', {%good, TableName => 'index', AttributeDefinitions => [@strings[0 .. 7]], GlobalSecondaryIndexes => [@indexes[0 .. 2]]});
ask_local('CreateTable', {%good, TableName => 'partial', GlobalSecondaryIndexes => [@indexes[0 .. 2],
	{%{$indexes[3]}, Projection => {ProjectionType => 'KEYS_ONLY'}}]});
ask_local('CreateTable', {%good, TableName => 'stream', StreamSpecification => {StreamEnabled => JSON::PP::true, StreamViewType => 'KEYS_ONLY'}});
ask_local('CreateTable', {%good, TableName => 'number', AttributeDefinitions => [{AttributeName => 'PK', AttributeType => 'N'}, @strings[1 .. 9]]});

# It is taken, so that nobody else comes to listen there.
my $taken = IO::Socket::INET->new(Proto => 'tcp', LocalAddr => '127.0.0.1', LocalPort => 0) or die;
my $closed = $taken->sockport;
# A server of another kind, which answers by the table's name.
my $other = IO::Socket::INET->new(Listen => 16, LocalAddr => '127.0.0.1') or die;
my $beside = beside(sub {
	while (my $client = $other->accept) {
		my $length = 0;
		while (defined(my $line = <$client>)) {
			last if $line =~ /^\r?\n/;
			$length = $1 if $line =~ /^content-length: *(\d+)/i;
		}
		read $client, (my $body), $length;
		my ($status, $said) = $body =~ /"four/ ? ('404 Not Found', '<html>nothing here')
			: $body =~ /"five/ ? ('400 Bad Request', '{"error":"what?"}') : ('200 OK', '<html>welcome');
		print $client "HTTP/1.1 $status\r\nContent-Length: ", length $said, "\r\nConnection: close\r\n\r\n$said";
		close $client;
	}
});
my %other = (AWS_ENDPOINT_URL_DYNAMODB => 'http://127.0.0.1:' . $other->sockport);

for my $case (
	['a table that is not there', 'none', {}, qr/the DynamoDB table none in eu-central-1.*: there is none; make it with broadsheet table create/],
	['other keys', 'keys', {}, qr/its keys are not PK and SK; make another with broadsheet table create/],
	['a missing index', 'index', {}, qr/it has no index GSI4; make another/],
	['an index of keys alone', 'partial', {}, qr/its index GSI4 does not project all attributes; make another/],
	['another stream', 'stream', {}, qr/it has no stream of new and old images; make another/],
	['keys that are numbers', 'number', {}, qr/its keys are not strings; make another/],
	['no table at all', '', {}, qr/no table is named: say dynamodb:TABLE or set DYNAMODB_TABLE/],
	['no region', 'site', {AWS_REGION => undef, AWS_CONFIG_FILE => '/nowhere'}, qr/no region is named: set AWS_REGION/],
	['no credentials', 'site', {AWS_ACCESS_KEY_ID => undef, AWS_SECRET_ACCESS_KEY => undef, AWS_CONFIG_FILE => '/nowhere'},
		qr/no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine a role/],
	['an endpoint that is none', 'site', {AWS_ENDPOINT_URL_DYNAMODB => 'localhost'}, qr/the endpoint is no address: set AWS_ENDPOINT_URL_DYNAMODB/],
	['an endpoint where nobody is', 'site', {AWS_ENDPOINT_URL_DYNAMODB => "http://127.0.0.1:$closed"},
		qr/the DynamoDB table site in eu-central-1, at 127\.0\.0\.1:$closed: nobody listens there: look at AWS_ENDPOINT_URL_DYNAMODB/],
	['an endpoint that does not speak TLS', 'site', {AWS_ENDPOINT_URL_DYNAMODB => $local =~ s/http/https/r},
		qr/at 127\.0\.0\.1:\d+: (?:the connection is closed at once|TLS fails): .*look at .*(?:AWS_ENDPOINT_URL_DYNAMODB|the endpoint)/],
	['another server, which has no such page', 'four-of-them', \%other, qr/: an answer with status 404 comes that is not DynamoDB's: look at AWS_ENDPOINT_URL_DYNAMODB/],
	['another server, which speaks JSON', 'five-of-them', \%other, qr/: an answer with status 400 comes that is not DynamoDB's: look at AWS_ENDPOINT_URL_DYNAMODB/],
	['another server, which welcomes everybody', 'six-of-them', \%other, qr/: the answer about the table can't be read: look at AWS_ENDPOINT_URL_DYNAMODB/],
	['a name that nobody has', 'site', {AWS_ENDPOINT_URL_DYNAMODB => 'http://nowhere.invalid'},
		qr/at nowhere\.invalid: (?:the name is not known: look at AWS_ENDPOINT_URL_DYNAMODB|.*in time)/],
	['certificates that are not there', 'site', {AWS_ENDPOINT_URL_DYNAMODB => 'https://127.0.0.1:1', AWS_CA_BUNDLE => '/nowhere/ca.pem'},
		qr{the certificates in /nowhere/ca\.pem can't be read: correct AWS_CA_BUNDLE or unset it}],
	['certificates that are a folder', 'site', {AWS_CA_BUNDLE => $dir}, qr{the certificates in \Q$dir\E are a folder, not a file: correct AWS_CA_BUNDLE or unset it}],
	['certificates that are none', 'site', {AWS_ENDPOINT_URL_DYNAMODB => 'https://127.0.0.1:1', AWS_CA_BUNDLE => '/dev/null'},
		qr{the certificates in /dev/null are unreadable: correct AWS_CA_BUNDLE}],
) {
	my ($what, $table, $environment, $wanted) = @$case;
	my @words = ('--store', "dynamodb:$table", '--media', $dir);

	my ($code, $out, $err) = run($environment, 'serve', '--socket', "$dir/socket", @words);
	my @lines = grep { $_ =~ $wanted } split /\n/, $err;
	ok($code != 0 && $code < 128 && @lines == 1, "With $what the program does not start, and one line says what to do.")
		or diag("$code\n$err");
	($code, $out, $err) = run($environment, 'check', @words);
	ok($code != 0 && $out =~ /^bad +table .*$wanted/m, '... check says the same.') or diag("$code\n$out$err");
	unlike($err . $out, qr/local\b.*secret|Sanitizer/, '... Nothing secret is in it.');
}
kill 'TERM', $beside;
waitpid $beside, 0;
done_testing;
