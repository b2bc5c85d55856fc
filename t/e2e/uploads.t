#!/usr/bin/perl
# Pictures through nginx: uploaded as a browser does it, served with the headers that keep them harmless, and
# nothing else served from where they lie.

use strict;
use warnings;
use Compress::Zlib ();
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use HTTP::Tiny;
use IO::Socket::INET;
use POSIX ();
use Test::More;

$ENV{PATH} .= ':/usr/sbin';
plan skip_all => 'nginx is not installed' if !grep { -x "$_/nginx" } split /:/, $ENV{PATH};

my $source = "$FindBin::Bin/../..";
my $program = build_dir() . '/broadsheet';
plan skip_all => 'built without pictures' if !-x "$program-image";
my $dir = tempdir(CLEANUP => 1);
my $port = free_port();
my @pids;

umask 027;
store_for_test($program, $dir);
$ENV{BROADSHEET_ORIGIN} = "http://127.0.0.1:$port";
$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
$ENV{BROADSHEET_STATIC} = "$source/static";
$ENV{BROADSHEET_MEDIA} = "$dir/media";
$ENV{BROADSHEET_UPLOAD} = '2M';
system("'$program' seed '$source/migrations-free-seed' >/dev/null") == 0 or die;
my ($password) = `'$program' user reset noor` =~ /^noor (\S+)$/ or die;
push @pids, background("$dir/log", $program, 'serve', '--socket', "$dir/socket");
wait_for('the program', sub { -S "$dir/socket" });
system("$source/script/nginx-config", $dir, "$dir/socket", $port) == 0 or die;
push @pids, background("$dir/nginx.log", 'nginx', '-e', 'stderr', '-p', $dir, '-c', 'nginx.conf');
my $url = "http://127.0.0.1:$port";
my $http = HTTP::Tiny->new(timeout => 300, max_redirect => 0);
wait_for('the page', sub { $http->get("$url/healthz")->{status} == 200 });

my %cookies;
sub browse
{
	my ($method, $path, $type, $content) = @_;
	my %headers = ('Sec-Fetch-Site' => 'same-origin');
	$headers{Cookie} = join '; ', map { "$_=$cookies{$_}" } sort keys %cookies if %cookies;
	$headers{'Content-Type'} = $type if $type;
	my $got = $http->request($method, "$url$path",
		{headers => \%headers, defined $content ? (content => $content) : ()});
	my $set = $got->{headers}{'set-cookie'} // [];
	for (ref $set ? @$set : $set) {
		my ($name, $value, $age) = /^([^=]+)=([^;]*);.*Max-Age=(\d+)/ or next;
		$age ? $cookies{$name} = $value : delete $cookies{$name};
	}
	return $got;
}
sub token { return ($_[0]{content} =~ /name="csrf" value="([^"]+)"/)[0] }
sub form { return browse('POST', $_[0], 'application/x-www-form-urlencoded', $http->www_form_urlencode($_[1])) }

# Names and bytes, one after another.
sub upload
{
	my $token = token(browse('GET', '/uploads'));
	my $body = qq{--B\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n$token\r\n};
	while (my ($name, $bytes) = splice @_, 0, 2) {
		$body .= qq{--B\r\nContent-Disposition: form-data; name="files"; filename="$name"\r\n\r\n$bytes\r\n};
	}
	return browse('POST', '/uploads', 'multipart/form-data; boundary=B', "$body--B--\r\n");
}

sub chunk { return pack('N', length $_[1]) . $_[0] . $_[1] . pack('N', Compress::Zlib::crc32($_[0] . $_[1])) }
sub png
{
	my ($width, $height) = @_;
	return "\x89PNG\r\n\x1a\n" . chunk('IHDR', pack('NNC5', $width, $height, 8, 0, 0, 0, 0)) .
		chunk('IDAT', Compress::Zlib::compress(("\0" . "\x77" x $width) x $height)) . chunk('IEND', '');
}

