# SPDX-License-Identifier: Apache-2.0
"""The first minutes of use, by hand and by assistive technology: first_screen.py FOLDER."""

import os
import subprocess
import sys
import tempfile
import time

from sentences import check, finish, shows
from window import Failure, Window, until, x

folder = sys.argv[1]


def gone(text):
    try:
        return until(f"no {text}", lambda: not window.has(text))
    except Failure:
        return False


def colour(place):
    """The colour of a pixel of the window, as red, green and blue."""
    path = os.path.join(folder, "point.png")
    window.shoot(path)
    text = subprocess.run(
        ["convert", path, "-format", "%[pixel:p{" + f"{place[0]},{place[1]}" + "}]", "info:"],
        check=True, capture_output=True, text=True).stdout
    return text


def size():
    """The size of the window, such as 360x600."""
    return x("getwindowgeometry", window.identifier).split("Geometry: ")[1].split()[0]


def turn(node, button, *held):
    """Turns the wheel by a notch over a widget: 4 is up, 5 is down."""
    box = window.extents(node)
    x("mousemove", box.x + box.width // 2, box.y + box.height // 3)
    for key in held:
        x("keydown", key)
    x("click", button)
    for key in held:
        x("keyup", key)


state = tempfile.mkdtemp(dir=folder)
window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en", XDG_STATE_HOME=state)

# The information for assistive technology.
slider = window.find("Frequency", "slider")
value = slider.queryValue()
check(
    "the slider reports hertz and the note",
    (value.minimumValue, value.currentValue, value.maximumValue) == (20, 440, 20_000)
    and "A4" in slider.description, slider.description)
value.currentValue = 1000
check("and accepts hertz", shows(window, "1000.000 Hz") and "B5" in slider.description)
window.find("Level", "slider").queryValue().currentValue = -30
check("the level is on the main screen", shows(window, "−30.0 dBFS"))
check("and so is the waveform", window.find("Wave", "combo box"))

# The mouse wheel.
value.currentValue = 440
shows(window, "440.000 Hz")
turn(slider, 4)
check("a notch of the wheel is a semitone", shows(window, "466.164 Hz"))
turn(slider, 5)
turn(slider, 4, "shift")
check("and with Shift a cent", shows(window, "440.254 Hz"))
turn(window.find("Level", "slider"), 4)
check("over the level it is a decibel", shows(window, "−29.0 dBFS"))

# Typing.
window.focus()
window.key("8", "8", "0", "k", "Return")
check("an invalid frequency is refused", shows(window, "expected a frequency such as 440, 1k or A4"))
field = window.find("Frequency in Hz", "text")
text = field.queryText()
check("and stays, to be corrected", text.getText(0, text.characterCount) == "880k")
window.key("BackSpace")
check("the note follows the typed frequency", shows(window, "A5"))
window.key("Return")
check("and Enter applies it", shows(window, "880.000 Hz"))
window.key("4", "4", "0", "Return")

# The menu and its keys.
window.key("F1")
check("F1 shows the keys", shows(window, "A semitone"))
window.key("Escape")
gone("A semitone")
window.focus()
window.key("ctrl+question")
check("and so does Ctrl+?", shows(window, "A semitone"))
window.key("Escape")
gone("A semitone")
window.focus()
window.key("F10")
check("F10 opens the menu", shows(window, "About ToneGenerator"))
window.key("Down", "Return")
check("which describes the program", shows(window, "A tone that follows a slider"))
window.key("Escape")
gone("A tone that follows a slider")
window.focus()

# The pages of the panel.
pages = [
    ("Octave", "Tone"), ("Periods on", "Sweep"), ("Phase offset (°)", "Channels"), ("Play to", "Device"),
    ("Scale of the oscilloscope", "View"), ("Seamless loop", "Files")]
for number, (text, page) in enumerate(pages, 1):
    window.key(f"alt+{number}")
    check(f"Alt+{number} opens the page {page}", shows(window, text) and window.focused().name == page)

# Numbers in the panel are typed as on the main screen.
window.key("alt+1")
spin = window.find("Frequency (Hz)", "spin button")
window.click(spin)
window.key("ctrl+a", "1", "period", "5", "k", "Return")
check("a field of the panel accepts 1.5k", shows(window, "1500.000 Hz"))

# Playback, and messages.
window.press("Play")
stop = window.find("Stop", "push button")
window.press("Add a tone")
toast = until("what adding does", lambda: next(n for n in window.all() if (n.name or "").startswith("Tone 2 has")))
above, below = window.extents(toast), window.extents(stop)
check("adding a tone reports the new levels", "dBFS" in toast.name, toast.name)
check("messages do not cover Stop", above.y + above.height <= below.y)
window.press("Remove this tone")
window.key("alt+5")
window.walk_to("Spectrum")
window.key("space")
spectrum = until(
    "the spectrum", lambda: next(n for n in window.all() if n.name == "Spectrum" and "Hz" in (n.description or "")))
box = window.extents(spectrum)
x("mousemove", box.x + int(box.width * 0.625), box.y + box.height // 2)
check("the spectrum reports its peak under the pointer", until("the peak", lambda: "1500.0 Hz  −2" in spectrum.description), spectrum.description)
window.walk_to("Scale of the oscilloscope", "shift+Tab")
window.key("space", "Down", "Down", "Return")
check("the scale of the oscilloscope can be chosen", shows(window, "±0.5"))

# The panel over a narrow window.
x("windowsize", window.identifier, 360, 600)
check("a window of 360 pixels has room for everything", until("360 pixels", lambda: size() == "360x600"))
middle = (180, 500)
covered = colour(middle)
window.key("F9")
time.sleep(0.7)
window.click(stop)
check("a click reaches Stop", window.find("Play", "push button"))
window.key("F9")
x("windowsize", window.identifier, 360, 600)
check("the panel is opaque", until("the panel", lambda: colour(middle) == covered))
window.key("F9")
time.sleep(0.5)

# The end, and the next start.
x("windowsize", window.identifier, 700, 640)
window.click(window.find("Wave", "combo box"))
window.key("Down", "Down", "Return")
time.sleep(0.5)
check("Ctrl+Q closes it without a message", window.close("ctrl+q") == 0)

window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en", XDG_STATE_HOME=state)
check("frequency and level are restored", shows(window, "1500.000 Hz") and shows(window, "−29.0 dBFS"))
check("and the wave", shows(window, "Triangle"))
check("and the size", until("the size", lambda: size() == "700x640"))
check("it does not play at first", window.find("Play", "push button"))
window.press("Play")
window.find("Stop", "push button")
check("Ctrl+W closes it while it plays, without a message", window.close("ctrl+w") == 0)

window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en", XDG_STATE_HOME=state)
window.press("Play")
window.find("Stop", "push button")
check("and so does the button at its corner", window.close("Close") == 0)

window = Window(AUDIOTOOLBOX_DEVICE="", LANGUAGE="en", XDG_STATE_HOME=state)
window.key("alt+4")
window.walk_to("Play to")
window.key("space", "End", "Return")
until("a device", lambda: window.has("null (null)"))
check("a signal ends it without a message", window.close(None) == 0)
window = Window(AUDIOTOOLBOX_DEVICE="", LANGUAGE="en", XDG_STATE_HOME=state)
window.press("Play")
window.find("Stop", "push button")
window.key("alt+4")
check("the device is restored", shows(window, "48000 Hz, channels: 2"))
check("and it ends", window.close() == 0)

finish("Window, first screen")
