#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Jobs for a worker, with a lost wake-up: for a test of faults.

Usage: jobs.py server [-f]      -f: without the fault
       jobs.py worker SERVER
       jobs.py client SERVER COUNT

The client has a job every 17 ms: TCP repeats packets at multiples of 10 ms. A worker that finds
no job tidies up for 5 ms, and asks to be woken. The server wakes it for the first job that waits:
not if that came before the worker asked.
"""
import selectors
import socket
import sys
import time

PORT = 7000
PERIOD_S, TIDY_S = 0.017, 0.005


def connect(host):
    while True:
        try:
            return at_once(socket.create_connection((host, PORT))).makefile("rw")
        except OSError:
            time.sleep(0.1)


def at_once(peer):
    peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return peer


def ask(peer, line):
    print(line, file=peer, flush=True)
    return peer.readline().strip()


def work(host):
    server = connect(host)
    while True:
        while ask(server, "get") == "none":
            time.sleep(TIDY_S)
            ask(server, "wait")
        print("done", file=server, flush=True)


def use(host, count):
    server = connect(host)
    for _ in range(count):
        print("job", file=server, flush=True)
        time.sleep(PERIOD_S)
    for _ in range(count):
        if server.readline() != "done\n":
            sys.exit("jobs.py: the server has ended")


def serve(fixed):
    jobs, sleeper, client = 0, None, None
    ready = selectors.DefaultSelector()
    listener = socket.create_server(("", PORT))
    ready.register(listener, selectors.EVENT_READ)
    while True:
        for key, _ in ready.select():
            peer = key.fileobj
            if peer is listener:
                ready.register(at_once(listener.accept()[0]), selectors.EVENT_READ)
                continue
            lines = peer.recv(4096).decode().split()
            if not lines:
                ready.unregister(peer)
            for line in lines:
                if line == "job":
                    client, jobs = peer, jobs + 1
                elif line == "get":
                    peer.sendall(b"job\n" if jobs else b"none\n")
                    jobs -= bool(jobs)
                elif line == "wait":
                    sleeper = peer
                elif line == "done":
                    client.sendall(b"done\n")
                if sleeper and (jobs and fixed or line == "job" and jobs == 1):
                    sleeper.sendall(b"job\n")
                    sleeper = None


role, *words = sys.argv[1:]
if role == "server":
    serve(words == ["-f"])
elif role == "worker":
    work(words[0])
else:
    use(words[0], int(words[1]))
