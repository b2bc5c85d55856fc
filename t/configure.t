#!/usr/bin/perl
# How the program is built with DynamoDB and a list of passwords, and without: what ./configure says, and two at once who fetch the libraries.

use strict;
use warnings;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/lib";
use Command 'text';
use Test::More;

my $source = abs_path("$FindBin::Bin/..");
my $dir = tempdir(CLEANUP => 1);
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};

# --- ./configure ---------------------------------------------------------------------------------------

# What one run has found out about the compiler and the system is the same in the next one.
sub configure
{
	my (@words) = @_;
	system("rm -rf '$dir/build' && mkdir '$dir/build' && cd '$dir/build' && '$source/configure' -q --cache-file='$dir/cache' @words >said 2>&1");
	return ($? >> 8, text("$dir/build/said"));
}
SKIP: {
	skip 'there is no configure to be run elsewhere', 7 if !-x "$source/configure" || -e "$source/config.status";
	mkdir $_ or die for "$dir/bare", "$dir/bare/include", "$dir/bare/include/aws";
	for my $case (["--with-aws=$dir/nowhere", qr/error: there are no aws libraries in \S+nowhere$/m],
		["--with-aws=$dir/bare", qr/error: there are no aws libraries in \S+bare$/m],
		['--with-aws', qr/error: --with-aws wants a folder/],
		["--with-passwords=$dir/nothing", qr/error: there are no passwords in \S+nothing$/m]) {
		my ($words, $wanted) = @$case;
		my ($status, $said) = configure($words);
		ok($status != 0 && $said =~ $wanted, 'It is an error: configure ' . $words =~ s/=.*(?=\/)/=/r) or diag("$status\n$said");
	}
	my ($status, $said) = configure('--without-dynamodb', "--with-aws=$dir/nowhere");
	is($status, 0, 'Without DynamoDB nobody asks for them,') or diag($said);
	my $made = text("$dir/build/Makefile");
	ok($made =~ /^AWS_LIBS = $/m && $made =~ /^dynamo_sources = .*dynamo\/none\.c/m, '... and nothing is linked with them.');
	local $ENV{BROADSHEET_PASSWORDS} = "$dir/nothing";
	($status, $said) = configure('--without-dynamodb');
	ok($status == 0 && $said =~ /WARNING: no list of well-known passwords/, 'Without a list of well-known passwords it warns.')
		or diag("$status\n$said");
}

# --- script/bootstrap-aws ------------------------------------------------------------------------------------

# Tools that fetch and build nothing. What one installs into, nobody else may touch meanwhile.
my %tools = (
	'apt-get' => 'case "$*" in *--download-only*) : >aws-crt-python.dsc ;; esac',
	'apt-cache' => 'echo "Version: 0.16.8-1"',
	'dpkg-source' => 'for into; do :; done; mkdir -p "$into"',
	'cmake' => 'for word; do case $word in -DCMAKE_INSTALL_PREFIX=*) printf %s "${word#*=}" >into ;; esac; done',
	'make' => 'into=$(cat into); mkdir "$into/taken" && sleep 0.1 && rmdir "$into/taken" && echo >>"$into/libraries"',
	'cc' => ':',
);
mkdir "$dir/tools";
for my $name (keys %tools) {
	open(my $out, '>', "$dir/tools/$name") or die;
	print $out "#!/bin/sh\nset -e\n$tools{$name}\n";
	close $out;
	chmod 0755, "$dir/tools/$name";
}
SKIP: {
	skip 'OpenSSL\'s headers are missing', 4 if !-e '/usr/include/openssl/ssl.h';
	local $ENV{PATH} = "$dir/tools:$ENV{PATH}";
	local $ENV{BROADSHEET_AWS} = "$dir/aws/prefix";
	mkdir $_ or die for "$dir/aws", "$dir/aws/prefix";
	open(my $old, '>', "$dir/aws/prefix/$_") or die for qw(built old);

	my @pids = map {
		my $pid = fork // die "fork: $!";
		exec "'$source/script/bootstrap-aws' >'$dir/said-$_' 2>&1" or die if $pid == 0;
		$pid;
	} 1, 2;
	my $bad = 0;
	for (@pids) {
		waitpid $_, 0;
		$bad ||= $?;
	}
	is($bad, 0, 'Two who build the libraries at once both succeed.') or diag(text("$dir/said-1"), text("$dir/said-2"));
	is(() = text("$dir/aws/prefix/libraries") =~ /\n/g, 8, '... The libraries are of one of them, all of them;');
	ok(!-e "$dir/aws/prefix/old" && -s "$dir/aws/prefix/built", '... what was there before is gone;');
	is_deeply([glob "$dir/aws/*"], ["$dir/aws/prefix"], '... and nothing else is left.');
}
done_testing;
