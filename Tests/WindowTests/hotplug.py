# SPDX-License-Identifier: Apache-2.0
"""Devices are added and removed while the window plays: hotplug.py FOLDER. Needs PulseAudio."""

import os
import subprocess
import sys
import time

from sentences import check, finish
from window import Window, until

folder = sys.argv[1]
runtime = os.environ["XDG_RUNTIME_DIR"]
socket = f"{runtime}/pulse-test"
os.environ["PULSE_SERVER"] = f"unix:{socket}"


def sink(name):
    return f"module-null-sink sink_name={name} sink_properties=device.description={name.title()}"


def start_server():
    """A private server with one sink and no real devices. A client records from the sink, because an idle
    null sink sleeps for seconds."""
    if os.path.exists(socket):
        os.remove(socket)
    process = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
         "--log-target=stderr", "--log-level=error",
         "-L", f"module-native-protocol-unix socket={socket} auth-anonymous=1", "-L", sink("alpha")],
        env={**os.environ, "PULSE_SERVER": ""})
    until("the server", lambda: "alpha" in pactl("list", "short", "sinks"))
    return process


def pactl(*words):
    return subprocess.run(["pactl", *words], capture_output=True, text=True).stdout


def plays_to(name):
    """Whether a stream of the window plays on a sink."""
    number = next((l.split()[0] for l in pactl("list", "short", "sinks").splitlines() if l.split()[1] == name), None)
    return any(l.split()[1] == number for l in pactl("list", "short", "sink-inputs").splitlines())


def shows(text):
    return window.has(text)


def has_card():
    """Whether there is a sound card, which is a device without a server."""
    try:
        return "[" in open("/proc/asound/cards").read()
    except OSError:
        return False


def unheard():
    return shows("No sound device: ")


server = window = None
try:
    if not has_card():
        window = Window(AUDIOTOOLBOX_DEVICE="", LANGUAGE="en")
        check("without a device, a banner says so before anything plays", until("the banner", unheard))
        check("and what helps", shows("pipewire") or shows("pulseaudio") or shows("jackd"))
        server = start_server()
        check("it goes when a server comes", until("no banner", lambda: not unheard()))
        server.kill()
        server.wait()
        check("and comes when it is gone, while nothing plays", until("the banner", unheard))
        check("which it does not", window.find("Play", "push button"))
        window.press("Play")
        window.find("Stop", "push button")
        check("it stays while the silent device plays", unheard())
        check("it ends by the key", window.close(warning="no sound device can be used") == 0)
    server = start_server()
    window = Window(AUDIOTOOLBOX_DEVICE="", LANGUAGE="en")
    window.press("Play")
    window.find("Stop", "push button")
    check("plays to the only sink", until("a stream on alpha", lambda: plays_to("alpha")))
    window.key("F9", "alt+4")
    check("shows it", until("Alpha", lambda: shows("Alpha")))

    module = pactl("load-module", *sink("beta").split()).strip()
    window.walk_to("Play to")
    window.key("space")
    check("an added sink is among the choices", until("Beta", lambda: shows("Beta (pulse)")))
    window.key("Home", "Down", "Down", "Return")
    check("it can be chosen while it plays", until("a stream on beta", lambda: plays_to("beta")))

    pactl("unload-module", module)
    check("when it is removed, the tone continues on the other sink", until("a stream on alpha", lambda: plays_to("alpha")))
    check("and the window shows where", until("Alpha", lambda: shows("Alpha")))
    check("and is still playing", window.find("Stop", "push button"))

    server.kill()
    server.wait()
    check("a server that dies is reported", until("the message", lambda: shows("The device does not play")))
    time.sleep(7)
    check("for as long as it takes", shows("The device does not play"))
    server = start_server()
    check("and used again when it is back", until("a stream on alpha", lambda: plays_to("alpha")))
    check("which is reported", until("the message", lambda: not shows("The device does not play")))
    window.press("Stop")
    window.find("Play", "push button")
    check("it ends by the key", window.close() == 0)
finally:
    if window and window.process.poll() is None:
        window.process.kill()
    if server:
        server.kill()
        server.wait()

finish("Window, devices")
