# SPDX-License-Identifier: GPL-2.0
#
# A panel for each kind of count that is not 0 everywhere.
height = (x_max + 1) * 44 + 190
eval canvas(height)
set multiplot layout 1,blocks
unset grid
set border 2
set tics scale 0
unset xtics
set lmargin 15
set tmargin at screen 1 - 160. / height
set bmargin at screen 30. / height
set xrange [0:1.4]	# of the longest, and a place for the number
set yrange [x_max + 0.6:-0.6]
unset key
set label 1 scenario.': busiest ports' at screen 0.015,(1 - 40. / height) font ',22'
do for [i=0:blocks-1] {
	set label 2 titles[i+1] at graph 0,1 offset -10,2 tc rgb '#444444'
	plot $data index i using (0):1:(0):2:($1-0.36):($1+0.36):ytic(4) \
			with boxxyerror fc lt i+1, \
		'' index i using 2:1:3 with labels left offset 0.5,0 tc rgb '#444444'
	unset label 1
}
unset multiplot
