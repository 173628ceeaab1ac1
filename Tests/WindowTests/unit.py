# SPDX-License-Identifier: Apache-2.0
"""The window of `au view`, driven by assistive technology and keys: unit.py FOLDER."""

import math
import os
import struct
import subprocess
import sys
import time
import wave

import pyatspi

from sentences import check, finish, shows
from window import PROGRAM, Failure, Window, settings, until, x

folder = sys.argv[1]
pictures = os.path.join(folder, "unit")
os.makedirs(pictures, exist_ok=True)
data = os.path.join(folder, "data")
ENVIRONMENT = dict(
    AUDIOTOOLBOX_DEVICE="null", AUDIOTOOLBOX_PLUGINS="none", LANGUAGE="en", XDG_DATA_HOME=data)


def view(*words):
    window = Window("view", *words, **ENVIRONMENT)
    x("windowsize", window.identifier, 640, 760)
    return window


def near(one, other, tolerance=1e-3):
    return abs(one - other) <= tolerance * max(abs(other), 1e-9)


def text_of(window, name):
    """The text in a field."""
    node = window.find(name, "text")
    text = node.queryText()
    return text.getText(0, text.characterCount)


def becomes(what, condition, seconds=10):
    try:
        return until(what, condition, seconds)
    except Failure:
        return False


def toggle(window, name):
    """A button that stays pressed; its role depends on the version of GTK."""
    return until(name, lambda: next(
        (node for node in window.all() if node.name == name and node.getRoleName() in ("toggle button", "push button")),
        None))


def press(window, name):
    toggle(window, name).queryAction().doAction(0)


def type_value(window, name, text):
    """Types a value into the field of a parameter."""
    window.focus()
    window.click(window.find(f"{name}, value", "text"))
    time.sleep(0.2)
    window.key("ctrl+a")
    x("type", "--delay", "30", text)
    window.key("Return")


def choose(window, name, downs):
    """Opens a menu by its name, goes down by so many entries and takes the one there."""
    window.focus()
    window.click(window.find(name))
    time.sleep(0.5)
    window.key(*["Down"] * downs, "Return")
    time.sleep(0.3)


# A filter: sliders, typed values, two settings, bypass, presets of the user.
window = view("lowpass")
cutoff = window.number("cutoff frequency")
check("a parameter has a slider with its own range and value",
      (cutoff.minimumValue, cutoff.currentValue) == (10, 6900) and cutoff.maximumValue > 20000,
      f"{cutoff.minimumValue}, {cutoff.maximumValue}, {cutoff.currentValue}")
check("and a field with the unit of measure", text_of(window, "cutoff frequency, value") == "6900 Hz")
cutoff.currentValue = 1000
check("assistive technology moves it", becomes("1000 Hz", lambda: text_of(window, "cutoff frequency, value") == "1000 Hz"))
window.walk_to("cutoff frequency")
# The row comes first, then its slider.
while window.focused().getRoleName() != "slider":
    window.key("Tab")
    time.sleep(0.2)
window.key("Right")
step = (cutoff.maximumValue / cutoff.minimumValue) ** 0.01
check("an arrow key moves it by a hundredth of its logarithmic scale",
      becomes("a step", lambda: near(cutoff.currentValue, 1000 * step)), cutoff.currentValue)
window.key("shift+Left")
fine = (cutoff.maximumValue / cutoff.minimumValue) ** -0.001
check("and with Shift by a thousandth", becomes("a step", lambda: near(cutoff.currentValue, 1000 * step * fine)))
type_value(window, "cutoff frequency", "2k")
check("a value can be typed", becomes("2000", lambda: cutoff.currentValue == 2000), cutoff.currentValue)
type_value(window, "cutoff frequency", "loud")
check("a wrong one is refused with what is expected", shows(window, "expected a number from 10 to", 10))
check("and the old one stays", text_of(window, "cutoff frequency, value") == "2000 Hz")

