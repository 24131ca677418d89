// SPDX-License-Identifier: GPL-2.0
/* losslessctl: show lossless switches and ports, and set their watchdogs. */
#include <string.h>

#include "../tc/alike.h"
#include "ctl.h"

static const struct ctl_command ctl_commands[] = {
	{ "port", "show", true, "[DEV]",
	  "ports: link, peer, priorities with PFC, thresholds, headroom",
	  ctl_port_show },
	{ "switch", "show", true, "[ID]", "switches and their buffers",
	  ctl_switch_show },
	{ "switch", "set", false, "ID buffer SIZE",
	  "packet memory of a switch; SIZE is in bytes, or has a suffix k, m, g",
	  ctl_switch_set },
	{ "switch", "discard", false, "ID on|off",
	  "treat all watched priorities as stormed (the big red switch)",
	  ctl_switch_discard },
	{ "prio", "show", true, "[-a] [DEV [PRIO]]",
	  "counters of priorities\n"
	  "  -a, --all             also those that are all 0",
	  ctl_prio_show },
	{ "pfc", NULL, true, "[-a|-c|-r SECONDS] [DEV]",
	  "PFC frames of all priorities, since the last -c\n"
	  "  -a, --all             of all time\n"
	  "  -c, --clear           from now on; the kernel's counters go on\n"
	  "  -r, --rate SECONDS    wait, and show how many in a second",
	  ctl_pfc },
	{ "buffer", "show", true, "",
	  "what is in use of the buffers, thresholds and headroom of ports",
	  ctl_buffer_show },
	{ "watchdog", "start", false,
	  "[-a ACTION] [-r MS] [--fabric] DEV...|all DETECTION_MS [prio P,...]",
	  "a queue that is stuck for DETECTION_MS is a storm\n"
	  "  -a, --action ACTION   drop (default), forward or alert\n"
	  "  -r, --restoration MS  without pauses end a storm (200; 0: none do)\n"
	  "      --fabric          \"all\" are also the ports to other switches",
	  ctl_watchdog_start },
	{ "watchdog", "stop", false, "[DEV...|all]",
	  "stop watchdogs; without DEV all of them",
	  ctl_watchdog_stop },
	{ "watchdog", "show", false, "config | stats [-e] [--check-storm]",
	  "settings, or storms and what became of packets\n"
	  "  -e, --empty           also those that are all 0\n"
	  "      --check-storm     print nothing, exit with 1 if there is a storm",
	  ctl_watchdog_show },
	{ "watchdog", "clear", false, "[DEV]",
	  "clear counters of watchdogs, and high-water marks",
	  ctl_watchdog_clear },
	{ "history", NULL, true, "[DEV [PRIO]]",
	  "how often and how long priorities were paused, and the last pauses",
	  ctl_history },
	{ "tree", NULL, true, "[-g] [DEV [PRIO]]",
	  "which port is paused because of which: from the roots of all pauses to\n"
	  "the victims; or from DEV to the roots\n"
	  "  -g, --graph           for dot(1)",
	  ctl_view },
	{ "explain", NULL, true, "DEV",
	  "why DEV is paused, or pauses its peer: by whom, since when, what to do",
	  ctl_view },
	{ "deadlock", "show", true, "",
	  "of each switch and priority the last deadlock, and whether it holds",
	  ctl_deadlock_show },
	{ "deadlock", "history", false, "",
	  "all that are remembered, the newest first", ctl_deadlock_history },
	{ "deadlock", "graph", false, "[ID]",
	  "the loop and its initial trigger, for dot(1); without ID the newest",
	  ctl_view },
	{ "congestion", "show", true, "[-a] [DEV [PRIO]]",
	  "regions of congestion (RCM): role of each port, isolated flows, and\n"
	  "destinations that its neighbours hold\n"
	  "  -a, --all             also ports that are in none",
	  ctl_congestion_show },
	{ "congestion", "graph", false, "", "the regions, for dot(1)",
	  ctl_view },
	{ "path", "show", true, "",
	  "path groups, and how many flows they have moved",
	  ctl_path_show },
	{ "path", "set", false, "[-a] [-g US] GROUP DEV DEV...",
	  "the ports lead to the same hosts: each flow goes by one of them\n"
	  "  -a, --adaptive        flows leave a path that is congested (RCM)\n"
	  "  -g, --gap US          time without packets after which they may (100 at\n"
	  "                        100 Gbit/s, more at less)",
	  ctl_path_set },
	{ "path", "del", false, "GROUP", "delete a path group", ctl_path_del },
	{ "ldcp", "show", true, "",
	  "TCP sockets with LDCP: window, RTT, marks, what was lost of first RTTs",
	  ctl_ldcp_show },
	{ "state", NULL, true, "[-q]",
	  "switches, ports, priorities, pauses and watchdogs in one document of JSON\n"
	  "  -q, --queues          also what waits in queues",
	  ctl_state },
	{ "save", NULL, true, "",
	  "print the settings of all ports and switches, as commands that set them",
	  ctl_save },
	{ "restore", NULL, true, "[-f] [FILE]",
	  "run the commands that \"save\" has printed; FILE: - (standard input)\n"
	  "  -f, --follow          those of devices that are there, and of later ones\n"
	  "                        when they appear",
	  ctl_restore },
	{ "reload", NULL, true, "[-f] [-w MS]",
	  "exchange the loaded modules for those that are installed, without losing\n"
	  "packets of lossless priorities, or refuse\n"
	  "  -f, --force           also if packets may be lost\n"
	  "  -w, --wait MS         until no such packet waits or arrives (2000)",
	  ctl_reload },
	{ "doctor", NULL, true, "",
	  "look for settings that lose packets, or let a fault spread, and print the\n"
	  "commands that mend them", ctl_view },
	{ "monitor", NULL, true, "[pause|storm|deadlock|congestion|config]...",
	  "events as they come; of all kinds, or of those named", ctl_monitor },
	{ "top", NULL, true, "[-b] [-d SECONDS] [-n ROUNDS] [DEV...]",
	  "priorities of ports, live: buffer, rates, share of time paused, storms\n"
	  "  -b, --batch           lines of text, for no terminal; so does -j\n"
	  "  -d, --delay SECONDS   between rounds (1)\n"
	  "  -n, --rounds ROUNDS   and then end",
	  ctl_view },
};

