# SPDX-License-Identifier: GPL-2.0
set label scenario.': the longest queues' at graph 0,1.06 font ',22'
set xlabel 'time ('.x_unit.')'
set ylabel y_unit
set xrange [x_min:x_max]
set yrange [0:*]

plot for [i=0:blocks-1] $data index i using 1:2 with steps lw 0.8 title titles[i+1]
