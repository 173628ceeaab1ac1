# SPDX-License-Identifier: Apache-2.0
"""Plays in a real window to a file, then checks the recording: playing.py FOLDER."""

import math
import os
import sys
import time

import pyatspi

from sentences import check, finish
from window import Window, until, wave_samples, x

folder = sys.argv[1]
path = os.path.join(folder, "tone.wav")


def frames():
    """The current number of frames in the file."""
    return max(0, (os.path.getsize(path) - 80) // 8) if os.path.exists(path) else 0


def file_rests():
    """Whether nothing is written to the file any more."""

    def is_unchanged():
        before = frames()
        time.sleep(0.4)
        return frames() == before

    return until("no more frames", is_unchanged)


def play_for(seconds):
    start = frames()
    until("sound in the file", lambda: frames() >= start + 48_000 * seconds, 60)


window = Window(AUDIOTOOLBOX_DEVICE=f"file:{path}", LANGUAGE="en")
check("does not play at first, with a button named Play", window.find("Play", "push button"))
check("nothing is written before it plays", frames() == 0)

slider = window.find("Frequency", "slider")
check("the slider has a name, a role and a value in hertz", slider.queryValue().currentValue == 440)

controls = ("push button", "slider", "spin button", "check box", "combo box", "text")
nameless = [n.getRoleName() for n in window.all() if n.getRoleName() in controls and (not n.name or n.name.startswith("Gtk"))]
check("every control has a name", not nameless, ", ".join(nameless))


check("a silent window sleeps: it draws nothing", until("rest", lambda: window.rests(1)))

window.press("Play")
window.find("Stop", "push button")
play_for(0.7)
check("the device that plays is shown, with its latency", window.has(f"file:{path}") and window.has("latency"))

# A drag over half of the slider, in small steps, as by hand.
box = slider.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
y = box.y + 12
begin = box.x + 12 + int((box.width - 24) * math.log2(slider.queryValue().currentValue / 20) / math.log2(1000))
x("mousemove", begin, y, "mousedown", 1)
for step in range(40):
    x("mousemove", begin + 3 * step, y)
    time.sleep(0.015)
x("mouseup", 1)
play_for(0.4)
dragged = window.number("Frequency").currentValue
check("a drag moves the slider", dragged > 440 * 2**0.5, f"{dragged:.2f} Hz")
drag_end = frames()
play_for(0.3)

window.focus()
window.key("1", "0", "0", "0", "period", "5", "Return")
until("the typed frequency", lambda: window.has("1000.500 Hz"))
play_for(0.6)
typed = frames()

x("windowunmap", window.identifier)
hidden = frames()
play_for(0.5)
x("windowmap", window.identifier)
check("the tone continues while the window is hidden", frames() > hidden)
window.focus()

window.key("F9")
window.number("Level (dBFS)").currentValue = -12
play_for(0.4)
leveled = frames()
play_for(0.1)

window.click(window.find("Wave", "combo box"))
window.key("Down", "Return")
until("a square", lambda: window.has("Duty cycle (%)"))
play_for(0.4)
square = frames()
play_for(0.1)

window.key("alt+4")
window.walk_to("Play to")
window.key("space", "End", "Return")
check("another device can be chosen, and is shown", until("the device null", lambda: window.has("null")))
check("the tone continues there and not in the file", file_rests() and window.find("Stop", "push button"))

window.press("Stop")
window.find("Play", "push button")
check("nothing is written after Stop", file_rests())
check("it ends by the signal", window.close() == 0)

channels, rate = wave_samples(path)
left = channels[0]
check("both channels have the tone", channels[0] == channels[1])


def fit(samples, frequency):
    """The amplitude of a sine at a frequency, and the rest without it."""
    turns = [2 * math.pi * frequency * index / rate for index in range(len(samples))]
    s = 2 / len(samples) * sum(a * math.sin(t) for a, t in zip(samples, turns))
    c = 2 / len(samples) * sum(a * math.cos(t) for a, t in zip(samples, turns))
    rest = sum((a - s * math.sin(t) - c * math.cos(t)) ** 2 for a, t in zip(samples, turns))
    return math.hypot(s, c), math.sqrt(rest / len(samples))


def bend(samples, frequency, amplitude):
    """The sharpest bend of a wave, relative to the sharpest bend of such a sine."""
    sharpest = max(abs(a - 2 * b + c) for a, b, c in zip(samples, samples[1:], samples[2:]))
    return sharpest / (amplitude * (2 * math.sin(math.pi * frequency / rate)) ** 2)


first = left[24_000:28_800]
amplitude, rest = fit(first, 440)
check("it begins with 440 Hz at -20 dBFS", abs(amplitude - 0.1) < 1e-4 and rest < 1e-4, f"{amplitude:.6f}")

highest = dragged
piece = left[24_000:drag_end]
check("the drag has no click", bend(piece, highest * 1.02, 0.1) < 1.01, f"{bend(piece, highest, 0.1):.4f}")

# 2,000 whole periods of a thousand and a half hertz are 95,952 frames and a half: a fifth will do.
piece = left[typed - 9_600 - 4_800 : typed - 4_800]
amplitude, rest = fit(piece, 1000.5)
check("the typed frequency is played", abs(amplitude - 0.1) < 2e-4, f"{amplitude:.6f}")

piece = left[leveled - 9_600 : leveled - 4_800]
amplitude, rest = fit(piece, 1000.5)
check("the level is what was set", abs(amplitude - 10 ** (-12 / 20)) < 3e-4, f"{20 * math.log10(amplitude):.4f} dBFS")

piece = left[24_000:leveled]
check("no change so far had a click", bend(piece, max(highest * 1.02, 1000.5), 10 ** (-12 / 20)) < 1.01)

piece = left[square - 9_600 : square - 4_800]
rms = math.sqrt(sum(a * a for a in piece) / len(piece))
# The level is its peak; its flat parts are lower, because partials are cut off. A sine would have 0.71.
check("the wave is a square", abs(rms / 10 ** (-12 / 20) - 0.845) < 0.03, f"{rms:.4f}")
check("it ends in silence", all(a == 0 for a in left[-8:]))

finish("Window")
