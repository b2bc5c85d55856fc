#!/usr/bin/perl
# In development: a changed template counts at the next request, a broken one says what is wrong with it.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use POSIX ();
use Test::More;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
system('cp', '-r', "$source/templates", "$dir/templates") == 0 or die;
system('chmod', '-R', 'u+w', "$dir/templates") == 0 or die;

# Runs the program with these settings until the next call; an answer of it is a whole page.
my $pid;
sub serve
{
	my (%settings) = @_;
	my $socket = "$dir/socket";
	if ($pid) {
		kill 'TERM', $pid;
		waitpid $pid, 0;
	}
	$pid = fork // die;
	if ($pid == 0) {
		open STDERR, '>', "$dir/log" or die;
		$ENV{BROADSHEET_STORE} = "sqlite:$dir/test.db";
		$ENV{BROADSHEET_TEMPLATES} = "$dir/templates";
		$ENV{BROADSHEET_STATIC} = "$source/static";
		$ENV{$_} = $settings{$_} for keys %settings;
		exec 'setpriv', '--pdeathsig', 'TERM', $program, 'serve', '--create', '--socket', $socket
			or POSIX::_exit(127);
	}
	wait_for('the socket', sub { -S $socket && log_says('is ready') });
}
sub log_says
{
	my ($words) = @_;
	open my $log, '<', "$dir/log" or return 0;
	return scalar grep { /\Q$words/ } <$log>;
}
sub page { return ask(connect_to("$dir/socket"), request('/', keep => 0)) // '' }
sub change
{
	my ($from, $to) = @_;
	my $file = "$dir/templates/error.mustache";
	local $/;
	open my $in, '<', $file or die;
	my $text = <$in>;
	close $in;
	$text =~ s/\Q$from/$to/ or die "no $from in $file";
	# Written whole and renamed, as editors do.
	open my $out, '>', "$file.new" or die;
	print $out $text;
	close $out;
	rename "$file.new", $file or die;
}
sub missing { return ask(connect_to("$dir/socket"), request('/nowhere', keep => 0)) // '' }

serve(BROADSHEET_DEVELOPMENT => 'yes');
like(missing(), qr/There is no such page/s, 'a page is rendered');
{
	my $c = connect_to("$dir/socket");
	syswrite $c, request('/tags', with => {HTTP_ACCEPT_ENCODING => 'gzip'});
	like(read_answer($c), qr/^Content-Encoding: gzip\r$/m, 'a page is compressed, although none is kept');
}
change('<h1>{{title}}</h1>', '<h1>Changed: {{title}}</h1>');
like(missing(), qr/Changed: There is no such page/, 'a changed template counts at once');
change('{{title}}', '{{titel}}');
like(missing(), qr/error\.mustache:\d+: unknown name "titel"/s,
	'a broken one is answered with what is wrong, and where');
like(page(), qr/unknown name "titel"/, '... on every page');
ok(log_says('unknown name'), '... and logged');
change('{{titel}}', '{{title}}');
like(missing(), qr/Changed: There is no such page/s, 'mended, it is rendered again');

serve(BROADSHEET_DEVELOPMENT => 'no');
change('Changed: ', 'Changed again: ');
like(missing(), qr/Changed: There/, 'in production templates stay as they were at the start');
kill 'TERM', $pid;
waitpid $pid, 0;
is($?, 0, 'the program ends in order');

done_testing;
