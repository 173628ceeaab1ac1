# SPDX-License-Identifier: Apache-2.0
"""A sound file as the signal, and its timing, in the window: sounds.py FOLDER."""

import array
import json
import math
import os
import sys
import tempfile
import wave

from sentences import check, finish, shows
from window import Failure, Window, until, wave_samples, x

folder = sys.argv[1]
sound = os.path.join(folder, "a sound.wav")
path = os.path.join(folder, "sound-played.wav")
with wave.open(sound, "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(44_100)
    # Ten periods of 1 kHz.
    samples = [round(20_000 * math.sin(2 * math.pi * 1_000 * n / 44_100)) for n in range(441)]
    file.writeframes(array.array("h", samples).tobytes())

state = tempfile.mkdtemp(dir=folder)
os.makedirs(os.path.join(state, "ToneGenerator"))
stored = os.path.join(state, "ToneGenerator", "window.json")
with open(stored, "w") as file:
    json.dump({"frequency": 440, "level": -20, "waveform": "file", "file": sound}, file)


def number(name, value):
    """Sets a number, as assistive technology does, also out of sight; whether the field has it then."""
    window.number(name).currentValue = value
    try:
        return until(name, lambda: abs(window.number(name).currentValue - value) < 1e-6)
    except Failure:
        return False


window = Window(AUDIOTOOLBOX_DEVICE=f"file:{path}", LANGUAGE="en", XDG_STATE_HOME=state)
x("windowsize", window.identifier, 980, 860)
check("the file of the last window is restored", shows(window, "a sound.wav"))
window.key("alt+1")
check("the panel has its length, rate and channels", shows(window, "0.010 s, 44100 Hz, channels: 1"))
window.key("alt+2")
window.walk_to("Limited duration")
window.key("space")
check("a duration can be set", number("Duration (s)", 1.5))
check("and a delay", number("Start after (s)", 0.25))
window.press("Play")
until("sound", lambda: os.path.exists(path))
check("it stops after the duration by itself", window.find("Play", "push button"))
channels, rate = wave_samples(path)
played = [index for index, value in enumerate(channels[0]) if value]
begin, end = played[0] / rate, played[-1] / rate
check("it has sounded for that time", abs(begin - 0.25) < 0.01 and abs(end - 1.75) < 0.01, f"{begin:.3f} to {end:.3f} s")
middle = channels[0][rate // 2 : rate]
turns = sum(1 for one, other in zip(middle, middle[1:]) if one < 0 <= other)
check("the file in a loop, at its pitch", abs(turns - 500) <= 1, f"{turns} periods")
check("at the level", abs(max(middle) - 0.1) < 0.001, f"{max(middle):.4f}")

window.click(window.find("Wave", "combo box"))
window.key("Home", "Return")
check("a wave takes its place", shows(window, "440.000 Hz"))
check("and it ends", window.close() == 0)
check("which is stored", json.load(open(stored))["waveform"] == "sine" and "file" not in json.load(open(stored)))

finish("Window, sounds")
