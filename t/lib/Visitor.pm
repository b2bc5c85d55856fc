package Visitor;

# Somebody who uses the site over its socket, as nginx would speak for their browser: signs in, reads, writes.

use strict;
use warnings;
use Exporter 'import';
use FastCGI;
use File::Temp 'tempdir';
use FindBin;

our @EXPORT = qw(start_site page_request post_request status_of sign_in token_on);

# The site with its seed, in a file, and a reader who is signed in: dir, socket, log, database, pid, cookie, token. Options:
# program, environment (variables of it), flags (of serve).
sub start_site
{
	my (%o) = @_;
	my $dir = tempdir(CLEANUP => 1);
	my $source = "$FindBin::Bin/" . ($FindBin::Bin =~ m{/t/} ? '../..' : '..');
	my $program = $o{program} // build_dir() . '/broadsheet';
	my %site = (dir => $dir, socket => "$dir/socket", log => "$dir/log", database => "$dir/site.db");
	delete @ENV{grep { /^BROADSHEET_/ && $_ ne 'BROADSHEET_BUILD' } keys %ENV};
	$ENV{BROADSHEET_STORE} = "sqlite:$site{database}";
	$ENV{BROADSHEET_TEMPLATES} = "$source/templates";
	$ENV{BROADSHEET_STATIC} = "$source/static";
	$ENV{BROADSHEET_MEDIA} = "$dir/media";
	system("'$program' seed '$source/migrations-free-seed' >/dev/null 2>&1") == 0 or die 'no seed';
	my ($password) = `'$program' user create visitor visitor\@example.org 2>/dev/null` =~ /^(\S+)$/m;
	{
		local %ENV = (%ENV, %{$o{environment} // {}});
		$site{pid} = background($site{log}, $program, 'serve', '--socket', $site{socket}, @{$o{flags} // []});
	}
	wait_for('the site', sub { FastCGI::log_has(\%site, qr/is ready/) || !FastCGI::alive($site{pid}) });
	$site{cookie} = sign_in($site{socket}, 'visitor', $password);
	$site{token} = token_on($site{socket}, '/account', $site{cookie});
	return \%site;
}

# The bytes of a request for a page. Options: cookie, keep.
sub page_request
{
	my ($path, %o) = @_;
	my %with = (HTTP_HOST => 'example.org', REQUEST_SCHEME => 'https', REMOTE_ADDR => '192.0.2.1');
	$with{HTTP_COOKIE} = $o{cookie} if defined $o{cookie};
	return request($path, keep => $o{keep}, with => \%with);
}

# The bytes of a form that is sent. Options: cookie, keep.
sub post_request
{
	my ($path, $form, %o) = @_;
	my $body = join '&', map { my $v = $form->{$_}; $v =~ s/([^\w.-])/sprintf '%%%02X', ord $1/ge; "$_=$v" } sort keys %$form;
	my %with = (
		HTTP_HOST => 'example.org', REQUEST_SCHEME => 'https', REMOTE_ADDR => '192.0.2.1',
		HTTP_SEC_FETCH_SITE => 'same-origin', CONTENT_TYPE => 'application/x-www-form-urlencoded');
	$with{HTTP_COOKIE} = $o{cookie} if defined $o{cookie};
	return request($path, keep => $o{keep}, method => 'POST', body => $body, with => \%with);
}

# What an answer's head says; 0 when there was none.
sub status_of
{
	my ($answer) = @_;
	return ($answer // '') =~ /^Status: (\d+)/m ? $1 : ($answer // '') =~ /^Content-Type/m ? 200 : 0;
}

sub speak
{
	my ($socket, $bytes) = @_;
	my $c = connect_to($socket) or return undef;
	syswrite $c, $bytes;
	return read_answer($c);
}

# The token of the forms on a page.
sub token_on
{
	my ($socket, $path, $cookie) = @_;
	my ($token) = (speak($socket, page_request($path, cookie => $cookie)) // '') =~ /name="?csrf"?[^>]*value="?([\w-]+)/;
	return $token;
}

# Signs in; the cookie by which the site knows them from then on.
sub sign_in
{
	my ($socket, $name, $password) = @_;
	my $page = speak($socket, page_request('/login')) // '';
	my ($visit) = $page =~ /^Set-Cookie: ([^;\r\n]+)/m;
	my ($token) = $page =~ /name="?csrf"?[^>]*value="?([\w-]+)/;
	my $answer = speak($socket,
		post_request('/login', {csrf => $token, name => $name, password => $password}, cookie => $visit)) // '';
	my ($session) = $answer =~ /^Set-Cookie: ((?:__Host-)?session=[^;\r\n]+)/m;
	return $session // die "nobody could sign in\n";
}

1;
