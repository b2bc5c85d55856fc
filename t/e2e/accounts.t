#!/usr/bin/perl
# The program behind nginx: an admin from the command line signs in and out with a browser's means.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use HTTP::Tiny;
use IO::Socket::INET;
use Test::More;

$ENV{PATH} .= ':/usr/sbin';
plan skip_all => 'nginx is not installed' if !grep { -x "$_/nginx" } split /:/, $ENV{PATH};

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
my $port = free_port();
my @pids;

store_for_test($program, $dir);
$ENV{BROADSHEET_ORIGIN} = "http://127.0.0.1:$port";
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
system("'$program' seed '$source/migrations-free-seed' >/dev/null") == 0 or die;
my ($password) = `'$program' user reset noor` =~ /^noor (\S+)$/ or die;

# A mail server that takes what comes and puts each letter into a file.
my $post = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1') or die;
push @pids, beside(sub {
	my $letters = 0;
	while (my $client = $post->accept) {
		print $client "220 test\r\n";
		while (defined(my $line = <$client>)) {
			print($client "354 go on\r\n"), last if $line =~ /^DATA/;
			print $client "250 test\r\n";
		}
		open my $letter, '>', "$dir/letter.new" or die;
		while (defined(my $line = <$client>)) {
			last if $line eq ".\r\n";
			print $letter $line;
		}
		close $letter;
		rename "$dir/letter.new", "$dir/letter-" . ++$letters;
		print $client "250 taken\r\n";
		<$client>;
		close $client;
	}
});
$ENV{BROADSHEET_SMTP_URL} = 'smtp://127.0.0.1:' . $post->sockport;
$ENV{BROADSHEET_SMTP_FROM} = 'desk@slackwater.example';

push @pids, background("$dir/log", $program, 'serve', '--socket', "$dir/socket");
wait_for('the program', sub { -S "$dir/socket" });
system("$source/script/nginx-config", $dir, "$dir/socket", $port, '--microcache', '--access-log',
	"$dir/access_log") == 0 or die;
push @pids, background("$dir/nginx.log", 'nginx', '-e', 'stderr', '-p', $dir, '-c', 'nginx.conf');
my $url = "http://127.0.0.1:$port";
my $http = HTTP::Tiny->new(timeout => 300, max_redirect => 0);
wait_for('the page', sub { $http->get("$url/healthz")->{status} == 200 });

my %cookies;
sub browse
{
	my ($method, $path, $form) = @_;
	my %headers = ('Sec-Fetch-Site' => 'same-origin');
	$headers{Cookie} = join '; ', map { "$_=$cookies{$_}" } sort keys %cookies if %cookies;
	$headers{'Content-Type'} = 'application/x-www-form-urlencoded' if $form;
	my $got = $http->request($method, "$url$path",
		{headers => \%headers, $form ? (content => $http->www_form_urlencode($form)) : ()});
	my $set = $got->{headers}{'set-cookie'} // [];
	for (ref $set ? @$set : $set) {
		my ($name, $value, $age) = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/ or next;
		$age ? $cookies{$name} = $value : delete $cookies{$name};
	}
	return $got;
}
sub token { return ($_[0]{content} =~ /name="csrf" value="([^"]+)"/)[0] }

like(browse('GET', '/')->{content}, qr{<a href="/login">Sign in</a>}, 'A stranger may sign in.');
my $page = browse('GET', '/login');
is($page->{status}, 200, 'There is a page for it.');
is(browse('POST', '/login', {name => 'noor', password => $password})->{status}, 403,
	'A form without its token is refused.');
is(browse('POST', '/login', {name => 'noor', password => 'wrong', csrf => token($page)})->{status}, 422,
	'A wrong password is refused.');
$page = browse('POST', '/login', {name => 'noor', password => $password, csrf => token($page)});
is($page->{status}, 303, 'The right one is taken.');
is(join(' ', sort keys %cookies), 'device session', 'On loopback without TLS the cookies have names of their own.');
like(browse('GET', '/')->{content}, qr{href="/account">Noor Haddad}, 'The front page knows its reader,');
%cookies = (%cookies);
my %kept = %cookies;
%cookies = ();
like(browse('GET', '/')->{content}, qr{Sign in</a>}, '... and is not kept for strangers.');
%cookies = %kept;
$page = browse('GET', '/account');
is($page->{status}, 200, 'There is a page of the account.');
is(browse('POST', '/logout', {csrf => token($page)})->{status}, 303, 'Signing out');
is(join(' ', keys %cookies), 'device', '... takes the session away, and leaves what the device is known by.');
%cookies = %kept;
is(browse('GET', '/account')->{status}, 303, '... and nobody gets in with it any more.');

