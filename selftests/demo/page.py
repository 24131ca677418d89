#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Writes DIR/report.html from DIR/report.json and DIR/raw. Usage: page.py DIR

One file without links: it can be mailed.
"""
import html
import json
import sys

import collect
import plots
import storm
import storm_plot
import storm_tree
import verdict

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
figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
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
<b>{verdict.number(a['dropped_pkts'])}</b> packets dropped
<span>{verdict.number(surplus)} sent in vain</span>
<span>{a['goodput_mbit']:.0f} Mbit/s of goodput</span></div>"""
    return f'<div class="heads">{boxes}</div>'


def table(report, traffic):
    head = "".join(f"<th {coloured(arm)}>{plots.NAME[arm]}</th>"
                   for arm in verdict.ARMS)
    body = ""
    arms = [report[f"{traffic}_incast"][arm] for arm in verdict.ARMS]
    for label, show in list(verdict.rows(traffic)) + \
            [("where dropped", verdict.drops)]:
        cells = "".join(f"<td>{html.escape(show(arm))}</td>" for arm in arms)
        body += f"<tr><td>{label}</td>{cells}</tr>"
    return f"<table><tr><th></th>{head}</tr>{body}</table>"


def storm_section(path, report):
    """The second act: the picture, the culprit, the log and the table."""
    found = report["storm"]
    runs = [storm.Run(f"{path}/storm", arm) for arm in storm.ARMS]
    before = verdict.together(found["without"], "before_mbit")
    head = "".join(f'<th style="color:{storm_plot.COLOUR[arm]}">{name}</th>'
                   for arm, name in zip(storm.ARMS, verdict.STORM_HEADS))
    body = ""
    for label, show in verdict.storm_rows():
        cells = "".join(f"<td>{html.escape(show(found[arm]))}</td>"
                        for arm in storm.ARMS)
        body += f"<tr><td>{label}</td>{cells}</tr>"
    log = "\n".join(f"{line['time'][11:23]} {line['message']}"
                    for line in storm.log(runs[1]) if "event" in line)
    return f"""<h2>A NIC dies</h2>
<p>In another network hosts 1, 2 and 3 are at one switch, hosts 4 and 5 at another. Host 1 sends to host 5;
host 2 sends to host 4, over the same link between the switches, and to host 3, over no
link that a packet for host 5 takes. Each gets {found['params']['flow_mbit']} Mbit/s by
TCP, so little that nobody is paused. Time is what this virtual machine has executed, a
nanosecond an instruction, whatever else the computer did.</p>
<p>{' '.join(html.escape(s) for s in verdict.storm_words(report))}</p>
{figure(storm_tree.picture(found["without"]["spread_ms"]), "Who pauses whom without a "
        "watchdog, in milliseconds since the first pause.")}
{figure(storm_plot.picture(runs, before), "Above: what leaves the switches for hosts 3 "
        "and 4. Below: who is paused. The pauses spread from the dead NIC to those who "
        "send, and stop what they send to anybody.")}
<table><tr><th></th>{head}</tr>{body}</table>
<p>What losslessd logged, with the configuration that comes with it:</p>
<pre class="log">{html.escape(log)}</pre>"""


def figure(svg, caption):
    return f"<figure>{svg}<figcaption>{caption}</figcaption></figure>"


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
{verdict.size(params['buffer'])} of packet memory in the switch</p>
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
{table(report, "roce")}
<h2>On the wire</h2>
<p>{report['pfc_pcap']['frames']} PFC frames left the switch; tshark takes
{report['pfc_pcap']['malformed']} for malformed. The first of them (pfc.pcap):</p>
<pre>{html.escape(decoded(frames))}</pre>
<h2>TCP, for comparison</h2>
{figure(plots.panels(tcp, [queue], "tcp", 250),
        "TCP fills what memory there is; with PFC it waits in the senders.")}
{table(report, "tcp")}
{storm_section(path, report)}
<h2>How it was measured</h2>
<p>Three hosts and the bridge are network namespaces on one kernel, joined by
veth; every end of every link has the qdisc of its arm, at the same rate. Stock:
tbf with a limit of {verdict.size(params['buffer'])}. Ours, PFC off: any port may fill
all of the {verdict.size(params['buffer'])}. Ours, PFC on: the same
{verdict.size(params['buffer'])}, of which
{verdict.size(params['headroom'])} are headroom
for each of the two sending ports; they are paused from {verdict.size(params['xoff'])}
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
