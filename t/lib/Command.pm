package Command;

# The program's commands, run to their end by a test script.

use strict;
use warnings;
use Exporter 'import';
use FastCGI 'build_dir';
use File::Temp 'tempdir';
use POSIX ();

our @EXPORT = qw(run text without_progress);

# The bytes of a file; nothing where there is none.
sub text
{
	my ($path) = @_;
	open my $in, '<:raw', $path or return '';
	local $/;
	return <$in> // '';
}

# What a command complains of, without how far its work is, as a busy machine is told.
sub without_progress
{
	my ($said) = @_;
	return $said =~ s/^\w+: (?:[\d,]+ \w+(?: of [\d,]+)?|if it is broken off, .*)\n//mgr;
}

# Status, standard output and standard error of a command of these words. Variables for its environment may come
# first; without a value one is taken away.
my $dir = tempdir(CLEANUP => 1);
sub run
{
	my $environment = ref $_[0] ? shift : {};
	my @words = @_;
	local %ENV = (BROADSHEET_MEDIA => "$dir/media", %ENV, %$environment);
	delete @ENV{grep { !defined $environment->{$_} } keys %$environment};
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', "$dir/out" or die;
		open STDERR, '>', "$dir/err" or die;
		exec build_dir() . '/broadsheet', @words or POSIX::_exit(127);
	}
	waitpid $pid, 0;
	return ($? & 127 ? 128 + ($? & 127) : $? >> 8, text("$dir/out"), without_progress(text("$dir/err")));
}

1;
