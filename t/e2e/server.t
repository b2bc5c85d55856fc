#!/usr/bin/perl
# script/server as a newcomer runs it, on each store: what it prints is true, a port that is taken is left
# alone, Ctrl-C leaves nothing behind, and the second time it finds what the first one made.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use HTTP::Tiny;
use IO::Socket::INET;
use POSIX ();
use Test::More;

my $source = "$FindBin::Bin/../..";
plan skip_all => 'it builds in the source tree, which is not ours here' if !-e "$source/.git";
$ENV{PATH} .= ':/usr/sbin';

my $http = HTTP::Tiny->new(timeout => 300, max_redirect => 0);
my $kept = tempdir(CLEANUP => 1);

sub slurp
{
	open my $fh, '<', $_[0] or return '';
	local $/;
	return <$fh> // '';
}

# Whoever carries the word in their environment.
sub bearing
{
	my ($word) = @_;
	return grep { slurp("/proc/$_/environ") =~ /\Q$word\E/ } map { m{(\d+)} } glob '/proc/[0-9]*';
}

my $runs = 0;

# Runs it until Ctrl-C; in between, the sub is called with the address and what was printed.
sub serve
{
	my ($sub, @arguments) = @_;
	my $mark = "BROADSHEET_TEST_MARK=$$-" . ++$runs;
	my $temporary = tempdir(CLEANUP => 1);
	my $log = "$temporary/log";
	my $pid = fork // die;
	if ($pid == 0) {
		setpgrp;
		my ($name, $value) = split /=/, $mark;
		$ENV{$name} = $value;
		mkdir "$temporary/t";
		$ENV{TMPDIR} = "$temporary/t";
		# The tests' own settings are not a newcomer's.
		delete @ENV{grep { /^BROADSHEET_(?!TEST_MARK)|^AWS_|^TEST_STORE/ } keys %ENV};
		$ENV{BROADSHEET_TABLE_TIMEOUT} = 120; # a busy machine is no failure
		open STDIN, '<', '/dev/null' or die;
		open STDOUT, '>', $log or die;
		open STDERR, '>&', \*STDOUT or die;
		exec "$source/script/server", @arguments or POSIX::_exit(127);
	}
	my $alive = 1;
	# It may have to build the program first.
	for (1 .. 12000) {
		last if slurp($log) =~ /Ctrl-C ends it/;
		$alive = waitpid($pid, POSIX::WNOHANG()) == 0 or last;
		select undef, undef, undef, 0.05;
	}
	my ($url) = slurp($log) =~ m{Broadsheet is at (http://127\.0\.0\.1:\d+)/};
	ok(defined $url, 'It prints its address.') or diag slurp($log);
	if (defined $url) {
		# The passwords come after it.
		wait_for('all of it', sub { slurp($log) =~ /as pascal|--no-seed/ }) if "@arguments" !~ /--no-seed/;
		$sub->($url, slurp($log));
	}
	my @hear = grep { slurp("/proc/$_/comm") =~ /^(broadsheet|nginx)$/ && getpgrp($_) == $pid } bearing($mark);
	is("@hear", '', 'Ctrl-C is heard by the script alone, so that nothing ends before it is to.');
	kill 'INT', -$pid;
	waitpid $pid, 0 if $alive;
	is($?, 0, 'Ctrl-C ends it,');
	my @left;
	for (1 .. 1200) {
		@left = bearing($mark) or last;
		select undef, undef, undef, 0.05;
	}
	is("@left", '', '... and everything that it started,');
	is(join(' ', glob "$temporary/t/broadsheet.*"), '', '... and its files for the time.');
}

sub shows_the_seed
{
	my ($url, $printed) = @_;
	my $page = $http->get("$url/");
	is($page->{status}, 200, 'The front page is there,');
	like($page->{content}, qr/Slack Water/, '... of the seed,');
	my ($style) = $page->{content} =~ m{href="(/static/style\.[^"]+)"};
	is($http->get("$url$style")->{status}, 200, '... with its style.');
	my $icon = $http->get("$url/favicon.ico")->{headers}{location} // '';
	is($http->get("$url$icon")->{headers}{'content-type'}, 'image/png', 'Who asks for the icon finds it.');

	my ($password) = $printed =~ m{Sign in as marta / (\S+)};
	ok(defined $password, 'It prints how to sign in.') or return;
	my $form = $http->get("$url/login");
	my ($token) = $form->{content} =~ /name="csrf" value="([^"]+)"/;
	my ($cookie) = map { /^([^;]+)/ } grep { defined } map { ref $_ ? @$_ : $_ } $form->{headers}{'set-cookie'};
	my $got = $http->post_form("$url/login", {name => 'marta', password => $password, csrf => $token},
		{headers => {Origin => $url, defined $cookie ? (Cookie => $cookie) : ()}});
	is($got->{status}, 303, 'That is how one signs in.');
}

