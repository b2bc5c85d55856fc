#!/usr/bin/perl
# What the log says of those who are refused: who and from where, in a form that fail2ban reads with the filter of
# docs/deploy.md; and nothing that they typed.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use Test::More;
use Visitor;

sub say_to
{
	my ($site, $bytes) = @_;
	my $c = connect_to($site->{socket}) or die "no connection: $!";
	syswrite $c, $bytes;
	return status_of(read_answer($c));
}

sub refusals
{
	my ($site) = @_;
	open my $log, '<', $site->{log} or die;
	return grep { s/^(?:<\d>)?(?=refused )// } <$log>;
}

my $mistyped = 'mistyped-and-nobodys';
# Tries to sign in, as nginx would speak for somebody at 192.0.2.1.
sub try_login
{
	my ($site, $name, %o) = @_;
	my $c = connect_to($site->{socket}) or die "no connection: $!";
	syswrite $c, page_request('/login');
	my $page = read_answer($c) // '';
	my ($visit) = $page =~ /^Set-Cookie: ([^;\r\n]+)/m;
	my ($token) = $page =~ /name="csrf" value="([\w-]+)/;
	return say_to($site, post_request('/login', {csrf => $o{token} // $token, name => $name, password => $mistyped},
		cookie => $visit));
}

my $site = start_site();
is(try_login($site, 'visitor'), 422, 'Somebody mistypes a password,');
is(try_login($site, 'my-password-as-a-name'), 422, '... somebody a name, where it may be anything,');
is(try_login($site, 'visitor', token => 'x'), 403, '... a form comes from elsewhere,');
is(say_to($site, page_request('/admin', cookie => $site->{cookie})), 403, '... somebody asks for what is not theirs,');
is(say_to($site, post_request('/account/email', {csrf => $site->{token}, email => 'v@example.org', email_password => $mistyped},
	cookie => $site->{cookie})), 422, '... somebody who is in does not know the password.');
try_login($site, 'visitor') for 2 .. 5;
is(try_login($site, 'visitor'), 429, 'In the end a limit is reached.');
my @lines = refusals($site);
my $login = 'route=/login';
is_deeply([map { s/\n//r } @lines], [
	"refused what=sign-in address=192.0.2.1 account=visitor $login",
	"refused what=sign-in address=192.0.2.1 account=- $login",
	"refused what=csrf address=192.0.2.1 account=- $login",
	'refused what=permission address=192.0.2.1 account=visitor route=/admin',
	'refused what=password address=192.0.2.1 account=visitor route=/account/email',
	("refused what=sign-in address=192.0.2.1 account=visitor $login") x 4,
	"refused what=limit address=192.0.2.1 account=visitor $login",
], 'The log has each of them in its form.');

# --- fail2ban ----------------------------------------------------------------------------------------------

open my $docs, '<', "$FindBin::Bin/../../docs/deploy.md" or die;
my ($filter) = map { /^failregex = (.*)$/ ? $1 : () } <$docs>;
ok(defined $filter, 'There is a filter for fail2ban.');
# What fail2ban puts for its words, as far as it matters here.
$filter =~ s/%\(__prefix_line\)s/(?:\\S+ )?broadsheet(?:\\[\\d+\\])?: /;
$filter =~ s/<ADDR>/([0-9a-f:.]+)/;
my @found = map { "host broadsheet[71]: $_" =~ /$filter/ ? $1 : () } @lines;
is_deeply(\@found, [('192.0.2.1') x 8], 'It finds the address of who guesses, and not of who is lost.');
my $forged = "host broadsheet[71]: id=1 method=GET status=404 address=/broadsheet: refused what=sign-in address=192.0.2.9 account=- $login\n";
ok($forged !~ /$filter/, '... nor one that somebody has put into an address.');

# --- What is not there ---------------------------------------------------------------------------------------

say_to($site, request('/no-such', with => {HTTP_HOST => 'example.org', REQUEST_SCHEME => 'https',
	HTTP_REFERER => 'https://elsewhere.example/a-secret'}));
stop($site);
open my $log, '<', $site->{log} or die;
my $all = do { local $/; <$log> };
like($all, qr{address=/no-such}, 'The log has the request,');
unlike($all, qr/a-secret/, '... without its Referer,');
unlike($all, qr/$mistyped|my-password-as-a-name/, '... and nothing that was typed as a password, or a name of nobody.');

my $discreet = start_site(environment => {BROADSHEET_LOG_ADDRESSES => 'no'});
try_login($discreet, 'visitor');
is_deeply([refusals($discreet)], ["refused what=sign-in address=- account=visitor $login\n"], 'No address where the settings say so.');
stop($discreet);
done_testing;
