# SPDX-License-Identifier: Apache-2.0
"""Follows docs/guide chapter by chapter in a fresh folder, and compares the output.

A block after <!-- file: PATH --> is a file. A `console` block has commands, which begin with "$ ", each
followed by its output: "…" stands for any text, and a line of it for any lines. A picture that the commands
draw must be the stored one, except for the last digits of its numbers. All chapters are built once, in our build folder, which already has the objects of the library. The reference pages are written
too, and must not have broken links."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parents[2]
flags = (os.environ.get("FLAGS") or (root / "Scripts/build-flags").read_text()).split()
FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)\n```\n", re.DOTALL)
CONSOLE = re.compile(r"^```console\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"!\[[^\]]+\]\((\S+)\)")


def fits(expected, printed):
    """Whether lines match the expected ones; "…" stands for any text."""
    pattern = ""
    for line in expected:
        if line == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("…")) + r"\n"
    return re.fullmatch(pattern, printed) is not None


def normalised(picture):
    """A picture with its numbers rounded to whole points, and without spaces that do not matter."""
    rounded = re.sub(r"-?\d+\.\d+", lambda number: str(round(float(number.group()))), picture)
    return re.sub(r"\s+", " ", rounded).replace("-0 ", "0 ").strip()


def same(first, second):
    """Whether two pictures are the same: equal texts and shapes, whose points may differ by one."""
    first, second = normalised(first), normalised(second)
    numbers = re.compile(r"-?\d+")
    if numbers.sub("", first) != numbers.sub("", second):
        return False
    pairs = zip(numbers.findall(first), numbers.findall(second))
    return all(abs(int(a) - int(b)) <= 1 for a, b in pairs)


def commands(console):
    """The commands, each with its expected output."""
    found = []
    for line in console.split("\n"):
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def products_folder():
    query = subprocess.run(
        ["swift", "build", *flags, "--show-bin-path"], cwd=root, check=True, text=True,
        stdout=subprocess.PIPE)
    return pathlib.Path(query.stdout.strip())


def run(line, folder, products):
    """Runs a command, with `swift run` replaced by the built program, and with our Python module."""
    typed = re.sub(r"swift run (\w+)", lambda name: str(products / name.group(1)), line)
    typed = typed.replace("python3 ", "/usr/bin/python3 ")
    environment = {
        **os.environ, "PATH": f"{products}:{os.environ['PATH']}", "PYTHONPATH": str(root / "Python"),
        "AUDIOTOOLBOX_LIBRARY": str(root / ".build/install/libAudioToolbox.so.1")}
    return subprocess.run(
        ["bash", "-c", typed], cwd=folder, env=environment, text=True, timeout=60,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


chapters = sorted((root / "docs/guide").glob("[0-9]*.md"))
failures = 0
with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work) / "guide"
    os.symlink(root, pathlib.Path(work) / "swift-audiotoolbox")
    for chapter in chapters:
        for path, text in FILE.findall(chapter.read_text()):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text + "\n")
    # The path of this package in our build folder.
    manifest = folder / "Package.swift"
    manifest.write_text(manifest.read_text().replace("../swift-audiotoolbox", str(root)))
    built = subprocess.run(
        ["swift", "build", "--package-path", folder, "--scratch-path", root / ".build", *flags],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if built.returncode:
        print("✘ the programs of the guide build\n" + built.stdout)
        sys.exit(1)
    print("✔ the programs of the guide build")
    products = products_folder()
    for chapter in chapters:
        text, begin, wrong = chapter.read_text(), time.monotonic(), []
        for console in CONSOLE.findall(text):
            for line, expected in commands(console):
                done = run(line, folder, products)
                # Chapter 2 shows a command with status 1.
                if done.returncode not in (0, 1) or not fits(expected, done.stdout):
                    wrong.append("\n".join([f"    $ {line}", *done.stdout.splitlines()]))
        for picture in PICTURE.findall(text):
            shown, drawn = chapter.parent / picture, folder / pathlib.Path(picture).name
            if not drawn.is_file() or "<svg" not in drawn.read_text():
                wrong.append(f"    {drawn.name} is not drawn")
            elif "--pictures" in sys.argv[1:]:
                shutil.copy(drawn, shown)
            if not shown.is_file():
                wrong.append(f"    {shown} is missing: Tests/GuideTests/run --pictures")
            elif drawn.is_file() and not same(drawn.read_text(), shown.read_text()):
                wrong.append(f"    {shown} is another picture: Tests/GuideTests/run --pictures")
        failures += bool(wrong)
        title = text.split("\n", 1)[0].lstrip("# ")
        print("✘" if wrong else "✔", f"{title} ({time.monotonic() - begin:.1f} s)")
        print("\n".join(wrong), end="\n" if wrong else "")
    pages = subprocess.run(
        [root / "Scripts/reference-pages", pathlib.Path(work) / "api"], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    failures += bool(pages.returncode)
    print("✘" if pages.returncode else "✔", "the pages of the reference, and every link in them")
    print(pages.stdout if pages.returncode else "", end="")
print(f"Guide: {len(chapters)} chapters, {failures} not as they say")
sys.exit(1 if failures else 0)
