#!/usr/bin/perl
# Credentials from every place where Amazon's tools look for them: the environment, files of profiles and their
# commands, a container's host, a machine's own service; which of them goes first; what is said when there are none,
# or others than DynamoDB knows, or some that Broadsheet can't get; and that a server which runs takes new ones when the old have expired.

use strict;
use warnings;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use Dynamo;
use FastCGI;
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use Test::More;

use constant {INSTANCE => '169.254.169.254', CONTAINER => '169.254.170.2'};

my $source = "$FindBin::Bin/../..";
my $program = abs_path(build_dir()) . '/broadsheet';
plan skip_all => 'this is built without DynamoDB'
	if `'$program' table describe --store dynamodb:test 2>&1` =~ /without DynamoDB/;
plan skip_all => 'the fault server needs Node.js' if system('node --version >/dev/null 2>&1') != 0;

# Machines and containers are given credentials at two addresses that nobody here may have: in a network of our
# own they are ours.
if (!$ENV{TEST_NETWORK}) {
	my $up = join ' && ', 'ip link set lo up', map { "ip address add $_/32 dev lo" } INSTANCE, CONTAINER;
	my ($how) = grep { system('unshare', @$_, '--net', 'sh', '-c', "($up) >/dev/null 2>&1") == 0 }
		[], ['--user', '--map-root-user'];

	$ENV{TEST_NETWORK} = $how ? 'own' : 'shared';
	exec 'unshare', @$how, '--net', 'sh', '-c', "$up && exec \"\$@\"", 'sh', $^X, abs_path($0) if $how;
}
my $own = delete $ENV{TEST_NETWORK} eq 'own';

my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^(BROADSHEET|AWS|DYNAMODB)_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
dynamo_start() or plan skip_all => 'DynamoDB Local does not start here';
delete @ENV{qw(AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY)};
delete $ENV{AWS_EC2_METADATA_DISABLED} if $own;
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
$ENV{BROADSHEET_STORE} = 'dynamodb:site';
$ENV{HOME} = $dir;
mkdir "$dir/.aws";

# All of it at once, so that nobody reads half.
sub write_text { my ($path, $text) = @_; open(my $f, '>', "$path.new") or die; print $f $text; close $f; rename "$path.new", $path }

# --- Who knows whom ------------------------------------------------------------------------------------

