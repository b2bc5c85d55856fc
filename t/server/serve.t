#!/usr/bin/perl
# The process side, driven over its socket: connections and threads, what is malformed, stop, reload,
# death of a worker, and the ways in which a socket gets there.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use File::Temp 'tempdir';
use IO::Socket::UNIX;
use POSIX ();
use Socket;
use Test::More;
use Time::HiRes 'sleep';

# A server that closes first is what some of these tests are about.
$SIG{PIPE} = 'IGNORE';

sub worker_of
{
	my ($server) = @_;
	my ($pid) = (ask(connect_to($server->{socket}), request('/')) // '') =~ /pid (\d+)/;
	return $pid;
}

sub works
{
	my ($server, $sentence) = @_;
	ok(wait_for($sentence, sub { worker_of($server) }), $sentence);
}

# Waits until a request for /slow is under way.
sub begins
{
	my ($server) = @_;
	my $c = connect_to($server->{socket});
	wait_for('the request to begin', sub { ask($c, request('/busy')) eq '1' });
}

subtest 'Connections that are kept' => sub {
	my $server = start(threads => 4);
	is((stat $server->{socket})[2] & 0777, 0660, 'The socket is for its owner and its group.');
	my @kept = map { connect_to($server->{socket}) } 1 .. 64;
	for my $round (1 .. 3) {
		is(scalar(grep { (ask($_, request('/')) // '') =~ /^pid/ } @kept), 64,
			"64 kept connections are answered by 4 threads, round $round.");
	}
	syswrite $_, request('/slow?50') for @kept;
	is(scalar(grep { (answer($_) // '') =~ /^pid/ } @kept), 64, '... and all at once.');
	my $once = connect_to($server->{socket});
	like(ask($once, request('/', keep => 0)), qr/^pid/, 'A connection may be for one request.');
	is(sysread($once, my $byte, 1), 0, '... and is closed after it.');
	is(stop($server), 0, 'The server ends in order.');
	ok(!-e $server->{socket}, '... and takes its socket with it.');
};

# epoll tells of what comes once. Each of these has something to read of which it told while nobody could listen.
subtest 'What comes while nobody listens' => sub {
	for my $threads (1, 4) {
		my $server = start(threads => $threads);
		my $busy = sub { syswrite $_[0], request('/slow?150'); sleep 0.05 };
		my ($c, $other) = map { connect_to($server->{socket}) } 1 .. 2;
		like(ask($_, request('/')), qr/^pid/, "Two connections are kept by $threads threads.") for $c, $other;
		$busy->($c);
		syswrite $c, request('/echo', method => 'POST', body => 'second');
		like(answer($c), qr/^pid/, 'One request is answered,');
		is(answer($c), 'second', '... then another, which came over the same connection meanwhile.');
		$busy->($other);
		syswrite $c, request('/quick');
		shutdown $c, 1;
		is(answer($c), 'quick', 'Who asks and hangs up is answered,');
		is(read_answer($c), undef, '... and the connection closed.');
		answer($other);
		$c = connect_to($server->{socket});
		# As many bytes as the buffer takes at once, and a request behind them.
		my $length = 2 * (8 + 65535 + 255);
		my $body = 'x' x 131_500;
		substr($body, 0, length(request('/echo', method => 'POST', body => $body)) - $length) = '';
		my $first = request('/echo', method => 'POST', body => $body);
		is(length $first, $length, 'A request may be as long as the buffer.');
		$busy->($other) if $threads == 1;
		syswrite $c, $first . request('/quick');
		ok(answer($c) eq $body, 'It is answered,');
		is(answer($c), 'quick', '... and what stands behind it.');
		is(stop($server), 0, 'The server ends in order.');
	}
};

subtest 'What is dear' => sub {
	my $server = start(threads => 1);
	my @held = map { connect_to($server->{socket}) } 1 .. 2;
	for my $round (1 .. 2) {
		my $c = connect_to($server->{socket});
		ask($c, request('/shut'));
		syswrite $_, request('/limiter') for @held;
		ok(wait_for('both', sub { ask($c, request('/full')) eq 'yes' }),
			"Those who wait at a limiter hold no other request up, round $round.");
		is(ask($c, request('/limiter')), 'too many', 'Who comes when it is full is sent away,');
		ask($c, request('/open'));
		is(join(' ', map { answer($_) // '' } @held), 'through through', '... and come through in the end.');
	}
	is(stop($server), 0, 'The server ends in order.');
};

subtest 'Bodies' => sub {
	my $server = start();
	my $c = connect_to($server->{socket});
	my $body = join '', map { chr($_ % 251) } 1 .. 200_000;
	is(ask($c, request('/echo', method => 'POST', body => 'a=1')), 'a=1', 'A body arrives.');
	ok(ask($c, request('/echo', method => 'POST', body => $body)) eq $body,
		'A body of many records arrives whole, and its answer does.');
	is(length(ask($c, request('/large'))), 1_000_000, 'A megabyte is sent.');
	is(ask($c, request('/echo', method => 'POST', body => 'a', length => 3)), 'short',
		'The application is told of a body that is too short.');
	is(ask($c, request('/echo', method => 'POST', body => '', length => 0)), '',
		'A body may be empty.');
	is(ask($c, request('/echo', method => 'POST', body => 'abcd', length => 3)), undef,
		'A body longer than promised ends the connection.');
	$c = connect_to($server->{socket});
	is(ask($c, request('/echo', method => 'POST', body => 'x' x 300_000)), 'too large',
		'A body above the limit is answered,');
	like(ask($c, request('/')), qr/^pid/, '... and thrown away, so that the connection lives on.');
	is(ask($c, request('/echo', method => 'POST', body => 'abc', length => '')), '',
		'So is one whose length nobody told,');
	like(ask($c, request('/')), qr/^pid/, '... and the connection lives on.');
	works($server, 'The server goes on.');
	stop($server);
};

subtest 'What is slow' => sub {
	my $server = start(threads => 2, transfer => 1);
	my $whole = request('/');
	my @half = map { connect_to($server->{socket}) } 1 .. 2;
	syswrite $_, substr $whole, 0, 30 for @half;
	like(ask(connect_to($server->{socket}), $whole), qr/^pid/,
		'As many half requests as threads do not stop the server.');
	is(sysread($_, my $byte, 1), 0, 'A half request is given up.') for @half;
	my @deaf = map { connect_to($server->{socket}) } 1 .. 2;
	syswrite $_, request('/large') for @deaf;
	like(ask(connect_to($server->{socket}), $whole), qr/^pid/,
		'Nor do as many clients that ask and do not read.');
	ok(wait_for('the log', sub { FastCGI::log_has($server, qr/its connection is closed/) }), 'The log says so.');
	ok(wait_for('the log', sub { FastCGI::log_has($server, qr/address=\/large$/m) == 2 }), '... An answer that nobody took has its line, too.');
	my ($sips, $sip) = (0);
	my $c = connect_to($server->{socket});
	syswrite $c, request('/large?16', keep => 0);
	while (my $got = sysread $c, $sip, 65536) {
		$sips += $got;
		sleep 0.02;
	}
	ok($sips < 16_000_000, 'Who takes an answer in sips has no more time than others.');
	stop($server);
};

subtest 'What is at hand' => sub {
	my $server = start(threads => 4);
	my @kept = map { connect_to($server->{socket}) } 1 .. 32;
	my $quick = request('/quick');
	my $all = sub {
		syswrite $_, $quick for @kept;
		return scalar(grep { (answer($_) // '') eq 'quick' } @kept);
	};
	is($all->(), 32, 'It is answered at once, whoever asks.');
	syswrite $kept[$_], request('/slow?300') for 0 .. 2;
	is(ask($kept[3], $quick), 'quick', 'So it is while others take long,');
	like(answer($kept[$_]), qr/^pid/, '... which are answered, too.') for 0 .. 2;
	is($all->(), 32, '... and all are again.');
	syswrite $kept[$_], substr $quick, 0, 30 for 0 .. 2;
	is(ask($kept[3], $quick), 'quick', 'So it is while others have sent half a request.');
	syswrite $kept[$_], substr $quick, 30 for 0 .. 2;
	is(answer($kept[$_]), 'quick', '... which is answered when it is whole.') for 0 .. 2;
	ok(wait_for('the log', sub { FastCGI::log_has($server, qr/address=\/quick$/m) == 69 }),
		'Each has its line in the log, when there is nothing else to do.');
	is(stop($server), 0, 'The server ends in order.');
};

subtest 'What is malformed' => sub {
	my $server = start();
	my $begin = record(FastCGI::FCGI_BEGIN, pack('nCx5', 1, 1));
	my %refused = (
		'without a method' => $begin . record(FastCGI::FCGI_PARAMS, params(A => 1))
		    . record(FastCGI::FCGI_PARAMS, '') . record(FastCGI::FCGI_STDIN, ''),
		'that begins with standard input' => $begin . record(FastCGI::FCGI_STDIN, 'x'),
		'whose beginning is too short' => record(FastCGI::FCGI_BEGIN, pack('nC', 1, 1)),
		'whose beginning is too long' => record(FastCGI::FCGI_BEGIN, pack('nCx500', 1, 1)),
		'that begins twice' => $begin . $begin,
		'whose parameters are longer than they are' => $begin
		    . record(FastCGI::FCGI_PARAMS, pack('NN', 0xc0000000, 0xc0000000) . 'x')
		    . record(FastCGI::FCGI_PARAMS, '') . record(FastCGI::FCGI_STDIN, ''),
		'whose parameters break off' => $begin . record(FastCGI::FCGI_PARAMS, "\x80\0")
		    . record(FastCGI::FCGI_PARAMS, '') . record(FastCGI::FCGI_STDIN, ''),
		'with too many parameters' => $begin . record(FastCGI::FCGI_PARAMS, params(A => 'x' x 60_000)) x 2,
		'with parameters behind their end' => $begin . record(FastCGI::FCGI_PARAMS, '') x 2,
		'that breaks off in its body' => substr(request('/echo', body => 'abc'), 0, -8),
		'of HTTP' => "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	);
	my $worker = worker_of($server);
	for my $what (sort keys %refused) {
		my $c = connect_to($server->{socket});
		syswrite $c, $refused{$what};
		shutdown $c, 1;
		is(read_answer($c), undef, "A request $what gets no answer.");
	}
	is(worker_of($server), $worker, 'The same worker goes on.');
	srand 20261118;
	for my $n (1 .. 300) {
		my $c = connect_to($server->{socket}) or next;
		my $bytes = join '', map {
			pack('CCnnCC', 1, rand 12, rand 3, rand 64, rand 9, 0)
			    . join '', map { chr rand 256 } 1 .. rand 64
		} 1 .. 1 + rand 6;
		syswrite $c, $n % 2 ? $begin . $bytes : $bytes;
	}
	is(worker_of($server), $worker, 'After 300 connections of random records it answers.');
	is(stop($server), 0, 'It ends in order.');
};

subtest 'What else the protocol has' => sub {
	my $server = start(threads => 1);
	my $worker = worker_of($server);
	my $c = connect_to($server->{socket});
	my $says = sub {
		my ($what, $bytes, @wanted) = @_;
		syswrite $c, $bytes;
		for my $wanted (@wanted) {
			is(unpack('H*', FastCGI::read_exactly($c, length $wanted) // ''), unpack('H*', $wanted), $what);
		}
	};
	my $asked = record(FastCGI::FCGI_VALUES, params(FCGI_MPXS_CONNS => '', FOO => ''), 0);
	my $told = record(10, params(FCGI_MPXS_CONNS => 0), 0);
	my $end = sub { record(FastCGI::FCGI_END, pack('NCx3', 0, $_[1]), $_[0]) };
	my $begin = sub { record(FastCGI::FCGI_BEGIN, pack('nCx5', $_[1], 1), $_[0]) };

	$says->('A question for values is answered,', $asked, $told);
	$says->('... 400 times the same is once,',
		record(FastCGI::FCGI_VALUES, params(FCGI_MPXS_CONNS => '') x 400, 0), $told);
	$says->('... and an unknown type is named.', record(99, 'x', 0), record(11, pack('Cx7', 99), 0));
	like(ask(connect_to($server->{socket}), request('/')), qr/^pid/, 'That holds no thread up.');
	$says->('Who wants another role is told that there is none.',
		$begin->(1, 2) . record(FastCGI::FCGI_PARAMS, params(REQUEST_METHOD => 'GET')), $end->(1, 3));
	$says->('A request may be taken back,', $begin->(1, 1) . record(FastCGI::FCGI_ABORT, ''), $end->(1, 0));
	$says->('... in its body, too.',
		substr(request('/echo', method => 'POST', body => 'abc'), 0, -8) . record(FastCGI::FCGI_ABORT, ''), $end->(1, 0));
	like(ask($c, request('/')), qr/^pid/, 'The connection lives through all of it.');
	$says->('A second request is refused while there is one.', $begin->(1, 1) . $begin->(2, 1), $end->(2, 1));
	like(ask($c, substr request('/'), 16), qr/^pid/, 'The first one is answered.');
	my $request = request('/echo', method => 'POST', body => "\0body", length => 5);
	for my $byte (split //, $request) {
		syswrite $c, $byte;
		sleep 0.0002;
	}
	is(answer($c), "\0body", 'A request may come byte by byte.');
	is(ask($c, substr($request, 0, 16)
		. join('', map { record(FastCGI::FCGI_PARAMS, $_) } split //, params(REQUEST_METHOD => 'GET', REQUEST_URI => '/echo'))
		. record(FastCGI::FCGI_PARAMS, '') . record(FastCGI::FCGI_STDIN, '')), '', '... or a byte in each record.');
	is(worker_of($server), $worker, 'The same worker goes on.');
	is(stop($server), 0, 'It ends in order.');
};

subtest 'What does not end' => sub {
	my $server = start(threads => 2, transfer => 1);
	my $asked = record(FastCGI::FCGI_VALUES, params(FCGI_MPXS_CONNS => ''), 0);
	my @flood = map {
		my $c = connect_to($server->{socket});
		beside(sub { 1 while defined syswrite $c, $asked x 100 });
	} 1 .. 2;
	like(ask(connect_to($server->{socket}), request('/')), qr/^pid/,
		'As many who ask without end as threads do not stop the server.');
	waitpid $_, 0 for @flood;
	ok(1, 'Their connections are ended.');
	my $c = connect_to($server->{socket});
	my $endless = beside(sub {
		syswrite $c, substr request('/'), 0, 16;
		1 while defined syswrite $c, record(99, 'x' x 100, 1) x 100;
	});
	waitpid $endless, 0;
	ok(1, '... as is one on which a request never comes to its parameters.');
	works($server, 'The server goes on.');
	is(stop($server), 0, 'It ends in order.');
};

subtest 'The end' => sub {
	my $server = start(threads => 2);
	my @asked = map { connect_to($server->{socket}) } 1 .. 8;
	syswrite $_, request('/slow?100') for @asked;
	kill 'TERM', $server->{pid};
	is(scalar(grep { (answer($_) // '') =~ /^pid/ } @asked), 8,
		'Requests in flight are answered, those that wait for a thread too.');
	waitpid $server->{pid}, 0;
	is($?, 0, 'Then the server ends, with status 0.');
	is(connect_to($server->{socket}), undef, 'Nobody listens any more.');

	$server = start(threads => 2, drain => 1);
	my $stuck = connect_to($server->{socket});
	syswrite $stuck, request('/slow?60000');
	begins($server);
	is(stop($server) >> 8, 1, 'A request that does not end is cut off, and the status says so.');

	$server = start();
	my $worker = worker_of($server);
	stop($server, 'KILL');
	ok(wait_for('the worker to end', sub { !FastCGI::alive($worker) }),
		'No worker outlives its supervisor.');
};

subtest 'A reload' => sub {
	my $server = start(threads => 2);
	my ($clients, $requests, $enough) = (4, 300, "$server->{dir}/enough");
	my @reports;
	for my $n (1 .. $clients) {
		pipe my $read, my $write or die;
		if (!(fork // die)) {
			my ($lost, %pids, $kept) = (0);
			for (my $i = 1; $i <= $requests || !-e $enough; $i++) {
				# One half of the clients keeps its connection through all reloads.
				$kept = connect_to($server->{socket}) if $i == 1 || $n % 2;
				my $got = ask($kept, request($i % 10 ? '/' : '/slow?20')) // '';
				$got =~ /^pid (\d+)/ ? $pids{$1}++ : $lost++;
				sleep 0.004;
			}
			print $write "$lost ", scalar keys %pids, "\n";
			close $write;
			POSIX::_exit(0);
		}
		push @reports, $read;
	}
	for (1 .. 5) {
		sleep 0.25;
		my $before = FastCGI::log_has($server, qr/is ready/);
		kill 'HUP', $server->{pid};
		wait_for('the new worker',
			sub { FastCGI::log_has($server, qr/is ready/) > $before });
	}
	open my $file, '>', $enough or die;
	my @lines = map { scalar <$_> } @reports;
	like($_, qr/^0 /, "A client lost none of its requests, $requests at least.") for @lines;
	ok((grep { /^0 [2-9]/ } @lines) == $clients, 'Each was answered by more than one worker.');
	wait for 1 .. $clients;

	my $kept = connect_to($server->{socket});
	my $old = ask($kept, request('/'));
	my $slow = connect_to($server->{socket});
	syswrite $slow, request('/slow?700');
	begins($server);
	my $before = FastCGI::log_has($server, qr/is ready/);
	kill 'HUP', $server->{pid};
	wait_for('the new worker', sub { FastCGI::log_has($server, qr/is ready/) > $before });
	# It is told of before the old one is told to go.
	ok(wait_for('the new worker', sub { ask($kept, request('/')) ne $old }), 'The new worker goes on with a kept connection.');
	is(answer($slow), $old, 'The old one answers what it had begun.');
	isnt(ask($slow, request('/')), $old, '... and hands its connection over then.');

	open my $fh, '>', $server->{fail} or die;
	close $fh;
	my $now = worker_of($server);
	kill 'HUP', $server->{pid};
	wait_for('the failure', sub { FastCGI::log_has($server, qr/The reload failed/) });
	is(worker_of($server), $now, 'When the new worker can not start, the old one goes on.');
	unlink $server->{fail};
	is(stop($server), 0, 'It ends in order.');
};

subtest 'A worker dies' => sub {
	my $server = start();
	my $first = worker_of($server);
	my $kept = connect_to($server->{socket});
	ask($kept, request('/'));
	kill 'KILL', $first;
	my $second = wait_for('a worker', sub { worker_of($server) });
	isnt($second, $first, 'Another takes its place, and the next request is answered.');
	is(ask(connect_to($server->{socket}), request('/crash')), undef,
		'A request that kills its worker has no answer.');
	isnt(wait_for('a worker', sub { worker_of($server) }), $second, 'The next one has.');
	ok(FastCGI::log_has($server, qr/was ended by signal 9/) >= 2, 'The log knows.');
	for (1 .. 4) {
		ask(connect_to($server->{socket}), request('/crash'));
		works($server, 'A request that kills again and again is outlived.');
	}
	ok(FastCGI::log_has($server, qr/workers in a row ended right after their start; the next one starts in \d+ ms/),
		'The next worker waits a little longer each time.');
	is(stop($server), 0, 'It ends in order.');

	my $dir = tempdir(CLEANUP => 1);
	open my $fh, '>', "$dir/fail" or die;
	close $fh;
	$server = start(dir => $dir, no_wait => 1);
	waitpid $server->{pid}, 0;
	is($? >> 8, 1, 'A server whose first worker can not start ends with status 1.');
	ok(FastCGI::log_has($server, qr/The server could not start/), '... and says so.');
};

subtest 'Sockets' => sub {
	my $server = start();
	my $second = start(dir => $server->{dir}, no_wait => 1);
	waitpid $second->{pid}, 0;
	is($? >> 8, 1, 'A second server at the same path does not start,');
	works($server, '... and the first one keeps its socket.');
	my $worker = worker_of($server);
	stop($server, 'KILL');
	wait_for('the worker to end', sub { !FastCGI::alive($worker) });
	ok(-S $server->{socket}, 'A server that was killed leaves its socket behind.');
	unlink $server->{log};
	$server = start(dir => $server->{dir});
	works($server, 'The next one replaces it.');
	stop($server);

	my $dir = tempdir(CLEANUP => 1);
	my $other = IO::Socket::UNIX->new(Local => "$dir/socket", Listen => 5);
	$server = start(dir => $dir, no_wait => 1);
	waitpid $server->{pid}, 0;
	ok(-S "$dir/socket" && connect_to("$dir/socket"), "Another program's socket is left alone.");
	open my $fh, '>', "$dir/file" or die;
	close $fh;
	$server = start(dir => $dir, socket => "$dir/file", no_wait => 1);
	waitpid $server->{pid}, 0;
	ok(-f "$dir/file", 'A file that is no socket is left alone.');

	for my $how (['systemd', 3], ['spawn-fcgi', 0]) {
		my ($from, $fd) = @$how;
		$dir = tempdir(CLEANUP => 1);
		my $listener = IO::Socket::UNIX->new(Local => "$dir/socket", Listen => 5);
		$server = start(
			dir => $dir,
			socket => '-',
			before => sub {
				POSIX::dup2(fileno $listener, $fd);
				fcntl STDIN, 2, 0 if $fd == 0;
				($ENV{LISTEN_PID}, $ENV{LISTEN_FDS}) = ($$, 1) if $fd == 3;
			});
		works($server, "It listens on descriptor $fd, as $from passes it.");
		is(stop($server), 0, 'It ends in order,');
		ok(-S "$dir/socket", '... and leaves a socket that is not its own.');
	}

	my $tcp = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1');
	$server = start(socket => '-', no_wait => 1, before => sub { POSIX::dup2(fileno $tcp, 0) });
	waitpid $server->{pid}, 0;
	is($? >> 8, 1, 'A network socket is refused.');
};

subtest 'What systemd is told' => sub {
	my $dir = tempdir(CLEANUP => 1);
	my $manager = IO::Socket::UNIX->new(Local => "$dir/notify", Type => SOCK_DGRAM);
	my $server = start(dir => $dir, before => sub { $ENV{NOTIFY_SOCKET} = "$dir/notify" });
	my $told = sub { recv $manager, my $message, 256, 0; $message };
	like($told->(), qr/^READY=1\n/, 'It is ready.');
	kill 'HUP', $server->{pid};
	like($told->(), qr/^RELOADING=1\nMONOTONIC_USEC=\d+/, 'It is reloading.');
	like($told->(), qr/^READY=1\n/, 'It is ready again.');
	stop($server);
	like($told->(), qr/^STOPPING=1\n/, 'It is stopping.');
};

done_testing;
