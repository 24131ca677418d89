# SPDX-License-Identifier: GPL-2.0
#
# Upper panel: all flows together; lower panel: a line for each flow, or
# quantiles.
quantiles = columns > 2
if (blocks > 1) eval canvas(1100)
set multiplot layout (blocks > 1 ? 2 : 1),1
set xrange [0:x_max]
set yrange [0:*]
set ylabel 'received ('.y_unit.')'
if (blocks > 1) {
	set tmargin at screen 0.93
	set bmargin at screen 0.60
}

set label 1 scenario.': received by all flows together' at graph 0,1.09 font ',22'
if (blocks == 1) set xlabel 'time ('.x_unit.')'
plot $data index 0 using 1:2 with filledcurves y1=0 fc rgb '#9cc3e0' notitle, \
	'' index 0 using 1:2 with lines lt 1 notitle

set tmargin at screen 0.48
set bmargin at screen (blocks > 5 ? 0.18 : 0.15)
set label 1 scenario.': received by each flow'
set xlabel 'time ('.x_unit.')'
if (quantiles) {
	plot $data index 1 using 1:2:6 with filledcurves fc rgb '#d6e6f2' \
			title 'all flows', \
		'' index 1 using 1:3:5 with filledcurves fc rgb '#9cc3e0' \
			title 'half of them', \
		'' index 1 using 1:4 with lines lt 1 title 'median'
} else { if (blocks > 1) {
	plot for [i=1:blocks-1] $data index i using 1:2 with lines lt i \
		title titles[i+1]
} }
unset multiplot