static const struct ctl_command ctl_of_dev = {
	"DEV", NULL, true, "", "the port DEV: as \"port DEV\" and \"prio DEV\"", ctl_dev,
};

static void ctl_usage(const struct ctl_command *command)
{
	printf("losslessctl [-j] [-p] %s%s%s%s%s\n", command->name,
	       command->sub ? " " : "", command->sub ? command->sub : "",
	       *command->usage ? " " : "", command->usage);
}

/* @name: NULL: of all commands */
static void ctl_help(const char *name)
{
	const struct ctl_command *command = ctl_commands;

	if (!name || !strcmp(name, ctl_of_dev.name))
		ctl_usage(&ctl_of_dev);
	if (name && !strcmp(name, ctl_of_dev.name))
		printf("  %s\n", ctl_of_dev.help);
	for (; command < ctl_commands + ARRAY_SIZE(ctl_commands); command++) {
		if (name && strcmp(name, command->name))
			continue;
		ctl_usage(command);
		if (name)
			printf("  %s\n", command->help);
	}
	printf("Options of all commands:\n"
	       "  -j, --json            print JSON\n"
	       "  -p, --pretty          JSON with line breaks\n"
	       "  -h, --help            of the command that comes before it\n"
	       "  -V, --version\n");
}

/* Removes the second word. Without one, the default command is found. */
static const struct ctl_command *ctl_find(int *argc, char **argv)
{
	const struct ctl_command *command = ctl_commands, *standard = NULL;
	int i = 1;

	while (i < *argc && argv[i][0] == '-')
		i++;
	for (; command < ctl_commands + ARRAY_SIZE(ctl_commands); command++) {
		if (strcmp(command->name, argv[0]))
			continue;
		if (!command->sub || (command->is_default && i == *argc))
			return command;
		if (command->is_default && *command->usage)
			standard = command;
		if (i == *argc || strcmp(command->sub, argv[i]))
			continue;
		memmove(argv + i, argv + i + 1, (*argc - i) * sizeof(*argv));
		--*argc;
		return command;
	}
	return standard;
}

/* @word: neither a command nor a device. @group: the first word, or NULL */
static enum ctl_exit ctl_unknown(struct ctl *c, const char *group,
				 const char *word)
{
	const struct ctl_command *command = ctl_commands;
	const char *best = NULL, *name, *last = "";
	unsigned int letters = LLE_ALIKE;
	char names[256] = "", dev[IFNAMSIZ];

	for (; command < ctl_commands + ARRAY_SIZE(ctl_commands); command++) {
		name = group ? command->sub : command->name;
		if (group && strcmp(command->name, group))
			continue;
		if (!strcmp(name, last))
			continue;
		last = name;
		if (word && lle_nearer(word, name, &letters))
			best = name;
		snprintf(names + strlen(names), sizeof(names) - strlen(names),
			 "%s%s", *names ? ", " : "", name);
	}
	if (!group && ctl_similar_dev(word, &letters, dev))
		best = dev;
	c->command = NULL;
	if (!word)
		return ctl_wrong(c, "%s: subcommand required: %s", group, names);
	if (best)
		return ctl_wrong(c, "%s%sthere is no \"%s\"; did you mean \"%s\"?",
				 group ? group : "", group ? ": " : "", word, best);
	if (group)
		return ctl_wrong(c, "%s: there is no \"%s\"; there is %s", group,
				 word, names);
	return ctl_wrong(c, "there is no command \"%s\": %s", word, names);
}

/* Runs DEV, or reports a wrong first or second word. */
static enum ctl_exit ctl_not_found(struct ctl *c, int argc, char **argv)
{
	const struct ctl_command *command = ctl_commands;
	const char *name = argv[0];

	for (; command < ctl_commands + ARRAY_SIZE(ctl_commands); command++)
		if (!strcmp(command->name, name))
			c->command = command;
	if (!c->command && ctl_is_dev(c, name)) {
		c->command = &ctl_of_dev;
		return ctl_dev(c, argc, argv);
	}
	if (!c->command)
		return ctl_unknown(c, NULL, name);
	argv[0] = "losslessctl";
	if (ctl_option(c, argc, argv, "", NULL))
		return CTL_USAGE;
	return ctl_unknown(c, name, argv[optind]);
}

int main(int argc, char **argv)
{
	struct ctl c = { .help = ctl_help };
	enum ctl_exit ret;

	/* only the options before the command */
	if (ctl_option(&c, argc, argv, "+", NULL))
		return CTL_USAGE;
	if (optind == argc)
		return ctl_wrong(&c, "a command is required");
	argc -= optind;
	argv += optind;
	optind = 0;
	c.command = ctl_find(&argc, argv);
	if (c.command) {
		argv[0] = "losslessctl";
		ret = c.command->run(&c, argc, argv);
	} else {
		ret = ctl_not_found(&c, argc, argv);
	}
	lle_nl_close(c.nl);
	return ctl_end(ret);
}
