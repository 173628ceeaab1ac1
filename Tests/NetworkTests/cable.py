# SPDX-License-Identifier: Apache-2.0
"""A cable between two network interfaces that delays and loses packets, for kernels without netem.

  cable.py LEFT RIGHT DELAY_MS JITTER_MS LOSS_PERCENT    until it is ended

Every frame of Ethernet that one interface gets is sent by the other, after the delay and a random part of the jitter, which
may change the order, or is lost. Then it prints how many were carried and lost."""

import ctypes
import fcntl
import heapq
import random
import select
import signal
import socket
import struct
import sys
import time

ETH_P_ALL = 3
SIOCETHTOOL = 0x8946
# Transmit checksums, TCP segmentation, segmentation in software.
OFFLOADS = (0x17, 0x1F, 0x24)


def switch_offloads_off(interface):
    """Lets a machine complete its frames itself: what is copied here needs its checksum and the length of a packet."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in OFFLOADS:
            value = (ctypes.c_uint32 * 2)(command, 0)
            request = struct.pack("16sP", interface.encode(), ctypes.addressof(value))
            fcntl.ioctl(control, SIOCETHTOOL, request)


def endpoint(interface):
    """Gets and sends whole frames of an interface."""
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    made.bind((interface, 0))
    made.setblocking(False)
    return made


def carry(ends, delay, jitter, loss):
    """Carries frames until the process is asked to end."""
    waiting, carried, lost, is_ending = [], 0, 0, []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_ending.append(1))
    chance = random.Random(1)
    while not is_ending:
        pause = max(0, waiting[0][0] - time.monotonic()) if waiting else 0.1
        ready, _, _ = select.select(ends, [], [], min(pause, 0.1))
        for end in ready:
            other = ends[1 - ends.index(end)]
            for _ in range(64):
                try:
                    frame, (_, _, kind, _, _) = end.recvfrom(1 << 16)
                except BlockingIOError:
                    break
                if kind == socket.PACKET_OUTGOING:
                    continue
                if chance.random() * 100 < loss:
                    lost += 1
                    continue
                carried += 1
                due = time.monotonic() + (delay + chance.random() * jitter) / 1000
                heapq.heappush(waiting, (due, carried, other, frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, other, frame = heapq.heappop(waiting)
            try:
                other.send(frame)
            except OSError:
                lost += 1
    print(f"{carried} carried, {lost} lost", flush=True)


if __name__ == "__main__":
    left, right, delay, jitter, loss = sys.argv[1:]
    carry([endpoint(left), endpoint(right)], float(delay), float(jitter), float(loss))
