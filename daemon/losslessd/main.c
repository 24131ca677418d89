// SPDX-License-Identifier: GPL-2.0
/* losslessd(8): set watchdogs and LDCP, and report. */
#include <getopt.h>
#include <stdio.h>

#include "conf.h"
#include "daemon.h"

static const struct option options[] = {
	{ "config", required_argument, NULL, 'c' },
	{ "check", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{}
};

static void usage(FILE *to)
{
	fputs("Usage: losslessd [-c FILE] [--check]\n"
	      "Watches pause storms, logs, and exports metrics of lossless switches.\n\n"
	      "  -c, --config FILE   configuration (" CONF_PATH ")\n"
	      "  -n, --check         say whether it is right, and end\n"
	      "  -h, --help          this text\n"
	      "  -V, --version\n", to);
}

int main(int argc, char **argv)
{
	const char *path = CONF_PATH;
	bool check = false;
	struct conf *conf;
	int opt;

	while ((opt = getopt_long(argc, argv, "c:nhV", options, NULL)) != -1) {
		switch (opt) {
		case 'c':
			path = optarg;
			break;
		case 'n':
			check = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		case 'V':
			puts("losslessd " LLE_VERSION);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind != argc) {
		fprintf(stderr, "losslessd: unknown argument \"%s\"\n", argv[optind]);
		usage(stderr);
		return 2;
	}

	conf = conf_read(path);
	if (!conf)
		return 1;
	if (check) {
		bool ok = conf_can_write(conf, path);

		conf_free(conf);
		return !ok;
	}
	return daemon_run(path, conf) < 0;
}
