# SPDX-License-Identifier: Apache-2.0
"""The loader of torch, whose workers are forked, started anew, or forked by a server."""

import tempfile
import unittest
import warnings

import numpy as np

import audiotoolbox as at

from .signals import RATE, noise

try:
    from torch.utils.data import DataLoader
except ImportError:
    DataLoader = None


# Of a file at 16 kHz.
FRAMES = 3200


class Corpus:
    """Files, of which each item is one after a chain and an instrument."""

    def __init__(self, paths):
        self.paths = paths
        self.chain = at.Chain([at.Unit("hpas"), at.Unit("rvb2", preset="cathedral"), at.Unit("lmtr")])

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        samples, rate = at.read(self.paths[index], rate=16_000)
        note = at.Unit("dls").render(0.1, rate, notes=[at.Note(60 + index)])
        return np.concatenate([self.chain(samples, rate), note], axis=1)


@unittest.skipUnless(DataLoader, "torch is not installed")
class Loaders(unittest.TestCase):
    def test_workers_give_the_same_sound(self):
        warnings.simplefilter("ignore", DeprecationWarning)
        with tempfile.TemporaryDirectory() as folder:
            paths = [f"{folder}/{seed}.wav" for seed in range(6)]
            for seed, path in enumerate(paths):
                at.write(path, noise(0.2, seed=seed), RATE, bits="float")
            corpus = Corpus(paths)
            # Here first: the workers are children of a process that has used everything.
            expected = [corpus[index] for index in range(len(corpus))]
            for method in ("fork", "forkserver", "spawn"):
                with self.subTest(method=method):
                    loader = DataLoader(
                        corpus, batch_size=None, num_workers=2, multiprocessing_context=method, timeout=120)
                    for item, sound in zip(loader, expected, strict=True):
                        self.assertEqual(item.shape, sound.shape)
                        np.testing.assert_array_equal(item[:, :FRAMES], sound[:, :FRAMES])
                        # FluidSynth begins the filter of a voice where the note before has left it.
                        np.testing.assert_allclose(item[:, FRAMES:], sound[:, FRAMES:], atol=0.005)


if __name__ == "__main__":
    unittest.main()
