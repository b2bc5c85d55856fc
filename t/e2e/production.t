#!/usr/bin/perl
# What docs/deploy.md tells an operator to do, done here: make install, the production site file with TLS
# and HTTP/2, the socket handed over by systemd and by spawn-fcgi, sign-in with a cookie that is
# locked to the host, the limit for those who try passwords.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/../lib";
use Dynamo;
use FastCGI;
use IO::Socket::INET;
use POSIX ();
use Test::More;

$ENV{PATH} .= ':/usr/sbin';
for my $needed ('nginx', 'curl', 'openssl') {
	plan skip_all => "$needed is not installed" if !grep { -x "$_/$needed" } split /:/, $ENV{PATH};
}

my $source = "$FindBin::Bin/../..";
my $build = build_dir();
my $dir = tempdir(CLEANUP => 1);
my $name = 'example.org';
my $root = "$dir/root";
my %pids;

sub slurp
{
	open my $fh, '<', $_[0] or return '';
	local $/;
	return <$fh> // '';
}

sub end
{
	my ($what) = @_;
	kill 'TERM', $pids{$what};
	waitpid delete $pids{$what}, 0;
	return $?;
}

END {
	my $status = $?;
	kill 'TERM', $_ for values %pids;
	waitpid $_, 0 for values %pids;
	$? = $status;
}

# --- What is installed --------------------------------------------------------------------------------

is(system("make -s -C '$build' install DESTDIR='$root' >'$dir/install.log' 2>&1"), 0, 'make install works.')
    or diag slurp("$dir/install.log");
chomp(my ($program) = `find '$root' -type f -path '*/bin/broadsheet'`);
my ($prefix) = $program =~ m{^(.*)/bin/broadsheet$};
ok(-x $program, 'The program is installed,');
ok(-f "$prefix/share/broadsheet/$_", "... and $_.") for 'templates/front.mustache', 'static/style.css';
ok(-f "$prefix/share/man/$_", "... and $_.") for 'man1/broadsheet.1', 'man5/broadsheet.conf.5';
my ($settings) = `find '$root' -type f -path '*/share/doc/broadsheet/broadsheet.conf'`;
ok($settings, '... and the settings, to be copied.');

SKIP: {
	skip 'systemd-analyze is not installed', 1 if !grep { -x "$_/systemd-analyze" } split /:/, $ENV{PATH};
	mkdir "$dir/units";
	for my $unit ('service', 'socket') {
		my $text = slurp("$source/nginx/broadsheet.$unit");
		# What this machine lacks is not what is asked about.
		$text =~ s{/usr/bin/broadsheet}{$program}g;
		$text =~ s{^(User|Group)=broadsheet}{$1=root}mg;
		$text =~ s{^Documentation=.*\n}{}mg;
		open my $fh, '>', "$dir/units/broadsheet.$unit" or die;
		print $fh $text;
	}
	my $said = `systemd-analyze verify --man=no '$dir/units/broadsheet.socket' '$dir/units/broadsheet.service' 2>&1`;
	my @ours = grep { /broadsheet\.(service|socket)/ } split /\n/, $said;
	is(join("\n", @ours), '', 'systemd has nothing to say against the units.');
}

# --- nginx, with the site file as it is but for names, ports and places ---------------------------------

my ($http_port, $https_port) = (free_port(), free_port());
mkdir "$dir/run";
mkdir "$dir/cache";
mkdir "$dir/broadsheet";
system("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout '$dir/key.pem' "
	. "-out '$dir/cert.pem' -days 2 -subj /CN=$name -addext subjectAltName=DNS:$name 2>'$dir/openssl.log'") == 0
    or die slurp("$dir/openssl.log");
system("cp '$source'/nginx/broadsheet_*.conf '$source/nginx/microcache.conf' '$dir/broadsheet/'") == 0 or die;

