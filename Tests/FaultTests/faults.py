# SPDX-License-Identifier: Apache-2.0
"""Lets system calls of `au` fail, one in each run, and libraries be absent: faults.py AU PRELOADED [--all]

A run either makes the same bytes as an undisturbed one, or it ends with a code and a line that says why.
Then nothing is left of its output, what was there before is still there, and its input is unchanged.
Without --all only some of the calls fail: the first ones, the last ones and a few between them."""

import concurrent.futures
import errno
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

au, preloaded = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
is_complete = "--all" in sys.argv[3:]

# What is done to a file of sound, and the files that it makes. "{in}" has tags, markers and a loop.
JOBS = {
    "convert to FLAC": ("convert {in} -o {dir}/out.flac --force", ["out.flac"]),
    "convert to WAVE": ("convert {in} -o {dir}/out.wav --bits 16 --force", ["out.wav"]),
    "convert to CAF": ("convert {in} -o {dir}/out.caf --rate 44100 --force", ["out.caf"]),
    "convert to AAC": ("convert {in} -o {dir}/out.m4a --force", ["out.m4a"]),
    "convert to Opus": ("convert {in} -o {dir}/out.opus --force", ["out.opus"]),
    "convert to MP3": ("convert {in} -o {dir}/out.mp3 --force", ["out.mp3"]),
    "write raw samples": ("convert {in} -o {dir}/out.raw --raw-out s16le --force", ["out.raw"]),
    "read raw samples": (
        "convert {in} -o {dir}/out.wav --raw-in s16le,48000,1 --force", ["out.wav"]),
    "render": ("render lowpass,cutoff=800 {in} {dir}/out.aiff", ["out.aiff"]),
    "join": ("join {in} {in} -o {dir}/out.wav", ["out.wav"]),
    "split": ("split {in} --every 0.1 -o {dir}/parts --force", ["parts"]),
    "tone": ("tone 440 --seconds 0.2 -o {dir}/out.wav", ["out.wav"]),
    "info": ("info {in} --measure", []),
    "spectrogram": ("spectrogram {in} -o {dir}/out.png", ["out.png"]),
}

# What a call is told, and whether it is told so from then on. 0: it transfers a single byte.
FAULTS = {
    "open": [(errno.EIO, False), (errno.EMFILE, True), (errno.EINTR, False)],
    "read": [(errno.EIO, True), (errno.EINTR, False), (0, False)],
    "write": [(errno.ENOSPC, True), (errno.EIO, False), (errno.EINTR, False), (0, False)],
    "truncate": [(errno.EIO, True), (errno.ENOSPC, True)],
    "rename": [(errno.EIO, False), (errno.ENOSPC, False)],
    "size": [(errno.EIO, True)],
    "sync": [(errno.EIO, True)],
}
# Faults that cost nothing: the program simply continues.
HARMLESS = (errno.EINTR, 0)


def name_of(error):
    return errno.errorcode.get(error, "a single byte")


def contents(folder):
    """Every file of a folder with its bytes."""
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


