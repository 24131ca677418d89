# SPDX-License-Identifier: GPL-2.0
#
# Common style of all plots. Before it are `scenario` and `name` of the plot;
# after it the data, as data.py prints them, and the commands of the plot.
# `kind` is png, svg or pdf. style.css replaces the colours on a dark page.

if (!exists('kind')) kind = 'png'
# a picture of 1600 by HEIGHT, with text of the same size in all kinds
canvas(height) = 'set terminal '.( \
	kind eq 'png' ? sprintf("pngcairo size 1600,%d font 'DejaVu Sans,20'", height) : \
	kind eq 'pdf' ? sprintf("pdfcairo size 16,%g font 'DejaVu Sans,20'", height / 100.) : \
	sprintf("svg size 1600,%d dynamic fontscale 1.39 background '#ffffff' " \
		."font 'DejaVu Sans,Verdana,sans-serif,20'", height)) \
	." linewidth 2 noenhanced; set output '".name.'.'.kind."'"
eval canvas(720)
set encoding utf8
set datafile separator "\t"

# colours that the colour-blind can distinguish (after Okabe and Ito)
set linetype 1 lc rgb '#0072b2' lw 1.5
set linetype 2 lc rgb '#b34a00' lw 1.5
set linetype 3 lc rgb '#009e73' lw 1.5
set linetype 4 lc rgb '#cc79a7' lw 1.5
set linetype 5 lc rgb '#e69f00' lw 1.5
set linetype 6 lc rgb '#56b4e9' lw 1.5
set linetype 7 lc rgb '#7a5c3a' lw 1.5
set linetype 8 lc rgb '#444444' lw 1.5
set linetype cycle 8

set border 3 lc rgb '#999999' lw 0.6
set tics nomirror out scale 0.5 tc rgb '#444444'
set grid y lt 1 lc rgb '#e6e6e6' lw 0.5
set xlabel tc rgb '#444444'
set ylabel tc rgb '#444444' offset -1.2,0
set key outside bottom center horizontal tc rgb "#222222" samplen 1.5 spacing 1.15 width 2
set lmargin 12
set rmargin 4
set tmargin 3
set bmargin 5
set style fill solid noborder
