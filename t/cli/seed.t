#!/usr/bin/perl
# The seed as it lies in the table after loading, against docs/table.md: every key where it belongs, every
# reference to something that is there, every counter equal to what it counts. It knows nothing of the
# loader: it reads what `broadsheet export` writes.

use strict;
use warnings;
use File::Temp 'tempdir';
use FindBin;
use JSON::PP;
use POSIX 'floor';
use Test::More;

my $source = "$FindBin::Bin/../..";
my ($build) = grep { defined && -x "$_/broadsheet" }
	($ENV{BROADSHEET_BUILD}, '.', "$source/build/test", "$source/build/dev");
die "No build was found: set BROADSHEET_BUILD.\n" if !defined $build;

my $dir = tempdir(CLEANUP => 1);
$ENV{BROADSHEET_STORE} = "sqlite:$dir/table.db";
$ENV{BROADSHEET_CONFIG} = '/dev/null';
$ENV{BROADSHEET_MEDIA} = "$dir/media";
like(`'$build/broadsheet' seed '$source/migrations-free-seed'`, qr/^Loaded /, 'The seed is loaded.');

# --- Reading the table --------------------------------------------------------------------------

sub plain
{
	my ($kind, $value) = %{$_[0]};

	return [map { plain($_) } @$value] if $kind eq 'L';
	return {map { $_ => plain($value->{$_}) } keys %$value} if $kind eq 'M';
	return [@$value] if $kind eq 'SS';
	return $value ? 1 : 0 if $kind eq 'BOOL';
	return $value;
}

