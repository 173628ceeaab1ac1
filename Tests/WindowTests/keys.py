# SPDX-License-Identifier: Apache-2.0
"""The letters of the keyboard and a MIDI source play the tone: keys.py FOLDER."""

import os
import sys
import time

from sentences import check, finish, shows
from window import Window, until, wave_samples, x

folder = sys.argv[1]
path = os.path.join(folder, "keys.wav")
window = Window(AUDIOTOOLBOX_DEVICE=f"file:{path}", AUDIOTOOLBOX_MIDI="none", LANGUAGE="en")
x("windowsize", window.identifier, 900, 760)


def hold(letter, seconds=0.6):
    x("keydown", letter)
    time.sleep(seconds)
    x("keyup", letter)


def types():
    """Whether letters are typed into the field of the frequency."""
    focus = window.focused()
    return focus and focus.name == "Frequency in Hz"


check("at first a letter begins a note to type", window.key_until("a", "the field", types))
check("and plays nothing", not window.has("261.626 Hz") and window.find("Play", "push button"))

window.key("ctrl+k")
check("Ctrl+K closes the field", until("no field", lambda: not types()))
x("keydown", "a")
check("after it a letter plays its note", shows(window, "261.626 Hz"))
check("while it is held", window.find("Stop", "push button"))
x("keyup", "a")
hold("k")
check("the row has a whole octave", shows(window, "523.251 Hz"))
window.key("x")
hold("d")
check("X goes up by an octave", shows(window, "659.255 Hz"))
window.key("Up")
check("other keys have their usual meanings", shows(window, "660.255 Hz"))

window.key("F9", "alt+1")
check("the panel has the MIDI sources", shows(window, "MIDI source"))
check("the panel shows that the letters play", shows(window, "White keys A to ’ from C5"))
window.key("ctrl+k")
check("the tone is over when they do not any more", window.find("Play", "push button"))
window.key("F9")
window.key_until("a", "the field", types)
check("and a letter begins a note again", window.find("Play", "push button"))
window.key("Escape")
check("which Escape cancels", shows(window, "660.255 Hz"))

check("the window closes", window.close() == 0)

samples, rate = wave_samples(path)
loud = [abs(value) > 0.01 for value in samples[0]]
gaps = sum(1 for one, other in zip(loud[:: int(rate) // 20], loud[int(rate) // 20 :: int(rate) // 20]) if one and not other)
check("the notes end when their keys are released", gaps >= 2 or not loud[-1], f"{gaps} ends")
finish("Keys")
