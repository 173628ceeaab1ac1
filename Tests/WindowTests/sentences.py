# SPDX-License-Identifier: Apache-2.0
"""Checks of the window, each with a sentence."""

import sys

from window import Failure, until

_counts = {True: 0, False: 0}


def check(sentence, is_true, shown=""):
    """Prints a sentence and whether it is true, with details."""
    _counts[bool(is_true)] += 1
    print(f"{'✔' if is_true else '✘'} {sentence}{f' ({shown})' if shown != '' else ''}", flush=True)


def shows(window, text, seconds=60):
    """Whether a window shows a text within some seconds."""
    try:
        return until(text, lambda: window.has(text), seconds)
    except Failure:
        return False


def finish(what):
    """Ends the program: with 1 if any sentence was not true."""
    print(f"{what}: {sum(_counts.values())} sentences, {_counts[False]} not true")
    sys.exit(_counts[False] > 0)