my (@items, %at, %of_type);
open(my $export, '-|', "$build/broadsheet", 'export') or die $!;
while (my $line = <$export>) {
	my $typed = decode_json($line);
	my $item = {map { $_ => plain($typed->{$_}) } keys %$typed};

	push @items, $item;
	$at{"$item->{PK} / $item->{SK}"} = $item;
	push @{$of_type{$item->{Type} // 'none'}}, $item;
}
close $export;
ok(@items > 900, 'It holds ' . @items . ' items.');
is($of_type{none}, undef, 'Every item has a Type.');

sub all { return @{$of_type{$_[0]} // []} }
sub name { return "$_[0]{PK} / $_[0]{SK}" }

# One check of many items: a sentence, and those that fail it.
sub holds
{
	my ($sentence, @failed) = @_;

	ok(!@failed, $sentence) or diag(join "\n", @failed > 8 ? (@failed[0 .. 7], '...') : @failed);
}

my $now = do {
	my ($site) = all('Site');
	is($site && name($site), 'SITE / SETTINGS', 'The site has its settings.');
	my @t = gmtime;
	sprintf('%04d-%02d-%02dT%02d:%02d:%02d.999Z', $t[5] + 1900, $t[4] + 1, @t[3, 2, 1, 0]);
};
is(scalar(all('Secret')), 0, 'No secret is made: the first start of the site makes it, in a file.');

# --- Where everything lies ------------------------------------------------------------------------

sub is_public { return $_[0]{Status} eq 'published' && $_[0]{Visibility} eq 'public' }
sub in_lists { return is_public($_[0]) && $_[0]{Kind} ne 'page' }

sub seconds
{
	my ($y, $mo, $d, $h, $mi, $s) = $_[0] =~ /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)/;
	require Time::Local;
	return Time::Local::timegm($s, $mi, $h, $d, $mo - 1, $y);
}

sub post_of { return $at{"POST#$_[0] / METADATA"} }

# The indexes of a head.
sub head_indexes
{
	my ($post) = @_;
	my $t = $post->{PublishedAt} // $post->{UpdatedAt};
	my $place = "$t#$post->{Id}";

	return () if $post->{Status} eq 'deleted';
	return (1 => ["USER#$post->{Author}", "UNPUBLISHED#$post->{UpdatedAt}#$post->{Id}"])
		if $post->{Status} eq 'unpublished';
	return (1 => ["USER#$post->{Author}", "DRAFT#$place"]) if $post->{Status} ne 'published';
	return (1 => ["USER#$post->{Author}", "CLOSED#$place"]) if $post->{Visibility} ne 'public';
	return (1 => ["USER#$post->{Author}", "PAGE#$place"], 3 => ['PAGE', $post->{Slug}])
		if $post->{Kind} eq 'page';

	my $engagement = $post->{Likes} + $post->{Ups} - $post->{Downs} + $post->{Comments} +
		$post->{Bookmarks} + $post->{Ratings};
	my $tens = log($engagement > 1 ? $engagement : 1) / log(10);
	my $score = sprintf('%012d', floor($tens * 79200 + 0.5) + seconds($t));

	return (1 => ["USER#$post->{Author}", "POST#$place"],
		($post->{Category} ? (2 => ["CATEGORY#$post->{Category}", $place]) : ()),
		3 => ['POST', $place], 4 => ['HOT', "$score#$place"]);
}

sub comment_indexes
{
	my ($c) = @_;
	my $place = "$c->{CreatedAt}#$c->{Id}";
	my @by_id = (2 => ["COMMENT#$c->{Id}", 'METADATA']);

	return @by_id if $c->{Status} eq 'deleted';
	return (@by_id, 1 => ["USER#$c->{Author}", "HELD#$place"], 3 => ['HELD', $place])
		if $c->{Status} eq 'held';
	return (@by_id, 1 => ["USER#$c->{Author}", "COMMENT#$place"], 3 => ['SAID', $place]);
}

# A reader's doing: GSI1 of the person, GSI2 of the post.
sub doing
{
	my ($item, $what, $one, $two) = @_;

	return (1 => ["USER#$item->{Author}", "$what#$item->{CreatedAt}#$one"],
		2 => ["ABOUT#$item->{Post}", "$what#$two"]);
}

sub with_comment { return $_[0]{Comment} ? "$_[1]#$_[0]{Comment}" : $_[1] }

# The lower bound of Wilson's interval, where the author counts as an up.
sub score
{
	my ($v) = @_;
	my ($z, $up) = (1.281552, ($v->{Ups} // 0) + 1);
	my $all = $up + ($v->{Downs} // 0);
	my ($zz, $share) = ($z * $z, $up / $all);

	return sprintf('%06d', floor(999999 * ($share + $zz / (2 * $all) -
		$z * sqrt(($share * (1 - $share) + $zz / (4 * $all)) / $all)) / (1 + $zz / $all) + 0.5));
}

# For each type: its key, and its indexes.
my %rules = (
	Site => [sub { ('SITE', 'SETTINGS') }],
	User => [sub { ("USER#$_->{Username}", 'METADATA') },
		sub { my $standing = $_->{Status} eq 'active' ? $_->{Role} : $_->{Status};
			(2 => ["PEOPLE#$standing", $_->{Username}], 3 => ['USER', $_->{Username}],
				$at{"$_->{PK} / COUNTS"}{Posts} ? (4 => ['AUTHOR', $_->{Username}]) : ()) }],
	EmailClaim => [sub { ($_->{PK}, $_->{PK}) }],
	Group => [sub { ($_->{PK}, 'METADATA') }, sub { (3 => ['GROUP', $_->{PK} =~ s/^GROUP#//r]) }],
	Membership => [sub { ("USER#$_->{Username}", "MEMBERSHIP#$_->{Group}") },
		sub { (2 => ["GROUP#$_->{Group}", "USER#$_->{Username}"]) }],
	Follow => [sub { ("USER#$_->{Follower}", "FOLLOWING#$_->{Followed}") },
		sub { $_->{Status} eq 'blocked' ? () :
			(1 => ["USER#$_->{Followed}", "FOLLOWER#$_->{CreatedAt}#$_->{Follower}"]) }],
	PersonCounts => [sub { ($_->{PK}, 'COUNTS') }],
	Hidden => [sub { ($_->{PK}, 'MEMO#HIDDEN') }],
	CategoryCount => [sub { ('CATEGORIES', $_->{SK}) }],
	Category => [sub { ("CATEGORY#$_->{Slug}", 'METADATA') },
		sub { (3 => ['CATEGORY', sprintf('%04d#%s', $_->{Order}, $_->{Slug})]) }],
	Tag => [sub { ('TAGS', $_->{Tag}) }],
	PostTag => [sub { ("POST#$_->{Post}", "TAG#$_->{Tag}") },
		sub { (2 => ["TAG#$_->{Tag}", "$_->{PublishedAt}#$_->{Post}"]) }],
	Collection => [sub { ("COLLECTION#$_->{Id}", 'METADATA') },
		sub { my $place = "$_->{CreatedAt}#$_->{Id}";
			(1 => ["USER#$_->{Owner}", "COLLECTION#$place"],
			$_->{Visibility} eq 'public' ? (3 => ['COLLECTION', $place]) : (),
			$_->{Visibility} eq 'public' && $_->{FrontPost} ? (2 => ['FRONT', $place]) : ()) }],
	CollectionPost => [
		sub { ("COLLECTION#$_->{Collection}", sprintf('POST#%04d#%s', $_->{Position}, $_->{Post})) },
		sub { $at{"COLLECTION#$_->{Collection} / METADATA"}{Visibility} eq 'public' ?
			(2 => ["ABOUT#$_->{Post}", "COLLECTION#$_->{Collection}"]) : () }],
	Post => [sub { ("POST#$_->{Id}", 'METADATA') }, sub { head_indexes($_) }],
	Body => [sub { ($_->{PK}, 'BODY') }],
	SlugClaim => [sub { ($_->{PK}, $_->{PK}) }],
	Stats => [sub { ("POST#$_->{Post}", 'STATS') }, sub {
		my $post = post_of($_->{Post});
		my $score = 5000000000 + $_->{Likes} + $_->{Loves} + $_->{Laughs} + $_->{Ups} - $_->{Downs};
		in_lists($post) ?
			(4 => ['TOP', sprintf('%010d#%s#%s', $score, $post->{PublishedAt}, $_->{Post})]) : () }],
	Revision => [sub { ($_->{PK}, $_->{SK} =~ /^(REVISION#.*)/) }],
	Comment => [sub { ("POST#$_->{Post}", $_->{SK} =~ /^(COMMENT#(?:.*\.)?\Q$_->{Id}\E)$/) },
		sub { comment_indexes($_) }],
	CommentVotes => [sub { ($_->{PK}, $_->{SK} =~ /^(COMMENT#.*#VOTES)$/) }, sub {
		my $comment = $at{"$_->{PK} / " . $_->{SK} =~ s/#VOTES$//r};
		($_->{Ups} // 0) >= 2 && $comment->{Status} eq 'visible' ?
			(4 => ['BEST', score($_) . "#$comment->{Id}"]) : () }],
	Tally => [sub { ("POST#$_->{Post}", $_->{SK} =~ /^(TALLY#[^.]*)$/) }, sub {
		my $root = $_->{SK} =~ s/^TALLY#//r;
		(3 => ["THREADS#$_->{Post}", $root],
			4 => ["BEST#$_->{Post}", score($at{"$_->{PK} / COMMENT#$root#VOTES"}) . "#$root"]) }],
	TableFormat => [sub { ('SITE', 'FORMAT') }],
	Media => [sub { ("MEDIA#$_->{Hash}", 'METADATA') },
		sub { (1 => ["USER#$_->{Owner}", "MEDIA#$_->{CreatedAt}#$_->{Hash}"]) }],
	MediaUse => [sub { ($_->{PK} =~ /^(MEDIA#[0-9a-f]{32})$/, "POST#$_->{Post}") }],
	PictureRoom => [sub { ($_->{PK}, 'PICTURES') }],
	Like => [sub { ("USER#$_->{Author}", "POST#$_->{Post}#LIKE") },
		sub { doing($_, 'LIKE', $_->{Post}, $_->{Author}) }],
	Count => [sub { ($_->{PK} =~ /^(COUNT#.*#[0-7])$/, 'N') }],
	Rating => [sub { ("USER#$_->{Author}", "POST#$_->{Post}#RATING") },
		sub { (doing($_, 'RATING', $_->{Post}, "$_->{CreatedAt}#$_->{Author}"),
			is_public(post_of($_->{Post})) ? (3 => ["STARS#$_->{Stars}",
				"$_->{CreatedAt}#$_->{Post}#$_->{Author}"]) : (),
			4 => ["REVIEWS#$_->{Post}", "$_->{Stars}#$_->{CreatedAt}#$_->{Author}"]) }],
	Vote => [sub { ("USER#$_->{Author}", with_comment($_, "POST#$_->{Post}#VOTE")) },
		sub { doing($_, 'VOTE', with_comment($_, $_->{Post}),
			$_->{Comment} ? "$_->{Comment}#$_->{Author}" : $_->{Author}) }],
	Bookmark => [sub { ("USER#$_->{Author}", "POST#$_->{Post}#BOOKMARK") },
		sub { doing($_, 'BOOKMARK', $_->{Post}, $_->{Author}) }],
);

for my $type (sort keys %of_type) {
	my ($key, $indexes) = @{$rules{$type} // []};
	my (@keys, @places);

	ok($key, "$type: docs/table.md has a place for it.") or next;
	for (all($type)) {
		my $wanted = join ' / ', map { $_ // '?' } $key->();
		my %in = $indexes ? $indexes->() : ();

		push @keys, name($_) . ", not $wanted" if name($_) ne $wanted;
		for my $n (1 .. 4) {
			my $is = join ' / ', map { $_ // '' } @{$_}{"GSI${n}PK", "GSI${n}SK"};
			my $should = join ' / ', @{$in{$n} // ['', '']};

			push @places, name($_) . " GSI$n: '$is', not '$should'" if $is ne $should;
		}
	}
	holds("$type: every key is built from what the item says.", @keys);
	holds("$type: every item is in its indexes, and in no others.", @places);
}

for my $n (1 .. 4) {
	my %seen;

	$seen{"$_->{\"GSI${n}PK\"} / $_->{\"GSI${n}SK\"}"}++ for grep { $_->{"GSI${n}PK"} } @items;
	holds("GSI$n: no sort key is there twice in a partition.", grep { $seen{$_} > 1 } keys %seen);
}

holds('No key of a public partition is on what not everybody may see.', map { name($_) } grep {
	my $item = $_;
	my $post = $item->{Type} eq 'Post' ? $item : $item->{Type} =~ /^(Stats|PostTag)$/ ?
		post_of($item->{Post}) : undef;

	$post && !is_public($post) && grep { $item->{"GSI${_}PK"} } 2 .. 4;
} @items);

# --- References ----------------------------------------------------------------------------------

my %is_one = (
	person => sub { $at{"USER#$_[0] / METADATA"} },
	post => sub { post_of($_[0]) },
	category => sub { $at{"CATEGORY#$_[0] / METADATA"} },
	tag => sub { $at{"TAGS / $_[0]"} },
	group => sub { $at{"GROUP#$_[0] / METADATA"} },
	collection => sub { $at{"COLLECTION#$_[0] / METADATA"} },
	comment => sub { grep { $_->{Id} eq $_[0] } all('Comment') },
);
my %references = (
	Post => {Author => 'person', Category => 'category', Group => 'group'},
	Category => {Parent => 'category'},
	EmailClaim => {Username => 'person'},
	Membership => {Username => 'person', Group => 'group', AddedBy => 'person'},
	Follow => {Follower => 'person', Followed => 'person'},
	PostTag => {Post => 'post', Tag => 'tag'},
	SlugClaim => {Post => 'post'},
	Stats => {Post => 'post'},
	Comment => {Post => 'post', Author => 'person', Parent => 'comment'},
	Like => {Post => 'post', Author => 'person'},
	Rating => {Post => 'post', Author => 'person'},
	Vote => {Post => 'post', Author => 'person', Comment => 'comment'},
	Bookmark => {Post => 'post', Author => 'person'},
	Collection => {Owner => 'person'},
	CollectionPost => {Post => 'post', Collection => 'collection'},
	Revision => {Author => 'person'},
	Media => {Owner => 'person'},
	MediaUse => {Post => 'post', Author => 'person'},
);
for my $type (sort keys %references) {
	my @dangling;

	for my $item (all($type)) {
		for my $name (sort keys %{$references{$type}}) {
			my $to = $item->{$name};

			push @dangling, name($item) . ": $name $to"
				if defined $to && !$is_one{$references{$type}{$name}}->($to);
		}
	}
	holds("$type: whatever it names is there.", @dangling);
}

holds('Every post has a body, the claim of its slug, and statistics if it is no page.', map { name($_) } grep {
	!$at{"POST#$_->{Id} / BODY"} || ($_->{Kind} ne 'page' && !$at{"POST#$_->{Id} / STATS"}) ||
	!$at{"SLUG#$_->{Slug} / SLUG#$_->{Slug}"} || !$at{"SLUG#$_->{Id} / SLUG#$_->{Id}"}
} grep { $_->{Status} ne 'deleted' } all('Post'));
holds('Every post has its tags as items while it is public, and only then.', map { name($_) } grep {
	my $post = $_;
	my @tags = in_lists($post) ? sort @{$post->{Tags} // []} : ();
	my @items = sort map { $_->{Tag} } grep { $_->{Post} eq $post->{Id} } all('PostTag');

	"@tags" ne "@items"
} all('Post'));
holds('Every e-mail address is claimed.', map { name($_) } grep {
	$_->{Email} && ($at{"USEREMAIL#$_->{Email} / USEREMAIL#$_->{Email}"} // {Username => ''})->{Username}
		ne $_->{Username}
} all('User'));
holds('Copies of names are the names.', map { name($_) } grep {
	my $person = $_->{AuthorName} ? $at{"USER#$_->{Author} / METADATA"}{DisplayName} : undef;
	my $owner = $_->{OwnerName} ? $at{"USER#$_->{Owner} / METADATA"}{DisplayName} : undef;
	my $title = $_->{PostTitle} ? post_of($_->{Post})->{Title} : undef;

	($person && $person ne $_->{AuthorName}) || ($owner && $owner ne $_->{OwnerName}) ||
	($title && $title ne $_->{PostTitle})
} @items);

# --- Pictures -------------------------------------------------------------------------------------

# The hash in the address of an uploaded picture.
sub hash_in { return ($_[0] // '') =~ m{^/media/([0-9a-f]{32})-} ? $1 : undef }

my %shown = map { $_->{Id} => hash_in($_->{Thumbnail}{URL}) } grep { $_->{Thumbnail} } all('Post');
ok(keys %shown > 15 && keys %shown < all('Post') / 2 + 5, 'Many posts have a picture, and many have none.');
holds('Every picture of a post is one of its author, in its size, described, and known to be used.', map { name($_) } grep {
	my $hash = hash_in($_->{Thumbnail}{URL}) // 'none';
	my $media = $at{"MEDIA#$hash / METADATA"} // {Owner => ''};

	$media->{Owner} ne $_->{Author} || !$_->{Thumbnail}{Alt} || !$at{"MEDIA#$hash / POST#$_->{Id}"} ||
		$_->{Thumbnail}{URL} ne "/media/$hash-$media->{Width}x$media->{Height}.png"
} grep { $_->{Thumbnail} } all('Post'));
holds('No other post is said to use one.', map { name($_) } grep { "MEDIA#" . ($shown{$_->{Post}} // '') ne $_->{PK} }
	all('MediaUse'));
holds('Everybody has a portrait of their own.', map { name($_) } grep {
	($at{'MEDIA#' . (hash_in($_->{AvatarURL}) // '') . ' / METADATA'} // {Owner => ''})->{Owner} ne $_->{Username}
} all('User'));
holds('The files of every picture are there, and as large as it says.', map { name($_) } grep {
	my $bytes = 0;

	$bytes += -s for glob "$dir/media/$_->{Hash}-*.png";
	$bytes != $_->{Bytes} || !-f "$dir/media/$_->{Hash}-$_->{Width}x$_->{Height}.png"
} all('Media'));
my %room;
$room{"USER#$_->{Owner}"} += $_->{Bytes} for all('Media');
is_deeply({map { $_->{PK} => $_->{Bytes} } all('PictureRoom')}, \%room, 'What they take is counted.');

# --- Counters --------------------------------------------------------------------------------------

sub count { return scalar @_ }
sub differ
{
	my ($item, %wanted) = @_;

	return map { name($item) . ": $_ is " . ($item->{$_} // 'missing') . ", not $wanted{$_}" }
		grep { ($item->{$_} // -1) != $wanted{$_} } sort keys %wanted;
}

my %about;
push @{$about{$_->{Post}}{$_->{Type}}}, $_ for all('Like'), all('Rating'), all('Vote'), all('Bookmark'),
	all('Comment'), all('PostTag');
sub about { return @{$about{$_[0]}{$_[1]} // []} }

sub figures
{
	my ($id) = @_;
	my @votes = grep { !$_->{Comment} } about($id, 'Vote');
	my @likes = about($id, 'Like');
	my @ratings = about($id, 'Rating');

	return (
		Likes => count(grep { $_->{Feeling} eq 'like' } @likes),
		Loves => count(grep { $_->{Feeling} eq 'love' } @likes),
		Laughs => count(grep { $_->{Feeling} eq 'laugh' } @likes),
		Ups => count(grep { $_->{Value} == 1 } @votes),
		Downs => count(grep { $_->{Value} == -1 } @votes),
		Comments => count(grep { $_->{Status} eq 'visible' } about($id, 'Comment')),
		Bookmarks => count(about($id, 'Bookmark')),
		map { my $n = $_; ("Stars$n" => count(grep { $_->{Stars} == $n } @ratings)) } 1 .. 5,
	);
}

sub sum { my $sum = 0; $sum += $_ for @_; return $sum }

# The shard of who did it: the lowest three bits of an FNV-1a, which follow from those of its numbers alone.
sub shard
{
	my $hash = 5;

	$hash = (($hash ^ ord $_) * 3) & 7 for split //, $_[0];
	return $hash;
}

my %in_shards;
for my $item (map { @$_ } map { values %$_ } values %about) {
	my $name = {Bookmark => 'Bookmarks', Comment => 'Comments',
		Rating => 'Stars' . ($item->{Stars} // ''), Like => ucfirst(($item->{Feeling} // '') . 's'),
		Vote => ($item->{Value} // 0) > 0 ? 'Ups' : 'Downs'}->{$item->{Type}};
	next if !$name || ($item->{Type} eq 'Comment' && $item->{Status} ne 'visible') ||
		($item->{Type} eq 'Vote' && $item->{Comment});
	$in_shards{"COUNT#$item->{Post}#" . shard($item->{Author})}{$name}++;
}
my %numbers = map { my $c = $_;
	($c->{PK} => {map { $_ => $c->{$_} } grep { /^[A-Z][a-z]+[1-5]?$/ && $_ ne 'Type' } keys %$c}) } all('Count');
is_deeply(\%numbers, \%in_shards, 'Count: each shard is the number of its items.');
holds('Stats: they know that there are shards.', map { name($_) } grep { !$_->{Shards} } all('Stats'));
holds('Stats: each figure is the number of its items.',
	map { differ($_, figures($_->{Post})) } all('Stats'));
holds('Post: the figures in the head are those of its items.', map {
	my %f = figures($_->{Id});

	differ($_, Likes => $f{Likes} + $f{Loves} + $f{Laughs}, Ratings => sum(map { $f{"Stars$_"} } 1 .. 5),
		Stars => sum(map { $_ * $f{"Stars$_"} } 1 .. 5),
		map { $_ => $f{$_} } qw(Ups Downs Comments Bookmarks))
} all('Post'));
holds('Comment: votes are counted.', map {
	my $c = $_;
	my @votes = grep { ($_->{Comment} // '') eq $c->{Id} } about($c->{Post}, 'Vote');
	my $votes = $at{name($c) . '#VOTES'} // {PK => $c->{PK}, SK => "$c->{SK}#VOTES"};

	differ({Ups => 0, Downs => 0, %$votes}, Ups => count(grep { $_->{Value} == 1 } @votes),
		Downs => count(grep { $_->{Value} == -1 } @votes)),
	map { name($_) . ': no path' } grep { "COMMENT#$_->{Path}" ne $c->{SK} } @votes
} all('Comment'));
holds('Tally: all visible replies in a thread are counted, and when the last one came.', map {
	my $root = $_->{SK} =~ s/^TALLY#/COMMENT#/r;
	my @all = grep { $_->{Status} eq 'visible' && $_->{SK} =~ /^\Q$root\E(?:\.|$)/ } about($_->{Post}, 'Comment');

	my ($last) = (sort map { $_->{CreatedAt} } @all)[-1];

	differ($_, Replies => count(grep { $_->{SK} ne $root } @all)), $_->{LastAt} eq $last ? () : name($_) . ': LastAt'
} all('Tally'));
holds('Stats: they know that threads have tallies.', map { name($_) } grep { !$_->{Threads} } all('Stats'));
is(count(all('Tally')), count(grep { !/\./ } keys %{{map { ($_->{PK} . ($_->{SK} =~ s/\..*//r)) => 1 }
	grep { $_->{Status} eq 'visible' } all('Comment')}}), 'Each thread has one.');
holds('PersonCounts: followers, followed and posts are counted.', map {
	my $u = $_->{PK} =~ s/^USER#//r;

	differ($_, Followers => count(grep { $_->{Followed} eq $u && $_->{Status} ne 'blocked' } all('Follow')),
		Following => count(grep { $_->{Follower} eq $u && $_->{Status} ne 'blocked' } all('Follow')),
		Posts => count(grep { $_->{Author} eq $u && in_lists($_) } all('Post')))
} all('PersonCounts'));
holds('User: each has one.', map { name($_) } grep { !$at{"$_->{PK} / COUNTS"} } all('User'));
holds('CategoryCount: the public posts in it are counted.', map {
	my $slug = $_->{SK};

	differ($_, Posts => count(grep { ($_->{Category} // '') eq $slug && in_lists($_) } all('Post')))
} all('CategoryCount'));
holds('Category: each has one.', map { name($_) } grep { !$at{"CATEGORIES / $_->{Slug}"} } all('Category'));
holds('Tag: the public posts with it are counted.', map {
	my $tag = $_->{Tag};

	differ($_, Posts => count(grep { $_->{Tag} eq $tag } all('PostTag')))
} all('Tag'));
holds('Collection: its posts are counted, and stand in a row.', map {
	my $id = $_->{Id};
	my @posts = sort { $a->{Position} <=> $b->{Position} }
		grep { $_->{Collection} eq $id } all('CollectionPost');

	differ($_, Posts => count(@posts))
} all('Collection'));

# --- Texts ----------------------------------------------------------------------------------------

sub words { my @words = split ' ', $_[0]; return scalar @words }

holds('Post: Words counts the words of the text and the instructions.', map {
	my $body = $at{"POST#$_->{Id} / BODY"};

	$body ? differ($_, Words => sum(map { words($_) }
		$body->{Markdown} // '', map { $_->{Markdown} } @{$body->{Instructions} // []})) : ()
} grep { $_->{Status} ne 'deleted' } all('Post'));
holds('Every text has been rendered, by a renderer with a number.', map { name($_) } grep {
	defined $_->{Markdown} && (!defined $_->{HTML} || !$_->{Renderer})
} all('Body'), all('Comment'));
holds('Every instruction has been rendered.', map { name($_) } grep {
	grep { !$_->{HTML} } @{$_->{Instructions} // []}
} all('Body'));
holds('A deleted comment has no text.', map { name($_) } grep {
	$_->{Status} eq 'deleted' && (length($_->{Markdown} // '') || length($_->{HTML} // ''))
} all('Comment'));
holds('No placeholder is left.', map { name($_) } grep {
	encode_json($_) =~ /\@(id|hot)?\{[-+]\d/
} @items);
holds('Nobody has a password, and nobody has a session.', map { name($_) } grep {
	$_->{PasswordHash} || $_->{Type} eq 'Session'
} @items);

# --- What makes it a publication ------------------------------------------------------------------

my %kinds = map { $_->{Kind} => 1 } all('Post');
is_deeply([sort keys %kinds], [qw(article howto link note page)], 'There are posts of every kind.');
ok(count(grep { in_lists($_) && $_->{PublishedAt} le $now } all('Post')) >= 30,
	'At least thirty posts can be read.');
ok(count(grep { in_lists($_) && $_->{PublishedAt} gt $now } all('Post')) >= 1,
	'A post is yet to come.');
for my $state (['Status', 'draft'], ['Status', 'deleted'], ['Visibility', 'followers'],
	['Visibility', 'private']) {
	my ($name, $value) = @$state;

	ok(count(grep { $_->{$name} eq $value } all('Post')), "There is a post whose $name is $value.");
}
ok(count(grep { $_->{Status} eq 'held' } all('Comment')), 'A comment waits for approval.');

done_testing();
