#!/usr/bin/perl
# The table's file is not there, or goes away while the site runs: no new table takes its place in silence, nothing is
# acknowledged that is lost, and the log says what to do.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Command;
use FastCGI;
use POSIX ();
use Test::More;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
$ENV{BROADSHEET_STORE} = "sqlite:$dir/data/broadsheet.db";
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
mkdir "$dir/data" or die;

my $server;
sub begin
{
	unlink "$dir/log";
	$server = fork // die;
	return if $server != 0;
	open STDERR, '>', "$dir/log" or die;
	open STDOUT, '>&', \*STDERR or die;
	exec 'setpriv', '--pdeathsig', 'TERM', $program, 'serve', '--socket', "$dir/socket", @_ or POSIX::_exit(127);
}
sub end
{
	kill 'TERM', $server;
	waitpid $server, 0;
	return $?;
}
sub logged
{
	my ($pattern) = @_;
	return wait_for($pattern, sub { text("$dir/log") =~ $pattern });
}
sub status_of { return ($_[0] // '') =~ /^Status: (\d+)/m ? $1 : ($_[0] // '') =~ /^Content-Type/m ? 200 : 0 }

# --- No table ---------------------------------------------------------------------------------------------

begin();
ok(logged(qr/there is no table; if the site is new, make one with `broadsheet table create`/),
	'Without a table the log says what to type,');
like(text("$dir/log"), qr/whether the disk is mounted/, '... and what else it may be,');
end();
ok(!-e "$dir/data/broadsheet.db", '... and none is made.');
begin('--create');
ok(logged(qr/There was no table: made sqlite:\S+broadsheet\.db\./), 'With --create it is made, and told;');
ok(logged(qr/is ready/), '... and the site is there.');
is(end(), 0, 'It ends well.');
begin('--create');
ok(logged(qr/is ready/), 'Once it is there,');
unlike(text("$dir/log"), qr/There was no table/, '... nothing is made.');
end();

# --- A table that goes away --------------------------------------------------------------------------------

begin();
ok(logged(qr/is ready/), 'The site runs.');

# One request and its answer, head and all.
sub fetch
{
	my ($path, %with) = @_;
	my $socket = connect_to("$dir/socket") or die "no connection: $!";
	my %head = (HTTP_HOST => 'slack.example', REQUEST_SCHEME => 'https', REMOTE_ADDR => '192.0.2.1',
		HTTP_SEC_FETCH_SITE => 'same-origin', %{$with{with} // {}});
	syswrite $socket, request($path, keep => 0, %with, with => \%head);
	return read_answer($socket) // '';
}

# A wrong password is counted, and that is a write. Each time another name, which nobody has.
my $tries = 0;
sub try_password
{
	my $form = fetch('/login');
	my ($visit) = $form =~ /^Set-Cookie: ([^;]+)/mi;
	my ($token) = $form =~ /name="csrf" value="([^"]+)"/;
	my $body = "csrf=$token&name=nobody" . ++$tries . '&password=not+this+one';
	return fetch('/login', method => 'POST', body => $body, with => {
		HTTP_COOKIE => $visit // '', CONTENT_TYPE => 'application/x-www-form-urlencoded'});
}
is(status_of(try_password()), 422, 'A wrong password is counted and told of.');
rename "$dir/data/broadsheet.db", "$dir/aside" or die;
is(status_of(try_password()), 503, 'When the file is gone, what writes gets a 503,');
ok(logged(qr/^<3>\S*broadsheet\.db was removed or replaced while it was in use: nothing is written any more\. Stop/m),
	'... the log says what to do,');
ok(logged(qr/^<4>.*method=POST status=503 .* why="\S+broadsheet\.db was removed/m), '... and why,');
try_password();
is(scalar(() = text("$dir/log") =~ /nothing is written any more/g), 1, '... but once;');
is(status_of(fetch('/')), 200, '... and pages go on.');
ok(!-e "$dir/data/broadsheet.db", 'No other file is made.');
rename "$dir/aside", "$dir/data/broadsheet.db" or die;
is(status_of(try_password()), 422, 'When it is back, all is well,');
ok(logged(qr/are back: writes go on/), '... and told.');
is(end(), 0, 'It ends well.');
my ($code, $out, $err) = run('check');
is($code, 0, 'The table is sound.') or diag("$out$err");
done_testing();
