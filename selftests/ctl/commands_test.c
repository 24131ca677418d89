// SPDX-License-Identifier: GPL-2.0
/*
 * Commands of losslessctl with the kernel of kernel.h: what each prints, and what it
 * asks of the kernel.
 */
#include "kernel.h"

#include <spawn.h>
#include <sys/mman.h>

#undef ARRAY_SIZE
#define main ctl_main
#include "../../daemon/losslessctl/main.c"
#undef main

#define NOW_NS	2000000

uint64_t ctl_now_ns(void)
{
	return NOW_NS;
}

int lle_nl_listen(struct lle_nl *nl, unsigned int groups)
{
	printf("listens to %x\n", groups);
	return 0;
}

/* All events, then a loss, then the end. */
int lle_nl_read_events(struct lle_nl *nl, void (*event)(const struct lle_nl_event *e, void *arg),
		       void *arg)
{
	static unsigned int reads;
	struct lle_nl_event e;

	for (unsigned int i = 0; !reads && i < ARRAY_SIZE(objects); i++)
		for (int second = 0; objects[i].cmd >= LOSSLESS_CMD_PAUSE_NTF && second < 2; second++) {
			struct nl_msg *msg = object(objects[i].cmd, second);

			if (!lle_nl_decode_event(nlmsg_hdr(msg), &e))
				event(&e, arg);
			nlmsg_free(msg);
		}
	return reads++ ? -EIO : -ENOBUFS;
}

/* --- programs --- */

static int input;

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int fd, int to)
{
	input = to ? input : fd;
	return 0;
}

/* Prints its words and input; one that has the word "fails" does so. */
int posix_spawnp(pid_t *pid, const char *program, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	char text[512] = "";
	bool fails = false;

	printf("runs %s:", program);
	for (int i = 0; argv[i]; i++) {
		printf(" %s", argv[i]);
		fails |= !strcmp(argv[i], "fails");
	}
	printf("\n");
	if (input && read(input, text, sizeof(text) - 1) > 0)
		printf("%s", text);
	fails |= strstr(text, "fails") != NULL;
	input = 0;
	fflush(stdout);
	*pid = fork();
	if (!*pid)
		_exit(fails);
	return 0;
}

/* Input of "restore" */
static const char saved[] =
	"# a comment\n\n"
	" tc qdisc replace dev swp1 root handle 1: lossless rate 1gbit\n"
	"tc qdisc replace dev swp2 root lossless\n"
	"tc qdisc replace dev swp2 root fq\n"
	"tc qdisc replace dev swp2 root handle 1: fq lossless\n"
	"dcb app replace dev swp1 ethtype-prio 0x8915:5\n"
	"dcb app replace dev swp1 fails\n"
	"dcb app replace dev swp1\n"
	"losslessctl watchdog start -a drop -r 200 swp1 100 prio 3\n"
	"losslessctl watchdog start all 100\n"
	"losslessctl watchdog start -x swp1 100\n"
	"losslessctl path set -a -g 5 4 swp1 swp2\n"
	"losslessctl path set 4 swp1\n"
	"losslessctl switch discard 3 on\n"
	"losslessctl switch discard\n"
	"losslessctl reload\n";

/* --- commands --- */

unsigned int sleep(unsigned int seconds)
{
	printf("sleeps %u s\n", seconds);
	more = 500;
	return 0;
}

/* @words: see commands_test.txt */
static void command(const char *words)
{
	char *argv[32] = { "losslessctl" }, line[256];
	int argc = 1, input = memfd_create("input", 0);

	if (write(input, saved, strlen(saved)) < 0 || lseek(input, 0, SEEK_SET) ||
	    dup2(input, 0))
		exit(9);
	if (*words == '!') {
		refuses = words[1] == 'p' ? -EPERM : words[1] == 'e' ? -EINVAL : 0;
		more = words[1] == '+' ? 500 : words[1] == '-' ? -500 : 0;
		words += 2;
	}
	snprintf(line, sizeof(line), "%s", words);
	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	optind = 0;
	exit(ctl_main(argc, argv));
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/commands-XXXXXX", clean[64];
	int failed;

	setenv("XDG_RUNTIME_DIR", mkdtemp(dir), 1);
	failed = run_transcript(__FILE__, command, argc > 1);
	snprintf(clean, sizeof(clean), "rm -r %s", dir);
	return system(clean) || failed;
}
