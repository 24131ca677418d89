// SPDX-License-Identifier: GPL-2.0
/*
 * Prints values of a JSON document on stdin: a fast part of jq for emulation.
 *
 * Usage: lle_json PATH...
 *
 * A path is as in jq: .NAME, ."NAME", [NUMBER], and [] for all members, which
 * prints the sum over those that have the rest of the path. Prints plain
 * strings, and null for a missing value.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found {
	struct json_object *value;	/* the last one */
	bool all;			/* the path has [] */
	int64_t sum;
};

static void visit(struct json_object *at, const char *path, struct found *found);

static void visit_all(struct json_object *at, const char *path, struct found *found)
{
	size_t i;

	found->all = true;
	if (json_object_is_type(at, json_type_object)) {
		json_object_object_foreach(at, name, member) {
			(void)name;
			visit(member, path, found);
		}
	} else if (json_object_is_type(at, json_type_array)) {
		for (i = 0; i < json_object_array_length(at); i++)
			visit(json_object_array_get_idx(at, i), path, found);
	}
}

static void no_path(const char *path)
{
	fprintf(stderr, "lle_json: no path: %s\n", path);
	exit(2);
}

static void visit_index(struct json_object *at, const char *path, struct found *found)
{
	char *end;
	unsigned long i = strtoul(path + 1, &end, 10);

	if (*end != ']')
		no_path(path);
	if (json_object_is_type(at, json_type_array))
		visit(json_object_array_get_idx(at, i), end + 1, found);
}

static void visit_name(struct json_object *at, const char *path, struct found *found)
{
	bool quoted = *path == '"';
	const char *name = path + quoted;
	size_t len = strcspn(name, quoted ? "\"" : ".[");
	struct json_object *member;
	char key[len + 1];

	memcpy(key, name, len);
	key[len] = '\0';
	if (json_object_object_get_ex(at, key, &member))
		visit(member, name + len + quoted, found);
}

static void visit(struct json_object *at, const char *path, struct found *found)
{
	path += *path == '.';
	if (!*path) {
		found->value = at;
		found->sum += json_object_get_int64(at);
	} else if (!strncmp(path, "[]", 2)) {
		visit_all(at, path + 2, found);
	} else if (*path == '[') {
		visit_index(at, path, found);
	} else {
		visit_name(at, path, found);
	}
}

int main(int argc, char **argv)
{
	struct json_object *document = json_object_from_fd(0);
	int i;

	for (i = 1; i < argc; i++) {
		struct found found = {};

		/* other jq syntax */
		if (strpbrk(argv[i], " |("))
			no_path(argv[i]);
		visit(document, argv[i], &found);
		if (found.all && found.value)
			printf("%lld\n", (long long)found.sum);
		else if (json_object_is_type(found.value, json_type_string))
			printf("%s\n", json_object_get_string(found.value));
		else
			printf("%s\n", json_object_to_json_string_ext(found.value,
								      JSON_C_TO_STRING_PLAIN));
	}
	return 0;
}