subtest 'The first time, with a port that is taken' => sub {
	my $taken = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die;
	my $port = $taken->sockport;
	serve(sub {
		my ($url, $printed) = @_;
		like($printed, qr/port $port is in use/, 'It says that the port is taken,');
		unlike($url, qr/:$port$/, '... and takes another.');
		shows_the_seed($url, $printed);
	}, '--port', $port, '--data', "$kept/data");
};

subtest 'The second time' => sub {
	serve(sub {
		my ($url, $printed) = @_;
		unlike($printed, qr/configuring|Loaded [\d,]+ items/, "Nothing is configured or loaded again.");
		like($printed, qr/^Worker \d+ is ready/m, 'What the program says is written for people.');
		shows_the_seed($url, $printed);
	}, '--data', "$kept/data");
};

subtest 'Empty' => sub {
	serve(sub {
		my ($url, $printed) = @_;
		unlike($printed, qr/Sign in as/, 'Nobody is there,');
		like($http->get("$url/")->{content}, qr/This site has no admin yet\./, '... as the front page says.');
		my ($file) = $printed =~ m{Who registers by the link in (\S+) becomes one};
		ok(defined $file, 'It prints how one becomes the first admin:') or return;
		is((stat $file)[2] & 0777, 0600, '... by a file that its owner alone can read,');
		my ($link) = slurp($file) =~ m{^(http://\S+)$};
		my ($code) = ($link // '') =~ /invitation=([\w-]{43})$/;
		ok(defined $code, '... with a link,') or return;
		unlike($printed, qr/\Q$code\E/, '... which is not in the log.');
		$link =~ s{^http://[^/]+}{$url};
		my $form = $http->get($link);
		like($form->{content}, qr/You become the first admin/, 'It leads to a form,');
		my ($token) = $form->{content} =~ /name="csrf" value="([^"]+)"/;
		my ($cookie) = map { /^([^;]+)/ } grep { defined } map { ref $_ ? @$_ : $_ } $form->{headers}{'set-cookie'};
		my $got = $http->post_form("$url/register", {username => 'admin', email => 'admin@example.org',
			password => 'correct lamp under water', invitation => $code, csrf => $token},
			{headers => {Origin => $url, defined $cookie ? (Cookie => $cookie) : ()}});
		is($got->{status}, 303, '... and makes an admin,');
		like($got->{headers}{location} // '', qr{/admin$}, '... who is led to the overview,');
		is($http->get($link)->{status}, 403, '... once.');
		like($http->get("$url/")->{content}, qr/Nothing has been published yet\./, 'Then the front page says something else.');
	}, '--no-seed', '--data', "$kept/empty");
};

SKIP: {
	skip 'the program is built without DynamoDB', 1
	    if `'$source/build/server/broadsheet' table describe --store dynamodb:none 2>&1` =~ /built without DynamoDB/;
	subtest 'On DynamoDB Local' => sub {
		serve(\&shows_the_seed, '--store', 'dynamodb', '--data', "$kept/other");
		ok(!-e "$kept/other/broadsheet.db", 'No file takes its place.');
	};
}

for (
	['--what', 'there is no option "--what"'],
	['--port', '--port needs a value'],
	['--data --no-seed', '--data needs a value'],
	['--port abc', '--port is "abc", but should be a number from 1 to 65535'],
	['--port 65536', '--port is "65536", but should be a number from 1 to 65535'],
	['--store tape', '--store is "tape", but should be sqlite or dynamodb'],
	["--data $source/README.md", "--data: nothing can be written to $source/README.md"],
) {
	my ($arguments, $said) = @$_;
	my $printed = `'$source/script/server' $arguments 2>&1 >/dev/null`;
	is($? >> 8, 2, "It refuses $arguments,");
	like($printed, qr/^server: \Q$said; see\E/m, '... and says so at once.');
}
like(`'$source/script/server' --help`, qr/--port N/, 'It explains itself.');
done_testing;