my $site = slurp("$source/nginx/broadsheet.conf");
my %instead = (
	'/run/broadsheet/broadsheet.sock' => "$dir/run/broadsheet.sock",
	'/var/lib/nginx/broadsheet' => "$dir/cache",
	"/etc/letsencrypt/live/$name/fullchain.pem" => "$dir/cert.pem",
	"/etc/letsencrypt/live/$name/privkey.pem" => "$dir/key.pem",
	'/usr/share/broadsheet' => "$prefix/share/broadsheet",
	'/var/log/nginx' => $dir,
	'listen 80;' => "listen 127.0.0.1:$http_port;",
	'listen 443 ssl http2;' => "listen 127.0.0.1:$https_port ssl http2;",
	"return 301 https://$name" => "return 301 https://$name:$https_port",
);
for my $old (sort keys %instead) {
	ok($site =~ s/\Q$old\E/$instead{$old}/g, "The site file names $old.");
}
$site =~ s/^\s*listen \[::\].*\n//mg;

my $user = $> == 0 ? 'user root;' : '';
open my $fh, '>', "$dir/nginx.conf" or die;
print $fh <<"END";
$user
daemon off;
pid $dir/nginx.pid;
error_log stderr;
events { worker_connections 256; }
http {
	include /etc/nginx/mime.types;
	access_log off;
	client_body_temp_path $dir/body;
	fastcgi_temp_path $dir/fastcgi;
	proxy_temp_path $dir/proxy;
	uwsgi_temp_path $dir/uwsgi;
	scgi_temp_path $dir/scgi;
	$site
}
END
close $fh;
is(system("nginx -t -e stderr -p '$dir' -c nginx.conf >'$dir/test.log' 2>&1"), 0, 'nginx accepts it.')
    or diag slurp("$dir/test.log");

# --- The program, with a socket that somebody else made ---------------------------------------------------

store_for_test($program, $dir);
$ENV{BROADSHEET_ORIGIN} = "https://$name:$https_port";
$ENV{BROADSHEET_TEMPLATES} = "$prefix/share/broadsheet/templates";
$ENV{BROADSHEET_STATIC} = "$prefix/share/broadsheet/static";
is(system("'$program' seed '$source/migrations-free-seed' >/dev/null 2>'$dir/seed.log'"), 0, 'The seed is loaded.')
    or diag slurp("$dir/seed.log");
my ($password) = `'$program' user reset noor` =~ /^noor (\S+)$/ or die;


