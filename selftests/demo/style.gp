# SPDX-License-Identifier: GPL-2.0
#
# Common style of all plots. Before it are `name` and `height` of the plot, after
# it its data and commands. `kind` is png, svg or pdf. style.css of lle_lab
# replaces the colours on a dark page.

if (!exists('kind')) kind = 'png'
# a picture of 1600 by HEIGHT, with text of the same size in all kinds
eval 'set terminal '.( \
	kind eq 'png' ? sprintf("pngcairo size 1600,%d font 'DejaVu Sans,20'", height) : \
	kind eq 'pdf' ? sprintf("pdfcairo size 16,%g font 'DejaVu Sans,20'", height / 100.) : \
	sprintf("svg size 1600,%d dynamic fontscale 1.39 font 'DejaVu Sans,Verdana,sans-serif,20'", \
		height))." linewidth 2 noenhanced; set output '".name.'.'.kind."'"
set encoding utf8

set border 3 lc rgb '#999999' lw 0.6
set tics nomirror out scale 0.5 tc rgb '#444444'
set grid y lt 1 lc rgb '#e6e6e6' lw 0.5
set xlabel tc rgb '#444444'
set ylabel tc rgb '#444444' offset -1.2,0
unset key
set lmargin 12
set rmargin 4
set tmargin 3
set bmargin 4
set style fill solid noborder
