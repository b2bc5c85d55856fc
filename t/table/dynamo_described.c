/* Which tables are suitable, by the service's description. */
#include "lib/tap.h"

#include "base/arena.h"
#include "table/dynamo/described.h"
#include "table/dynamo/dynamo.h"

/* A table as described by the service; a case replaces a part. */
struct told {
	const char *status;     /* the table's */
	const char *keys;       /* of the table */
	const char *attributes; /* besides those of GSI1 to GSI3 */
	const char *index;      /* the description of GSI4 */
	const char *others;     /* more indexes */
	const char *view;       /* of its stream */
};

#define KEYS(pk, sk)                              \
	"\"KeySchema\":[{\"AttributeName\":\"" sk \
	"\",\"KeyType\":\"RANGE\"},{\"AttributeName\":\"" pk "\",\"KeyType\":\"HASH\"}]"
#define ATTRIBUTE(name, type) "{\"AttributeName\":\"" name "\",\"AttributeType\":\"" type "\"}"
#define ATTRIBUTES(pk, sk) ATTRIBUTE(pk, "S") "," ATTRIBUTE(sk, "S")
#define ALL "\"Projection\":{\"ProjectionType\":\"ALL\"}"
#define INDEX(n, status, more)                                             \
	"{\"IndexName\":\"GSI" n "\",\"IndexStatus\":\"" status "\"," more \
	"," KEYS("GSI" n "PK", "GSI" n "SK") "}"
#define OURS ATTRIBUTES("PK", "SK") "," ATTRIBUTES("GSI4PK", "GSI4SK")
#define FOREIGN                                                         \
	",{\"IndexName\":\"ByPlace\",\"IndexStatus\":\"CREATING\"," ALL \
	"," KEYS("Place", "Street") "}"
#define ANOTHER "; make another with broadsheet table create"

static const struct {
	const char *sentence;
	struct told told;
	const char *error; /* NULL: it is one of ours */
} cases[] = {
    {"a table of ours", {0}, NULL},
    {"one whose settings are changed", {.status = "UPDATING"}, NULL},
    {"one whose index is changed", {.index = INDEX("4", "UPDATING", ALL)}, NULL},
    {"one with an index of somebody else, whatever its state",
	{.attributes = OURS "," ATTRIBUTES("Place", "Street"), .others = FOREIGN}, NULL},
    {"one with numbers in an index of somebody else",
	{.attributes = OURS "," ATTRIBUTE("Place", "N") "," ATTRIBUTE("Street", "S"),
	    .others = FOREIGN},
	NULL},
    {"one that is being made", {.status = "CREATING"},
	"it is CREATING; try again when it is ACTIVE"},
    {"one that goes away", {.status = "DELETING"}, "it is DELETING; try again when it is ACTIVE"},
    {"an index that is being made", {.index = INDEX("4", "CREATING", ALL)},
	"its index GSI4 is being made; try again when it is active"},
    {"an index that is being filled",
	{.index = INDEX("4", "CREATING", "\"Backfilling\":true," ALL)},
	"its index GSI4 is being made; try again when it is active"},
    {"an index that is being deleted", {.index = INDEX("4", "DELETING", ALL)},
	"its index GSI4 is being deleted" ANOTHER},
    {"an index that is missing", {.index = INDEX("5", "ACTIVE", ALL)},
	"it has no index GSI4" ANOTHER},
    {"an index of keys alone",
	{.index = INDEX("4", "CREATING", "\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}")},
	"its index GSI4 does not project all attributes" ANOTHER},
    {"an index of other keys",
	{.index = "{\"IndexName\":\"GSI4\"," ALL "," KEYS("GSI4SK", "GSI4PK") "}"},
	"the keys of its index GSI4 are not GSI4PK and GSI4SK" ANOTHER},
    {"other keys", {.keys = KEYS("SK", "PK")}, "its keys are not PK and SK" ANOTHER},
    {"a key that is a number",
	{.attributes =
		ATTRIBUTES("PK", "GSI4PK") "," ATTRIBUTE("SK", "N") "," ATTRIBUTE("GSI4SK", "S")},
	"its keys are not strings" ANOTHER},
    {"an index's key that is a number, beside somebody else's index of strings",
	{.attributes = ATTRIBUTES("PK", "SK") "," ATTRIBUTE("GSI4SK", "N") "," ATTRIBUTE(
	     "GSI4PK", "S") "," ATTRIBUTES("Place", "Street"),
	    .others = FOREIGN},
	"the keys of its index GSI4 are not strings" ANOTHER},
    {"a stream of keys alone", {.view = "KEYS_ONLY"},
	"it has no stream of new and old images" ANOTHER},
};

#define OR(what, usual) ((what) != NULL ? (what) : (usual))

static struct str
description(struct arena *arena, const struct told *told)
{
	return str_fmt(arena,
	    "{\"Table\":{\"TableName\":\"news\",\"TableStatus\":\"%s\",%s,"
	    "\"AttributeDefinitions\":[%s,%s,%s,%s],\"GlobalSecondaryIndexes\":[%s%s,%s,%s,%s],"
	    "\"StreamSpecification\":{\"StreamEnabled\":true,\"StreamViewType\":\"%s\"},"
	    "\"ItemCount\":7,\"TableSizeBytes\":700,\"LatestStreamArn\":\"arn:news\"}}",
	    OR(told->status, "ACTIVE"), OR(told->keys, KEYS("PK", "SK")),
	    OR(told->attributes, OURS), ATTRIBUTES("GSI1PK", "GSI1SK"),
	    ATTRIBUTES("GSI2PK", "GSI2SK"), ATTRIBUTES("GSI3PK", "GSI3SK"),
	    OR(told->index, INDEX("4", "ACTIVE", ALL)), OR(told->others, ""),
	    INDEX("1", "ACTIVE", ALL), INDEX("2", "ACTIVE", ALL), INDEX("3", "ACTIVE", ALL),
	    OR(told->view, "NEW_AND_OLD_IMAGES"));
}

int
main(void)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct table_dynamo_description d = {0};
		struct json_reader in = json_reader(arena, description(arena, &cases[i].told));

		ok(dynamo_described(&in, &d) && json_end(&in), "%s: it can be read",
		    cases[i].sentence);
		is_str(d.error != NULL ? str_of(d.error) : STR("ours"),
		    cases[i].error != NULL ? str_of(cases[i].error) : STR("ours"), "... and %s",
		    cases[i].error != NULL ? "what is wrong is told" : "is one of ours");
		is_int(d.items, 7, "... with its size");
	}
	arena_free(arena);
	return tap_done();
}
