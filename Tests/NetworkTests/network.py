# SPDX-License-Identifier: Apache-2.0
"""Follows docs/network.md on two machines in network namespaces: its commands, as they stand there, print what it
says, and the tones arrive. In full, it also measures latencies, and what a bad network and a killed sender do.

A block after <!-- MACHINE: FILE --> is a file there. A `console` block has commands, which begin with the name of a machine
and "$ ", each followed by its output: "…" stands for any text, and a line of it for any lines. The comment
<!-- hears: MACHINE: FILE: HZ --> asks for a tone in a recording."""

import pathlib
import re
import sys
import tempfile
import time
import traceback

import machines
import tones
import troubles

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = re.compile(
    r"<!-- (?P<owner>\w+): (?P<file>\S+) -->\n```\n(?P<text>.*?)\n```\n"
    r"|```console\n(?P<console>.*?)\n```\n"
    r"|<!-- hears: (?P<hearer>\w+): (?P<recording>\S+): (?P<frequency>\d+) -->", re.DOTALL)  # fmt: skip


class Sentences:
    """Prints what is true, and counts what is not."""

    def __init__(self, network):
        self.count = self.failures = 0
        self._network = network

    def check(self, sentence, call):
        """A sentence is true if the call raises nothing; what it returns is added in parentheses."""
        self.count += 1
        begin = time.monotonic()
        try:
            found = call()
        except Exception as error:
            self.failures += 1
            print(f"✘ {sentence}")
            text = str(error) if isinstance(error, AssertionError) and str(error) else traceback.format_exc()
            for machine in self._network.machines.values():
                text += f"\n{machine.name}: {machine.status('jobs; tail -n 15 ~/background.txt 2>&1')[1]}"
            print("    " + text.strip().replace("\n", "\n    "), flush=True)
            return
        notes = ", ".join([*([str(found)] if found else []), f"{time.monotonic() - begin:.1f} s"])
        print(f"✔ {sentence} ({notes})", flush=True)


def fits(expected, printed):
    """Whether lines match the expected ones; "…" stands for any text."""
    pattern = ""
    for line in expected:
        if line == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, printed) is not None


def commands(console, names):
    """The commands, each with its machine and its expected output."""
    found = []
    for line in console.split("\n"):
        begin = re.match(rf"({'|'.join(names)})\$ (.*)", line)
        if begin:
            found.append((begin[1], begin[2], []))
        else:
            found[-1][2].append(line)
    return found


def follow(section, network):
    """Follows a section of the page."""
    for part in PARTS.finditer(section):
        if part["file"]:
            (network.machines[part["owner"]].home / part["file"]).write_text(part["text"] + "\n")
        elif part["console"]:
            for name, line, expected in commands(part["console"], network.machines):
                machine = network.machines[name]
                # What runs in the background prints beside the shell.
                typed = f"{{ {line} }} >>background.txt 2>&1" if line.endswith("&") else line
                printed = machine.status(typed)[1]
                assert fits(expected, printed), f"{name}$ {line}\n{printed}"
        else:
            machine = network.machines[part["hearer"]]
            tones.expect(machine.home / part["recording"], float(part["frequency"]), troubles.LEAST)


def main():
    is_full = "--all" in sys.argv
    products, *wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    machines.in_namespaces(__file__)
    text = (ROOT / "docs/network.md").read_text()
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE))
    # Machines have a /tmp of their own.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        network = machines.Network(pathlib.Path(folder), products)
        sentences = Sentences(network)
        try:
            for machine in network.machines.values():
                machine.start_pipewire()
                machine("disown -a")
            for title, body in sections.items():
                if "```console" not in body or wanted and not any(word in title.lower() for word in wanted):
                    continue
                sentences.check(f"{title}: the commands do what the page says", lambda: follow(body, network))
                troubles.check(title, sentences, network, is_full)
                for machine in network.machines.values():
                    machine.end_jobs()
        finally:
            network.end()
    print(f"Network: {sentences.count} sentences, {sentences.failures} not true")
    sys.exit(1 if sentences.failures else 0)


main()
