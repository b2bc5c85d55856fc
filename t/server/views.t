#!/usr/bin/perl
# A worker that ends, at a reload or a stop, adds what it has counted; what comes over the socket is counted as it should be.

use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use FastCGI;
use Test::More;
use Visitor;

my $program = build_dir() . '/broadsheet';
my $firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
my $site = start_site();

# A page as a browser asks for it, with more parameters.
sub view
{
	my ($path, %with) = @_;
	my $c = connect_to($site->{socket}) or die "no connection: $!";
	syswrite $c, request($path, with => {HTTP_HOST => 'example.org', REQUEST_SCHEME => 'https',
		REMOTE_ADDR => '192.0.2.1', HTTP_USER_AGENT => $firefox, %with});
	return Visitor::status_of(read_answer($c));
}

# How often it was read, all in all; and on all days, as the table has them.
sub total { return `'$program' get '$_[0]' TOTAL 2>/dev/null` =~ /"Views":\{"N":"(\d+)"\}/ ? $1 : 0 }
sub days { return scalar `'$program' query '$_[0]'` }

my $post = '/post/bread-for-a-wet-week';
is(view($post, HTTP_REFERER => 'https://news.example/item?id=secret'), 200, 'A post is read') for 1 .. 3;
view($post, HTTP_SEC_PURPOSE => 'prefetch');
view($post, HTTP_PURPOSE => 'prefetch');
view($post, HTTP_USER_AGENT => 'examplebot/1.0');
view($post, REQUEST_METHOD => 'HEAD');
kill 'HUP', $site->{pid};
wait_for('the old worker', sub { FastCGI::log_has($site, qr/Worker \d+ has ended/) });
is(total('VIEWS#bread-for-a-wet-week'), 3, 'The worker that is replaced has added what it counted, and nothing else.');
view($_) for $post, '/', '/tags';
is(FastCGI::stop($site), 0, 'The site is stopped.');
is(total('VIEWS#bread-for-a-wet-week'), 4, 'What the last one counted is added as well,');
is(total('VIEWS'), 6, '... and the views of other pages.');
my $days = days('VIEWS#bread-for-a-wet-week') . days('VIEWS');
like($days, qr/news\.example/, 'The table has from where they came,');
unlike($days, qr/secret|192\.0\.2|Firefox|Mozilla/, '... and nothing else of who read.');
done_testing();
