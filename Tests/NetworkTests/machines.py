# SPDX-License-Identifier: Apache-2.0
"""Two machines, studio and hall, in network namespaces, joined by a cable. Each has a shell, a home, memory shared by its
own programs only, and a PipeWire server with a sink that stands in for a sound card."""

import contextlib
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import threading
import time

import cable

HERE = pathlib.Path(__file__).resolve().parent
ADDRESSES = {"studio": "10.77.0.1", "hall": "10.77.0.2"}
HOSTS = "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in ADDRESSES.items())

SERVER = """
context.properties = { support.dbus = false default.clock.rate = 48000 default.clock.quantum = 512 }
context.objects = [ { factory = adapter args = { factory.name = support.null-audio-sink node.name = speakers
  node.description = Speakers media.class = Audio/Sink audio.rate = 48000 audio.position = [ FL FR ]
  priority.session = 1000 priority.driver = 20000 monitor.channel-volumes = true } } ]
"""
# Only the devices of the test: in Lua up to version 0.4, then as a profile.
MANAGER = {
    "wireplumber/main.lua.d/51-test.lua": """
alsa_monitor.enabled = false
alsa_monitor.properties["alsa.reserve"] = false
v4l2_monitor.enabled = false
libcamera_monitor.enabled = false
default_access.properties["enable-flatpak-portal"] = false
""",
    "wireplumber/bluetooth.lua.d/51-test.lua": """
bluez_monitor.enabled = false
bluez_midi_monitor = bluez_midi_monitor or {}
bluez_midi_monitor.enabled = false
bluez_monitor.properties["with-logind"] = false
""",
    "wireplumber/wireplumber.conf.d/51-test.conf": """
wireplumber.profiles = { main = { hardware.audio = disabled hardware.bluetooth = disabled
  hardware.video-capture = disabled support.reserve-device = disabled support.portal-permissionstore = disabled } }
""",
}


def in_namespaces(script):
    """Starts a script again in namespaces of its own, of a user who is root there. Returns when there are none."""
    if os.environ.get("NETWORK_TESTS_INSIDE"):
        return
    words = ["unshare", "--net", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]
    trial = subprocess.run([*words, "true"], capture_output=True, text=True)
    if trial.returncode:
        print(f"NOT RUN: there are no network namespaces here: {trial.stderr.strip()}")
        sys.exit(69)
    os.environ["NETWORK_TESTS_INSIDE"] = "1"
    os.execvp("unshare", [*words, sys.executable, script, *sys.argv[1:]])