press(window, "Setting B")
type_value(window, "resonance", "6")
resonance = window.number("resonance")
check("a second setting begins as the first", becomes("6", lambda: resonance.currentValue == 6) and cutoff.currentValue == 2000)
press(window, "Setting A")
check("the first one is as it was", becomes("0", lambda: resonance.currentValue == 0))
window.key("ctrl+e")
check("Ctrl+E exchanges them", becomes("6", lambda: resonance.currentValue == 6))
window.press("Make both the same")
press(window, "Setting A")
time.sleep(0.3)
check("both can be made the same", resonance.currentValue == 6)

bypass = toggle(window, "Bypass")
window.key("ctrl+b")
check("Ctrl+B bypasses", becomes("bypass", lambda: bypass.getState().contains(pyatspi.STATE_PRESSED)))
press(window, "Bypass")
check("and the button ends it", becomes("none", lambda: not bypass.getState().contains(pyatspi.STATE_PRESSED)))

window.click(window.find("Save as", "text"))
time.sleep(0.2)
x("type", "--delay", "30", "Dark")
window.key("Return")
check("a setting is saved as a preset", shows(window, "Saved as “Dark”.", 10))
window.press("Defaults")
check("all return to their defaults", becomes("6900", lambda: (cutoff.currentValue, resonance.currentValue) == (6900, 0)))
window.shoot(os.path.join(pictures, "filter.png"))
check("it closes, and prints nothing", window.close() == 0)

window = view("lowpass")
cutoff = window.number("cutoff frequency")
choose(window, "Preset", 1)
check("the preset is there in the next window", becomes("2000", lambda: cutoff.currentValue == 2000), cutoff.currentValue)
window.press("Delete this preset")
check("and can be deleted", becomes("no file", lambda: not any(names for _, _, names in os.walk(data))))
check("it closes, and prints nothing", window.close() == 0)

# Factory presets and menus.
window = view("reverb2")
room = window.number("decay time at 0 Hz")
before = room.currentValue
choose(window, "Preset", 5)
check("a factory preset changes the parameters", becomes("another value", lambda: room.currentValue != before), room.currentValue)
check("it closes, and prints nothing", window.close("ctrl+w") == 0)

window = view("distortion")
check("a unit with many parameters has groups or one list", window.find("decimation", "slider"))
check("it closes, and prints nothing", window.close() == 0)

# Each input of a mixer.
window = view("mcmx")
check("each input of a mixer is a group", all(shows(window, f"Input {number}", 10) for number in (0, 1)))
window.shoot(os.path.join(pictures, "mixer.png"))
check("it closes, and prints nothing", window.close() == 0)

# Sound through a compressor: meters and level.
path = os.path.join(folder, "tone.wav")
with wave.open(path, "wb") as file:
    file.setparams((1, 2, 48000, 0, "NONE", ""))
    file.writeframes(b"".join(
        struct.pack("<h", int(16000 * math.sin(2 * math.pi * 440 * n / 48000))) for n in range(48000)))
window = view("dynamicsprocessor,threshold=-30", path)
stop = window.find("Stop", "push button")
check("a file plays at once", stop)
meter = window.find("input amplitude", "level bar").queryValue()
check("a meter follows the sound", becomes("a level", lambda: meter.currentValue > 0.5), meter.currentValue)
level = window.find("Output level", "level bar").queryValue()
check("so does the level of the output", becomes("a level", lambda: level.currentValue > 0.3), level.currentValue)
window.shoot(os.path.join(pictures, "compressor.png"))
window.key("ctrl+p")
check("Ctrl+P stops it", becomes("Play", lambda: window.find("Play", "push button")))
check("it closes, and prints nothing", window.close() == 0)

# The command starts the window if there is a display.
au = os.path.join(os.path.dirname(PROGRAM), "au")
command = subprocess.Popen([au, "view", "lowpass"], env={**os.environ, **ENVIRONMENT})
check("`au view` shows the window where there is a display",
      becomes("a window", lambda: x("search", "--pid", command.pid, "--onlyvisible").split(), 30))
command.terminate()
command.wait(30)
finish("Unit")
