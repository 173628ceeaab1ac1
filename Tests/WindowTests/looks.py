# SPDX-License-Identifier: Apache-2.0
"""What the window looks like in each language and colour, small and large: looks.py FOLDER.

Every page is shot in two runs, which must agree to the pixel; nothing may lie outside the window, or be wider
than it; nothing may be printed. The pictures stay in FOLDER/looks."""

import os
import subprocess
import sys
import time

import pyatspi

from window import Failure, Window, settings, until, x

folder = os.path.join(sys.argv[1], "looks")
sentences = failures = 0
SMALL, LARGE = (360, 600), (1280, 800)
CONTROLS = ("push button", "toggle button", "slider", "spin button", "check box", "combo box", "text", "switch")


def check(sentence, is_true, shown=""):
    global sentences, failures
    sentences += 1
    failures += not is_true
    print(f"{'✔' if is_true else '✘'} {sentence}{f' ({shown})' if shown != '' else ''}", flush=True)


def size(window):
    text = x("getwindowgeometry", window.identifier).split("Geometry: ")[1].split()[0]
    return tuple(int(number) for number in text.split("x"))


def resize(window, wanted):
    x("windowsize", window.identifier, *wanted)
    return until(f"a window of {wanted}", lambda: size(window) == wanted)


def outside(window):
    """Controls that are shown and reach beyond the sides of the window."""
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


def still(window, path):
    """A picture of the window when it has come to rest: two that follow each other are the same."""
    before = None
    for _ in range(40):
        window.shoot(path)
        now = pixels(path)
        if now == before:
            return now
        before = now
    raise Failure(f"{path} does not come to rest")


def pixels(path):
    return subprocess.run(["convert", path, "rgb:-"], check=True, capture_output=True).stdout


def tour(language, scheme, run, font=None):
    """Opens the window, shows what there is, small and large, and closes it; its pictures."""
    with settings(**({"gtk-font-name": font} if font else {})):
        window = Window(
            AUDIOTOOLBOX_DEVICE="null", LANGUAGE=language, LC_ALL="C.UTF-8",
            ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}")
        # Where no pointer is, nothing is lit up by it.
        x("mousemove", 1279, 899)
        name = f"{language}-{scheme}{'-large-text' if font else ''}"
        shots, beyond = {}, []

        def shoot(what):
            path = os.path.join(folder, f"{name}-{what}-{run}.png")
            shots[what] = still(window, path)
            beyond.extend(f"{what}: {text}" for text in outside(window))

        small = (480, 640) if font else SMALL
        resize(window, small)
        shoot("small")
        window.key("F9")
        for page in range(1, 7):
            window.key(f"alt+{page}")
            shoot(f"small-page-{page}")
        window.key("F9")
        resize(window, LARGE)
        shoot("large")
        window.key("F9")
        for page in range(1, 7):
            window.key(f"alt+{page}")
            shoot(f"large-page-{page}")
        window.close("ctrl+q")
        return shots, beyond


os.makedirs(folder, exist_ok=True)
cases = [(language, scheme, None) for language in ("en", "ja", "zh_CN") for scheme in ("light", "dark")]
cases.append(("en", "light", "Sans 17"))
for language, scheme, font in cases:
    name = f"{language}, {scheme}{', large text' if font else ''}"
    try:
        first, beyond = tour(language, scheme, 1, font)
        check(f"{name}: everything lies within the window, small and large", not beyond, "; ".join(beyond[:3]))
        second, _ = tour(language, scheme, 2, font)
        unequal = [what for what in first if first[what] != second.get(what)]
        check(f"{name}: {len(first)} pictures of two runs agree to the pixel", not unequal, ", ".join(unequal))
    except Failure as failure:
        check(f"{name}: the window shows itself, and closes without a word", False, failure)

print(f"Window, looks: {sentences} sentences, {failures} not true")
sys.exit(failures > 0)
