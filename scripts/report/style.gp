# SPDX-License-Identifier: GPL-2.0
#
# What all plots have in common. The data follow it, as data.py prints them, then the
# commands of the plot. `scenario` is its name.

set terminal pngcairo size 1600,720 font 'DejaVu Sans,20' linewidth 2 noenhanced
set encoding utf8
set datafile separator "\t"

# seen apart by the colour-blind, too (Okabe and Ito)
set linetype 1 lc rgb '#0072b2'
set linetype 2 lc rgb '#d55e00'
set linetype 3 lc rgb '#009e73'
set linetype 4 lc rgb '#cc79a7'
set linetype 5 lc rgb '#e69f00'
set linetype 6 lc rgb '#56b4e9'
set linetype 7 lc rgb '#7a5c3a'
set linetype 8 lc rgb '#444444'
set linetype cycle 8

set border 3 lc rgb '#999999' lw 0.6
set tics nomirror out scale 0.5 tc rgb '#444444'
set grid y lt 1 lc rgb '#e6e6e6' lw 0.5
set xlabel tc rgb '#444444'
set ylabel tc rgb '#444444' offset 0.5,0
set key outside bottom center horizontal tc rgb "#222222" samplen 1.5 spacing 1.15 width 2
set lmargin 10
set rmargin 4
set tmargin 3
set bmargin 5
set style fill solid noborder