my $port = faults_start();
$ENV{AWS_ENDPOINT_URL_DYNAMODB} = "http://127.0.0.1:$port";
# The keys that DynamoDB knows: a name, its secret and its token.
my %token = map { $_ => "token-of-$_-" . 'IQoJb3JpZ2lu' x 30 } qw(session command container pod instance renewed gone);
sub secret { return "secret-of-$_[0]" }
for my $name (qw(environment default news elsewhere), sort keys %token) {
	obey(join ' ', 'key', $name, secret($name), $token{$name} // ());
}

# What a container's host and a machine hand out: the file of that name, to those who ask as they should.
my @listeners = map { IO::Socket::INET->new(Listen => 16, LocalAddr => $_->[0], LocalPort => $_->[1], ReuseAddr => 1) or die "$_->[0]: $!" }
	['127.0.0.1', 0], $own ? ([CONTAINER, 80], [INSTANCE, 80]) : ();
sub hand_out
{
	my ($client) = @_;
	my $request = <$client> // return;
	my %head;
	while (defined(my $line = <$client>)) {
		last if $line =~ /^\r?\n/;
		$head{lc $1} = $2 if $line =~ /^([^:]+): *(.*?)\r?\n/;
	}
	my ($method, $path) = split / /, $request;
	my ($status, $body) = (404, '');
	if ($path eq '/pod') {
		$body = text("$dir/pod") if $method eq 'GET' && ($head{authorization} // '') eq text("$dir/word") =~ s/\s+$//r;
	} elsif ($client->sockhost ne INSTANCE) {
		$body = text("$dir/container") if $method eq 'GET' && $path eq '/role' && ($head{authorization} // '') eq 'let me in';
	} elsif ($method eq 'PUT' && $path eq '/latest/api/token' && $head{'x-aws-ec2-metadata-token-ttl-seconds'}) {
		$body = 'a-pass';
	} elsif ($method eq 'GET' && ($head{'x-aws-ec2-metadata-token'} // '') eq 'a-pass') {
		$body = 'a-role' if $path eq '/latest/meta-data/iam/security-credentials/';
		$body = text("$dir/instance") if $path eq '/latest/meta-data/iam/security-credentials/a-role';
	}
	$status = 200 if $body ne '';
	print $client "HTTP/1.1 $status OK\r\nContent-Type: application/json\r\nContent-Length: ", length $body,
		"\r\nConnection: close\r\n\r\n$body";
}
my $host = beside(sub {
	$SIG{PIPE} = 'IGNORE';
	my $all = IO::Select->new(@listeners);
	while (my @ready = $all->can_read) {
		for (@ready) {
			my $client = $_->accept or next;
			hand_out($client);
			close $client;
		}
	}
});
sub hands_out
{
	my ($where, $name) = @_;
	write_text("$dir/$where", encode_json({Code => 'Success', Version => 1, AccessKeyId => $name, SecretAccessKey => secret($name),
		Token => $token{$name}, SessionToken => $token{$name}, Expiration => '2099-01-01T00:00:00Z'}));
}

# --- Where they come from --------------------------------------------------------------------------------

my %container = (AWS_CONTAINER_AUTHORIZATION_TOKEN => 'let me in');
my %full = (%container, AWS_CONTAINER_CREDENTIALS_FULL_URI => 'http://127.0.0.1:' . $listeners[0]->sockport . '/role');
my %relative = (%container, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI => '/role');
my %pod = (AWS_CONTAINER_CREDENTIALS_FULL_URI => $full{AWS_CONTAINER_CREDENTIALS_FULL_URI} =~ s/role/pod/r,
	AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE => "$dir/word");
sub variables { return (AWS_ACCESS_KEY_ID => $_[0], AWS_SECRET_ACCESS_KEY => secret($_[0])) }
sub profile { my ($head, $name) = @_; return "[$head]\naws_access_key_id = $name\naws_secret_access_key = " . secret($name) . "\n" }

{
	my ($status, undef, $err) = run({variables('environment')}, 'table', 'create');
	is($status, 0, 'The environment has credentials.') or diag($err);
}
write_text("$dir/.aws/config", profile('profile desk', 'elsewhere') . "[default]\nregion = eu-central-1\n"
	. join '', map { "[profile $_->[0]]\n$_->[1]\n" } (
		['command', "credential_process = cat '$dir/command'"],
		['both', "credential_process = cat '$dir/command'\naws_access_key_id = elsewhere\naws_secret_access_key = " . secret('elsewhere')],
		['failing', "credential_process = cat '$dir/command' && exit 3"],
		['silent', 'credential_process = true'],
		['babbling', 'credential_process = yes'],
		['pending', 'credential_process = sleep 1000'],
		['lingering', "credential_process = cat '$dir/command'; exec sleep 1000 >/dev/null"],
		['company', "sso_session = company\nsso_account_id = 1"],
		['older', "sso_start_url = https://example.org/start"],
		['coded', "role_arn = arn:aws:iam::1:role/a\nsource_profile = desk\nmfa_serial = arn:aws:iam::1:mfa/a"],
		['outside', "role_arn = arn:aws:iam::1:role/a\nsource_profile = desk\nexternal_id = a"],
		['contained', "role_arn = arn:aws:iam::1:role/a\ncredential_source = EcsContainer"],
		['second', "role_arn = arn:aws:iam::1:role/b\nsource_profile = coded"]));
write_text("$dir/.aws/credentials", profile('default', 'default') . profile('news', 'news'));
write_text("$dir/credentials", profile('default', 'elsewhere'));
hands_out($_, $_) for qw(command container pod instance);
write_text("$dir/word", "open, please\n");
my %no_profiles = (AWS_SHARED_CREDENTIALS_FILE => '/nowhere', AWS_CONFIG_FILE => '/nowhere');
for my $case (
	['the environment, with a token', 'session', {variables('session'), AWS_SESSION_TOKEN => $token{session}}],
	['the default profile, with its region', 'default', {AWS_REGION => undef}],
	['the profile that AWS_PROFILE names', 'news', {AWS_PROFILE => 'news'}],
	['a profile in the file of settings', 'elsewhere', {AWS_PROFILE => 'desk'}],
	['the command of a profile', 'command', {AWS_PROFILE => 'command'}],
	['keys of a profile before its command', 'elsewhere', {AWS_PROFILE => 'both'}],
	['another file of profiles', 'elsewhere', {AWS_SHARED_CREDENTIALS_FILE => "$dir/credentials"}],
	['the container\'s host, at an address that is told', 'container', {%no_profiles, %full}],
	['the container\'s host, at its usual address', 'container', {%no_profiles, %relative}],
	['the container\'s host, with a token from a file', 'pod', {%no_profiles, %pod}],
	['the container\'s host, with a token from a file before another', 'pod', {%no_profiles, %pod, %container}],
	['the container\'s host, at its usual address, with a token from a file', 'pod',
		{%no_profiles, %pod, AWS_CONTAINER_CREDENTIALS_FULL_URI => undef, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI => '/pod'}],
	['the machine', 'instance', {%no_profiles}],
	['the environment before all else', 'environment', {variables('environment'), AWS_PROFILE => 'news', %full}],
	['the environment before a command', 'environment', {variables('environment'), AWS_PROFILE => 'command'}],
	['the environment before a profile that is nowhere', 'environment', {variables('environment'), AWS_PROFILE => 'nobody'}],
	['a profile before the container', 'default', {%full}],
	['a profile before the container and its file', 'default', {%pod}],
	['the container before the machine', 'container', {%no_profiles, %full}],
) {
	my ($where, $name, $environment) = @$case;
	SKIP: {
		skip 'no network of its own can be made here', 1 if !$own && ($name eq 'instance' || $environment->{AWS_CONTAINER_CREDENTIALS_RELATIVE_URI});
		my ($status, $out, $err) = run($environment, 'table', 'describe');
		my $who = obey('who');
		ok($status == 0 && $out =~ /^status +ACTIVE$/m && $who eq $name, "Credentials come from $where.")
			or diag("$status, as $who\n$out$err");
	}
}

# --- What is wrong with them -----------------------------------------------------------------------------

obey('expire gone');
for my $case (
	['none', {%no_profiles}, qr/no credentials were found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or give the machine a role/],
	(map { [$_->[0], {AWS_PROFILE => $_->[1]}, qr/no credentials come from the command of the profile $_->[1]: try its credential_process by hand/] }
		['a command that fails', 'failing'], ['a command that says nothing', 'silent'],
		['a command without end', 'babbling']),
	(map { [$_->[0], {AWS_PROFILE => $_->[1]},
		qr/the profile $_->[1] $_->[2], which Broadsheet can't do: set AWS_PROFILE to one with credential_process = aws configure export-credentials --profile $_->[1]/] }
		['SSO', 'company', 'signs in with SSO'], ['SSO of the older kind', 'older', 'signs in with SSO'],
		['a code to be typed', 'coded', 'asks for a code \(mfa_serial\)'],
		['a role by an external id', 'outside', 'takes a role by an external_id'],
		['a role from a container', 'contained', 'takes a role by credential_source EcsContainer'],
		['a role by a role', 'second', 'takes a role by a source_profile that has no keys of its own']),
	['a container\'s host that gives none', {%no_profiles, %full, AWS_CONTAINER_AUTHORIZATION_TOKEN => 'a guess'},
		qr/no credentials come from the container's host: look at AWS_CONTAINER_CREDENTIALS_FULL_URI/],
	['a container\'s host whose token is nowhere', {%no_profiles, %pod, AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE => '/nowhere'},
		qr/no credentials come from the container's host: look at AWS_CONTAINER_CREDENTIALS_FULL_URI, at AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE/],
	['a container\'s host without address', {%no_profiles, %pod, AWS_CONTAINER_CREDENTIALS_FULL_URI => 'here'},
		qr/the address of the container's host is none: correct AWS_CONTAINER_CREDENTIALS_FULL_URI/],
	['a profile that is nowhere', {%full, AWS_PROFILE => 'nobody'},
		qr{there is no profile nobody in ~/\.aws/config or ~/\.aws/credentials: correct AWS_PROFILE}],
	['expired ones', {variables('gone'), AWS_SESSION_TOKEN => $token{gone}}, qr/ExpiredTokenException \([^()]+\): the credentials have expired: get new ones/],
	['some that DynamoDB does not know', {variables('nobody')}, qr/UnrecognizedClientException \([^()]+\): look at AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN and AWS_PROFILE/],
	['a wrong secret', {variables('session'), AWS_SECRET_ACCESS_KEY => 'a-secret-mistyped', AWS_SESSION_TOKEN => $token{session}},
		qr/InvalidSignatureException: look at AWS_SECRET_ACCESS_KEY/],
	(map { ["an answer that repeats $_->[1]", {variables('session'), AWS_SESSION_TOKEN => $token{session}}, $_->[2], "fault $_->[0] 100"] }
		['incomplete', 'what was signed', qr/DynamoDB answers 400 IncompleteSignatureException$/],
		['confused', 'it under another name', qr/DynamoDB answers 400 ValidationException$/],
		['told', 'the token', qr/AccessDeniedException: let them/]),
	['some that may not', {variables('environment')}, qr/AccessDeniedException \([^()]+\): let them; docs\/dynamodb.md has what is asked for/, 'fault denied 100'],
) {
	my ($what, $environment, $wanted, $fault) = @$case;
	unlink "$dir/instance";
	obey($fault) if $fault;
	for my $words (['serve', '--socket', "$dir/socket"], ['table', 'describe'], ['check', '--media', $dir]) {
		my ($status, $out, $err) = run($environment, @$words);
		my @lines = grep { $_ =~ $wanted } split /\n/, "$out$err";

		ok($status > 0 && $status < 128 && @lines == 1, "With $what, broadsheet $words->[0] says so in one line.")
			or diag("$status\n$out$err");
		unlike("$out$err", qr/secret-(?!file)|token-of|Signature=|String-to-Sign/, '... in which nothing is secret.');
	}
	obey('calm');
}

for my $case (['pending', 'A command that never ends'], ['lingering', 'One that goes on behind what it prints']) {
	my ($name, $what) = @$case;
	my ($status, $out, $err) = run({AWS_PROFILE => $name}, 'table', 'describe');
	ok($status > 0 && $status < 128 && $err =~ /no credentials come from the command of the profile $name/, "$what is not waited for.")
		or diag("$status\n$out$err");
}

# --- Without certificates ---------------------------------------------------------------------------------

# A machine that has none: where systems keep them lies something empty.
my $bare = 'for folder in /etc/ssl /etc/pki; do [ ! -d $folder ] || mount -t tmpfs none $folder || exit; done; exec "$@"';
my ($apart) = grep { system('unshare', @$_, '--mount', 'sh', '-c', "($bare) 2>/dev/null", 'sh', 'true') == 0 }
	[], ['--user', '--map-root-user'];
SKIP: {
	skip 'certificates can\'t be hidden here', 2 if !$apart;
	my @bare = ('unshare', @$apart, '--mount', 'sh', '-c', $bare, 'sh');
	my $describe = sub {
		my ($environment) = @_;
		local %ENV = (%ENV, %no_profiles, %$environment);
		delete @ENV{qw(AWS_CA_BUNDLE SSL_CERT_FILE)};
		open my $said, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @bare, $program, 'table', 'describe' or die;
		return join '', <$said>;
	};
	like($describe->({variables('environment')}), qr/^status +ACTIVE$/m, 'Without certificates a server is spoken to that wants none.');
	like($describe->({}), qr/no credentials were found: .*; none come by https, as there are no trusted certificates: install ca-certificates or set AWS_CA_BUNDLE$/,
		'... They are asked for where credentials might need them.');
}

# --- New ones for a server that runs -------------------------------------------------------------------------

my $number = 0;
sub status_of
{
	my $socket = connect_to("$dir/socket") or die "no connection: $!";
	syswrite $socket, request('/post/no-' . ++$number, keep => 0);
	my $answer = read_answer($socket) // '';
	return $answer =~ /^Status: (\d+)/m ? $1 : $answer =~ /^Content-Type/m ? 200 : 0;
}
for my $case (['container', \%full], ['pod', \%pod], ['instance', {}], ['command', {AWS_PROFILE => 'command'}]) {
	my ($where, $environment) = @$case;
	SKIP: {
		skip 'no network of its own can be made here', 4 if !$own && $where eq 'instance';
		my @serve = ('serve', '--socket', "$dir/socket", '--media', $dir);

		hands_out($where, $where);
		obey(join ' ', 'key', $where, secret($where), $token{$where});
		local %ENV = (%ENV, $where eq 'command' ? () : %no_profiles, %$environment);
		my $server = background("$dir/log-$where", $program, @serve);
		wait_for('the program', sub { text("$dir/log-$where") =~ /is ready/ });
		is(status_of(), 404, "A server has its credentials from the $where.");
		hands_out($where, 'renewed');
		write_text("$dir/word", 'another word');
		obey("expire $where");
		is(status_of(), 404, '... They expire: no reader notices,');
		is(obey('who'), 'renewed', '... as it has asked for new ones.');
		unlink "$dir/$where";
		obey('expire renewed');
		is(status_of(), 503, '... They expire, and there are no new ones: a 503.');
		obey(join ' ', 'key', 'renewed', secret('renewed'), $token{renewed});
		hands_out($where, 'renewed');
		ok(wait_for('new credentials', sub { status_of() == 404 }), '... When there are, all is well by itself.');
		kill 'TERM', $server;
		waitpid $server, 0;
		is($?, 0, '... It ends well.') or diag(text("$dir/log-$where"));
		unlike(text("$dir/log-$where"), qr/secret-|token-of|Signature=|String-to-Sign|Sanitizer/, '... Its log holds nothing that is secret.');
	}
}
kill 'TERM', $host;
waitpid $host, 0;
faults_stop();
done_testing;