my $page = browse('GET', '/login');
is(form('/login', {name => 'noor', password => $password, csrf => token($page)})->{status}, 303, 'Noor is in.');
is(upload('a.png', png(700, 70))->{status}, 303, 'A picture is taken.');
$page = browse('GET', '/uploads');
my ($picture) = $page->{content} =~ m{\((/media/[0-9a-f]{32}-700x70\.png)\)} or die "no picture on the page\n";
my $got = $http->get("$url$picture");
is($got->{status}, 200, 'Its file is served,');
is($got->{headers}{'content-type'}, 'image/png', '... as what it is,');
is($got->{headers}{'cache-control'}, 'public, max-age=31536000, immutable', '... to be kept for ever,');
is($got->{headers}{'x-content-type-options'}, 'nosniff', '... never taken for anything else,');
is($got->{headers}{'content-security-policy'}, "default-src 'none'; frame-ancestors 'none'; sandbox", '... nor run if it were.');
is(substr($got->{content}, 0, 8), "\x89PNG\r\n\x1a\n", 'It is a picture.');
is($http->get($url . $picture =~ s/700x70/480x48/r)->{status}, 200, 'It is there in a narrower form,');
is($http->get($url . $picture =~ s/700x70/481x48/r)->{status}, 404, '... and in no other.');

# The script that the page brings along.
my ($script) = $page->{content} =~ m{<script src="(/static/broadsheet\.[0-9a-f]{16}\.js)" defer></script>};
$got = $http->get("$url$script");
is($got->{status}, 200, 'The page has a script,');
like($got->{headers}{'content-type'}, qr{^text/javascript}, '... which is one,');
like($got->{headers}{'cache-control'}, qr/immutable/, '... is kept for ever');
my $scripts = 0;
$scripts += length Compress::Zlib::memGzip($http->get("$url$_")->{content})
	for browse('GET', '/write/article')->{content} =~ m{<script src="([^"]+)"}g;
ok($scripts > 8000 && $scripts < 16 << 10, '... and is small, with all others where posts are written.') or diag($scripts);
unlike($http->get("$url/")->{content}, qr/broadsheet\.[0-9a-f]*\.js/, 'Pages for readers have none.');

# What else may lie there stays there.
for (['index.html', '<script>'], ['.new-0123', 'half'], ['0' x 32 . '-1x1.gif', 'GIF'], ['0' x 32 . '-1x1.png.html', 'x']) {
	my ($name, $bytes) = @$_;
	open my $file, '>', "$dir/media/$name" or die;
	print $file $bytes;
	close $file;
	chmod 0644, "$dir/media/$name";
	is($http->get("$url/media/$name")->{status}, 404, "$name is not served.");
}
is($http->get("$url/media/")->{status}, 404, 'There is no list of them,');
is($http->get("$url/media/../test.db")->{status}, 400, '... and no way out.');
is($http->get("$url/media/%2e%2e/test.db")->{status}, 400, '... however it is spelled.');
is((stat "$dir/media")[2] & 07777, 0711, 'The directory can be gone through, not listed.');

$got = upload('big.png', "\x89PNG\r\n\x1a\n" . "x" x (3 << 20), 'b.png', png(60, 60));
is($got->{status}, 422, 'One that is too large, and a good one:');
like($got->{content}, qr/big\.png has more than 2 MB/, '... the one is named,');
like($got->{content}, qr/60 × 60 pixels/, '... the other taken.');
$got = upload(map { ("$_.png", png(10 + $_, 10)) } 1 .. 12);
is($got->{status}, 303, 'A dozen at once');
# nginx answers before it has all of it.
$got = eval { upload('huge.png', "x" x (33 << 20)) };
ok($got->{status} == 413 || $got->{status} == 599, 'More than nginx lets through is refused.');
like($got->{content}, qr/Too much at once|Broken pipe|reset/i, '... with a sentence for people.');
is(form('/login', {name => 'x' x (9 << 20)})->{status} =~ /^(413|599)$/ ? 1 : 0, 1, 'Elsewhere much less is let through.');

my ($hash) = $picture =~ m{/media/([0-9a-f]{32})};
$page = browse('GET', "/uploads/$hash");
is(form("/uploads/$hash/delete", {csrf => token($page)})->{status}, 303, 'It is deleted,');
is($http->get("$url$picture")->{status}, 404, '... and served no more.');

is(scalar(grep { -e } glob "$dir/media/.new-*"), 1, 'No half a picture lies about (but the one put there).');
open my $log, '<', "$dir/log" or die;
unlike(do { local $/; <$log> }, qr/Sanitizer|runtime error|leak/, 'The log is clean.');
kill 'TERM', $_ for reverse @pids;
waitpid $_, 0 for @pids;
done_testing;
