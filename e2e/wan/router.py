"""Carries packets between the hosts of a lab. Started by lab.ts; nothing beside Python's own library.

    router.py SEED NAMESPACE DEVICE RATE [NAMESPACE DEVICE RATE ...]

Each three are a host: its network namespace, which is there already, a name for the TUN device that is made and moved into it,
and the bytes a second that its line carries each way (0: no bound). A host's address ends in its place among them, from 1, so the last byte of a packet's destination says where it goes.

Commands come on stdin, a JSON object a line: {"FROM>TO": [milliseconds, loss], ...} with places as FROM and TO. That is the
whole table from then on, and what it does not name is cut. Each is answered by "done". When stdin ends, because whoever
started this closed it or is dead, the namespaces go, with all that runs in them.
"""
import fcntl
import heapq
import json
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
PACKET_BYTES_MAX = 65536
# Beyond, packets are lost, as in a router that is full.
WAITING_MAX = 20_000
# Seconds that a packet waits for a narrow line at most, as with the buffer of a home router. Longer: it is lost.
LINE_QUEUE_MAX = 0.2
# Read of one device before the others have their turn.
PACKETS_AT_ONCE = 32


def open_device(namespace, device):
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
    # It stays ours wherever it is.
    subprocess.run(["ip", "link", "set", device, "netns", namespace, "name", "wan0"], check=True)
    return tun


def remove(namespace):
    inside = subprocess.run(["ip", "netns", "pids", namespace], capture_output=True, text=True)
    for pid in inside.stdout.split():
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass
    subprocess.run(["ip", "netns", "del", namespace], stderr=subprocess.DEVNULL)


class Router:
    def __init__(self, devices, rates, seed):
        self.devices = devices
        self.rates = rates
        # When each way of a narrow line is free, by place and way.
        self.free = {}
        self.paths = {}
        self.random = random.Random(seed)
        self.waiting = []
        self.count = 0
        self.input = b""

    def obey(self):
        """False: nobody commands any more."""
        read = os.read(0, PACKET_BYTES_MAX)
        *lines, self.input = (self.input + read).split(b"\n")
        for line in lines:
            table = json.loads(line)
            self.paths = {tuple(map(int, ends.split(">"))): path for ends, path in table.items()}
            # What is on its way when a path is cut is lost.
            self.waiting = [entry for entry in self.waiting if entry[2] in self.paths]
            heapq.heapify(self.waiting)
            print("done", flush=True)
        return read != b""

    def take(self, place, most):
        for _ in range(most):
            try:
                packet = os.read(self.devices[place], PACKET_BYTES_MAX)
            except BlockingIOError:
                return
            if packet[0] >> 4 != 4:
                continue
            ends = (place, packet[19])
            path = self.paths.get(ends)
            if path is None or self.random.random() < path[1] or len(self.waiting) >= WAITING_MAX:
                continue
            due = self.over_lines(ends, len(packet))
            if due is None:
                continue
            self.count += 1
            heapq.heappush(self.waiting, (due + path[0] / 1000, self.count, ends, packet))

    def over_lines(self, ends, size):
        """When it has passed the lines of both hosts; None if one of their queues is full."""
        due = now = time.monotonic()
        free = {}
        for way in ((ends[0], "up"), (ends[1], "down")):
            rate = self.rates[way[0]]
            if rate == 0:
                continue
            begin = max(due, self.free.get(way, now))
            if begin - due > LINE_QUEUE_MAX:
                return None
            due = free[way] = begin + size / rate
        self.free.update(free)
        return due

    def hand_over(self):
        now = time.monotonic()
        while self.waiting and self.waiting[0][0] <= now:
            _, _, (_, place), packet = heapq.heappop(self.waiting)
            try:
                os.write(self.devices[place], packet)
            except OSError:
                pass  # The host takes no more just now: lost.

    def run(self):
        place_of = {device: place for place, device in self.devices.items()}
        while True:
            patience = max(0, self.waiting[0][0] - time.monotonic()) if self.waiting else None
            ready, _, _ = select.select([0, *place_of], [], [], patience)
            for device in ready:
                if device != 0:
                    self.take(place_of[device], PACKETS_AT_ONCE)
            if 0 in ready:
                # What was sent before a command is dealt with as it was until then.
                for place in self.devices:
                    self.take(place, WAITING_MAX)
                if not self.obey():
                    return
            self.hand_over()


def main():
    seed, *hosts = sys.argv[1:]
    pairs = list(zip(hosts[::3], hosts[1::3]))
    rates = dict(enumerate(map(float, hosts[2::3]), 1))
    # Ctrl-C goes to everybody at the terminal; whoever started this is the one to end it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        devices = {place: open_device(*pair) for place, pair in enumerate(pairs, 1)}
        print("ready", flush=True)
        Router(devices, rates, int(seed)).run()
    finally:
        for namespace, _ in pairs:
            remove(namespace)


main()
