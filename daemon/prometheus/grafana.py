#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints grafana.json, a dashboard for Grafana.

Usage: grafana.py
"""
import json

# the selection of a user
PORT = 'instance=~"$instance",device=~"$device"'
SWITCH = 'instance=~"$instance"'
STEP = "$__rate_interval"
PRIO = "{{instance}} {{device}} prio {{priority}}"
# number, which stays, title, query: now, and of a day; red from 1 on
NUMBERS = (
    (1, "Storms now", f"sum(lossless_watchdog_stormed{{{PORT}}}) or vector(0)"),
    (2, "Storms in the last day",
     f"sum(round(increase(lossless_watchdog_storm_detected_total{{{PORT}}}[1d]))) or vector(0)"),
    (13, "Deadlocks now", f"sum(lossless_deadlocked{{{SWITCH}}}) or vector(0)"),
    (14, "Deadlocks in the last day",
     f"sum(round(increase(lossless_deadlock_detected_total{{{SWITCH}}}[1d]))) or vector(0)"),
)
# number, title, unit, legend, query
CURVES = (
    (3, "Paused by the peer, share of time", "percentunit", PRIO,
     f"rate(lossless_rx_pause_seconds_total{{{PORT}}}[{STEP}])"),
    (4, "Pausing the peer, share of time", "percentunit", PRIO,
     f"rate(lossless_tx_pause_seconds_total{{{PORT}}}[{STEP}])"),
    (5, "Pause frames received", "pps", PRIO, f"rate(lossless_rx_pause_frames_total{{{PORT}}}[{STEP}])"),
    (6, "Pause frames sent", "pps", PRIO, f"rate(lossless_tx_pause_frames_total{{{PORT}}}[{STEP}])"),
    (17, "Received", "Bps", PRIO, f"rate(lossless_rx_bytes_total{{{PORT}}}[{STEP}])"),
    (7, "Sent", "Bps", PRIO, f"rate(lossless_tx_bytes_total{{{PORT}}}[{STEP}])"),
    (8, "Dropped", "pps", PRIO + " {{reason}}", f"rate(lossless_dropped_packets_total{{{PORT}}}[{STEP}]) > 0"),
    (9, "Queues", "bytes", PRIO, f"lossless_queue_bytes{{{PORT}}}"),
    (10, "Marked CE, share of what was sent", "percentunit", PRIO,
     f"rate(lossless_ecn_marked_packets_total{{{PORT}}}[{STEP}]) / rate(lossless_tx_packets_total{{{PORT}}}[{STEP}])"),
    (11, "Shared buffer in use", "percentunit", "{{instance}} switch {{switch}}",
     f"lossless_buffer_used_bytes{{{SWITCH}}} / lossless_buffer_shared_bytes"),
    (12, "Headroom that is missing", "bytes", "{{instance}} {{device}}",
     f"clamp_min(lossless_headroom_need_bytes{{{PORT}}} - lossless_headroom_bytes, 0)"),
    (15, "Root of congestion (RCM), share of time", "percentunit", PRIO,
     f"rate(lossless_rcm_root_seconds_total{{{PORT}}}[{STEP}])"),
    (16, "Isolated (RCM)", "bytes", PRIO, f"lossless_rcm_isolated_bytes{{{PORT}}}"),
)
SOURCE = {"type": "prometheus", "uid": "${source}"}
HEIGHT, WIDTH = 8, 24   # of a row


def panel(kind, number, title, query, legend, place, defaults, options):
    return {"id": number, "title": title, "type": kind, "gridPos": place, "datasource": SOURCE,
            "fieldConfig": {"defaults": {"min": 0} | defaults, "overrides": []},
            "targets": [{"refId": "A", "expr": query, "legendFormat": legend}], "options": options}


def panels():
    """A row of numbers, and curves in two columns below."""
    wide = WIDTH // len(NUMBERS)
    for i, (number, title, query) in enumerate(NUMBERS):
        yield panel("stat", number, title, query, "", {"h": HEIGHT, "w": wide, "x": i * wide, "y": 0},
                    {"unit": "none", "thresholds": {"mode": "absolute", "steps": [
                        {"color": "green", "value": None}, {"color": "red", "value": 1}]}},
                    {"colorMode": "background", "reduceOptions": {"calcs": ["lastNotNull"]}})
    wide = WIDTH // 2
    for i, (number, title, unit, legend, query) in enumerate(CURVES):
        yield panel("timeseries", number, title, query, legend,
                    {"h": HEIGHT, "w": wide, "x": i % 2 * wide, "y": (1 + i // 2) * HEIGHT},
                    {"unit": unit, "custom": {"lineWidth": 1, "fillOpacity": 10, "showPoints": "never"}},
                    {"legend": {"displayMode": "table", "placement": "right", "calcs": ["max"]},
                     "tooltip": {"mode": "multi", "sort": "desc"}})


def variable(name, label, query):
    return {"name": name, "label": label, "type": "query", "datasource": SOURCE, "query": query, "refresh": 2,
            "includeAll": True, "multi": True, "current": {"text": "All", "value": "$__all"}}


print(json.dumps({
    "title": "Lossless Ethernet", "uid": "lossless", "tags": ["pfc", "rdma"], "schemaVersion": 37, "editable": True,
    "refresh": "10s", "time": {"from": "now-1h", "to": "now"},
    "templating": {"list": [
        {"name": "source", "label": "Data source", "type": "datasource", "query": "prometheus"},
        variable("instance", "Switch", "label_values(lossless_buffer_bytes, instance)"),
        variable("device", "Port", f"label_values(lossless_rx_paused{{{SWITCH}}}, device)")]},
    "panels": list(panels())}, indent=1))
