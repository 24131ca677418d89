// SPDX-License-Identifier: GPL-2.0
/* Graphs for dot(1): parts that all of them share. */
#include <stdio.h>
#include <string.h>

#include "dot.h"

/**
 * ctl_dot_begin() - begin a graph
 * @name: name of the graph
 */
void ctl_dot_begin(const char *name)
{
	printf("digraph %s {\n"
	       "\tgraph [fontname=\"sans-serif\", color=\"#9aa5b1\", style=rounded]\n"
	       "\tnode [fontname=\"sans-serif\", fontsize=11, style=filled, color=\"#52606d\", fillcolor=\"" DOT_PLAIN "\"]\n"
	       "\tedge [fontname=\"sans-serif\", fontsize=10, color=\"#52606d\"]\n",
	       name);
}

/**
 * ctl_dot_text() - print a part of a label
 * @text: the part, which may have any byte that can be printed
 */
void ctl_dot_text(const char *text)
{
	/* escape the two characters that could end the label */
	for (; *text; text++)
		printf("%s%c", strchr("\"\\", *text) ? "\\" : "", *text);
}
