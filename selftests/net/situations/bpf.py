# SPDX-License-Identifier: GPL-2.0
"""BPF programs, by the system call and as bytes: no compiler or library is needed."""
import ctypes
import os
import struct

TC, XDP = 3, 6
_FS = '/sys/fs/bpf'


def insn(code, reg=0, off=0, imm=0):
    return struct.pack('<BBhi', code, reg, off, imm)


EXIT = insn(0x95)
PASS = insn(0xb7, 0, 0, 2) + EXIT


def redirect(ifindex):
    """return bpf_redirect(ifindex, 0)"""
    return insn(0xb7, 1, 0, ifindex) + insn(0xb7, 2) + insn(0x85, 0, 0, 23) + EXIT


def clone(ifindex):
    """bpf_clone_redirect(skb, ifindex, 0); return TC_ACT_UNSPEC"""
    return (insn(0xb7, 2, 0, ifindex) + insn(0xb7, 3) + insn(0x85, 0, 0, 13) +
            insn(0xb7, 0, 0, -1) + EXIT)


# r2 = data, r3 = data_end; DROP unless 14 bytes, and IPv4 or ARP
ACL = (insn(0x61, 0x12) + insn(0x61, 0x13, 4) + insn(0xbf, 0x24) + insn(0x07, 4, 0, 14) +
        insn(0xb7, 0, 0, 1) + insn(0x2d, 0x34, 4) + insn(0x69, 0x25, 12) +
        insn(0x15, 5, 1, 0x0008) + insn(0x55, 5, 1, 0x0608) + insn(0xb7, 0, 0, 2) + EXIT)


def pin(tb, kind, insns):
    """Pins a program; returns its path."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open('/proc/mounts', encoding='ascii') as mounts:
        if f' {_FS} ' not in mounts.read():
            tb.run('sw', 'mount', '-t', 'bpf', 'bpf', _FS)
    code, licence, path = (ctypes.create_string_buffer(text) for text in
                           (insns, b'GPL', f'{_FS}/lle_situation'.encode()))
    log = ctypes.create_string_buffer(8192)
    attr = struct.pack('<IIQQIIQ', kind, len(insns) // 8, ctypes.addressof(code),
                       ctypes.addressof(licence), 1, len(log), ctypes.addressof(log))
    fd = libc.syscall(321, 5, attr.ljust(120, b'\0'), 120)
    if fd < 0:
        raise RuntimeError(f'BPF: {os.strerror(ctypes.get_errno())}: {log.value.decode()}')
    attr = struct.pack('<QI', ctypes.addressof(path), fd)
    failed = libc.syscall(321, 6, attr.ljust(120, b'\0'), 120)
    os.close(fd)
    if failed:
        raise RuntimeError(f'BPF: pin: {os.strerror(ctypes.get_errno())}')
    tb.undo.append(lambda: os.unlink(path.value))
    return path.value.decode()


def xdp(tb, ns, dev, insns):
    """Runs a program for what arrives, before the stack (generic XDP)."""
    program = pin(tb, XDP, insns)
    tb.flush()
    tb.run(ns, 'ip', 'link', 'set', 'dev', dev, 'xdpgeneric', 'pinned', program)
