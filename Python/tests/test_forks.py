# SPDX-License-Identifier: Apache-2.0
import concurrent.futures
import multiprocessing
import os
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import audiotoolbox as at

from .signals import RATE, noise

ROOM = at.Chain([at.Unit("hpas"), at.Unit("rvb2", preset="cathedral"), at.Unit("lmtr")])


def work(seed: int) -> float:
    """What a worker of a data loader does: a file, its rate, and effects."""
    samples = noise(0.2, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        at.write(f"{folder}/a.wav", samples, RATE, bits="float")
        read, rate = at.read(f"{folder}/a.wav", rate=16_000)
    return float(np.abs(ROOM(read, rate)).sum())


class Forks(unittest.TestCase):
    def setUp(self):
        # Python warns of every fork of a process with threads; these tests have them on purpose.
        warnings.simplefilter("ignore", DeprecationWarning)

    def test_workers_give_the_same_sound(self):
        expected = [work(seed) for seed in range(6)]
        for method in ("fork", "forkserver", "spawn"):
            with self.subTest(method=method):
                context = multiprocessing.get_context(method)
                with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                    self.assertEqual(list(pool.map(work, range(6), timeout=120)), expected)

    def test_forks_while_threads_work(self):
        is_over, rounds = threading.Event(), [0] * 3

        def keep_working(place):
            mine = at.Chain([at.Unit("rvb2"), at.Unit("lmtr")])
            while not is_over.is_set():
                mine(noise(0.2), RATE)
                at.resample(noise(0.1), RATE, 44_100 + 100 * rounds[place])
                at.Unit("dely")(noise(0.05), RATE)
                rounds[place] += 1

        threads = [threading.Thread(target=keep_working, args=(place,)) for place in range(3)]
        for thread in threads:
            thread.start()
        try:
            expected = work(3)
            for _ in range(40):
                child = os.fork()
                if child == 0:
                    result = 1
                    try:
                        result = 0 if work(3) == expected else 2
                    finally:
                        os._exit(result)
                self.assertEqual(self.wait(child), 0)
        finally:
            is_over.set()
            for thread in threads:
                thread.join()
        self.assertTrue(all(rounds))

    def test_instruments_play_in_a_child(self):
        """After they have played in the parent, and while the parent loads a bank."""
        def play():
            return at.Unit("dls").render(0.1, RATE, notes=[at.Note(60)])

        expected, is_over = play(), threading.Event()

        def load_banks():
            while not is_over.is_set():
                play()

        loader = threading.Thread(target=load_banks)
        try:
            for round in range(12):
                if round == 4:
                    loader.start()
                child = os.fork()
                if child == 0:
                    result = 1
                    try:
                        result = 0 if np.array_equal(play(), expected) else 2
                    finally:
                        os._exit(result)
                self.assertEqual(self.wait(child), 0)
        finally:
            is_over.set()
            loader.join()

    def test_devices_say_what_to_do(self):
        next(at.units())
        child = os.fork()
        if child == 0:
            result = 1
            try:
                at.play(np.zeros((2, 480)), RATE)
            except at.AudioToolboxError as error:
                result = 0 if "forked" in str(error) else 2
            finally:
                os._exit(result)
        self.assertEqual(self.wait(child), 0)

    def test_a_child_leaves_the_files_of_its_parent_alone(self):
        samples = noise(0.2)
        with tempfile.TemporaryDirectory() as folder:
            for end in ("close", "_discard", "write", "exit", "del"):
                with self.subTest(end=end):
                    path = f"{folder}/{end}.wav"
                    file = at.open(path, "w", RATE, 2, bits="float")
                    file.write(samples)
                    child = os.fork()
                    if child == 0:
                        result = 1
                        try:
                            if end == "write":
                                with self.assertRaisesRegex(ValueError, "forked"):
                                    file.write(samples)
                            elif end == "exit":
                                file.__exit__(KeyError, None, None)
                            elif end == "del":
                                del file
                            else:
                                getattr(file, end)()
                            result = 0
                        finally:
                            os._exit(result)
                    self.assertEqual(self.wait(child), 0)
                    self.assertFalse(os.path.exists(path))
                    file.close()
                    np.testing.assert_array_equal(at.read(path)[0], samples)

    def wait(self, child):
        """The result of a child; one that hangs is ended."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.002)
        os.kill(child, 9)
        os.waitpid(child, 0)
        return "it did not end"


if __name__ == "__main__":
    unittest.main()
