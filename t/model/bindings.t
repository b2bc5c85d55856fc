#!/usr/bin/perl
# Items and tables of bindings are read side by side in one pass, so each table must be sorted by attribute, bytewise,
# without repeats. What is out of order would stay unread without a word. The mark that says where an attribute comes from
# has to fit what the attribute is.

use strict;
use warnings;
use File::Find;
use FindBin;
use Test::More;

my (@files, %marks);
my $tables = 0;

find({no_chdir => 1, wanted => sub { push @files, $_ if /\.c$/ }}, "$FindBin::Bin/../../src");
for my $file (sort @files) {
	my $text = do { local (@ARGV, $/) = $file; <> };
	my ($short) = $file =~ m{(src/.*)};

	while ($text =~ /struct binding (\w+)\[\] = \{(.*?)\n\};/gs) {
		my ($name, $rows) = ($1, $2);
		my (@attributes, @wrong);

		while ($rows =~ /BIND_(\w+)\((\w+),\s*"(\w+)"/g) {
			my ($kind, $mark, $attribute) = ($1, $2, $3);

			push @attributes, $attribute;
			$marks{$mark}++;
			push @wrong, "$attribute is counted, and no number" if $mark eq 'COUNTED' && $kind ne 'NUMBER';
			push @wrong, "$attribute is copied, and no name"
				if $mark eq 'COPIED' && ($kind !~ /^(STRING|TEXT)$/ || $attribute !~ /(Name|Title)$/);
			push @wrong, "$attribute is written, and called as a fact"
				if $mark eq 'WRITTEN' && $attribute =~ /(At|Id|^Version|^Status)$/;
		}
		is("@attributes", join(' ', sort keys %{{map { $_ => 1 } @attributes}}), "$short: $name is sorted");
		is("@wrong", '', '... and its marks fit');
		is(scalar @attributes, scalar(() = $rows =~ /^\s*BIND_/mg), '... of every row');
		$tables++;
	}
}
ok($tables >= 10, "tables were found: $tables");
is(join(' ', sort keys %marks), 'COPIED COUNTED DERIVED RECORDED SECRET WRITTEN', 'Each mark is used.');
done_testing();
