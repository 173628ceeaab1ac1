# SPDX-License-Identifier: Apache-2.0
"""Test signals in the panel of the window, by hand: signals.py FOLDER."""

import os
import subprocess
import sys
import tempfile

from sentences import check, finish, shows
from window import Failure, Window, until, x

folder = sys.argv[1]


def write(name, role, text):
    """Replaces the text of a field."""
    window.click(window.find(name, role))
    window.key("ctrl+a")
    x("type", "--delay", 30, "--", text)
    window.key("Return")


def value(name):
    return window.number(name).currentValue


def comes(name, expected):
    """Whether a field has a number within some seconds."""
    try:
        return until(f"{name} {expected}", lambda: abs(value(name) - expected) < 1e-6)
    except Failure:
        return False


def dialogs():
    """The windows of the file dialog."""
    found = subprocess.run(
        ["xdotool", "search", "--onlyvisible", "--name", "Save the tone"], capture_output=True, text=True)
    return found.stdout.split()


state = tempfile.mkdtemp(dir=folder)
window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en", XDG_STATE_HOME=state)
x("windowsize", window.identifier, 900, 760)

# Several sines and their crest factor.
window.key("alt+1")
window.press("Add a tone")
window.press("Highest")
check("two equal sines with coinciding peaks have a crest of 6 dB", shows(window, "6.02 dB"))
window.press("Lowest")
check("which can be lowered", until("another crest", lambda: not window.has("6.02 dB") and window.has(" dB")))
window.press("Remove this tone")

# A sweep with an end level.
window.key("alt+2")
window.walk_to("Level moves too")
window.key("space")
write("Level at the end (dBFS)", "spin button", "-50dB")
check("the level at the end of a sweep is typed", comes("Level at the end (dBFS)", -50))

# Calibration by one measured point.
window.key("alt+4")
write("Measured at the present level", "text", "94dBSPL")
check("the measured value gives that of full scale", shows(window, "114.0 dB SPL"))
check("and is shown next to the level", shows(window, "94.0 dB SPL"))
window.key("alt+1")
write("Level (dBFS)", "spin button", "74dBSPL")
check("a level is typed as a measured value", comes("Level (dBFS)", -40))

# Band-limited noise.
window.click(window.find("Wave", "combo box"))
window.key("Down", "Down", "Down", "Down", "Down", "Return")
shows(window, "Pink noise")
window.walk_to("Band limits")
window.key("space")
write("Upper limit (Hz)", "spin button", "4k")
check("the limits of noise are typed", comes("Upper limit (Hz)", 4000) and comes("Lower limit (Hz)", 500))
write("Lower limit (Hz)", "spin button", "5k")
check("and must rise", shows(window, "The upper limit of a band lies above the lower one."))
write("Lower limit (Hz)", "spin button", "1k")
window.press("Play")
check("they play", window.find("Stop", "push button"))
window.press("Stop")

# A file with dither.
window.key("alt+6")
window.walk_to("Samples")
window.key("space", "Down", "Down", "Return")
check("samples of a file can have 16 bits and a dither", shows(window, "16 bits, dithered"))
path = os.path.join(folder, "noise.wav")
window.press("Save…")
try:
    until("the dialog", lambda: window.has("Save the tone"))
    for _ in range(6):
        # A key may arrive before the dialog has the focus, so it is pressed again.
        try:
            x("windowfocus", until("the dialog's window", dialogs)[-1])
            window.key("ctrl+a")
            x("type", "--delay", 20, "--", path)
            window.key("Return")
            until("the end of the dialog", lambda: not dialogs(), 8)
            break
        except (Failure, subprocess.CalledProcessError):
            continue
    until("a file", lambda: os.path.exists(path) and os.path.getsize(path) > 1_900_000)
    header = open(path, "rb").read(2_000)
    bits = header[header.index(b"fmt ") + 22]
    check("and the file has them", bits == 16, f"{bits} bits")
except Failure as failure:
    check("and the file has them", False, failure)
window.focus()
check("it ends without a message", window.close() == 0)

window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en", XDG_STATE_HOME=state)
# Pink noise has an RMS that is 11 dB below that of the sine.
check("the calibration is restored at the next start", shows(window, "63.0 dB SPL"))
check("and it ends", window.close() == 0)

window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en")
reached = []
for _ in range(9):
    window.key("Tab")
    reached.append(until("the focus", window.focused).name)
controls = {"Settings", "Menu", "Frequency", "Level", "Wave", "Play"}
check("Tab leads to everything on the main screen", controls <= set(reached), ", ".join(sorted(set(reached))))
check("and it ends", window.close() == 0)

finish("Window, signals")
