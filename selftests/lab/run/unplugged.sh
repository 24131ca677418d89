#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Script for the scenario faults: removes a port that is to fail.

sw ip link del s1p1
sleep 0.5
