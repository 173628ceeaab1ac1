# SPDX-License-Identifier: Apache-2.0
"""With files as devices: Tests/PythonTests/run sets AUDIOTOOLBOX_DEVICE."""

import copy
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import numpy as np

import audiotoolbox as at

from .signals import RATE, frequency, sine


class Live(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = f"{folder.name}/played.wav"
        self.source = f"{folder.name}/source.wav"
        at.write(self.source, sine(440, 2), RATE, bits="float")
        environment = mock.patch.dict(
            os.environ, {"AUDIOTOOLBOX_DEVICE": f"file:{self.path},{self.source}", "AUDIOTOOLBOX_RATE": str(RATE)}
        )
        environment.start()
        self.addCleanup(environment.stop)

    def test_plays(self):
        at.play(sine(1000, 0.5), RATE)
        played, rate = at.read(self.path)
        sounding = np.flatnonzero(np.abs(played[0]) > 1e-3)
        self.assertAlmostEqual(sounding.size / rate, 0.5, delta=0.05)
        self.assertAlmostEqual(frequency(played[0, sounding[0] : sounding[-1]], rate), 1000, delta=5)

    def test_records(self):
        recorded = at.record(0.5, RATE, 1)
        self.assertEqual(recorded.shape, (1, RATE // 2))
        self.assertAlmostEqual(frequency(recorded[0], RATE), 440, delta=5)

    def test_a_callback_gets_and_fills_blocks(self):
        seen, enough = [], threading.Event()

        def invert(input, output):
            output[:] = -input
            seen.append((input.shape[0], output.shape))
            if len(seen) > 20:
                enough.set()

        with at.Stream(invert, RATE, inputs=2, outputs=2):
            self.assertTrue(enough.wait(20))
        self.assertEqual({(channels, shape[0]) for channels, shape in seen}, {(2, 2)})
        self.assertGreater(np.abs(at.read(self.path)[0]).max(), 0.4)

    def test_an_exception_of_the_callback_is_raised_at_the_end(self):
        called = threading.Event()

        def fail(input, output):
            called.set()
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            with at.Stream(fail, RATE):
                called.wait(20)

    def test_a_program_ends_although_its_streams_run(self):
        program = "stream = at.Stream(lambda input, output: None, 48000); stream.start(); "
        for end, result in (("", 0), ("1 / 0", 1), ("sys.exit(3)", 3)):
            with self.subTest(end=end):
                ended = subprocess.run(
                    [sys.executable, "-c", f"import sys; import audiotoolbox as at; {program}{end}"],
                    timeout=60, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                self.assertEqual(ended.returncode, result)

    def test_devices_are_listed_and_chosen(self):
        file = next(device for device in at.devices() if device.name == "played.wav")
        self.assertEqual((file.inputs, file.outputs), (2, 2))
        at.play(sine(1000, 0.2), RATE, device="null")
        self.assertFalse(os.path.exists(self.path) and np.abs(at.read(self.path)[0]).max() > 0.1)
        for same in (file, file.name, file.identifier):
            at.play(sine(1000, 0.2), RATE, device=same)
            self.assertGreater(np.abs(at.read(self.path)[0]).max(), 0.4)
            os.remove(self.path)
        with self.assertRaisesRegex(ValueError, "no device 'none'; there are .*'null'"):
            at.record(0.1, RATE, device="none")

    def test_streams_cannot_be_copied(self):
        with at.Stream(lambda input, output: None, RATE) as stream:
            for copied in (copy.copy, copy.deepcopy, pickle.dumps):
                for thing in (stream, stream._unit):
                    with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                        copied(thing)

    def test_what_cannot_be_is_refused(self):
        for arguments in (
            {"inputs": 0, "outputs": 0}, {"inputs": -1}, {"outputs": 5000}, {"inputs": 1.5}, {"outputs": None},
        ):  # fmt: skip
            with self.assertRaises(ValueError):
                at.Stream(lambda input, output: None, RATE, **arguments)
        with self.assertRaisesRegex(TypeError, "cannot be called"):
            at.Stream("text", RATE)
        for arguments in ((-1, RATE), (1, float("nan")), (1, RATE, 0), (1, RATE, -1), (1, RATE, 2.5)):
            with self.assertRaises(ValueError):
                at.record(*arguments)


if __name__ == "__main__":
    unittest.main()
