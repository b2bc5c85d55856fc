#!/usr/bin/perl
# What a build by the guide installs is hardened: ./configure with nothing but folders, make, make install.

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
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS)};
plan skip_all => 'there is no configure to be run elsewhere' if !-x "$source/configure" || -e "$source/config.status";
plan skip_all => 'readelf is missing' if system('readelf --version >/dev/null 2>&1') != 0;

# script/test has built it beforehand.
my $build = $ENV{BROADSHEET_HARDENED};
if (!defined $build || !-f "$build/Makefile") {
	$build = "$dir/build";
	mkdir $build;
	system("cd '$build' && '$source/configure' -q --prefix=/usr >'$dir/said' 2>&1");
}
my $built = system("make -s -j\$(nproc) -C '$build' all >>'$dir/said' 2>&1 "
	. "&& make -s -C '$build' install-exec DESTDIR='$dir/root' >>'$dir/said' 2>&1");
is($built, 0, 'It is built and installed.') or BAIL_OUT(text("$dir/said"));
my @programs = grep { -f } glob "'$dir/root/usr/*/broadsheet*' '$dir/root/usr/*/*/broadsheet*'";
ok(@programs >= 1, 'There is ' . join(' and ', map { s{.*/}{}r } @programs) . '.');
my $flags = text("$build/Makefile");

for my $program (@programs) {
	my $name = $program =~ s{.*/}{}r;
	my $is = sub { my ($what, $sentence) = @_; like(`readelf -W $what '$program' 2>&1`, $sentence->[0], "$name $sentence->[1]") };

	$is->('-h', [qr/Type:\s+DYN/, 'may lie anywhere in memory']);
	$is->('-d', [qr/FLAGS.*\bNOW\b/, 'binds all at its start,']);
	$is->('-l', [qr/GNU_RELRO/, '... and can change none of that afterwards']);
	like(`readelf -W -l '$program'`, qr/GNU_STACK\s+\S+\s+\S+\s+\S+\s+\S+\s+\S+\s+RW\s/, "$name runs no stack");
	$is->('--dyn-syms', [qr/__stack_chk_fail/, 'guards its stack']);
	$is->('--dyn-syms', [qr/__(?:memcpy|vsnprintf|snprintf|fprintf|read|fdelt|printf|vfprintf)_chk/, 'checks what libc writes']);
	SKIP: {
		skip 'this machine has no such guard', 1 if $flags !~ /^HARDENING_CFLAGS = .*-fcf-protection/m;
		# A library that is linked into it may be without; its own code is not.
		is(scalar(() = `objdump -d --no-show-raw-insn '$program' 2>/dev/null` =~ /^[0-9a-f]+ <main>:\n.*endbr64/m), 1,
			"$name marks where it may be jumped to");
	}
}
like(text("$source/LICENSE"), qr/^ISC License.*the Broadsheet authors/s, 'Everybody may use it, and is told so.');
done_testing;
