#!/usr/bin/perl
# What the manual says is what the program says of itself: commands, options, settings, exit status.

use strict;
use warnings;
use FindBin;
use Test::More;

my $source = "$FindBin::Bin/../..";
my ($build) = grep { defined && -x "$_/broadsheet" }
	($ENV{BROADSHEET_BUILD}, '.', "$source/build/test", "$source/build/dev");
die "No build was found: set BROADSHEET_BUILD.\n" if !defined $build;

sub text { local (@ARGV, $/) = $_[0]; return <> }
sub help { return scalar `'$build/broadsheet' help @_` }

my $manual = text("$build/man/broadsheet.1");
my $settings = text("$build/man/broadsheet.conf.5");
my $example = text("$build/man/broadsheet.conf");

my $all = help();
my ($list) = $all =~ /Commands\n(.*?)\n\n/s;
my @commands = $list =~ /^  (\w+) /mg;
ok(@commands >= 10, 'There are commands.');

# A command's part of the manual: from its name to the next one's.
my %part;
my ($commands) = $manual =~ /^\.Sh COMMANDS\n(.*?)^\.Sh /ms;
while ($commands =~ /^\.It (?:Xo\n\.)?Cm (\w+)(.*?)(?=^\.It|\z)/msg) {
	$part{$1} .= $2;
}
is_deeply([sort keys %part], [sort @commands], 'The manual has every command, and no other.');

for my $command (@commands) {
	my ($options) = help($command) =~ /^Options\n(.*?)(?:\n\n|\z)/ms;
	my @said = grep { $_ ne 'help' } $options =~ /^  --([\w-]+)/mg;
	my %told = map { $_ => 1 } ($part{$command} // '') =~ /Fl -([\w-]+)/g;

	is_deeply([sort keys %told], [sort @said], "$command: the manual has its options, and no others.");
}

my $serve = help('serve');
my ($table) = $serve =~ /^Settings.*?\n(.*)/ms;
my @settings = grep { $_ ne 'config' } $table =~ /^  --([\w-]+)/mg;
my %fallback = $table =~ /^  --([\w-]+)(?:(?!^  --).)*?default: ([^\n]*)/msg;
my ($list_of) = $settings =~ /^\.Sh SETTINGS\n(.*?)^\.Sh /ms;
is_deeply([$list_of =~ /^\.It Cm (\S+)/mg], \@settings, 'broadsheet.conf(5) has every setting, in order.');
for my $name (@settings) {
	my ($of) = $list_of =~ /^\.It Cm \Q$name\E\n(.*?)(?=^\.It|\z)/ms;
	my ($default) = $of =~ /^Default:\n\.Ql (.*?) \.$/m;

	is($default, $fallback{$name}, "$name: its default in the manual is the program's.");
	like($example, qr/^#\Q$name\E = \Q$fallback{$name}\E$/m, '... and in the example too.');
}

SKIP: {
	skip 'mandoc is missing', 2 if system('mandoc -T lint /dev/null >/dev/null 2>&1') >> 8 > 5;
	# Of the manuals that it refers to, not all are here.
	for my $page ('broadsheet.1', 'broadsheet.conf.5') {
		is(join('', grep { !/: STYLE:|outdated mandoc\.db/ } `mandoc -T lint '$build/man/$page'`), '', "mandoc has nothing to say of $page.");
	}
}
unlike($manual, qr/^\.Xr journald 8/m, 'The journal\'s manual has its own name.');

my ($status) = $all =~ /Exit status\n(.*)/s;
my %means = $status =~ /^  (\d)  (.*)$/mg;
for my $code (sort keys %means) {
	like($manual, qr/^\.It $code\n\Q@{[ucfirst $means{$code}]}\E\.$/m, "The manual tells of status $code.");
}
unlike("$manual$settings$example", qr/\@\w+\@/, 'Every path is filled in.');

SKIP: {
	skip 'groff is not installed', 2 if system('command -v groff >/dev/null') != 0;
	for my $page (qw(broadsheet.1 broadsheet.conf.5)) {
		my $warnings = `groff -mandoc -Tutf8 -ww '$build/man/$page' 2>&1 >/dev/null`;

		# A long path fits into no line, and that is nobody's mistake.
		$warnings =~ s/^.*can't break line\n//mg;
		is($warnings, '', "$page is well formed.");
	}
}
done_testing();
