#!/usr/bin/perl
# Through a real nginx with the configuration that production includes, to the test server: files, what
# of a request arrives, bodies, slow clients, restarts, limits, the micro-cache.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use File::Temp 'tempdir';
use HTTP::Tiny;
use IO::Socket::INET;
use Nginx;
use Test::More;
use Time::HiRes 'sleep';

plan skip_all => 'nginx is not installed' if !have_nginx();

my $source = "$FindBin::Bin/../..";

my $http = HTTP::Tiny->new(timeout => 300);
my $server = start(threads => 2);
my $nginx = start_nginx($server);
my $url = $nginx->{url};

subtest 'What arrives' => sub {
	my $got = $http->request('POST', "$url/input?a=%20b&c", {
		content => 'a=1',
		headers => {
			'Content-Type' => 'application/x-www-form-urlencoded',
			Cookie => 'session=x',
			Origin => 'http://here.example',
			Referer => 'http://there.example/',
			'Sec-Fetch-Site' => 'same-origin',
			Accept => 'text/html',
			'Accept-Encoding' => 'gzip, br',
			'If-None-Match' => '"tag"',
			'If-Modified-Since' => 'Wed, 18 Nov 2026 09:30:00 GMT',
			'User-Agent' => 'test',
			Proxy => 'http://evil.example',
		}});
	my %wanted = (
		method => 'POST', uri => '/input?a=%20b&c', scheme => 'http',
		host => "127.0.0.1:$nginx->{port}", remote_addr => '127.0.0.1',
		content_type => 'application/x-www-form-urlencoded', cookie => 'session=x',
		origin => 'http://here.example', referer => 'http://there.example/',
		sec_fetch_site => 'same-origin', accept_encoding => 'gzip, br',
		if_none_match => '"tag"', if_modified_since => 'Wed, 18 Nov 2026 09:30:00 GMT',
		user_agent => 'test', body => 'a=1', content_length => 3);
	my %arrived = $got->{content} =~ /^(\w+): (.*)$/mg;
	like(delete $arrived{request_id}, qr/^\d+\.\d{3}-\d+-\d+$/, 'A request has an id.');
	is_deeply(\%arrived, \%wanted, 'Every field of a request arrives.');
};

