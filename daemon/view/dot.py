# SPDX-License-Identifier: GPL-2.0
"""Graphs for dot(1): parts that all of them share."""

# loops and inner ports, causes, roots, edges of regions, others
LOOP, CULPRIT, ROOT, EDGE, PLAIN = "#f4a3a3", "#ffb347", "#ffd27f", "#b7d9b1", "#e8eef7"


def begin(name: str) -> None:
    """Begin a graph."""
    font = 'fontname="sans-serif"'
    print(f"digraph {name} {{\n"
          f'\tgraph [{font}, color="#9aa5b1", style=rounded]\n'
          f'\tnode [{font}, fontsize=11, style=filled, color="#52606d", fillcolor="{PLAIN}"]\n'
          f'\tedge [{font}, fontsize=10, color="#52606d"]')


def label(text: str) -> str:
    """Escape the two characters that could end a label."""
    return text.replace("\\", "\\\\").replace('"', '\\"')
