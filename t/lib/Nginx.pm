package Nginx;

# A real nginx in front of a server, with the configuration that production includes.

use strict;
use warnings;
use Exporter 'import';
use FastCGI;
use File::Temp 'tempdir';
use FindBin;
use IO::Socket::INET;
use POSIX ();

our @EXPORT = qw(have_nginx start_nginx);

sub have_nginx
{
	$ENV{PATH} .= ':/usr/sbin' if $ENV{PATH} !~ m{(?:^|:)/usr/sbin(?::|$)};
	return scalar grep { -x "$_/nginx" } split /:/, $ENV{PATH};
}

# nginx in front of a server; more arguments go to script/nginx-config. A sub is called with its directory before.
sub start_nginx
{
	my ($server, @options) = @_;
	my $prepare = ref $options[0] ? shift @options : undef;
	my $source = "$FindBin::Bin/" . ($FindBin::Bin =~ m{/t/} ? '../..' : '..');
	my %nginx = (dir => tempdir(CLEANUP => 1), port => free_port());
	system("$source/script/nginx-config", $nginx{dir}, $server->{socket}, $nginx{port}, @options)
	    == 0 or die 'script/nginx-config failed';
	$prepare->($nginx{dir}) if $prepare;
	$nginx{pid} = fork // die;
	if ($nginx{pid} == 0) {
		open STDERR, '>', "$nginx{dir}/log" or die;
		exec 'setpriv', '--pdeathsig', 'TERM', 'nginx', '-e', 'stderr',
		    '-p', $nginx{dir}, '-c', 'nginx.conf' or POSIX::_exit(127);
	}
	wait_for('nginx', sub { IO::Socket::INET->new("127.0.0.1:$nginx{port}") });
	$nginx{url} = "http://127.0.0.1:$nginx{port}";
	return \%nginx;
}

1;