def run(*words):
    """Runs a command that has to succeed."""
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def until(condition, seconds, what):
    """Waits until something is true."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what} after {seconds} seconds")
        time.sleep(0.1)
    return value


class Machine:
    """A machine: a shell in namespaces of its own."""

    def __init__(self, name, folder, paths):
        self.name, self.home = name, folder / name
        config, runtime = self.home / ".config", self.home / "run"
        for path in (config / "pipewire/pipewire.conf.d", runtime):
            path.mkdir(parents=True, mode=0o700)
        (config / "pipewire/pipewire.conf.d/10-test.conf").write_text(SERVER)
        for path, text in MANAGER.items():
            (config / path).parent.mkdir(parents=True, exist_ok=True)
            (config / path).write_text(text)
        (self.home / "hosts").write_text(HOSTS)
        environment = {
            name: value for name, value in os.environ.items()
            if not name.startswith(("XDG_", "DBUS_", "JACK_", "PIPEWIRE_", "PULSE_", "AUDIOTOOLBOX_DEVICE"))
        }  # fmt: skip
        environment |= {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(runtime), "XDG_CONFIG_HOME": str(config),
            "XDG_STATE_HOME": str(self.home / "state"), "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            "JACK_NO_AUDIO_RESERVATION": "1", "DISPLAY": "", "PATH": f"{paths}:{os.environ['PATH']}:/usr/sbin:/sbin",
        }  # fmt: skip
        # All its processes end with the shell, and the shell with this program, whatever ends that.
        self.shell = subprocess.Popen(
            ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "bash", "--noprofile", "--norc"],
            cwd=self.home, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        # Programs meet in these folders.
        self("mount -t tmpfs none /dev/shm && mount -t tmpfs none /tmp")
        self(f"hostname {name} && mount --bind '{self.home}/hosts' /etc/hosts")

    def _read(self):
        for line in self.shell.stdout:
            self._lines.put(line.decode(errors="replace"))
        self._lines.put(None)

    def __call__(self, line, seconds=60, expected=0):
        """Runs a line in the shell; returns what it prints until its end."""
        code, printed = self.status(line, seconds)
        if code != expected:
            raise AssertionError(f"{self.name}$ {line}: status {code}\n{printed}")
        return printed

    def status(self, line, seconds=60):
        """Runs a line in the shell; returns its status, and what it prints."""
        mark = f"--- {time.monotonic_ns()} ---"
        self.shell.stdin.write(f"{line}\necho \"{mark} $?\"\n".encode())
        self.shell.stdin.flush()
        printed, end = [], time.monotonic() + seconds
        while True:
            try:
                text = self._lines.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"{self.name}$ {line}: still running after {seconds} s\n{''.join(printed)}") from None
            if text is None:
                raise AssertionError(f"{self.name}$ {line}: the shell ended\n{''.join(printed)}")
            if (found := text.find(mark)) >= 0:
                return int(text[found + len(mark) :]), "".join(printed) + text[:found]
            printed.append(text)

    def popen(self, *words, **options):
        """Starts a program on this machine, beside the shell."""
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.home / "run"), "HOME": str(self.home)}
        enter = ["nsenter", f"--target={self.shell.pid}", "--net", "--mount", "--uts"]
        return subprocess.Popen([*enter, *words], env=environment, cwd=self.home, **options)

    def start_pipewire(self):
        """Starts the server and its session manager."""
        self("pipewire >pipewire.log 2>&1 &")
        until((self.home / "run/pipewire-0").exists, 20, "no PipeWire server")
        self("wireplumber >wireplumber.log 2>&1 &")
        until(lambda: "speakers:playback_FR" in self.status("pw-link -i")[1], 30, "no session manager")

    def path(self, path):
        """A path of this machine, as it is named outside."""
        return pathlib.Path(f"/proc/{self.shell.pid}/root{path}")

    def end_jobs(self):
        """Ends what the shell has started."""
        with contextlib.suppress(AssertionError):
            self("kill $(jobs -p) 2>&1; sleep 0.3; kill -KILL $(jobs -p) 2>&1; wait 2>&1", expected=0)

    def end(self):
        """Ends everything that runs on the machine."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.shell.pid, signal.SIGTERM)
            time.sleep(0.2)
            os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()


class Network:
    """Both machines and what joins them."""

    def __init__(self, folder, paths):
        self.machines = {}
        self._cable = None
        # Namespaces share what is mounted unless they are told not to.
        run("mount", "--make-rprivate", "/")
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0")
        run("ip", "link", "set", "bridge", "up")
        for name, address in ADDRESSES.items():
            machine = Machine(name, folder, paths)
            self.machines[name] = machine
            run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", str(machine.shell.pid))
            run("ip", "link", "set", f"to-{name}", "up", "master", "bridge")
            machine("ip link set lo up && ip link set eth0 up")
            machine(f"ip address add {address}/24 dev eth0 && ip route add default dev eth0")
            machine(f"{sys.executable} -c 'import sys; sys.path.insert(0, \"{HERE}\"); import cable; "
                    "cable.switch_offloads_off(\"eth0\")'")  # fmt: skip
        self.studio, self.hall = self.machines["studio"], self.machines["hall"]
        until(lambda: self.studio.status(f"echo 2>&1 >/dev/tcp/hall/1")[1].count("refused"), 20, "no way to hall")

    @contextlib.contextmanager
    def impaired(self, delay=0.0, jitter=0.0, loss=0.0):
        """Joins the machines by a cable that delays (milliseconds) and loses (percent) meanwhile."""
        for name in ADDRESSES:
            run("ip", "link", "set", f"to-{name}", "nomaster", "promisc", "on")
        words = [sys.executable, str(HERE / "cable.py"), "to-studio", "to-hall", str(delay), str(jitter), str(loss)]
        relay = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            yield
        finally:
            relay.terminate()
            counts = re.findall(r"\d+", relay.communicate(timeout=10)[0])
            for name in ADDRESSES:
                run("ip", "link", "set", f"to-{name}", "master", "bridge")
        assert int(counts[0]) > 0, "the cable carried nothing"
        if loss:
            assert int(counts[1]) > 0, "the cable lost nothing"

    def end(self):
        """Ends both machines."""
        for machine in self.machines.values():
            machine.end()
