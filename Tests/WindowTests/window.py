# SPDX-License-Identifier: Apache-2.0
"""Drives the window of ToneGenerator by assistive technology, keys and a mouse."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time

import pyatspi

PROGRAM = os.environ.get("TONE_GENERATOR_WINDOW", ".build/install/ToneGeneratorWindow")


class Failure(Exception):
    pass


def until(what, condition, seconds=60):
    """Waits until a condition is true; returns its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            answer = condition()
        except Exception:  # A widget may disappear while it is queried.
            answer = None
        if answer:
            return answer
        time.sleep(0.05)
    raise Failure(f"not within {seconds} seconds: {what}")


def x(*words):
    return subprocess.run(["xdotool", *map(str, words)], check=True, capture_output=True, text=True).stdout


@contextlib.contextmanager
def settings(**values):
    """Desktop settings during a body, without animations and blinking, so that screenshots are reproducible."""
    path = os.path.join(os.environ["XDG_CONFIG_HOME"], "gtk-4.0", "settings.ini")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    values = {"gtk-enable-animations": "false", "gtk-cursor-blink": "false", **values}
    with open(path, "w") as file:
        file.write("[Settings]\n" + "".join(f"{name}={value}\n" for name, value in values.items()))
    try:
        yield
    finally:
        os.remove(path)


class Window:
    """The program with its window."""

    def __init__(self, *words, **environment):
        """Without an XDG_STATE_HOME there is no stored state."""
        environment.setdefault("XDG_STATE_HOME", tempfile.mkdtemp(dir=os.environ["HOME"]))
        self.errors = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [PROGRAM, *words], env={**os.environ, **environment}, stderr=self.errors)
        self.application = until("the application", self._application)
        self.identifier = until(
            "a window", lambda: x("search", "--pid", self.process.pid, "--onlyvisible").split()
        )[-1]
        x("windowmove", "--sync", self.identifier, 0, 0)
        self.focus()

    def _application(self):
        if self.process.poll() is not None:
            raise SystemExit(f"the window ended: {self.process.returncode}")
        for application in pyatspi.Registry.getDesktop(0):
            if application and application.get_process_id() == self.process.pid:
                return application
        return None

    def focus(self):
        x("windowfocus", self.identifier)
        time.sleep(0.2)

    def all(self):
        """All widgets that assistive technology sees."""
        stack = [self.application]
        while stack:
            node = stack.pop()
            try:
                yield node
                stack.extend(child for child in node if child)
            except Exception:
                continue

    def find(self, name, role=None):
        def search():
            for node in self.all():
                if node.name == name and (role is None or node.getRoleName() == role):
                    return node
            return None

        return until(f"{role or 'something'} named {name!r}", search)

    def has(self, name):
        return any(name in (node.name or "") for node in self.all())

    def press(self, name):
        """Presses a button by its name."""
        self.find(name, "push button").queryAction().doAction(0)

    def number(self, name):
        """The value of a slider or a field."""

        def search():
            for node in self.all():
                if node.name == name and node.getRoleName() in ("slider", "spin button"):
                    return node.queryValue()
            return None

        return until(f"a number named {name!r}", search)

    def key(self, *names):
        for name in names:
            x("key", "--clearmodifiers", name)
            time.sleep(0.03)

    def key_until(self, name, what, condition):
        """Presses a key until it has an effect: the first keys of a window are lost if the screen has not given
        it the focus yet."""
        for _ in range(12):
            self.focus()
            self.key(name)
            try:
                return until(what, condition, 5)
            except Failure:
                continue
        raise Failure(f"{name} has no effect: {what}")

    def focused(self):
        """The focused widget."""
        for node in self.all():
            if node.getState().contains(pyatspi.STATE_FOCUSED) and node.getRoleName() != "frame":
                return node
        return None

    def walk_to(self, name, key="Tab"):
        """Moves the focus with the keyboard to a widget with a name."""
        seen = []
        for _ in range(60):
            node = self.focused()
            seen.append(node.name if node else "nothing")
            if node and node.name == name:
                return node
            self.key(key)
            time.sleep(0.05)
        raise Failure(f"Tab does not lead to {name!r}, only to {seen}")

    def shoot(self, path, what=None):
        """Takes a screenshot of the window, or of the screen if it is "root"."""
        time.sleep(0.5)
        subprocess.run(["import", "-window", what or self.identifier, path], check=True)

    def close(self, key="ctrl+q", warning=None):
        """Closes it by a key, or by the button in its corner if that is "Close"; None ends it by a signal.
        Returns the exit code; it is a failure if the window has printed anything but one line with a warning."""
        if key is None:
            self.process.terminate()
        elif key == "Close":
            self.press("Close")
        else:
            self.press_until_it_ends(key)
        code = self.process.wait(60)
        lines = self.printed().splitlines()
        if len(lines) != (1 if warning else 0) or any(warning not in line for line in lines):
            raise Failure(f"the window has printed: {lines}")
        return code

    def press_until_it_ends(self, key):
        """Without a window manager a key is lost if another window still has the focus."""
        for _ in range(6):
            try:
                self.focus()
                self.key(key)
                return self.process.wait(10)
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
                continue
        raise Failure(f"{key} does not close the window")

    def wakes(self):
        """The number of times that it has slept until now, and whether it sleeps."""
        lines = open(f"/proc/{self.process.pid}/status").read().splitlines()
        fields = dict(line.split(":", 1) for line in lines)
        return int(fields["voluntary_ctxt_switches"]), fields["State"].strip()[0] == "S"

    def rests(self, seconds):
        """Whether it sleeps for some seconds: then it has done everything, even on a busy machine."""
        before = self.wakes()
        time.sleep(seconds)
        return before[1] and self.wakes() == before

    def printed(self):
        """Its output to standard error."""
        self.errors.seek(0)
        return self.errors.read()

    def click(self, node, button=1):
        """Clicks the middle of a widget."""
        box = self.extents(node)
        x("mousemove", box.x + box.width // 2, box.y + box.height // 2, "click", button)

    @staticmethod
    def extents(node):
        return node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)


def wave_samples(path):
    """The samples of each channel of a float WAV file that may still grow, and its rate."""
    import array
    import struct

    data = open(path, "rb").read()
    place = 12
    rate = channels = None
    while place + 8 <= len(data):
        name, size = data[place : place + 4], struct.unpack("<I", data[place + 4 : place + 8])[0]
        if name == b"fmt ":
            channels, rate = struct.unpack("<HI", data[place + 10 : place + 16])
        if name == b"data":
            samples = array.array("f", data[place + 8 : place + 8 + size // 4 * 4])
            return [samples[channel::channels] for channel in range(channels)], rate
        place += 8 + size + size % 2
    sys.exit(f"{path}: no samples")
