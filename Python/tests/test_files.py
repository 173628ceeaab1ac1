# SPDX-License-Identifier: Apache-2.0
import concurrent.futures
import copy
import io
import os
import pathlib
import pickle
import signal
import stat
import tempfile
import unittest

import numpy as np

import audiotoolbox as at
from audiotoolbox import _resampling as resampling

from .signals import RATE, frequency, level, noise, sine


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Files(InFolder):
    def test_what_is_written_is_read(self):
        samples = noise()
        for name, bits, error in (
            ("a.wav", 16, 2**-15), ("a.wav", 24, 2**-23), ("a.wav", 32, 2**-23), ("a.wav", "float", 0),
            ("a.aiff", 16, 2**-15), ("a.caf", "float", 0), ("a.w64", 24, 2**-23), ("ü b.au", 16, 2**-15),
        ):  # fmt: skip
            with self.subTest(name=name, bits=bits):
                path = self.folder / name
                at.write(path, samples, RATE, bits=bits)
                read, rate = at.read(path)
                self.assertEqual((rate, read.shape, read.dtype), (RATE, samples.shape, np.float32))
                np.testing.assert_allclose(read, samples, atol=error)
        self.assertEqual(len(list(self.folder.iterdir())), 5)

    def test_reading_converts_rate_and_channels(self):
        path = self.folder / "a.wav"
        at.write(path, sine(440, 1, 48_000), 48_000, bits="float")
        read, rate = at.read(path, rate=16_000, channels=1)
        self.assertEqual((rate, read.shape), (16_000, (1, 16_000)))
        self.assertAlmostEqual(frequency(read[0], rate), 440, delta=1)

    def test_parts(self):
        path, samples = self.folder / "a.wav", noise()
        at.write(path, samples, RATE, bits="float")
        np.testing.assert_array_equal(at.read(path, start=100, frames=50)[0], samples[:, 100:150])
        np.testing.assert_array_equal(at.read(path, start=samples.shape[1] - 5, frames=50)[0], samples[:, -5:])
        with self.assertRaisesRegex(ValueError, "has no frame"):
            at.read(path, start=samples.shape[1] + 1)

    def test_streams(self):
        path, samples = self.folder / "a.wav", noise()
        with at.open(path, "w", RATE, 2, bits="float") as file:
            for start in range(0, samples.shape[1], 1000):
                file.write(samples[:, start : start + 1000])
            self.assertFalse(path.exists())
            self.assertEqual(file.frames, samples.shape[1])
        with at.open(path) as file:
            self.assertEqual((file.rate, file.channels, file.frames), (RATE, 2, samples.shape[1]))
            np.testing.assert_array_equal(np.concatenate(list(file.blocks(999)), axis=1), samples)
            file.seek(10)
            self.assertEqual(file.tell(), 10)
            target = np.zeros((2, 5), np.float32)
            file.read(5, out=target)
            np.testing.assert_array_equal(target, samples[:, 10:15])
        with self.assertRaisesRegex(ValueError, "closed"):
            file.read()

    def test_an_exception_leaves_no_file(self):
        with self.assertRaises(KeyError):
            with at.open(self.folder / "a.wav", "w", RATE, 2) as file:
                file.write(noise())
                raise KeyError
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_cannot_be_is_refused(self):
        with self.assertRaises(FileNotFoundError):
            at.read(self.folder / "none.wav")
        (self.folder / "text.wav").write_text("not sound")
        with self.assertRaisesRegex(at.AudioToolboxError, "text.wav"):
            at.read(self.folder / "text.wav")
        for arguments in (
            {"path": "a.xyz"}, {"path": "a.wav", "bits": 12}, {"path": "a.wav", "codec": "none"}, {"path": ""},
        ):  # fmt: skip
            with self.assertRaises(ValueError):
                at.write(self.folder / arguments.pop("path") if arguments["path"] else arguments.pop("path"),
                         noise(), RATE, **arguments)  # fmt: skip
        with at.open(self.folder / "a.wav", "w", RATE, 2) as file:
            with self.assertRaisesRegex(ValueError, "1 channels"):
                file.write(noise()[0])
            with self.assertRaisesRegex(ValueError, "opened to write"):
                file.read()


    def test_files_cannot_be_copied(self):
        path = self.folder / "a.wav"
        at.write(path, noise(), RATE)
        with at.open(path) as file:
            for copied in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
                    copied(file)

    def test_a_part_equals_that_of_the_whole_at_every_rate(self):
        path = self.folder / "a.wav"
        at.write(path, noise(1), RATE, bits="float")
        for rate in (16_000, 44_100, 96_000, 11_025):
            whole = at.read(path, rate=rate)[0]
            for start in (1, 777, rate // 2 + 1):
                with self.subTest(rate=rate, start=start):
                    part = at.read(path, rate=rate, start=start, frames=500)[0]
                    np.testing.assert_allclose(part, whole[:, start : start + 500], atol=1e-5)
        with at.open(path, rate=44_100) as file:
            file.seek(1001)
            self.assertEqual(file.tell(), 1001)
            file.read(10)
            self.assertEqual(file.tell(), 1011)

    def test_more_frames_than_there_are(self):
        path, samples = self.folder / "a.wav", noise(0.1)
        at.write(path, samples, RATE, bits="float")
        np.testing.assert_array_equal(at.read(path, frames=10**11)[0], samples)
        target = np.zeros((2, 100), np.float32)
        with at.open(path) as file:
            self.assertEqual(file.read(out=target).shape, (2, 100))
            np.testing.assert_array_equal(target, samples[:, :100])
        self.assertEqual(at.read(path, frames=0)[0].shape, (2, 0))
        for wrong in (-2, 2.5, "all"):
            with self.assertRaises(ValueError):
                at.read(path, frames=wrong)
        with self.assertRaises(ValueError):
            at.read(path, channels=0)

    def test_writing_keeps_permissions_and_links(self):
        real, link = self.folder / "real.wav", self.folder / "link.wav"
        at.write(real, noise(), RATE)
        real.chmod(0o640)
        link.symlink_to("real.wav")
        at.write(link, noise(0.1), RATE)
        self.assertTrue(link.is_symlink())
        self.assertEqual(at.info(real).frames, RATE // 10)
        self.assertEqual(stat.S_IMODE(real.stat().st_mode), 0o640)

    def test_names(self):
        samples, folder = noise(0.1), os.fsencode(self.folder)
        os.mkdir(folder + b"/d\xff")
        for path in (folder + b"/a.wav", folder + b"/b\xff.wav", folder + b"/d\xff/c.wav", f"{'ü' * 125}.wav"):
            with self.subTest(path=path):
                path = self.folder / path if isinstance(path, str) else path
                at.write(path, samples, RATE, bits="float")
                for same in (path, os.fsdecode(path)):
                    np.testing.assert_array_equal(at.read(same)[0], samples)
        for path, error in (
            ("", IsADirectoryError), ("none.wav", FileNotFoundError), ("none/a.wav", FileNotFoundError),
        ):  # fmt: skip
            with self.assertRaises(error):
                at.read(self.folder / path)
        (self.folder / "folder.wav").mkdir()
        with self.assertRaises(IsADirectoryError):
            at.write(self.folder / "folder.wav", samples, RATE)
        with self.assertRaises(FileNotFoundError):
            at.write(self.folder / "none/a.wav", samples, RATE)

    def test_open_files_and_formats(self):
        samples = noise(0.1)
        for format in ("wav", ".flac", "CAF"):
            file = io.BytesIO()
            at.write(file, samples, RATE, bits=24, format=format)
            file.seek(0)
            np.testing.assert_allclose(at.read(file)[0], samples, atol=2**-22)
            file.seek(0)
            self.assertEqual(at.info(file).frames, samples.shape[1])
        at.write(self.folder / "sound", samples, RATE, bits="float", format="wav")
        np.testing.assert_array_equal(at.read(self.folder / "sound")[0], samples)
        for arguments in ({"path": io.BytesIO()}, {"path": self.folder / "a.wav", "format": "none"}):
            with self.assertRaises(ValueError):
                at.write(samples=samples, rate=RATE, **arguments)

    def test_bits_of_formats_without_loss(self):
        for name, codec in (("a.flac", None), ("a.caf", "alac")):
            for bits in (16, 24):
                at.write(self.folder / name, noise(0.1), RATE, bits=bits, codec=codec)
                self.assertEqual(at.info(self.folder / name).bits, bits)


class Signals(InFolder):
    def test_a_signal_ends_long_calls(self):
        def ring(*_):
            raise TimeoutError

        before = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        long = np.zeros((2, 60 * RATE), np.float32)
        for name, call in (
            ("resample", lambda: at.resample(long, RATE, 44_100)), ("levels", lambda: at.levels(long, RATE)),
        ):  # fmt: skip
            for _ in range(3):
                with self.subTest(call=name), self.assertRaises(TimeoutError):
                    signal.setitimer(signal.ITIMER_REAL, 0.01)
                    call()
                signal.setitimer(signal.ITIMER_REAL, 0)


class Rates(unittest.TestCase):
    def test_resampling_keeps_tones_and_places(self):
        samples = sine(1000, 1, 44_100)
        result = at.resample(samples, 44_100, 48_000)
        self.assertEqual(result.shape, (2, 48_000))
        expected = sine(1000, 1, 48_000)
        np.testing.assert_allclose(result[:, 1000:-1000], expected[:, 1000:-1000], atol=1e-4)

    def test_what_a_rate_cannot_hold_vanishes(self):
        result = at.resample(sine(9000, 1, 48_000), 48_000, 16_000)
        self.assertLess(level(result[:, 1000:-1000]), -130)

    def test_the_lowest_quality_leaves_more_of_what_a_rate_cannot_hold(self):
        samples = sine(8300, 1, 48_000)
        levels = [
            level(at.resample(samples, 48_000, 16_000, quality=quality)[:, 1000:-1000])
            for quality in ("low", "medium", "high", "mastering")
        ]
        self.assertLess(levels[0], -85)
        self.assertLess(max(levels[1:]), levels[0] - 10)

    def test_conversions_leave_nothing_to_the_next(self):
        samples = noise(0.1)
        for quality in ("low", "medium", "high", "mastering"):
            first = at.resample(samples, 48_000, 44_100, quality=quality)
            at.resample(10 * samples[:, ::-1], 48_000, 44_100, quality=quality)
            np.testing.assert_array_equal(at.resample(samples, 48_000, 44_100, quality=quality), first)
            # On threads of their own, which do not need the one for the main thread.
            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                for result in pool.map(
                    lambda _: at.resample(samples, 48_000, 44_100, quality=quality), range(9)
                ):
                    np.testing.assert_array_equal(result, first)

    def test_a_child_converts_with_a_thread_of_its_own(self):
        expected = at.resample(noise(0.1), RATE, 44_100)
        child = os.fork()
        if child == 0:
            result = 1
            try:
                result = 0 if np.array_equal(at.resample(noise(0.1), RATE, 44_100), expected) else 2
            finally:
                os._exit(result)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_few_converters_are_kept(self):
        for rate in range(8_000, 8_030):
            at.resample(np.ones(10), RATE, rate)
        self.assertLessEqual(sum(map(len, resampling._idle.values())), resampling._MOST_IDLE)

    def test_extremes(self):
        self.assertEqual(at.resample(np.zeros(0), 48_000, 16_000).shape, (0,))
        self.assertEqual(at.resample(np.ones(1), 48_000, 16_000).shape, (0,))
        np.testing.assert_array_equal(at.resample(noise(), RATE, RATE), noise())
        for rate in (0, -1, float("nan")):
            with self.assertRaises(ValueError):
                at.resample(noise(), RATE, rate)
        with self.assertRaises(ValueError):
            at.resample(noise(), RATE, 16_000, quality="best")


class Levels(InFolder):
    def test_a_sine_of_minus_23_decibels_has_minus_23_lufs(self):
        # EBU Tech 3341, case 1.
        measured = at.levels(sine(1000, 20, level=10 ** (-23 / 20)), RATE)
        self.assertAlmostEqual(measured.loudness, -23, delta=0.1)
        self.assertAlmostEqual(measured.sample_peak, -23, delta=0.1)

    def test_the_gate_ignores_quiet_parts(self):
        # EBU Tech 3341, case 3: 10 s at -36, 60 s at -23, 10 s at -36.
        parts = [sine(1000, s, level=10 ** (l / 20)) for s, l in ((10, -36), (60, -23), (10, -36))]
        self.assertAlmostEqual(at.levels(np.concatenate(parts, axis=1), RATE).loudness, -23, delta=0.1)

    def test_the_true_peak_is_between_the_samples(self):
        # A quarter of the rate, sampled 45 degrees beside its peaks.
        wave = 0.5 * np.sin(np.pi / 2 * np.arange(RATE) + np.pi / 4).astype(np.float32)
        measured = at.levels(wave, RATE)
        self.assertAlmostEqual(measured.sample_peak, -9.03, delta=0.02)
        self.assertAlmostEqual(measured.true_peak, -6.02, delta=0.4)

    def test_the_true_peak_of_long_sounds_is_that_of_short_ones(self):
        for frames in (20_000, 10 * RATE):
            wave = 0.5 * np.sin(np.pi / 2 * np.arange(frames) + np.pi / 4)
            fade = np.minimum(1, np.minimum(np.arange(frames), np.arange(frames)[::-1]) / 5000)
            measured = at.levels((wave * fade).astype(np.float32), RATE)
            self.assertAlmostEqual(measured.true_peak, -6.02, delta=0.02)

    def test_silence_and_short_sounds_have_no_loudness(self):
        self.assertEqual(at.levels(np.zeros((2, RATE)), RATE), at.Levels(None, None, None))
        self.assertIsNone(at.levels(noise(0.1), RATE).loudness)

    def test_info_of_a_file(self):
        path = self.folder / "a.wav"
        at.write(path, sine(1000, 5, level=10 ** (-23 / 20)), RATE, bits=24)
        about = at.info(path)
        self.assertEqual(
            (about.path, about.rate, about.channels, about.frames, about.codec, about.bits, about.seconds),
            (os.fspath(path), RATE, 2, 5 * RATE, "lpcm", 24, 5),
        )
        self.assertAlmostEqual(about.levels.loudness, -23, delta=0.1)


if __name__ == "__main__":
    unittest.main()
