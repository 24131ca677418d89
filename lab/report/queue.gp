# SPDX-License-Identifier: GPL-2.0
set label scenario.': the longest queues' at graph 0,1.06 font ',22'
set xlabel 'time ('.x_unit.')'
set ylabel 'queue ('.y_unit.')'
set xrange [x_min:x_max]
set yrange [0:*]
if (blocks > 4) set bmargin 6.5

plot for [i=0:blocks-1] $data index i using 1:2 with steps title titles[i+1]
