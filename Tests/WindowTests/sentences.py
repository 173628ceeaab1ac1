# SPDX-License-Identifier: Apache-2.0
"""Sentences that are true of the window, or are not."""

import sys

from window import Failure, until

_counts = {True: 0, False: 0}


def check(sentence, is_true, shown=""):
    """Says a sentence and whether it is true, with what was found beside it."""
    _counts[bool(is_true)] += 1
    print(f"{'✔' if is_true else '✘'} {sentence}{f' ({shown})' if shown != '' else ''}", flush=True)


def shows(window, text, seconds=20):
    """Whether a window has a text within some seconds."""
    try:
        return until(text, lambda: window.has(text), seconds)
    except Failure:
        return False


def finish(what):
    """Ends the program: with 1 where a sentence was not true."""
    print(f"{what}: {sum(_counts.values())} sentences, {_counts[False]} not true")
    sys.exit(_counts[False] > 0)
