# SPDX-License-Identifier: Apache-2.0
"""Compiles every ordered pair of the most used headers: header_pairs.py FOLDER COMPILER…

A pair is a source that includes one header and then another. Pairs for which a compiler reads the same
files in the same order count only once, because their text is equal. The first header of a pair is
precompiled, and all headers that may follow it are compiled with that. With --all as the first argument,
every installed header is used, which takes minutes; Tests/HeaderTests checks that each header can be
followed by all others."""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# The headers that programs include first: those of the frameworks, and of the platform.
NAMED = re.compile(
    r"(AudioToolbox|MusicDevice|AudioUnit|CoreAudio|CoreAudioTypes|AudioHardware|HostTime|CoreFoundation"
    r"|CFBase|CFByteOrder|CFString|CFURL|CFRunLoop|CoreServices|ApplicationServices|Carbon|Components"
    r"|AvailabilityMacros|Availability|AssertMacros|TargetConditionals|MacTypes|IOAudioTypes"
    r"|mach|mach_time|semaphore|thread_policy|OSAtomic|OSByteOrder|lock|log|sysctl)\.h$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


class Headers:
    """The installed headers, with the files that a compiler reads for each."""

    def __init__(self, folder, uses_all):
        self.folders = [folder, folder / "platform"]
        names = (str(path.relative_to(folder)) for path in folder.rglob("*.h"))
        self.names = sorted(
            name.removeprefix("platform/") for name in names
            if "dispatch/" not in name and (uses_all or NAMED.fullmatch(os.path.basename(name))))
        self.included = {}

    def find(self, name):
        paths = (folder / name for folder in self.folders)
        return next((path.resolve() for path in paths if path.exists()), name)

    def includes(self, path):
        """The headers that a header includes, and whether it contains anything else."""
        if path not in self.included:
            text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
            names = []
            for kind, name in INCLUDE.findall(text):
                beside = path.parent / name
                own = kind == '"' and beside.exists()
                names.append(beside.resolve() if own else self.find(name))
            self.included[path] = names, bool(re.sub(r"^\s*#.*$", "", text, flags=re.M).strip())
        return self.included[path]

    def sequence(self, *names):
        """The files that are read, in order, without those that only include others."""
        seen, order = set(), []

        def read(path):
            if path in seen:
                return
            seen.add(path)
            if isinstance(path, str):
                return order.append(path)
            inner, holds_more = self.includes(path)
            for each in inner:
                read(each)
            if holds_more:
                order.append(path)

        for name in names:
            read(self.find(name))
        return tuple(order)

    def pairs(self):
        """The headers to compile after each first header."""
        known = {self.sequence(name) for name in self.names}
        pairs = {}
        for first in self.names:
            for second in self.names:
                sequence = self.sequence(first, second)
                if sequence not in known:
                    known.add(sequence)
                    pairs.setdefault(first, []).append(second)
        return pairs


class Compiler:
    """A compiler and its working folder."""

    def __init__(self, program, folders, work):
        self.program, self.work = program, work
        self.is_clang = "clang" in os.path.basename(program)
        self.language = "c++" if program.endswith("++") else "c"
        self.flags = WARNINGS + [f"-I{folders[0]}", "-idirafter", str(folders[1])]

    def source(self, name):
        path = self.work / (re.sub(r"\W", "-", name) + (".cpp" if self.language == "c++" else ".c"))
        if not path.exists():
            path.write_text(f"#include <{name}>\n", encoding="utf-8")
        return str(path)

    def complaints(self, first, seconds):
        """The errors of all pairs with the same first header; empty if there are none."""
        copy = self.work / (re.sub(r"\W", "-", first) + "-first.h")
        copy.write_text(f"#include <{first}>\n", encoding="utf-8")
        keep = [self.program, *self.flags, "-x", self.language + "-header", str(copy)]
        binary = f"{copy}.{'pch' if self.is_clang else 'gch'}"
        run = subprocess.run([*keep, "-o", binary], capture_output=True, text=True, check=False)
        if run.returncode != 0:
            return run.stderr
        sources = [self.source(second) for second in seconds]
        if self.is_clang:
            command = self.direct(["-include-pch", binary], sources)
        else:
            command = [self.program, *self.flags, "-fsyntax-only", "-include", str(copy), *sources]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        os.remove(binary)
        return "" if run.returncode == 0 else f"after <{first}>:\n{run.stderr}"

    def direct(self, arguments, sources):
        """The command of clang's internal compiler, which compiles all sources in one process."""
        shown = subprocess.run(
            [self.program, "-###", *self.flags, "-fsyntax-only", *arguments, sources[0]],
            capture_output=True, text=True, check=True)
        command = shlex.split(shown.stderr.splitlines()[-1])
        at = command.index("-main-file-name")
        del command[at : at + 2]
        return command[:-1] + sources


def main():
    arguments = sys.argv[1:]
    uses_all = arguments[0] == "--all"
    folder, *programs = arguments[uses_all:]
    headers = Headers(pathlib.Path(folder).resolve(), uses_all)
    pairs = headers.pairs()
    with tempfile.TemporaryDirectory() as place:
        work = pathlib.Path(place)
        # Two headers that conflict: a compiler without an error for them is not called correctly.
        (work / "wrong").mkdir()
        (work / "wrong" / "OneWay.h").write_text("#define other_way 1\n", encoding="utf-8")
        (work / "wrong" / "OtherWay.h").write_text("extern int other_way;\n", encoding="utf-8")
        jobs, faults = [], []
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for number, program in enumerate(programs):
                (work / str(number)).mkdir()
                compiler = Compiler(program, headers.folders, work / str(number))
                compiler.flags.append(f"-I{work / 'wrong'}")
                if not compiler.complaints("OneWay.h", ["OtherWay.h"]):
                    faults.append(f"{program} does not see a pair that is wrong")
                jobs += [pool.submit(compiler.complaints, *pair) for pair in pairs.items()]
        faults += [job.result() for job in jobs if job.result()]
    if faults:
        sys.exit("\n".join(faults))
    count = sum(len(seconds) for seconds in pairs.values())
    print(f"{len(headers.names)} headers, {count} pairs that differ, {len(programs)} compilers")


main()