# What curl says: status, headers, body. More arguments go to it.
sub fetch
{
	my ($url, @more) = @_;
	open my $curl, '-|', 'curl', '-s', '-i', '--max-time', 20, '--cacert', "$dir/cert.pem",
	    '--resolve', "$name:$https_port:127.0.0.1", '--resolve', "$name:$http_port:127.0.0.1", @more, $url or die;
	local $/;
	my $all = <$curl> // '';
	my ($head, $body) = split /\r\n\r\n/, $all, 2;
	my ($version, $status) = ($head // '') =~ m{^HTTP/(\S+) (\d+)};
	my %headers = map { /^([^:]+): (.*)$/ ? (lc $1 => $2) : () } split /\r\n/, $head // '';
	return {version => $version // '', status => $status // 0, headers => \%headers, head => $head, body => $body // ''};
}

my $url = "https://$name:$https_port";
my $also = slurp("$dir/nginx.conf");
ok($also =~ s/# (set \$broadsheet_hsts_also .*)/$1/, 'There is a line for those who have TLS at all names under theirs:');
open $fh, '>', "$dir/also.conf" or die;
print $fh $also;
close $fh;
$pids{nginx} = background("$dir/also.log", 'nginx', '-e', 'stderr', '-p', $dir, '-c', 'also.conf');
wait_for('nginx', sub { fetch("http://$name:$http_port/")->{status} });
is(fetch("$url$_")->{headers}{'strict-transport-security'}, 'max-age=31536000; includeSubDomains', "... $_ says so.")
    for '/', '/static/style.css', '/%zz';
end('nginx');

$pids{nginx} = background("$dir/nginx.log", 'nginx', '-e', 'stderr', '-p', $dir, '-c', 'nginx.conf');
wait_for('nginx', sub { fetch("http://$name:$http_port/")->{status} });

# Does a client get through that can do nothing but this?
sub agrees_on
{
	my (@with) = @_;
	my $said = `openssl s_client -connect 127.0.0.1:$https_port -servername $name @with </dev/null 2>&1`;
	my ($cipher) = $said =~ /, Cipher is (\S+)/;
	return defined $cipher && $cipher ne '(NONE)' ? $cipher : undef;
}

is(agrees_on('-tls1_2', '-cipher', $_), $_, "TLS 1.2 with $_ is spoken.")
    for 'ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305';
is(agrees_on('-tls1_2', '-cipher', "$_:\@SECLEVEL=0"), undef, "... with $_ it is not.")
    for 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-CCM8', 'ECDHE-ECDSA-CAMELLIA128-SHA256';
ok(agrees_on('-tls1_3'), 'TLS 1.3 is spoken.');
is(agrees_on($_, '-cipher', 'ALL:\@SECLEVEL=0'), undef, "$_ is not.") for '-tls1', '-tls1_1';

my $clear = fetch("http://$name:$https_port/");
is($clear->{status}, 400, 'Who forgets TLS where it is spoken is told so,');
like($clear->{headers}{'content-security-policy'}, qr/frame-ancestors 'none'/, '... in our words.');

my $got = fetch("http://$name:$http_port/tags?x=1");
is($got->{status}, 301, 'Without TLS everybody is sent on,');
is($got->{headers}{location}, "$url/tags?x=1", '... to the same page with TLS.');

is($got->{headers}{'strict-transport-security'}, undef, '... which cannot be asked for without it.');
$got = fetch("https://www.$name:$https_port/tags?x=1", '--insecure', '--resolve', "www.$name:$https_port:127.0.0.1");
is($got->{status}, 301, 'Who comes by another name is sent on,');
is($got->{headers}{location}, "$url/tags?x=1", '... to the same page by its own.');
is($got->{headers}{'strict-transport-security'}, 'max-age=31536000', '... by TLS, as ever.');
is(fetch("$url/broadsheet.elsewhere")->{status}, 404, 'What leads there is no address of its own.');
for my $secret ('/draft/code', '/%64raft/code', '/reset/code%zz') {
	fetch("https://www.$name:$https_port$secret", '--insecure', '--resolve', "www.$name:$https_port:127.0.0.1", @$_)
	    for [], ['--http1.1'];
}

$got = fetch("$url/");
is($got->{status}, 503, 'While the program is not there, that is said with 503,');
is($got->{headers}{'strict-transport-security'}, 'max-age=31536000', '... by TLS, as ever,');
my ($dressed) = $got->{body} =~ m{href="(/static/style\.css)"};
is(fetch($url . ($dressed // '/'))->{status}, 200, '... in the site\'s clothes.');

sub shows_the_site
{
	my ($how) = @_;
	subtest "The socket comes from $how" => sub {
		my $page = wait_for('the page', sub { my $r = fetch("$url/"); $r->{status} == 200 && $r });
		is($page->{version}, '2', 'The front page comes by HTTP/2,');
		like($page->{body}, qr/Slack Water/, '... and is the front page.');
		is($page->{headers}{'strict-transport-security'}, 'max-age=31536000', 'It wants TLS from now on,');
		like($page->{headers}{'content-security-policy'}, qr/default-src 'none'/, '... trusts nothing it does not name,');
		ok(!exists $page->{headers}{'set-cookie'}, '... and sets no cookie.');
		is(fetch("$url/", '--http1.1')->{version}, '1.1', 'HTTP/1.1 works as well.');
		my ($style) = $page->{body} =~ m{href="(/static/style\.[^"]+)"};
		my $file = fetch("$url$style");
		is($file->{status}, 200, 'The style is there,');
		like($file->{headers}{'cache-control'}, qr/immutable/, '... and kept for ever.');
		is($file->{headers}{'strict-transport-security'}, 'max-age=31536000', '... by TLS alone.');
		is($file->{headers}{'content-type'}, 'text/css; charset=utf-8', 'It is style,');
		is(scalar(() = $file->{head} =~ /^$_:/mig), 1, "... with one $_.")
		    for 'cache-control', 'content-security-policy', 'x-content-type-options', 'cross-origin-resource-policy';
		is(fetch("$url$style", '-H', 'Accept-Encoding: gzip')->{headers}{'content-encoding'}, 'gzip', '... compressed, too.');
		(my $other = $style) =~ s/(.)(\.css)$/($1 eq '0' ? '1' : '0') . $2/e;
		$file = fetch("$url$other");
		is($file->{status}, 404, 'Under a hash that is not its own it is not found,');
		unlike($file->{headers}{'cache-control'}, qr/public|immutable/, '... and no cache learns anything.');
	};
}

SKIP: {
	skip 'systemd-socket-activate is not installed', 1
	    if !grep { -x "$_/systemd-socket-activate" } split /:/, $ENV{PATH};
	my @kept = map { ("-E", "$_=$ENV{$_}") } sort grep { /^(?:BROADSHEET|AWS)_|^ASAN_OPTIONS/ } keys %ENV;
	$pids{systemd} = background("$dir/systemd.log", 'systemd-socket-activate', '-l', "$dir/run/broadsheet.sock", @kept, $program, 'serve');
	shows_the_site('systemd');
	is(end('systemd'), 0, 'It ends in order.');
	unlink "$dir/run/broadsheet.sock";
}

SKIP: {
	skip 'spawn-fcgi is not installed', 1 if !grep { -x "$_/spawn-fcgi" } split /:/, $ENV{PATH};
	$pids{spawn} = background("$dir/spawn.log", 'spawn-fcgi', '-n', '-s', "$dir/run/broadsheet.sock", '--', $program, 'serve', '--socket', '-');
	shows_the_site('spawn-fcgi');
	is(end('spawn'), 0, 'It ends in order.');
	unlink "$dir/run/broadsheet.sock";
}

# --- Signing in through TLS -----------------------------------------------------------------------------

$pids{program} = background("$dir/program.log", $program, 'serve', '--socket', "$dir/run/broadsheet.sock");
wait_for('the program', sub { fetch("$url/healthz")->{status} == 200 });
is(sprintf('%04o', (stat "$dir/run/broadsheet.sock")[2] & 07777), '0660', 'Only nginx may use its socket.');

sub sign_in
{
	my ($with, $jar) = @_;
	my $form = fetch("$url/login", '-c', $jar, '-b', $jar);
	my ($token) = $form->{body} =~ /name="csrf" value="([^"]+)"/ or return $form;
	return fetch("$url/login", '-c', $jar, '-b', $jar, '-H', "Origin: $url",
		'--data-urlencode', "csrf=$token", '--data-urlencode', 'name=noor', '--data-urlencode', "password=$with");
}

$got = sign_in($password, "$dir/jar");
is($got->{status}, 303, 'The right password opens the door,');
my @set = $got->{head} =~ /^set-cookie: (.*?)\r?$/mig;
my ($cookie) = grep { /^__Host-session=/ } @set;
ok(defined $cookie, '... with a cookie that is locked to the host,');
like($cookie // '', qr/;\s*\Q$_\E/, "... $_,") for 'Secure', 'HttpOnly', 'SameSite=Lax', 'Path=/';
unlike($cookie // '', qr/Domain/, '... and no Domain.');
like(fetch("$url/account", '-b', "$dir/jar")->{body}, qr/Noor/, 'It is known again.');

my %seen;
for (1 .. 16) {
	$seen{sign_in('not the password', "$dir/other")->{status}}++;
}
ok($seen{429}, 'Whoever tries many passwords is told to wait,');
is(fetch("$url/")->{status}, 200, '... and everybody may still read.');
ok(!$seen{500} && !$seen{502}, 'Nothing broke on the way.') or diag explain \%seen;

is(end('program'), 0, 'The program ends in order.');
end('nginx');
like(slurp("$dir/access.log"), qr{"GET / HTTP/2}, 'The log has what was read,');
unlike(slurp("$dir/access.log") . slurp("$dir/nginx.log"), qr/code/, '... but no address that is a secret, whichever name it was sent to.');
done_testing;
