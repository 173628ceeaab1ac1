# SPDX-License-Identifier: Apache-2.0
"""The appearance of the window in each language and style, small and large: looks.py FOLDER [all].

The first screen and a page of the panel, with "all" every page, are shot in two runs, which must agree to the
pixel; nothing may reach beyond the sides of the window, and nothing may be printed. The pictures stay in
FOLDER/looks."""

import os
import subprocess
import sys
import time

import pyatspi

from sentences import check, finish
from window import PROGRAM, Failure, Window, settings, until, x

folder = os.path.join(sys.argv[1], "looks")
PAGES = ["Tone", "Sweep", "Channels", "Device", "View", "Files"]
SMALL, LARGE = (360, 600), (1280, 800)
CONTROLS = ("push button", "toggle button", "slider", "spin button", "check box", "combo box", "text", "switch")


def size(window):
    text = x("getwindowgeometry", window.identifier).split("Geometry: ")[1].split()[0]
    return tuple(int(number) for number in text.split("x"))


def resize(window, target):
    x("windowsize", window.identifier, *target)
    return until(f"a window of {target}", lambda: size(window) == target)


def outside(window):
    """Visible controls that extend beyond the sides of the window."""
    width, _ = size(window)
    found = []
    for node in window.all():
        try:
            if node.getRoleName() not in CONTROLS or not node.getState().contains(pyatspi.STATE_SHOWING):
                continue
            box = window.extents(node)
        except Exception:
            continue
        if box.width > 0 and (box.x < 0 or box.x + box.width > width):
            found.append(f"{node.name}: {box.x} to {box.x + box.width}")
    return found


def still(window, path, rest):
    """A screenshot of the window once it is at rest: it sleeps for some seconds, and two consecutive ones are
    equal. While it waits for the processor, equal ones may both show the state before the last action."""
    before = None
    for _ in range(300):
        rested = window.rests(rest)
        now = subprocess.run(
            ["import", "-window", window.identifier, "rgb:-"], check=True, capture_output=True).stdout
        if rested and now == before:
            subprocess.run(["import", "-window", window.identifier, path], check=True)
            return now
        before = now if rested else None
    raise Failure(f"{path} does not come to rest")


def choose(window, name):
    """Presses a toggle button, without a key, because a key makes the focus visible for some seconds."""
    button = until(
        f"a button named {name!r}",
        lambda: next(n for n in window.all() if n.name == name and "button" in n.getRoleName()))
    button.queryAction().doAction(0)


def translated(language, text):
    """A text in the language of the window."""
    if language == "en":
        return text
    folder = os.path.join(os.path.dirname(PROGRAM), "../share/locale")
    folder = folder if os.path.isdir(folder) else ".build/share/locale"
    return subprocess.run(
        ["gettext", "-d", "ToneGenerator", text], check=True, capture_output=True, text=True,
        env={**os.environ, "TEXTDOMAINDIR": os.path.abspath(folder), "LANGUAGE": language, "LC_ALL": "C.UTF-8"},
    ).stdout


def tour(language, scheme, run, pages, font=None, rest=0.2):
    """Opens the window, shows all of its pages, small and large, and closes it; returns screenshots, each taken
    after a rest in seconds."""
    with settings(**({"gtk-font-name": font} if font else {})):
        window = Window(
            AUDIOTOOLBOX_DEVICE="null", LANGUAGE=language, LC_ALL="C.UTF-8",
            ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
        # Without a pointer nothing is highlighted by it.
        x("mousemove", 1279, 899)
        name = f"{language}-{scheme}{'-large-text' if font else ''}"
        shots, beyond = {}, []

        def shoot(what):
            path = os.path.join(folder, f"{name}-{what}-{run}.png")
            shots[what] = still(window, path, rest)
            if run == 1:
                beyond.extend(f"{what}: {text}" for text in outside(window))

        panel = translated(language, "Settings")
        for what, target in (("small", (480, 640) if font else SMALL), ("large", LARGE)):
            resize(window, target)
            shoot(what)
            choose(window, panel)
            for page in pages:
                choose(window, translated(language, page))
                shoot(f"{what}-{page}")
            choose(window, panel)
        window.close("ctrl+q")
        return shots, beyond


os.makedirs(folder, exist_ok=True)
cases = [(language, scheme, None) for language in ("en", "ja", "zh_CN") for scheme in ("light", "dark")]
cases.append(("en", "light", "Sans 17"))
for number, (language, scheme, font) in enumerate(cases):
    name = f"{language}, {scheme}{', large text' if font else ''}"
    pages = PAGES if sys.argv[2:] == ["all"] else [PAGES[number % len(PAGES)]]
    try:
        first, beyond = tour(language, scheme, 1, pages, font)
        check(f"{name}: everything lies within the window, small and large", not beyond, "; ".join(beyond[:3]))
        second, _ = tour(language, scheme, 2, pages, font)
        # What GTK hides by a timer (a scroll bar, the mark of the focus) may be in one of two pictures, because the
        # window sleeps until the timer ends. After three seconds it is in none, unless the machine is too busy for the
        # timer, too.
        for _ in range(3):
            if first == second:
                break
            first, second = (tour(language, scheme, run, pages, font, rest=3)[0] for run in (1, 2))
        unequal = [what for what in first if first[what] != second.get(what)]
        check(f"{name}: {len(first)} pictures of two runs agree to the pixel", not unequal, ", ".join(unequal))
    except Failure as failure:
        check(f"{name}: the window shows itself, and closes without a word", False, failure)

finish("Window, looks")
