# SPDX-License-Identifier: Apache-2.0
"""Takes a screenshot of each state of the window: screenshots.py FOLDER [LANGUAGE…]."""

import os
import subprocess
import sys
import time

from window import Window, settings, x

folder, languages = sys.argv[1], sys.argv[2:] or ["en", "ja", "zh_CN"]
os.makedirs(folder, exist_ok=True)


class Names:
    """The names of the controls in a language."""

    def __init__(self, language):
        self.language = language

    def __getitem__(self, text):
        if self.language == "en":
            return text
        locale = os.path.abspath(".build/share/locale")
        return subprocess.run(
            ["gettext", "-d", "ToneGenerator", text],
            env={**os.environ, "TEXTDOMAINDIR": locale, "LANGUAGE": self.language, "LC_ALL": "C.UTF-8"},
            check=True, capture_output=True, text=True,
        ).stdout


def states(language, scheme):
    names = Names(language)
    prefix = f"{folder}/{language}-{scheme}"
    window = Window(
        AUDIOTOOLBOX_DEVICE="null", LANGUAGE=language, LC_ALL="C.UTF-8",
        ADW_DEBUG_COLOR_SCHEME=f"prefer-{scheme}",
    )
    window.shoot(f"{prefix}-1-stopped.png")
    window.key("space")
    window.find(names["Stop"], "push button")
    time.sleep(0.5)
    window.shoot(f"{prefix}-2-playing.png")
    x("windowsize", window.identifier, 980, 720)
    window.key("F9")
    time.sleep(0.5)
    window.shoot(f"{prefix}-3-panel.png")
    if language == "en":
        others(window, names, prefix)
    window.close()


def switch(window, name):
    """Toggles a switch in the panel."""
    node = next(n for n in window.all() if n.name == name and n.getRoleName() in ("check box", "toggle button", "switch"))
    node.queryAction().doAction(0)


def others(window, names, prefix):
    """The screenshots that differ between languages only in their texts."""
    window.number("Level (dBFS)").currentValue = -3
    window.find("Louder")
    window.shoot(f"{prefix}-4-loud.png", "root")
    window.key("Escape")
    window.number("Level (dBFS)").currentValue = -26
    window.press("Add a tone")
    window.press("Add a tone")
    window.key("alt+5")
    switch(window, "Spectrum")
    window.key("alt+1")
    time.sleep(6)
    window.shoot(f"{prefix}-5-tones.png")
    for page in range(2, 7):
        window.key(f"alt+{page}")
        time.sleep(0.5)
        window.shoot(f"{prefix}-5-page-{page}.png")
    window.key("F9")
    window.focus()
    window.press(next(n.name for n in window.all() if n.name.startswith("Frequency: ")))
    x("windowsize", window.identifier, 360, 600)
    time.sleep(0.5)
    window.key("1", "2", "3", "period", "4")
    window.shoot(f"{prefix}-6-narrow.png")


def large_text():
    """Text at 150 %, as with the desktop's setting: Sans 17 instead of 11."""
    with settings(**{"gtk-font-name": "Sans 17"}):
        window = Window(AUDIOTOOLBOX_DEVICE="null", LANGUAGE="en", LC_ALL="C.UTF-8")
        window.key("space", "F9")
        window.find("Stop", "push button")
        time.sleep(1)
        window.shoot(f"{folder}/en-light-7-large-text.png")
        window.close()


large_text()
with settings():
    for scheme in ("light", "dark"):
        for language in languages:
            states(language, scheme)
