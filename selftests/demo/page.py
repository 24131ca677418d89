#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes DIR/report.html from DIR/report.json and DIR/raw. Usage: page.py DIR

One file without links: it can be mailed.
"""
import html
import json
import sys

import collect
import deadlock
import deadlock_plot
import deadlock_verdict
import files
import plots
import storm
import storm_plot
import storm_tree
import storm_verdict
import verdict
import words as w

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff;
 max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; }
h2 { font-size: 1.2rem; margin-top: 2.4rem; }
p { max-width: 46rem; }
.sub, figcaption, small { color: #666; }
.heads { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1rem;
 margin: 1.5rem 0; }
.heads div { border-top: 4px solid; padding: .6rem 0; }
.heads b { display: block; font-size: 2.1rem; line-height: 1.1; }
.heads span { display: block; }
table { border-collapse: collapse; width: 100%;
 font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right;
 border-bottom: 1px solid #e4e4e4; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0; }
figure.loop { max-width: 26rem; margin: 1rem auto; }
svg { width: 100%; height: auto; }
pre { background: #f6f6f6; padding: .8rem; overflow-x: auto;
 font-size: .8rem; line-height: 1.4; }
pre.log { white-space: pre-wrap; }
"""


def coloured(arm):
    return f'style="color:{plots.COLOUR[arm]}"'


def headlines(report):
    boxes = ""
    for arm in verdict.ARMS:
        a = report["roce_incast"][arm]
        surplus = a["sent_pkts"] - a["needed_pkts"]
        boxes += f"""<div style="border-color:{plots.COLOUR[arm]}">
<span {coloured(arm)}>{plots.NAME[arm]}</span>
<b>{w.number(a['dropped_pkts'])}</b> packets dropped
<span>{w.number(surplus)} sent in vain</span>
<span>{a['goodput_mbit']:.0f} Mbit/s of goodput</span></div>"""
    return f'<div class="heads">{boxes}</div>'


def table(heads, arms, rows):
    """A column each of ARMS under HEADS, which are (words, colour)."""
    head = "".join(f'<th style="color:{colour}">{name}</th>' for name, colour in heads)
    body = ""
    for label, show in rows:
        cells = "".join(f"<td>{html.escape(show(arm))}</td>" for arm in arms)
        body += f"<tr><td>{label}</td>{cells}</tr>"
    return f"<table><tr><th></th>{head}</tr>{body}</table>"


def incast_table(report, traffic):
    return table([(plots.NAME[arm], plots.COLOUR[arm]) for arm in verdict.ARMS],
                 [report[f"{traffic}_incast"][arm] for arm in verdict.ARMS],
                 list(verdict.rows(traffic)) + [("where dropped", verdict.drops)])


def storm_section(path, report):
    """The second act: the picture, the culprit, the log and the table."""
    found = report["storm"]
    runs = [storm.Run(f"{path}/storm", arm) for arm in storm.ARMS]
    before = w.together(found["without"], "before_mbit")
    log = "\n".join(f"{line['time'][11:23]} {line['message']}"
                    for line in storm.log(runs[1]) if "event" in line)
    return f"""<h2>A NIC dies</h2>
<p>In another network hosts 1, 2 and 3 are at one switch, hosts 4 and 5 at another. Host 1 sends to host 5;
host 2 sends to host 4, over the same link between the switches, and to host 3, over no
link that a packet for host 5 takes. Each gets {found['params']['flow_mbit']} Mbit/s by
TCP, so little that nobody is paused. Time is what this virtual machine has executed, a
nanosecond an instruction, whatever else the computer did.</p>
<p>{' '.join(html.escape(s) for s in storm_verdict.words(report))}</p>
{figure(storm_tree.picture(found["without"]["spread_ms"]), "Who pauses whom without a "
        "watchdog, in milliseconds since the first pause.")}
{figure(storm_plot.picture(runs, before), "Above: what leaves the switches for hosts 3 "
        "and 4. Below: who is paused. The pauses spread from the dead NIC to those who "
        "send, and stop what they send to anybody.")}
{table(zip(storm_verdict.HEADS, storm_plot.COLOUR.values()),
       storm_verdict.arms(report), storm_verdict.rows())}
<p>What losslessd logged, with the configuration that comes with it:</p>
<pre class="log">{html.escape(log)}</pre>"""


def deadlock_found(run):
    """What losslessctl says of it, if there was one."""
    if not run.history:
        return ""
    show = "\n".join(files.lines(run.dir, "show"))
    drawn = figure(deadlock_plot.loop(run), "The deadlock as losslessctl draws it. Arrows "
                   "go where the packets go that wait; each switch pauses the one before "
                   "it.", "loop")
    return f"""{drawn}
<p>The same in words of losslessctl:</p>
<pre class="log">{html.escape(show)}</pre>"""


