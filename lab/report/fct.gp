# SPDX-License-Identifier: GPL-2.0
set label scenario.': flow completion times' at graph 0,1.06 font ',22'
set xlabel 'completion time ('.x_unit.')'
set ylabel 'share of the flows'
set yrange [0:1.02]
set format y '%.1f'
if (x_min > 0 && x_max > 30 * x_min) { set logscale x } else { set xrange [0:x_max*1.03] }

plot for [i=0:blocks-1] $data index i using 1:2 with steps title titles[i+1]