# The letter with these words in its subject, when it has come; a long line goes in parts, which are joined.
sub letter
{
	my ($subject) = @_;
	return wait_for("a letter, $subject", sub {
		my ($found) = grep { /^Subject: .*\Q$subject\E/m }
			map { local (@ARGV, $/) = $_; <> } glob "'$dir'/letter-*";
		$found && $found =~ s/=\r\n//gr;
	});
}

# What was done to an account is told to its owner.
like(letter('your account noor'), qr/^To: <noor\@example\.org>\r\n.*Somebody signed in from a device that was not known here\..*\(127\.0\.0\.1\)/ms,
	'Of a sign-in on a new device a letter tells.');

# Whoever registers confirms the address by a link.
%cookies = ();
$page = browse('GET', '/register');
$page = browse('POST', '/register', {username => 'mara_k', email => 'mara@example.org', password => 'four words in a row',
	csrf => token($page)});
is($page->{status}, 200, 'Registering');
my $confirm = letter('Is this your address?');
like($confirm, qr/^To: <mara\@example\.org>\r$/m, '... brings a letter');
my ($link) = $confirm =~ m{^\Q$url\E(/confirm/mara_k\.[\w-]{43})\r$}m or die "no link in $confirm";
$page = browse('GET', $link);
is($page->{status}, 200, '... whose link asks,');
is(browse('POST', $link, {csrf => token($page)})->{status}, 200, '... and the address is confirmed.');
is(browse('GET', $link)->{status}, 404, '... once.');
%cookies = ();
$page = browse('GET', '/register');
$page = browse('POST', '/register', {username => 'another', email => 'mara@example.org', password => 'four words in a row',
	csrf => token($page)});
is($page->{status}, 200, 'Registering with an address that somebody has looks the same.');
like(letter('somebody gave your address'), qr/^To: <mara\@example\.org>\r$/m, '... They are told.');

# A letter with a link, and a new password by it.
%cookies = ();
$page = browse('GET', '/forgot');
$page = browse('POST', '/forgot', {name => 'noor', csrf => token($page)});
is($page->{status}, 200, 'Asking for a link');
my $letter = letter('A new password');
like($letter, qr/^From: <desk\@slackwater\.example>\r\nTo: <noor\@example\.org>\r\nSubject: A new password for Slack Water\r$/m,
	'... brings a letter');
my ($path) = $letter =~ m{^\Q$url\E(/reset/noor\.[\w-]{43})\r$}m or die "no link in $letter";
$page = browse('GET', $path);
is($page->{status}, 200, '... whose link leads to a form.');
$page = browse('POST', $path, {new_password => 'four words in a row', csrf => token($page)});
is($page->{status}, 200, '... A password is chosen,');
$page = browse('GET', '/login');
is(browse('POST', '/login', {name => 'noor', password => 'four words in a row', csrf => token($page)})->{status}, 303,
	'... and signs in.');

my $draft = '/draft/' . 'Zm9n' x 10 . 'Zm9';
is(browse('GET', $draft)->{status}, 404, 'A link to a draft is a secret, too.');
# Lines are written when a thread has nothing else to do.
my $all = wait_for('the log', sub { local (@ARGV, $/) = "$dir/log"; my $text = <>; $text =~ m{address=/draft} && $text });
like($all, qr{/login}, 'The log tells of it,');
unlike($all, qr/\Q$password\E|\Q$kept{session}\E/, '... without password or cookie,');
like($all, qr{address=/reset/:code.*address=/draft/:code}s, '... of links, too,');
my $nginx = join '', map { local (@ARGV, $/) = $_; <> // '' } glob "'$dir'/*log*";
unlike("$all$nginx", qr/\Q$path\E|\Q$draft\E|\Q$link\E/, '... but not which.');
kill 'TERM', $_ for reverse @pids;
waitpid $_, 0 for @pids;
done_testing;
