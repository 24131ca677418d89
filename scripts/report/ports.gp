# SPDX-License-Identifier: GPL-2.0
#
# A panel for each kind of count that is not 0 everywhere.
set terminal pngcairo size 1600,(x_max * 44 + 210)
set multiplot layout 1,blocks
set grid noy x lt 1 lc rgb '#e6e6e6' lw 0.5
set border 2
set tics scale 0
set lmargin 15
set tmargin 4.8
set bmargin 2
set yrange [x_max + 0.6:-0.6]
set xrange [0:*]
set xtics format '%.0s%c'
unset key
set label 1 scenario.': busiest ports' at screen 0.015,1 offset 0,-1.2 font ',22'
do for [i=0:blocks-1] {
	set label 2 titles[i+1] at graph 0,1 offset 0,1 tc rgb '#444444'
	plot $data index i using (0):1:(0):2:($1-0.36):($1+0.36):ytic(3) \
		with boxxyerror fc lt i+1
	unset label 1
}
unset multiplot
