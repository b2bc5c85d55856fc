#!/usr/bin/perl
# Writers wait, for the disk or for a process that has the table locked; who reads does not wait for them.

use strict;
use warnings;
use Fcntl qw(F_SETLKW F_WRLCK SEEK_SET);
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use IO::Select;
use Test::More;
use Visitor;

my $site = start_site(flags => ['--threads', 4]);

# Locks the table as another process of this program does; whoever closes what it returns has it unlocked.
sub lock_table
{
	pipe my $end, my $hold or die;
	pipe my $told, my $tell or die;
	beside(sub {
		close $hold;
		my $byte_0 = pack 'ssx![q]qqi', F_WRLCK, SEEK_SET, 0, 1, 0;
		open my $file, '+<', "$site->{database}-lock" or die;
		fcntl $file, F_SETLKW, $byte_0 or die;
		syswrite $tell, 'x';
		sysread $end, my $byte, 1;
	});
	close $end;
	close $tell;
	sysread $told, my $byte, 1 or die 'no lock';
	return $hold;
}

sub begin_to_write
{
	my ($name) = @_;
	my $c = connect_to($site->{socket}) or die "no connection: $!";
	syswrite $c, post_request('/account/profile', {csrf => $site->{token}, display_name => $name}, cookie => $site->{cookie});
	return $c;
}

# How many of them have been answered?
sub answered
{
	my @ready = IO::Select->new(@_)->can_read(0);
	return scalar @ready;
}

sub read_page
{
	my ($path) = @_;
	my $c = connect_to($site->{socket});
	syswrite $c, page_request($path);
	return status_of(read_answer($c));
}

is(read_page('/'), 200, 'The front page is there.');
my $lock = lock_table();
my @writers = map { begin_to_write("Writer $_") } 1 .. 16;
# They have to get there first.
ok(!IO::Select->new(@writers)->can_read(0.5), 'While another process has the table locked, writers wait.');
my @pages = map { read_page($_) } ('/', map { ('/', '/post/no-' . $_) } 1 .. 8);
is("@pages", join(' ', 200, map { (200, 404) } 1 .. 8), 'Meanwhile pages are answered, from the cache and from the table,');
is(answered(@writers), 0, '... before any of the writers is, four times as many as threads.');
undef $lock;
is(join(' ', map { status_of(read_answer($_)) } @writers), join(' ', (303) x 16), 'Then they are answered, too.');

$lock = lock_table();
@writers = map { begin_to_write("Writer $_") } 1 .. 80;
my $refused = qr/ why="too many writers are waiting already"/;
ok(wait_for('refusals', sub { answered(@writers) >= 16 }), 'Of 80 writers 64 wait; the others are not let in.');
is(read_page('/post/no-100'), 404, '... Pages are answered still.');
undef $lock;
my %statuses;
$statuses{status_of(read_answer($_))}++ for @writers;
is_deeply(\%statuses, {303 => 64, 503 => 16}, '... Who waited has written, who was not let in has been told.');
is(read_page('/post/no-101'), 404, 'A page more,');
ok(wait_for('the log', sub { FastCGI::log_has($site, $refused) == 16 }), '... and the log says why.');
kill 'TERM', $site->{pid};
waitpid $site->{pid}, 0;
is($?, 0, 'The site ends in order.');
done_testing;