def run(command, folder, **settings):
    """Runs `au` in a folder, of which `in` is the input."""
    words = command.replace("{in}", f"{folder}/in.wav").replace("{dir}", str(folder)).split()
    environment = {**os.environ, "LD_PRELOAD": preloaded, "FAULT_FOLDER": str(folder),
                   "AUDIOTOOLBOX_PLUGINS": "none", "HOME": str(folder.parent)}
    environment |= {f"FAULT_{name.upper()}": str(value) for name, value in settings.items()}
    return subprocess.run([au, *words], env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


class Job:
    """A job with what it makes undisturbed, and the calls that it needs for that."""

    def __init__(self, title, sound, work):
        self.title, self.sound, self.work = title, sound, work
        self.command, self.outputs = JOBS[title]
        with tempfile.TemporaryDirectory(dir=work) as name:
            folder = self.prepare(name)
            done = run(self.command, folder, counts=f"{name}/counts")
            if done.returncode:
                sys.exit(f"✘ {title}, undisturbed\n    {done.stderr.decode().strip()}")
            self.files, self.printed = contents(folder), done.stdout.replace(name.encode(), b"")
            counts = pathlib.Path(name, "counts").read_text().split()
            self.counts = dict(zip(counts[0::2], map(int, counts[1::2])))

    def prepare(self, name):
        folder = pathlib.Path(name) / "files"
        folder.mkdir()
        (folder / "in.wav").write_bytes(self.sound)
        return folder

    def faults(self):
        for call, kinds in FAULTS.items():
            count = self.counts[call]
            for place in range(1, count + 1):
                if is_complete or place <= 3 or place > count - 2 or place == count // 2:
                    for error, lasts in kinds:
                        yield call, place, error, lasts

    def disturb(self, fault):
        """What was wrong after a fault; None: nothing."""
        call, place, error, lasts = fault
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder = self.prepare(name)
            settings = {"call": call, "at": place, "error": error}
            # What was there before: another file of sound.
            old = {"in.wav": self.sound}
            for output in self.outputs:
                if "." in output:
                    (folder / output).write_bytes(self.sound)
                    old[output] = self.sound
            if lasts:
                settings["lasts"] = 1
            done = run(self.command, folder, **settings)
            wrong = self.judge(done, contents(folder), old, name, error)
        if wrong:
            return f"{name_of(error)} at {call} {place}{' and later' if lasts else ''}: {wrong}"

    def judge(self, done, files, old, name, error):
        said = " / ".join(done.stderr.decode(errors="replace").replace(name, "").split("\n"))
        if done.returncode < 0:
            return f"ended by signal {-done.returncode}: {said}"
        if files.get("in.wav") != self.sound:
            return "the input has changed"
        if done.returncode == 0:
            if files != self.files:
                return f"succeeded with other files: {[*files]} {said}"
            # Tags that cannot be read are left out, so that the sound is of use without them.
            lines = set(done.stdout.replace(name.encode(), b"").splitlines())
            if not lines <= set(self.printed.splitlines()):
                return f"succeeded with another result: {said}"
            return None
        if error in HARMLESS:
            return f"ended with {done.returncode}: {said}"
        if not said:
            return f"ended with {done.returncode} without a word"
        whole = {path: data for path, data in files.items() if self.files.get(path) == data}
        if {**old, **whole} != files:
            return f"left {[*files]}: {said}"
        return None

    def libraries(self):
        """The optional libraries that the job has loaded."""
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder = self.prepare(name)
            log = pathlib.Path(name) / "libraries"
            log.touch()
            run(self.command, folder, libraries=log)
            return sorted(set(log.read_text().split()))

    def withdraw(self, library):
        with tempfile.TemporaryDirectory(dir=self.work) as name:
            folder = self.prepare(name)
            done = run(self.command, folder, library=library)
            said = done.stderr.decode(errors="replace").replace(name, "").strip()
            if done.returncode < 0:
                return f"{library}: ended by signal {-done.returncode}"
            if done.returncode and not said:
                return f"{library}: ended with {done.returncode} without a word"
            if done.returncode and set(contents(folder)) - {"in.wav"}:
                return f"{library}: left {[*contents(folder)]}"
        return None


def sound_of(work):
    """Half a second with a tag, in 24 bits."""
    tone, tagged = f"{work}/tone.wav", f"{work}/in.wav"
    for words in (["tone", "440", "--seconds", "0.5", "-o", tone],
                  ["convert", tone, "-o", tagged, "--bits", "24", "--tag", "title=A tone"]):
        subprocess.run([au, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return pathlib.Path(tagged).read_bytes()


failures = runs = 0
with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(
        max(2, len(os.sched_getaffinity(0)))) as pool:
    sound = sound_of(work)
    for title in JOBS:
        job = Job(title, sound, work)
        faults, libraries = list(job.faults()), job.libraries()
        wrong = [line for line in pool.map(job.disturb, faults) if line]
        wrong += [line for line in pool.map(job.withdraw, libraries) if line]
        runs += len(faults) + len(libraries)
        failures += bool(wrong)
        print("✘" if wrong else "✔", f"{title}: {len(faults)} calls that fail,",
              f"{len(libraries)} absent libraries", flush=True)
        for line in wrong[:20]:
            print(f"    {line}")
print(f"Faults: {len(JOBS)} jobs, {failures} not as expected ({runs} runs)")
sys.exit(1 if failures else 0)
