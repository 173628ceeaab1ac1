# SPDX-License-Identifier: Apache-2.0
"""The load of the window, silent and during playback, with software rendering: load.py"""

import os
import time

from window import Window

SECONDS = 5


def load(window):
    """The processor load of the process in percent of one core, and its wake-ups."""

    def times():
        words = open(f"/proc/{window.process.pid}/stat").read().rsplit(") ", 1)[1].split()
        wakes = next(l for l in open(f"/proc/{window.process.pid}/status") if l.startswith("voluntary"))
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK"), int(wakes.split()[1])

    before, start = times(), time.monotonic()
    time.sleep(SECONDS)
    after, seconds = times(), time.monotonic() - start
    return 100 * (after[0] - before[0]) / seconds, (after[1] - before[1]) / seconds


def show(what, measured):
    print(f"{what:<44} {measured[0]:6.1f} % of a processor {measured[1]:8.1f} wakes a second", flush=True)


window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en")
time.sleep(2)
show("window, open and silent", load(window))
window.press("Play")
time.sleep(1)
show("window, playing, scope on", load(window))
window.key("F9", "alt+5")
time.sleep(1)
node = next(n for n in window.all() if n.name == "Spectrum" and n.getRoleName() == "check box")
node.queryAction().doAction(0)
time.sleep(1)
show("window, playing, scope, spectrum and panel", load(window))
window.close()