def deadlock_section(path, report):
    """The third act: the picture, the loop, what losslessctl says, and the table."""
    runs = [deadlock.Run(f"{path}/deadlock", arm) for arm in deadlock.ARMS]
    before = w.together(report["deadlock"]["off"], "before_mbit")
    params = report["deadlock"]["params"]
    return f"""<h2>Switches wait for each other</h2>
<p>Four switches in a ring, each with a host; host 5 is at switch 3, too. Each of hosts
1 to 4 sends {params['flow_mbit']} Mbit/s of UDP clockwise to the host after the next
one, and host 1 also {params['slow_mbit']} Mbit/s to host 5. Links have
{params['link_mbit']} Mbit/s, so none is full. Hosts send {params['host_mbit']} Mbit/s at
most, also when they catch up. Time is as above.</p>
<p>{' '.join(html.escape(s) for s in deadlock_verdict.words(report))}</p>
{figure(deadlock_plot.picture(runs, before), "What leaves the switches for hosts 1 to 4. "
        "Grey: host 5 takes nothing, or little.")}
{deadlock_found(runs[1])}
{table(zip(deadlock_verdict.HEADS, deadlock_plot.COLOUR.values()),
       deadlock_verdict.arms(report), deadlock_verdict.rows())}"""


def figure(svg, caption, kind=""):
    return f"<figure class='{kind}'>{svg}<figcaption>{caption}</figcaption></figure>"


def decoded(frames):
    """A pause and what follows, as tshark has them."""
    text = " time (s)   from (port)         class enable  quanta of class 3\n"
    for f in frames[:8]:
        quanta = int(f["macc.cbfc.pause_time.c3"], 0)
        what = f"pause, {quanta} quanta" if quanta else "resume"
        text += f"{float(f['frame.time_relative']):9.6f}   {f['eth.src']}" \
            f"   {f['macc.cbfc.enbv']:>12}  {quanta:>5}  {what}\n"
    return text


def main():
    path = sys.argv[1]
    with open(f"{path}/report.json", encoding="utf-8") as file:
        report = json.load(file)
    params = report["params"]
    size = params["message_bytes"]
    frames = collect.frames(f"{path}/pfc.tsv")
    on_wire = [(float(f["frame.time_relative"]), int(f["eth.src"][-2:], 16),
                int(f["macc.cbfc.pause_time.c3"], 0)) for f in frames
               if f["macc.cbfc.pause_time.c3"]]
    roce, tcp = ([plots.Arm(f"{path}/raw", traffic, arm)
                  for arm in verdict.ARMS] for traffic in ("roce", "tcp"))
    buffer_kb = plots.kilobytes(params["buffer"])
    queue = ("queue of p3 (KB)", plots.Arm.queue_kb, 1.3 * buffer_kb, buffer_kb,
             "all of the memory")
    goodput = ("goodput (Mbit/s)", lambda a: a.goodput_mbit(size), 130,
               report["link_mbit"], "the link")

    page = f"""<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Linux Lossless Ethernet: incast</title>
<meta name="viewport" content="width=device-width">
<style>{STYLE}</style>
<h1>Two senders, one receiver, one Linux bridge</h1>
<p class="sub">Linux {html.escape(report['kernel'])} in a virtual machine
({html.escape(report['accelerator'])}), links of {report['link_mbit']} Mbit/s,
{w.size(params['buffer'])} of packet memory in the switch</p>
{headlines(report)}
<p>{' '.join(html.escape(s) for s in verdict.words(report))}</p>
<h2>RDMA</h2>
{figure(plots.received(roce, report), "What host 3 has received in whole "
        "messages. All arms carry the same messages.")}
{figure(plots.panels(roce, [goodput, queue], "queues", 460),
        "Goodput in whole messages; bytes queued to leave by port p3.")}
{figure(plots.pauses(roce[2], on_wire),
        "Ours with PFC: each sender is paused about half of the time, so that "
        "both together send what the link to host 3 carries.")}
{incast_table(report, "roce")}
<h2>On the wire</h2>
<p>{report['pfc_pcap']['frames']} PFC frames left the switch; tshark takes
{report['pfc_pcap']['malformed']} for malformed. The first of them (pfc.pcap):</p>
<pre>{html.escape(decoded(frames))}</pre>
<h2>TCP, for comparison</h2>
{figure(plots.panels(tcp, [queue], "tcp", 250),
        "TCP fills what memory there is; with PFC it waits in the senders.")}
{incast_table(report, "tcp")}
{storm_section(path, report)}
{deadlock_section(path, report)}
<h2>How it was measured</h2>
<p>Three hosts and the bridge are network namespaces on one kernel, joined by
veth; every end of every link has the qdisc of its arm, at the same rate. Stock:
tbf with a limit of {w.size(params['buffer'])}. Ours, PFC off: any port may fill
all of the {w.size(params['buffer'])}. Ours, PFC on: the same
{w.size(params['buffer'])}, of which
{w.size(params['headroom'])} are headroom
for each of the two sending ports; they are paused from {w.size(params['xoff'])}
on. RDMA is ib_send_bw over Soft-RoCE,
{2 * params['qps']} queue pairs; TCP is iperf3. A dash means: not measurable
there. Dropped packets are summed over switch and host qdiscs, the backlogs of
the CPUs, the devices and the hosts' IP. The peak of tbf's queue is that of
samples every {params['sample_ms']} ms, ours is a high-water mark. One
run each; rates depend on the load of the machine.</p>
</html>
"""
    with open(f"{path}/report.html", "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    main()
