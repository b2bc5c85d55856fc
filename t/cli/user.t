#!/usr/bin/perl
# broadsheet user: the first admin, passwords, roles; what it refuses, and how it says so.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use Test::More;

my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
$ENV{BROADSHEET_STORE} = "sqlite:$dir/test.db";
delete @ENV{grep { /^BROADSHEET_/ && !/STORE|BUILD/ } keys %ENV};

# The exit status, what it printed, what it complained of.
sub user
{
	my ($words) = @_;
	my $out = `'$program' user $words 2>'$dir/err'`;
	my $status = $? >> 8;
	open my $err, '<', "$dir/err" or die;
	local $/;
	return ($status, $out, <$err> // '');
}

my $password = qr/[a-z2-9]{4}(?:-[a-z2-9]{4}){4}/;
my ($status, $out, $err) = user('create --admin Ada Ada@Example.org');
is($status, 0, 'The first admin is made.');
like($out, qr/^ada is registered as admin\..*\n$password\n\z/, '... with a password.');
my ($first) = $out =~ /($password)$/m;
for my $case (
	['create ada other@example.org', 1, qr/ada: somebody has this name/],
	['create other ADA@example.org', 1, qr/ADA\@example.org: somebody has this e-mail address/],
	['create x x@example.org', 2, qr/"x" is no name/],
	['create other nowhere', 2, qr/"nowhere" is no e-mail address/],
	['create --role king other o@example.org', 2, qr/there is no role "king"/],
	['role ada reader', 1, qr/ada is the only admin/],
	['disable ada', 1, qr/ada is the only admin/],
	['role nobody reader', 1, qr/nobody: there is nobody of this name/],
	['reset nobody', 1, qr/nobody: there is nobody of this name/],
	['role ada', 2, qr/user role NAME ROLE/],
	['knight ada', 2, qr/there is no "knight"/],
) {
	($status, $out, $err) = user($case->[0]);
	is($status, $case->[1], "\"$case->[0]\" is refused");
	like($err, $case->[2], '... and why is said.');
}
is((user('create --role author bob bob@example.org'))[0], 0, 'Somebody else.');
is((user('role bob admin'))[0], 0, '... is made an admin:');
is((user('role ada editor'))[0], 0, '... then the first need not be one.');
is((user('disable bob'))[0], 1, '... but the other has to.');
is((user('disable ada'))[1], "ada is disabled now, and signed out everywhere\n", 'Somebody is disabled.');
is_deeply([(user('disable ada'))[0, 1]], [0, "ada is disabled already\n"], '... once.');
is((user('enable bob'))[1], "bob is active already\n", 'Who is active is not enabled.');
($status, $out) = user('list');
is($out, sprintf("%-30s %-8s %-9s %s\n%-30s %-8s %-9s %s\n", 'ada', 'editor', 'disabled',
	'ada@example.org', 'bob', 'admin', 'active', 'bob@example.org'), 'All are listed.');
($status, $out) = user('reset ada bob');
like($out, qr/\Aada $password\nbob $password\n\z/, 'New passwords.');
unlike($out, qr/\Q$first\E/, '... are new.');
($status, $out) = user('invite --origin https://news.example');
like($out, qr{^https://news\.example/register\?invitation=[\w-]{43}$}m, 'An invitation.');
my $link = qr{http://localhost/reset/\w+\.[\w-]{43}};
like((user('invite --role king'))[2], qr/there is no role "king"/, '... for no role that there is not.');
($status, $out) = user('reset --link bob');
like($out, qr/\Abob $link\n\z/, 'A link in place of a password.');
($status, $out) = user('create --link cleo cleo@example.org');
like($out, qr/^cleo is registered as reader\. A link .*\n$link\n\z/, '... for somebody new, too.');
my ($secret) = $out =~ m{/reset/\w+\.([\w-]+)};
is((user('one-step cleo'))[1], "cleo signs in with the password alone now\n", 'The second step is off.');
is((user('one-step nobody'))[0], 1, '... of whoever is there.');
($status, $out) = user('invite --origin https://news.example');
my $dump = `'$program' export`;
unlike($dump, qr/\Q$first\E/, 'No password is in the table.');
my ($code) = $out =~ /=([\w-]{43})/;
unlike($dump, qr/\Q$code\E/, '... and no invitation.');
unlike($dump, qr/\Q$secret\E/, '... nor a link.');
like($dump, qr/\$argon2id\$/, 'What is there is a hash.');

# Whatever was done stands in the log, in its order; what was refused does not.
my $said = sub { my ($value) = $_[0] =~ /"$_[1]":\{"S":"([^"]*)"/; $value // '' };
my @log = sort { $said->($a, 'SK') cmp $said->($b, 'SK') }
	grep { /"Type":\{"S":"AuditEntry"/ } split /\n/, $dump;
is_deeply([map { join ' ', $said->($_, 'Action'), $said->($_, 'Target'), $said->($_, 'Change') } @log], [
	'user.create ada admin',
	'user.create bob author',
	"user.standing bob role: author \x{e2}\x{86}\x{92} admin",
	"user.standing ada role: admin \x{e2}\x{86}\x{92} editor",
	"user.standing ada status: active \x{e2}\x{86}\x{92} disabled",
	'user.password ada ',
	'user.password bob ',
	'user.invite  ',
	'user.password bob a link',
	'user.create cleo reader',
	'user.password cleo a link',
	'user.two-step cleo off',
	'user.invite  ',
], 'The log says what was done.');
is_deeply([grep { $said->($_, 'Actor') ne 'command line' } @log], [], '... from the command line.');
done_testing;
