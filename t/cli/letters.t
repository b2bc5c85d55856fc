#!/usr/bin/perl
# Letters as a real mail server gets them (aiosmtpd, of Debian): `broadsheet work` sends the letter of the week, once, with
# headers that mail programs understand; without a server it waits, says so, and sends it when there is one.

use strict;
use warnings;
use Encode qw(decode);
use File::Copy;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use MIME::QuotedPrint;
use POSIX 'strftime';
use Test::More;

my $python = '/usr/bin/python3';
plan skip_all => 'python3-aiosmtpd is not installed' if system("$python -c 'import aiosmtpd' 2>/dev/null") != 0;

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
my $dir = tempdir(CLEANUP => 1);
my $port = free_port();

store_for_test($program, $dir);
$ENV{BROADSHEET_ORIGIN} = 'https://slack.example';
$ENV{BROADSHEET_SMTP_URL} = "smtp://127.0.0.1:$port";
$ENV{BROADSHEET_SMTP_FROM} = 'desk@slack.example';
$ENV{BROADSHEET_SECRET_FILE} = "$dir/secret";

# Noor wants the letter of the week, and it is due so many seconds later: when that is.
sub seed
{
	my ($seconds) = @_;

	open my $more, '>', "$dir/seed/99-digest.jsonl" or die $!;
	print $more '{"PK":{"S":"USER#noor"},"SK":{"S":"DIGEST"},"GSI3PK":{"S":"DIGEST"},"GSI3SK":{"S":"@{+', $seconds,
		's}#noor"},"Type":{"S":"Digest"},"NextAt":{"S":"@{+', $seconds, 's}"},"Username":{"S":"noor"}}', "\n";
	close $more;
	system("'$program' seed --replace '$dir/seed' >/dev/null") == 0 or die;
	`'$program' get USER#noor DIGEST` =~ /"NextAt"\s*:\s*\{\s*"S"\s*:\s*"([^"]+)"/ or die;
	return $1;
}

mkdir "$dir/seed";
copy($_, "$dir/seed") or die $! for glob "'$source/migrations-free-seed/*.jsonl'";
my $due = seed(5);
# The first start of a server would make the secret.
system("'$program' secret adopt --yes >/dev/null 2>&1") == 0 or die;

my @pids;
sub work
{
	push @pids, background("$dir/log", $program, 'work');
	return $pids[-1];
}

sub log_text
{
	open my $log, '<', "$dir/log" or return '';
	local $/;
	return <$log> // '';
}

sub text_of
{
	local (@ARGV, $/) = @_;
	return scalar <>;
}

sub letters { my @letters = glob "'$dir/box/new/*'"; return @letters }

# --- Without a server ------------------------------------------------------------------------------------

# Letters are of what happens once the worker has begun: on a slow machine the letter is due before that.
sub begins_in_time
{
	wait_for('its beginning', sub { `'$program' work --status` =~ /of what happened from (\S+);/ });
	my ($from) = `'$program' work --status` =~ /of what happened from (\S+);/;
	return $from lt $due;
}

sub ends
{
	my ($pid) = @_;

	kill 'TERM', $pid;
	waitpid $pid, 0;
}

my $pid = work();
for (my $seconds = 20; !begins_in_time(); $seconds *= 4) {
	ends($pid);
	$due = seed($seconds);
	$pid = work();
}
# A sender looks for such letters when it begins, and then once a minute.
ends($pid);
sleep 1 while strftime('%Y-%m-%dT%H:%M:%S', gmtime) le $due;
$pid = work();
wait_for('the log', sub { log_text() =~ /Letters wait for the mail server/ });
like(log_text(), qr/Letters wait for the mail server/, 'Without a mail server letters wait, which the log says.');
like(`'$program' work --status`, qr/^Letters\s.*the mail server can't be used/m, '... and the status.');
unlike(log_text(), qr/noor\@/, '... but not to whom they go.');
like(`'$program' work --status`, qr/^Lag\s+\d+\.\d s\nThroughput\s+[\d,]+ changes a minute lately; [\d,]+ a second while it works\n/m,
	'The status has lag and throughput.');

# --- With one --------------------------------------------------------------------------------------------

push @pids, background("$dir/server.log", $python, '-m', 'aiosmtpd', '-n', '-l', "127.0.0.1:$port", '-c',
	'aiosmtpd.handlers.Mailbox', "$dir/box");
sub weekly { return grep { text_of($_) =~ /^Subject: .*: this week\r?$/m } letters() }
wait_for('the letter', sub { scalar(my @all = weekly()) > 0 });
is(scalar(my @all = weekly()), 1, 'When there is one the letter is sent.');
my $text = text_of($all[0]);
my ($head, $body) = split /\n\n/, $text =~ s/\r//gr, 2;
my %head;
$head =~ s/\n[ \t]+/ /g;
$head{lc $1} = $2 while $head =~ /^([\w-]+): (.*)$/mg;

is($head{from}, '<desk@slack.example>', 'It comes from the sender that is set,');
is($head{to}, '<noor@example.org>', '... goes to whom it is for,');
like(decode('MIME-Header', $head{subject}), qr/: this week$/, '... has a subject,');
like($head{'message-id'}, qr/^<[0-9a-f]{32}\@slack\.example>$/, '... an id of its own,');
like($head{date}, qr/^\w{3}, \d\d? \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/, '... a date,');
is($head{'content-type'}, 'text/plain; charset=utf-8', '... is a plain text,');
is($head{'auto-submitted'}, 'auto-generated', '... which no person has written,');
my ($link) = ($head{'list-unsubscribe'} // '') =~ m{^<(https://slack\.example/letters/[\w-]+)>$};
ok($link, '... and says where such letters end,');
is($head{'list-unsubscribe-post'}, 'List-Unsubscribe=One-Click', '... with one request.');
$body = decode('UTF-8', decode_qp($body));
like($body, qr/^Hello Noor/, 'It greets its reader,');
like($body, qr{\nhttps://slack\.example/post/[\w-]+\n}, '... leads to posts,');
like($body, qr/\Q$link\E\n/, '... and has the link in its text as well.');
ok(!(grep { length > 998 } split /\n/, $text), 'No line is longer than may be.');

kill 'TERM', $pid;
is(waitpid($pid, 0), $pid, 'It ends when it is told to,');
is($?, 0, '... in order.');
like(`'$program' work --status`, qr/^Letters\s+nobody sends, of what happened from \S+; [1-9]\d* sent, 0 refused, 0 unsure$/m,
	'The status counts what was sent.');
$pid = work();
wait_for('its start', sub { log_text() =~ /Deriving what follows.*Deriving what follows/s });
wait_for('the lease', sub { `'$program' work --status` =~ /^Letters\s+some process sends/m });
is(scalar(@all = weekly()), 1, 'The next one sends nothing twice.');

END { kill 'KILL', grep { defined } @pids if @pids }

done_testing();
