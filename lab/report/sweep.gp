# SPDX-License-Identifier: GPL-2.0
set label scenario.': '.y_words at graph 0,1.06 font ',22'
set xlabel x_label
set ylabel y_label
if (y_min >= 0) set yrange [0:(y_max > 0 ? 1.05 * y_max : 1)]
set offsets graph 0.04, graph 0.04, 0, 0
if (!several) { unset key; set bmargin 4 }
if (x_min > 0 && x_max > 30 * x_min) set logscale x

# equal lines stay visible: the first has the largest points
size(i) = 0.8 + 1.0 * (blocks - i) / blocks
plot for [i=0:blocks-1] $data index i using 1:2 with lines lt i+1 lw 1.5*size(i) notitle, \
	for [i=0:blocks-1] '' index i using 1:2:3:4 with yerrorbars lt i+1 lw 1 pt 7 \
		ps size(i) title titles[i+1]