subtest 'Pages' => sub {
	my $got = $http->get("$url/x");
	is($got->{status}, 200, 'A page is answered.');
	like($got->{content}, qr/^pid \d+$/, '... with its body.');
	$got = $http->head("$url/x");
	is($got->{status}, 200, 'HEAD is answered,');
	is($got->{content} // '', '', '... without a body.');
	is(length $http->get("$url/large")->{content}, 1_000_000, 'A megabyte arrives.');
	my $body = 'x' x 200_000;
	ok($http->request('POST', "$url/echo", {content => $body})->{content} eq $body,
		'A body goes there and back.');
	is($http->request('POST', "$url/echo", {content => 'x' x 300_000})->{content}, 'too large',
		'The program has a limit for bodies of its own.');
	is($http->request('POST', "$url/echo", {content => 'x' x 17_000_000})->{status}, 413,
		'nginx has a limit for all.');
};

subtest 'Files' => sub {
	mkdir "$nginx->{dir}/files";
	mkdir "$nginx->{dir}/files/static";
	my $text = 'body { color: black }' x 100;
	open my $fh, '>', "$nginx->{dir}/files/static/test.css" or die;
	print $fh $text;
	close $fh;
	open $fh, '>', "$nginx->{dir}/files/static/icon.png" or die;
	close $fh;
	local $/;
	open $fh, '<', "$nginx->{dir}/nginx.conf" or die;
	my $config = <$fh>;
	$config =~ s{broadsheet_files \S+;}{broadsheet_files $nginx->{dir}/files;};
	open $fh, '>', "$nginx->{dir}/nginx.conf" or die;
	print $fh $config;
	close $fh;
	kill 'HUP', $nginx->{pid};
	my $got = wait_for('the file', sub {
		my $r = $http->get("$url/static/test.css");
		$r->{status} == 200 && $r;
	});
	is($got->{content}, $text, 'A file is found by its name,');
	unlike($got->{headers}{'cache-control'}, qr/immutable/, '... and not kept for ever,');
	is($got->{headers}{'x-content-type-options'}, 'nosniff', '... is what it says it is,');
	is($got->{headers}{'cross-origin-resource-policy'}, 'same-origin', '... is for pages of this site,');
	is($got->{headers}{'cross-origin-opener-policy'}, 'same-origin', '... and keeps to its own origin, as pages do.');
	like($got->{headers}{'content-type'}, qr{^text/css}, '... which is style.');
	like($got->{headers}{'content-security-policy'}, qr/frame-ancestors 'none'/, 'Nobody frames it.');
	mkdir "$nginx->{dir}/media";
	my $picture = '0123456789abcdef' x 2 . '-20x10.png';
	open $fh, '>', "$nginx->{dir}/media/$picture" or die;
	close $fh;
	$got = $http->get("$url/media/$picture");
	is($got->{status}, 200, 'A picture is there,');
	like($got->{headers}{'content-security-policy'}, qr/frame-ancestors 'none'/, '... and nobody frames it.');
	$got = $http->get("$url/static/test.0123456789abcdef.css");
	like($got->{content}, qr/^pid \d+$/, 'By a name with a hash the program is asked for it,');
	is($got->{headers}{$_->[0]}, $_->[1], "... which is sent as files are: $_->[0].")
	    for ['x-content-type-options', 'nosniff'], ['cross-origin-resource-policy', 'same-origin'],
	    ['content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"];
	for my $name ('icon.png', 'icon.0123456789abcdef.png') {
		$got = $http->get("$url/static/$name");
		is($got->{status}, 200, "/static/$name is there,");
		is($got->{headers}{'cross-origin-resource-policy'}, 'cross-origin', '... for who shows feeds elsewhere as well.');
	}
	$got = $http->get("$url/static/test.css", {headers => {'Accept-Encoding' => 'gzip'}});
	is($got->{headers}{'content-encoding'}, 'gzip', 'It is sent compressed.');
	is($http->get("$url/static/$_")->{status}, 404, "/static/$_ is not found.")
	    for 'other.css', 'test.0123.css';
	unlike($http->get("$url/static/$_")->{content}, qr/fastcgi|color: black/, "/static/$_ shows nothing.")
	    for '..%2fnginx.conf', '%2e%2e/%2e%2e/nginx.conf', '';
};

# What comes back for bytes that no client of ours would send: status, headers, body.
sub raw
{
	my ($bytes) = @_;
	my $client = IO::Socket::INET->new("127.0.0.1:$nginx->{port}") or die;
	print $client $bytes;
	$client->flush;
	local $/;
	my ($head, $body) = split /\r\n\r\n/, <$client> // '', 2;
	my ($status) = $head =~ m{^HTTP/\S+ (\d+)};
	my %headers = map { /^([^:]+): (.*)$/ ? (lc $1 => $2) : () } split /\r\n/, $head;
	return ($status // 0, \%headers, $body);
}

# Who sends as it comes does not say how much there will be; nginx does, when it has all of it.
subtest 'A body in chunks' => sub {
	my $head = "Host: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
	my (undef, undef, $input) = raw("POST /input HTTP/1.1\r\n${head}3\r\na=1\r\n5;x=y\r\n&b=22\r\n0\r\n\r\n");
	like($input, qr/^body: a=1&b=22$/m, 'The chunks arrive as one body,');
	like($input, qr/^content_length: 8$/m, '... with its length.');
	my $chunk = sprintf "%x\r\n%s\r\n", 50_000, 'x' x 50_000;
	my (undef, undef, $echo) = raw("POST /echo HTTP/1.1\r\n$head" . $chunk x 4 . "0\r\n\r\n");
	is(length $echo, 200_000, 'Many come back,');
	(undef, undef, $echo) = raw("POST /echo HTTP/1.1\r\n$head" . $chunk x 6 . "0\r\n\r\n");
	is($echo, 'too large', '... and too many do not.');
	my ($status) = raw("POST /echo HTTP/1.1\r\n${head}what?\r\n");
	is($status, 400, 'What is no chunk is 400.');
};

subtest 'What nginx says by itself' => sub {
	my $end = "Host: x\r\nConnection: close\r\n\r\n";
	my @cases = (
		['A file that is not there', 404, "GET /static/none.css HTTP/1.1\r\n$end"],
		['A folder', 404, "GET /static/ HTTP/1.1\r\n$end"],
		['A picture that is not there', 404, "GET /media/none HTTP/1.1\r\n$end"],
		['A POST to a file', 405, "POST /static/test.css HTTP/1.1\r\nContent-Length: 0\r\n$end"],
		['TRACE', 405, "TRACE /x HTTP/1.1\r\n$end"],
		['An address that leads out', 400, "GET /../x HTTP/1.1\r\n$end"],
		['A NUL in an address', 400, "GET /%00 HTTP/1.1\r\n$end"],
		['A bad escape', 400, "GET /%zz HTTP/1.1\r\n$end"],
		['No host', 400, "GET /x HTTP/1.1\r\nConnection: close\r\n\r\n"],
		['What is no HTTP', 400, "\x16\x03\x01\r\n\r\n"],
		['Cookies of 40 KB', 400, 'GET /x HTTP/1.1' . "\r\nCookie: " . 'x' x 40_000 . "\r\n$end"],
		['An address of 40 KB', 414, 'GET /' . 'x' x 40_000 . " HTTP/1.1\r\n$end"],
		['17 MB', 413, "POST /x HTTP/1.1\r\nContent-Length: 17000000\r\n$end"],
	);
	for my $case (@cases) {
		my ($what, $wanted, $bytes) = @$case;
		my ($status, $headers, $body) = raw($bytes);
		is($status, $wanted, "$what is $wanted,");
		like($body, qr{<h1>\w[^<]+</h1>.*<p class="deck">\w}s, '... in words,');
		unlike($body, qr{nginx|</h1></center>}, '... of ours,');
		like($headers->{'content-security-policy'}, qr/default-src 'none'.*frame-ancestors 'none'/, '... which load nothing strange, and stand in no frame');
		is($headers->{'cache-control'}, 'no-store', '... and are kept by nobody.');
		is($headers->{$_->[0]}, $_->[1], "$_->[0] is $_->[1].")
		    for ['x-content-type-options', 'nosniff'], ['cross-origin-resource-policy', 'same-origin'],
		    ['cross-origin-opener-policy', 'same-origin'], ['referrer-policy', 'strict-origin'];
		is($headers->{allow}, $wanted == 405 ? 'GET, HEAD' : undef, 'It says what is allowed where something was not.');
	}
	is($http->get("$url/broadsheet.error")->{status}, 404, 'Nobody asks for these words themselves.');
};

subtest 'Slow clients' => sub {
	my @slow = map { IO::Socket::INET->new("127.0.0.1:$nginx->{port}") } 1 .. 8;
	print $_ "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf" for @slow;
	$_->flush for @slow;
	my @deaf = map { IO::Socket::INET->new("127.0.0.1:$nginx->{port}") } 1 .. 8;
	print $_ "GET /large HTTP/1.1\r\nHost: x\r\n\r\n" for @deaf;
	$_->flush for @deaf;
	is($http->get("$url/x")->{status}, 200,
		'Eight clients that send slowly and eight that do not read hold no thread.');

	my $streaming = start_nginx($server, sub {
		open my $conf, '>>', "$_[0]/broadsheet/broadsheet_fastcgi.conf" or die;
		print $conf "fastcgi_request_buffering off;\nfastcgi_buffering off;\n";
	});
	@slow = map { IO::Socket::INET->new("127.0.0.1:$streaming->{port}") } 1 .. 12;
	print $_ "POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 8\r\n\r\nhalf" for @slow;
	$_->flush for @slow;
	@deaf = map { IO::Socket::INET->new("127.0.0.1:$streaming->{port}") } 1 .. 12;
	print $_ "GET /large?8 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" for @deaf;
	$_->flush for @deaf;
	is($http->get("$streaming->{url}/x")->{status}, 200, 'Nor do twelve of each where nginx passes bodies and answers on as they come.') for 1 .. 3;
	print $_ 'half' and $_->flush for @slow;
	is(scalar(grep { local $/; (<$_> // '') =~ /halfhalf$/ } @slow), 12, '... They are answered when all has come,');
	is(scalar(grep { local $/; length(<$_> // '') > 8_000_000 } @deaf), 12, '... and get the whole answer when they read it.');
};

subtest 'The program restarts' => sub {
	$http->get("$url/x");
	my ($before) = $http->get("$url/x")->{content} =~ /(\d+)/;
	kill 'KILL', $before;
	my $after = wait_for('the page', sub {
		my $got = $http->get("$url/x");
		$got->{status} == 200 && $got->{content} =~ /(\d+)/ && $1;
	});
	isnt($after, $before, 'A worker that dies is replaced behind nginx.');
	my ($lost, $answered) = (0, 0);
	for my $round (1 .. 4) {
		kill 'HUP', $server->{pid};
		for (1 .. 100) {
			my $got = $http->request($_ % 2 ? 'GET' : 'HEAD', "$url/x");
			$got->{status} == 200 ? $answered++ : $lost++;
			diag("$got->{status} $got->{reason} $got->{content}") if $got->{status} != 200;
		}
	}
	is($lost, 0, "Of $answered requests during four reloads none is lost.");
	stop($server);
	my $got = $http->get("$url/x");
	is($got->{status}, 503, 'Without the program the answer is 503,');
	is($got->{headers}{'retry-after'}, 5, '... which says when to come again,');
	like($got->{content}, qr/Back in a moment/, '... to people, too.');
	unlink $server->{log};
	$server = start(dir => $server->{dir}, threads => 2);
	is($http->get("$url/x")->{status}, 200, 'It is back.');
};

subtest 'Limits' => sub {
	my $last;
	my @status = map { ($last = $http->request('POST', "$url/login", {content => ''}))->{status} } 1 .. 20;
	is($status[0], 200, 'Somebody may sign in.');
	is($status[-1], 429, 'Somebody who tries all the time may not.');
	is($last->{headers}{'retry-after'}, 5, '... and is told when to come again,');
	like($last->{content}, qr/<h1>A moment, please/, '... in words.');
	is($http->get("$url/x")->{status}, 200, 'Reading has no limit.');
};
stop($nginx);

subtest 'The micro-cache' => sub {
	my $cached = start_nginx($server, '--microcache');
	my $at = $cached->{url};
	my $count = sub {
		my ($path, %headers) = @_;
		return $http->get("$at$path", {headers => {%headers}})->{content};
	};
	my $first = $count->('/count');
	my %seen = map { $count->('/count') => 1 } 1 .. 50;
	cmp_ok(scalar keys %seen, '<', 25, 'Most of fifty requests come from the cache.');
	isnt($count->('/count', Cookie => 'a=b; session=x'), $count->('/count', Cookie => 'session=x'),
		'Who is signed in gets a page of their own.');
	ok(!$seen{$count->('/count', 'Accept-Encoding' => 'gzip')},
		'A compressed page is another page.');
	ok(!$seen{$count->('/count', 'Accept-Encoding' => $_)}, "One for who sends Accept-Encoding: $_ as well.")
		for '*', 'gzip;q=0.0000', 'br;q=1';
	isnt($count->('/secret'), $count->('/secret'), 'A page that nobody may keep is not kept.');
	is($http->head("$at/count")->{status}, 200, 'HEAD is answered.');
	isnt($count->('/count'), '', '... and does not become a page without a body.');
	for my $method ('GET', 'HEAD') {
		my $asked = $count->('/asked');
		my @got = map { $http->request($method, "$at/same", {headers => {'If-None-Match' => '"same"'}}) } 1 .. 40;
		is(scalar(grep { $_->{status} == 304 } @got), 40, "Who has a copy is told by $method that it is good,");
		cmp_ok($count->('/asked') - $asked, '<', 20, '... mostly by nginx,');
		is($got[-1]{headers}{$_->[0]}, $_->[1], "... with $_->[0]: " . ($_->[1] // 'none') . '.')
		    for ['etag', '"same"'], ['cache-control', 'no-cache'], ['vary', 'Accept-Encoding, Cookie'], ['content-type', undef];
		my $other = $http->request($method, "$at/same", {headers => {'If-None-Match' => '"other"'}});
		is($other->{status}, 200, 'Who has another page gets this one.');
		is($other->{headers}{'last-modified'}, undef, '... without a date, which may change where the page does not.');
	}
	my $asked = $count->('/asked');
	my %own = ('If-None-Match' => '"same"', Cookie => 'session=x');
	is($http->get("$at/same", {headers => \%own})->{status}, 304, 'Of who is signed in, Broadsheet is told what they have,')
	    for 1 .. 3;
	is($count->('/asked') - $asked, 3, '... and answers itself.');
	my $old = $count->('/count');
	sleep 2.2;
	isnt($count->('/count'), $old, 'Who comes after a quiet time gets a page of today, not the one from before.');
	stop($server);
	sleep 1.2;
	like($count->('/count'), qr/^\d+$/, 'While the program is away, its last page is shown.');
	stop($cached);
};

subtest 'Addresses that are secrets' => sub {
	$server = start(threads => 2);
	$nginx = start_nginx($server, '--access-log', "$server->{dir}/access_log");
	my @secrets = ('/reset/noor.code', '/Draft//code', '/register?code', '/registers?code', '/register/?code', '/%64raft/code');
	$http->get("$nginx->{url}$_") for @secrets;
	$http->get("$nginx->{url}/archive", {headers => {Referer => 'https://elsewhere.example/code'}});
	$http->request('POST', "$nginx->{url}/reset/code", {content => ''}) for 1 .. 15;
	raw("POST /draft/code HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 17000000\r\n\r\n");
	# What never comes to a location: an escape or a name that is none, a head that is too much, or breaks off.
	my %unread = ('/draft/code%zz' => 'Host: x', 'http://x//Reset/code%zz' => 'Host: x', '/register?code' => 'Host: /',
		'/draft/code' => 'X: ' . 'x' x 40000, '/draft/code/' . 'x' x 40000 => 'Host: x');
	for my $address (sort keys %unread) {
		my ($status) = raw("GET $address HTTP/1.1\r\nConnection: close\r\n$unread{$address}\r\n\r\n");
		like($status, qr/^4/, sprintf '%.20s with %.7s is refused.', $address, $unread{$address});
	}
	for (IO::Socket::INET->new("127.0.0.1:$nginx->{port}")) {
		$_->print("GET /draft/code HTTP/1.1\r\n");
		$_->close;
	}
	stop($server);
	is($http->get("$nginx->{url}$_")->{status}, 503, "$_ is away.") for @secrets, '/plain';
	my $log = sub { local (@ARGV, $/) = ("$server->{dir}/access_log", "$nginx->{dir}/log"); join '', <> };
	wait_for('the log', sub { $log->() =~ /plain/ });
	unlike($log->(), qr/code/, 'No log of nginx has one, whatever came of it.');
	stop($nginx);
};

done_testing;
