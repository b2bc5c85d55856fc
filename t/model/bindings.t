#!/usr/bin/perl
# Items and tables of bindings are read side by side in one pass, so each table must be sorted by
# attribute, bytewise, without repeats. What is out of order would stay unread without a word.

use strict;
use warnings;
use FindBin;
use Test::More;

my $tables = 0;

for my $file (sort glob "$FindBin::Bin/../../src/*/*.c") {
	open my $in, '<', $file or die "$file: $!";
	my $text = do { local $/; <$in> };
	my ($short) = $file =~ m{(src/.*)};

	while ($text =~ /struct binding (\w+)\[\] = \{(.*?)\n\};/gs) {
		my ($name, $rows) = ($1, $2);
		my @attributes = $rows =~ /BIND_\w+\(\s*"(\w+)"/g;
		my %once = map { $_ => 1 } @attributes;

		is("@attributes", join(' ', sort keys %once), "$short: $name is sorted");
		$tables++;
	}
}
ok($tables >= 10, "tables were found: $tables");
done_testing();
