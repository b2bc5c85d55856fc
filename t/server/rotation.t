#!/usr/bin/perl
# The site's secret as an operator meets it: the first start makes the file, backups do without it, `secret rotate`
# beside a site that runs, and what is said when it is lost.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use FastCGI;
use Test::More;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
$ENV{BROADSHEET_STORE} = "sqlite:$dir/site.db";
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
my $file = "$dir/secret";

# Starts the site; its process, or nothing when it does not start.
my ($log, $starts) = (undef, 0);
sub serve
{
	$log = "$dir/log" . ++$starts;
	my $pid = background($log, $program, 'serve', '--socket', "$dir/socket");
	wait_for('a start, or none', sub { text($log) =~ /is ready|could not start/ });
	return $pid if text($log) =~ /is ready/;
	waitpid $pid, 0;
	return;
}
sub end { my ($pid) = @_; kill 'TERM', $pid; waitpid $pid, 0 }

# A page, its body, and the cookies that a browser then has.
sub page
{
	my ($path, %more) = @_;
	return ask(connect_to("$dir/socket"), request($path, keep => 0, %more)) // '';
}

my ($status, $out, $err) = run('seed', "$source/migrations-free-seed");
is($status, 0, 'A site.');
ok(!-e $file, '... Nothing is sealed before its first start.');
my $server = serve();
ok($server, 'It starts.');
is((stat $file)[2] & 0777, 0400, '... There is a secret that its owner alone may read.');
like(text($log), qr/secret is made: \Q$file\E\. No backup/, '... The log says so.');
my ($key) = text($file) =~ /^key ([0-9a-f]{64})$/m;
ok($key, '... It is one key.');
unlike(text($log), qr/\Q$key\E/, '... which is not in the log,');
($status, $out) = run('export');
unlike($out, qr/\Q$key\E/, '... nor in an export.');
($status, $out) = run('backup', "$dir/backup.db");
like($out, qr/secret is not in it: copy \Q$file\E apart/, 'A backup names the file.');
unlike(text("$dir/backup.db"), qr/\Q@{[pack 'H*', $key]}\E/, '... It does not have it.');
($status, $out) = run('check');
like($out, qr/^ok   secret \Q$file\E$/m, 'check finds it well.');

# A list goes on where it was, and so does a search engine, while keys change.
my ($next) = page('/') =~ m{href="(/\?after=[\w-]+)"};
ok($next, 'A page leads on.');
($status, $out, $err) = run('secret', 'rotate');
is($status, 0, 'Another key.') or diag($err);
like($out, qr/^Sealed anew: 0$/m, '... What is sealed is sealed anew.');
is((() = text($file) =~ /^key/mg), 2, '... The file has both.');
unlike(text($file), qr/\A(?:#.*\n)*key \Q$key\E/, '... the new one first.');
is((stat $file)[2] & 0777, 0400, '... Nobody else may read it.');
like(page($next), qr/<h1>Older posts/, 'The address from before leads on.');
ok(wait_for('the key to be seen', sub { page('/') =~ m{href="(/\?after=[\w-]+)"} && $1 ne $next }),
	'... A process that runs seals with the new key.');
like(text($log), qr/has 2 keys/, '... It says that it has seen it.');
($status, $out) = run('check');
is($out =~ /^ok   secret/m, 1, '... All is well.');

($status, $out) = run('secret', 'rotate', '--prepare');
is($status, 0, 'For several machines the next key is prepared.');
like(text($file), qr/^next [0-9a-f]{64}$/m, '... in the file.');
my ($prepared) = text($file) =~ /^next ([0-9a-f]{64})$/m;
($status, $out) = run('secret', 'rotate', '--prepare');
like(text($file), qr/^next \Q$prepared\E$/m, '... once.');
# What the other machines have of the file now is enough for what is sealed from then on.
my $others = text($file);
($status, $out) = run('secret', 'rotate');
like(text($file), qr/\A(?:#.*\n)*key \Q$prepared\E\n/, '... It is the one that seals then.');
my $newest = text($file);
end($server);
chmod 0600, $file;
open my $copy, '>', $file or die;
print $copy $others;
close $copy;
$server = serve();
ok($server, 'A machine with the file from before the rotation starts.');
end($server) if $server;

rename $file, "$file.kept";
ok(!serve(), 'Without its secret the site does not start.');
like(text($log), qr/\Q$file\E is not there: .*Put its copy back/, '... The log says why, and what to do.');
ok(!-e $file, '... No other is made.');
($status, $out) = run('check');
like($out, qr/^bad  secret \Q$file\E: it is not there/m, 'check says it, too.');
($status, $out, $err) = run('secret', 'rotate');
is($status, 1, 'It can not be rotated then.');
($status, $out, $err) = run('secret', 'adopt');
is($status, 2, 'Nobody begins anew by mistake.');
($status, $out, $err) = run('secret', 'adopt', '--yes');
is($status, 0, 'Somebody may, who says so.') or diag($err);
$server = serve();
ok($server, '... Then it starts.');
end($server) if $server;
rename "$file.kept", $file;
ok(!serve(), 'The one from before is another one now.');
like(text($log), qr/is another site's secret/, '... The log says that.');

# Two sites that start for the first time at the same moment, at one table.
unlink $file, glob "$dir/site.db*";
run('seed', "$source/migrations-free-seed");
my @both = map { background("$dir/both$_", $program, 'serve', '--socket', "$dir/socket$_") } 1, 2;
for my $n (1, 2) {
	ok(wait_for('a start', sub { text("$dir/both$n") =~ /is ready/ }), 'Of two first starts at once, each is ready.');
}
is((() = text($file) =~ /^key/mg), 1, '... with one key.');
is((() = (text("$dir/both1") . text("$dir/both2")) =~ /secret is made/g), 1, '... that one of them made.');
end($_) for @both;

done_testing();
