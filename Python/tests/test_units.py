# SPDX-License-Identifier: Apache-2.0
import copy
import pickle
import tempfile
import threading
import time
import unittest
import unittest.mock

import numpy as np

import audiotoolbox as at
from audiotoolbox import _parking as parking
from audiotoolbox._arrays import address_of

from .signals import RATE, frequency, level, noise, sine


class Mine(at.Unit):
    pass


class Ours(at.Chain):
    pass


class Drawn(at.Graph):
    pass


class Units(unittest.TestCase):
    def test_lists_installed_units(self):
        found = list(at.units("aufx"))
        self.assertIn(("aufx", "lpas", "Apple: AULowpass"), found)
        self.assertEqual({type for type, _, _ in found}, {"aufx"})

    def test_parameters_have_names_ranges_and_defaults(self):
        cutoff = at.Unit("lpas").parameters["cutoff_frequency"]
        self.assertEqual((cutoff.minimum, cutoff.default, cutoff.measure), (10, 6900, "Hz"))
        self.assertEqual(at.Unit("lpas").cutoff_frequency, 6900)

    def test_values_out_of_range_are_refused(self):
        for value in (5, 1e9, float("nan"), float("inf"), np.array([500.0, 1.0]), np.array([500.0, np.nan])):
            with self.assertRaisesRegex(ValueError, "cutoff_frequency = .*; expected 10 to"):
                at.Unit("lpas", cutoff_frequency=value)
        unit = at.Unit("lpas", cutoff_frequency=500)
        with self.assertRaises(ValueError):
            unit.cutoff_frequency = -1
        self.assertEqual(unit.cutoff_frequency, 500)

    def test_ranges_are_those_of_high_rates(self):
        self.assertEqual(at.Unit("lpas").parameters["cutoff_frequency"].maximum, 96_000)
        self.assertEqual(at.Unit("lpas").parameters["cutoff_frequency"].default, 6900)
        at_30, at_6 = (
            level(at.Unit("lpas", cutoff_frequency=f)(sine(25_000, rate=96_000), 96_000)) for f in (40_000, 6_000)
        )
        self.assertGreater(at_30, at_6 + 15)

    def test_the_parameters_of_a_kind_cannot_be_changed(self):
        with self.assertRaises((AttributeError, TypeError)):
            at.Unit("lpas").parameters.pop("resonance")
        self.assertIn("resonance", at.Unit("lpas").parameters)

    def test_a_preset_can_be_chosen_later(self):
        samples = noise()
        for preset in ("cathedral", None):
            for render_before in (False, True):
                unit = at.Unit("rvb2", preset="plate", dry_wet_mix=5)
                if render_before:
                    unit(samples, RATE)
                unit.preset = preset
                expected = at.Unit("rvb2", preset=preset)
                self.assertEqual(unit, expected)
                np.testing.assert_array_equal(unit(samples, RATE), expected(samples, RATE))
        with self.assertRaisesRegex(ValueError, "no preset"):
            unit.preset = "none"
        with self.assertRaisesRegex(AttributeError, "make another"):
            unit.bank = "a.sf2"

    def test_repr_keeps_all_digits(self):
        for value in (1234.5678901234, 440, 0.1 + 0.2 + 100, [1 / 3 + 100, 200.12345]):
            unit = at.Unit("lpas", cutoff_frequency=value)
            words = {"Unit": at.Unit, "array": np.array, "float32": np.float32}
            self.assertEqual(eval(repr(unit), words), unit)

    def test_subclasses_keep_their_class(self):
        for thing in (Mine("lpas", cutoff_frequency=300), Ours([at.Unit("lpas")]), Drawn(Graphs.effects)):
            for other in (copy.copy(thing), copy.deepcopy(thing), pickle.loads(pickle.dumps(thing))):
                self.assertIs(type(other), type(thing))
                self.assertEqual(other, thing)

    def test_unknown_names_are_refused_with_the_known_ones(self):
        with self.assertRaisesRegex(AttributeError, "cutoff_frequency, resonance"):
            at.Unit("lpas", cutof=500)
        with self.assertRaisesRegex(AttributeError, "cutoff_frequency"):
            at.Unit("lpas").mix
        with self.assertRaisesRegex(ValueError, "no preset 'hall of fame'; it has 'Small Room'"):
            at.Unit("rvb2", preset="hall of fame")
        for subtype in ("none", "", "much too long", "ünit"):
            with self.assertRaises(ValueError):
                at.Unit(subtype)

    def test_a_preset_sets_parameters_and_arguments_override_it(self):
        cathedral = at.Unit("rvb2", preset="cathedral")
        self.assertEqual(cathedral.preset, "Cathedral")
        self.assertNotEqual(cathedral.decay_time_at_0_hz, at.Unit("rvb2").decay_time_at_0_hz)
        self.assertEqual(at.Unit("rvb2", preset="cathedral", decay_time_at_0_hz=1).decay_time_at_0_hz, 1)

    def test_equality_repr_copy_and_pickle_follow_the_description(self):
        unit = at.Unit("rvb2", preset="cathedral", dry_wet_mix=[0, 50, 100])
        for other in (copy.copy(unit), copy.deepcopy(unit), pickle.loads(pickle.dumps(unit))):
            self.assertEqual(unit, other)
            self.assertIsNot(unit, other)
        self.assertEqual(eval(repr(unit), {"Unit": at.Unit, "array": np.array, "float32": np.float32}), unit)
        other.dry_wet_mix = 3
        self.assertNotEqual(unit, other)
        samples = noise()
        np.testing.assert_array_equal(
            at.Unit("rvb2")(samples, RATE), pickle.loads(pickle.dumps(at.Unit("rvb2")))(samples, RATE)
        )

    def test_a_low_pass_falls_by_12_decibels_an_octave(self):
        unit = at.Unit("lpas", cutoff_frequency=200, resonance=0)
        at_1, at_2 = (level(unit(sine(f), RATE)[:, RATE // 2 :]) for f in (1000, 2000))
        self.assertAlmostEqual(at_1 - at_2, 12, delta=0.3)

    def test_parameters_change_between_calls(self):
        unit, samples = at.Unit("hpas", cutoff_frequency=20), sine(100)
        loud = level(unit(samples, RATE)[:, RATE // 2 :])
        unit.cutoff_frequency = 2000
        self.assertLess(level(unit(samples, RATE)[:, RATE // 2 :]), loud - 40)

    def test_an_array_is_a_value_over_time(self):
        unit = at.Unit("lpas", cutoff_frequency=np.geomspace(8000, 100, 50))
        swept = unit(sine(2000, 2), RATE)
        self.assertGreater(level(swept[:, 4800:9600]), level(swept[:, -9600:]) + 30)
        constant = at.Unit("lpas", cutoff_frequency=np.full(7, 300.0))(sine(2000), RATE)
        expected = at.Unit("lpas", cutoff_frequency=300)(sine(2000), RATE)
        np.testing.assert_allclose(constant[:, RATE // 2 :], expected[:, RATE // 2 :], atol=1e-4)

    def test_a_generator_with_a_seed_repeats_itself(self):
        def render(seed):
            return at.Unit("tone", waveform=4, noise_seed=seed).render(0.1, RATE)

        first = render(7)
        self.assertGreater(level(first), -40)
        np.testing.assert_array_equal(first, render(7))
        self.assertFalse(np.array_equal(first, render(8)))

    def test_threads_with_units_of_their_own_give_the_same_samples(self):
        samples, results = noise(2), [None] * 4

        def work(place):
            results[place] = at.Unit("rvb2")(samples, RATE)

        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results[1:]:
            np.testing.assert_array_equal(results[0], result)


class Chains(unittest.TestCase):
    def chain(self):
        return at.Chain([at.Unit("hpas", cutoff_frequency=80), at.Unit("dcmp"), at.Unit("rvb2"), at.Unit("lmtr")])

    def test_a_chain_equals_its_units_one_after_the_other(self):
        samples = noise()
        first, second = at.Unit("hpas", cutoff_frequency=300), at.Unit("lpas", cutoff_frequency=3000)
        one = second(first(samples, RATE), RATE)
        np.testing.assert_allclose(at.Chain([copy.copy(first), copy.copy(second)])(samples, RATE), one, atol=1e-6)
        np.testing.assert_allclose(at.Chain([first, second])(samples, RATE), one, atol=1e-6)
        np.testing.assert_allclose(second(first(samples, RATE), RATE), one, atol=1e-6)

    def test_the_result_has_the_shape_of_the_samples(self):
        chain = self.chain()
        self.assertEqual(chain(noise(), RATE).shape, (2, RATE // 2))
        self.assertEqual(chain(noise(channels=1), RATE).shape, (1, RATE // 2))
        self.assertEqual(chain(noise()[0], RATE).shape, (RATE // 2,))
        self.assertEqual(chain(np.zeros((2, 0)), RATE).shape, (2, 0))
        self.assertEqual(at.Unit("rvb2")(noise()[0], RATE, channels=2).shape, (2, RATE // 2))

    def test_layouts_and_types_of_arrays(self):
        samples, unit = noise(), at.Unit("hpas")
        expected = unit(samples, RATE)
        read_only = samples.copy()
        read_only.flags.writeable = False
        wide = np.zeros((4, samples.shape[1] + 8), np.float32)
        wide[::2, 4:-4] = samples
        for same in (
            samples.astype(np.float64), np.asfortranarray(samples), read_only, samples[::-1][::-1],
            np.repeat(samples, 2, axis=1)[:, ::2], wide[::2, 4:-4], memoryview(samples),
        ):  # fmt: skip
            before = np.array(same, copy=True)
            np.testing.assert_array_equal(unit(same, RATE), expected)
            np.testing.assert_array_equal(same, before)
        integers = (samples * 32768).astype(np.int16)
        np.testing.assert_allclose(unit(integers, RATE), expected, atol=1e-3)
        one = np.broadcast_to(samples[0], samples.shape)
        np.testing.assert_array_equal(unit(one, RATE)[0], unit(one, RATE)[1])
        for wrong in (np.zeros((2, 3, 4)), np.zeros((2000, 4)), np.zeros(())):
            with self.assertRaises(ValueError):
                unit(wrong, RATE)
        for wrong in (np.zeros(4, complex), np.zeros(4, np.uint8), ["a"]):
            with self.assertRaises(TypeError):
                unit(wrong, RATE)
        for rate in (0, -1, float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                unit(samples, rate)

    def test_addresses_of_arrays(self):
        samples = np.zeros((4, 64), np.float32)
        fixed = np.zeros((2, 64), np.float32)
        fixed.flags.writeable = False
        for array in (
            samples, samples[1:, 3:], samples[::-1], samples[:, ::2], samples.T, samples[:, :0], fixed,
            np.frombuffer(bytes(1027), np.uint8)[3:].view(np.float32), np.zeros((2, 64)),
        ):  # fmt: skip
            self.assertEqual(address_of(array), array.ctypes.data)

    def test_out_receives_the_result_in_place(self):
        samples, unit = noise(), at.Unit("lmtr")
        expected = unit(samples, RATE)
        self.assertIs(unit(samples, RATE, out=samples), samples)
        np.testing.assert_array_equal(samples, expected)
        with self.assertRaises(ValueError):
            unit(samples, RATE, out=np.zeros((2, 5), np.float32))

    def test_in_place_equals_apart(self):
        samples = noise()
        for subtype, values in (
            ("vari", {"playback_rate": 0.5}), ("vari", {"playback_rate": 1.5}), ("nutp", {"rate": 0.7}), ("lpas", {}),
        ):  # fmt: skip
            unit, same = at.Unit(subtype, **values), samples.copy()
            expected = unit(samples, RATE)
            np.testing.assert_array_equal(unit(same, RATE, out=same), expected)
        unit, memory = at.Unit("lpas"), np.zeros((2, 10_100), np.float32)
        for source, target in ((slice(0, -100), slice(100, None)), (slice(100, None), slice(0, -100))):
            memory[:, source] = samples[:, :10_000]
            expected = unit(samples[:, :10_000], RATE)
            np.testing.assert_array_equal(unit(memory[:, source], RATE, out=memory[:, target]), expected)
        swapped = samples.copy()
        np.testing.assert_array_equal(unit(swapped, RATE, out=swapped[::-1]), unit(samples, RATE))

    def test_memory_that_cannot_hold_results_is_refused(self):
        samples = noise(0.1)
        apart = np.frombuffer(bytearray(samples.nbytes + 1), np.uint8)[1:].view(np.float32).reshape(samples.shape)
        twice = np.lib.stride_tricks.as_strided(np.zeros(9600, np.float32), samples.shape, (400, 4))
        for wrong in (apart, twice):
            with self.assertRaisesRegex(ValueError, "aligned"):
                at.Unit("lpas")(samples, RATE, out=wrong)

    def test_latency_and_tail_are_those_of_the_values(self):
        def answers(unit):
            impulse = np.zeros((1, 20_000), np.float32)
            impulse[0, 1000] = 1
            return np.abs(unit(impulse, RATE)).argmax()

        parking._parked.clear()
        slow = answers(at.Unit("vari", playback_rate=0.25))
        parking._parked.clear()
        unit = at.Unit("vari")
        answers(unit)
        unit.playback_rate = 0.25
        self.assertEqual(answers(unit), slow)
        del unit
        self.assertEqual(answers(at.Unit("vari", playback_rate=0.25)), slow)
        room = at.Unit("rvb2", decay_time_at_0_hz=1)
        chain = at.Chain([room])
        short = chain.tail(RATE)
        room.decay_time_at_0_hz = 20
        self.assertGreater(chain.tail(RATE), short)

    def test_a_refused_call_changes_nothing(self):
        samples = noise()
        first, room = at.Unit("lpas"), at.Unit("rvb2")
        expected = at.Chain([at.Unit("lpas"), at.Unit("rvb2")])(samples, RATE)
        chain = at.Chain([first, room])
        with self.assertRaises(at.AudioToolboxError):
            chain(np.zeros((3, 100), np.float32), RATE)
        np.testing.assert_array_equal(room(samples, RATE), at.Unit("rvb2")(samples, RATE))
        np.testing.assert_array_equal(chain(samples, RATE), expected)
        del chain, first, room
        np.testing.assert_array_equal(at.Chain([at.Unit("lpas"), at.Unit("rvb2")])(samples, RATE), expected)

    def test_chains_that_took_the_same_units_at_once_recover(self):
        samples = noise()
        units = [at.Unit("lpas"), at.Unit("rvb2")]
        first, second = at.Chain(units), at.Chain(units[::-1])
        expected = [copy.copy(chain)(samples, RATE) for chain in (first, second)]
        take, has_begun = parking.take, threading.Event()

        def take_slowly(units):
            has_begun.set()
            time.sleep(0.3)
            return take(units)

        def call(chain):
            try:
                chain(samples, RATE)
            except at.AudioToolboxError:  # the other one has taken the units
                pass

        with unittest.mock.patch.object(parking, "take", take_slowly):
            thread = threading.Thread(target=call, args=(first,))
            thread.start()
            has_begun.wait()
        call(second)
        thread.join()
        for _ in range(2):
            np.testing.assert_array_equal(second(samples, RATE), expected[1])
            np.testing.assert_array_equal(first(samples, RATE), expected[0])

    def test_threads_that_share_units_leave_chains_that_work(self):
        samples = noise(0.1)
        units = [at.Unit("lpas"), at.Unit("rvb2")]
        chains = [at.Chain(units), at.Chain(units[1:]), at.Chain(units[:1]), at.Chain(units[::-1])]
        expected = [copy.copy(chain)(samples, RATE) for chain in chains]

        def call(chain):
            for _ in range(30):
                try:
                    chain(samples, RATE)
                except at.AudioToolboxError:  # another one has taken the units
                    pass

        for _ in range(3):
            threads = [threading.Thread(target=call, args=(chain,)) for chain in chains]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for chain, right in zip(chains, expected):
                np.testing.assert_array_equal(chain(samples, RATE), right)

    def test_latency_is_removed(self):
        limiter = at.Unit("lmtr")
        impulse = np.zeros((1, RATE // 10), np.float32)
        impulse[0, 1000] = 0.25
        self.assertEqual(np.abs(limiter(impulse, RATE)).argmax(), 1000)
        self.assertGreater(at.Chain([limiter]).latency(RATE, 1), 0)
        self.assertEqual(at.Chain([limiter]).latency(RATE, 1), at.Unit("lmtr").latency(RATE, 1))
        self.assertEqual(at.Chain([at.Unit("rvb2")]).tail(RATE), at.Unit("rvb2").tail(RATE))

    def test_latency_follows_the_parameters(self):
        shift = at.Unit("nutp")
        chain = at.Chain([shift])
        chain(noise(), RATE)
        shift.pitch = 2400
        chain(noise(), RATE)
        self.assertEqual(chain.latency(RATE), at.Chain([at.Unit("nutp", pitch=2400)]).latency(RATE))
        self.assertNotEqual(chain.latency(RATE), at.Chain([at.Unit("nutp")]).latency(RATE))

    def test_a_tail_follows_the_samples(self):
        room, samples = at.Unit("rvb2", preset="cathedral"), noise(0.1)
        short, long = room(samples, RATE), room(samples, RATE, tail=True)
        np.testing.assert_array_equal(long[:, : short.shape[1]], short)
        self.assertEqual(long.shape[1] - short.shape[1], at.Chain([room]).tail(RATE))
        self.assertGreater(level(long[:, 4800:9600]), -60)
        self.assertEqual(room(samples, RATE, tail=0.5).shape[1], round(0.6 * RATE))
        with self.assertRaises(ValueError):
            room(samples, RATE, tail=-1)
        self.assertEqual(room(samples, RATE, tail=np.True_).shape, long.shape)
        self.assertEqual(room(samples, RATE, tail=np.False_).shape, samples.shape)

    def test_pieces_without_reset_equal_the_whole(self):
        samples, chain = noise(), at.Chain([at.Unit("hpas"), at.Unit("dely")])
        whole = chain(samples, RATE, reset=True)
        chain(samples[:, :0], RATE, reset=True)
        pieces = [chain(samples[:, i : i + 777], RATE, reset=False) for i in range(0, samples.shape[1], 777)]
        np.testing.assert_array_equal(np.concatenate(pieces, axis=1), whole)

    def test_calls_of_one_shape_equal_the_whole_whatever_their_memory(self):
        def chain():
            return at.Chain([at.Unit("hpas", cutoff_frequency=80), at.Unit("dcmp"), at.Unit("rvb2")])

        for channels in (1, 2, 3):
            made = at.Chain([at.Unit("hpas"), at.Unit("dcmp")]) if channels == 3 else chain()
            samples = noise(0.2, channels)[:, : 64 * 100]
            whole = copy.copy(made)(samples, RATE)
            parts = np.split(samples, 100, axis=1)
            for place, part in enumerate(parts):
                # Side by side, a view with gaps, read-only, one dimension.
                part = np.ascontiguousarray(part) if place % 4 else part
                if place % 4 == 2:
                    part.flags.writeable = False
                if place % 4 == 3 and channels == 1:
                    part = part[0]
                parts[place] = np.atleast_2d(made(part, RATE, reset=place == 0))
            np.testing.assert_array_equal(np.concatenate(parts, axis=1), whole)

    def test_a_call_like_the_one_before_notices_what_has_changed(self):
        low, other = at.Unit("lpas", cutoff_frequency=500), at.Unit("dcmp")
        chain = at.Chain([low])
        samples = noise(0.05)
        first = chain(samples, RATE)
        np.testing.assert_array_equal(chain(samples, RATE), first)
        for change in (
            lambda: setattr(low, "cutoff_frequency", 900),
            # Another chain takes the unit.
            lambda: at.Chain([low, other])(samples, RATE),
            lambda: chain(samples, RATE / 2),
            lambda: chain(samples[:, :100], RATE),
            lambda: chain(samples[:1], RATE, channels=2),
        ):
            change()
            expected = copy.copy(at.Chain([copy.copy(low)]))(samples, RATE)
            for _ in range(2):
                np.testing.assert_array_equal(chain(samples, RATE), expected)
        low.cutoff_frequency = np.geomspace(100, 8_000, 9)
        swept = chain(samples, RATE)
        self.assertGreater(level(swept[:, -480:]), level(swept[:, :480]) + 6)

    def test_a_repeated_call_that_fails_is_explained(self):
        chain = at.Chain([at.Unit("lpas")])
        samples = noise(0.05)
        chain(samples, RATE)
        # Another thread would have the chain at this moment.
        with unittest.mock.patch.object(chain._plans[0], "render", lambda *_: -50):
            with self.assertRaises(at.AudioToolboxError) as raised:
                chain(samples, RATE)
        self.assertEqual(raised.exception.status, -50)
        self.assertEqual(chain(samples, RATE).shape, samples.shape)

    def test_is_a_sequence_and_pickles(self):
        chain = self.chain()
        self.assertEqual([unit.subtype for unit in chain], ["hpas", "dcmp", "rvb2", "lmtr"])
        self.assertEqual(len(chain[1:3]), 2)
        for other in (copy.copy(chain), copy.deepcopy(chain), pickle.loads(pickle.dumps(chain))):
            self.assertEqual(chain, other)
        np.testing.assert_array_equal(other(noise(), RATE), chain(noise(), RATE))
        self.assertEqual(eval(repr(chain), {"Chain": at.Chain, "Unit": at.Unit}), chain)

    def test_what_cannot_be_chained_is_refused(self):
        unit = at.Unit("lpas")
        for units in ([], [unit, unit], [unit, at.Unit("tone")]):
            with self.assertRaises(ValueError):
                at.Chain(units)
        with self.assertRaises(TypeError):
            at.Chain(["lpas"])

    def test_a_pitch_shift_keeps_the_length(self):
        up = at.Unit("nutp", pitch=1200)(sine(440, 2), RATE)
        self.assertEqual(up.shape[1], 2 * RATE)
        self.assertAlmostEqual(frequency(up[0, RATE // 2 :], RATE), 880, delta=3)

    def test_an_instrument_plays_notes(self):
        organ = at.Chain([at.Unit("tone", frequency=440), at.Unit("lpas")])
        self.assertAlmostEqual(frequency(organ.render(1, RATE)[0], RATE), 440, delta=1)
        with self.assertRaisesRegex(ValueError, "no instrument"):
            organ.render(1, RATE, notes=[at.Note(60)])
        for wrong in ({"pitch": 128}, {"pitch": 60, "velocity": 0}, {"pitch": 60, "start": -1}):
            with self.assertRaises(ValueError):
                at.Note(**wrong)

    def test_a_note_begins_at_its_time(self):
        played = at.Unit("samp").render(1.5, RATE, notes=[at.Note(69, start=0.5, duration=0.5)])
        self.assertEqual(np.abs(played[:, : RATE // 2]).max(), 0)
        self.assertGreater(level(played[:, RATE // 2 : RATE]), -60)
        self.assertAlmostEqual(frequency(played[0, RATE // 2 : RATE], RATE), 440, delta=5)

    def test_notes_last_beyond_a_call(self):
        notes = [at.Note(69, start=0.3, duration=0.3), at.Note(76, start=0.7, duration=0.2)]
        for units in (["samp"], ["samp", "lmtr"]):
            chain = at.Chain([at.Unit(subtype) for subtype in units])
            whole = chain.render(1, RATE, notes=notes)
            # Of whole slices, which what moves inside an instrument depends on a little.
            pieces = [chain.render(0.256, RATE, notes=notes)]
            pieces += [chain.render(0.256, RATE, reset=False) for _ in range(3)]
            np.testing.assert_allclose(np.concatenate(pieces, axis=1)[:, : whole.shape[1]], whole, atol=5e-3)
            self.assertLess(level(chain.render(0.25, RATE)), -100)

    def test_numbers_of_notes_and_channels(self):
        note = at.Note(np.int64(60), velocity=100.0)
        self.assertEqual({type(note.pitch), type(note.velocity)}, {int})
        for wrong in ({"pitch": float("nan")}, {"pitch": "60"}, {"pitch": 60.5}, {"pitch": 60, "start": "now"},
                      {"pitch": 60, "duration": float("nan")}):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "note: .*; expected"):
                at.Note(**wrong)
        with self.assertRaisesRegex(TypeError, "not a Note"):
            at.Unit("samp").render(1, RATE, notes=[(60, 0, 1)])
        for channels in (-1, 0, 2.7, "two"):
            with self.assertRaisesRegex(ValueError, "channels = .*; expected"):
                at.Unit("lpas")(noise()[0], RATE, channels=channels)

    def test_sound_that_nobody_takes_is_refused(self):
        with self.assertRaisesRegex(ValueError, "use render"):
            at.Unit("tone")(noise(), RATE)
        with self.assertRaisesRegex(ValueError, "call it with samples"):
            at.Unit("rvb2").render(1, RATE)

    def test_errors_are_the_explanations_of_the_library(self):
        with self.assertRaisesRegex(at.AudioToolboxError, "no_such_bank"):
            at.Unit("dls", bank="/no_such_bank.sf2").render(1, RATE)
        with self.assertRaisesRegex(at.AudioToolboxError, "^(?!AUChain)"):
            at.Unit("rvb2")(np.zeros((3, 10)), RATE)


class Parking(unittest.TestCase):
    """Chains whose library objects were used before by other chains."""

    def test_every_effect_is_as_new(self):
        samples, generator = noise(0.2), np.random.default_rng(7)
        for _, subtype, _ in at.units("aufx"):
            try:
                expected = at.Unit(subtype)(samples, RATE)
            except at.AudioToolboxError:
                continue
            with self.subTest(subtype=subtype):
                parameters = at.Unit(subtype).parameters.values()
                values = {
                    p.name: generator.uniform(p.minimum, p.maximum) for p in parameters if not p.is_meter
                }
                presets = at.Unit(subtype).presets[:2]
                for used in ({}, values, *({"preset": preset, **values} for preset in presets)):
                    try:
                        at.Unit(subtype, **used)(samples, RATE)
                    except at.AudioToolboxError:  # not every value suits every rate
                        pass
                    np.testing.assert_array_equal(at.Unit(subtype)(samples, RATE), expected)

    def test_presets_and_arrays_leave_nothing(self):
        samples = noise(0.2)
        plain = at.Unit("rvb2", preset="plate")(samples, RATE)
        for other in ({"dry_wet_mix": 5}, {"dry_wet_mix": np.linspace(0, 100, 9)}):
            at.Unit("rvb2", preset="plate", **other)(samples, RATE)
            np.testing.assert_array_equal(at.Unit("rvb2", preset="plate")(samples, RATE), plain)
            at.Unit("rvb2", preset="cathedral", **other)(samples, RATE, reset=False)
            np.testing.assert_array_equal(at.Unit("rvb2", preset="plate")(samples, RATE, reset=False), plain)

    def test_parameters_that_act_when_a_unit_is_prepared(self):
        impulse = np.zeros((1, RATE // 10), np.float32)
        impulse[0, 1000] = 0.25
        for attack in (0.012, 0.002, 0.012):
            limiter = at.Unit("lmtr", attack_time=attack)
            self.assertEqual(np.abs(limiter(impulse, RATE)).argmax(), 1000)
            self.assertEqual(at.Chain([at.Unit("lmtr", attack_time=attack)]).latency(RATE), round(attack * RATE))
            # Changed after the first use, it serves no other.
            limiter.attack_time = 0.005
            limiter(impulse, RATE)
            del limiter

    def test_a_unit_that_someone_has_keeps_its_state(self):
        samples, unit = noise(0.2), at.Unit("hpas")
        at.Chain([unit, at.Unit("lpas")])(samples, RATE)
        unit.cutoff_frequency = 2000
        expected = at.Unit("hpas", cutoff_frequency=2000)(samples, RATE)
        np.testing.assert_array_equal(unit(samples, RATE), expected)
        np.testing.assert_array_equal(at.Chain([unit])(samples, RATE), expected)

    def test_ended_chains_are_kept(self):
        parking._parked.clear()
        at.Chain([at.Unit("hpas"), at.Unit("lpas")])(noise(0.01), RATE)
        self.assertEqual(len(parking._parked), 1)

    def test_few_are_kept(self):
        for rate in range(20_000, 20_040):
            chains = [at.Chain([at.Unit("hpas"), at.Unit("lpas")]) for _ in range(3)]
            for chain in chains:
                chain(noise(0.01), rate)
            del chain, chains
        self.assertLessEqual(len(parking._parked), 8)

    def test_threads_take_different_ones(self):
        samples = noise(0.05)
        expected = at.Chain([at.Unit("dely"), at.Unit("rvb2")])(samples, RATE)
        wrong = []

        def work():
            for _ in range(50):
                if not np.array_equal(at.Chain([at.Unit("dely"), at.Unit("rvb2")])(samples, RATE), expected):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Graphs(unittest.TestCase):
    effects = {
        "nodes": {
            "filter": {"unit": "aufx lpas", "parameters": {"cutoff frequency": 500}},
            "room": {"unit": "aufx rvb2", "preset": "cathedral"},
            "out": {"unit": "default output"},
        },
        "connections": ["filter -> room", "room -> out"],
    }
    chord = {
        "nodes": {
            "low": {"unit": "augn tone", "parameters": {"frequency": 220}},
            "high": {"unit": "augn tone", "parameters": {"frequency": 330}},
            "mixer": {"unit": "multichannel mixer", "inputs": [{}, {}]},
        },
        "connections": ["low -> mixer:0", "high -> mixer:1"],
    }

    def test_effects_equal_a_chain(self):
        chain = at.Chain([at.Unit("lpas", cutoff_frequency=500), at.Unit("rvb2", preset="cathedral")])
        graph = at.Graph(self.effects)
        for rate in (RATE, 44_100):
            np.testing.assert_allclose(
                graph(noise(), rate, tail=0.5), chain(noise(), rate, tail=0.5), atol=1e-5
            )

    def test_a_refused_call_leaves_the_graph_as_it_was(self):
        graph = at.Graph(self.effects)
        with self.assertRaises(at.AudioToolboxError):
            graph(np.zeros((3, 100)), RATE)
        np.testing.assert_array_equal(graph(noise(), RATE), at.Graph(self.effects)(noise(), RATE))

    def test_generators_play_at_any_rate(self):
        for rate in (22_050, 96_000):
            played = at.Graph(self.chord).render(1, rate)[0]
            spectrum = np.abs(np.fft.rfft(played))
            self.assertEqual({220, 330}, set(np.argsort(spectrum)[-2:]))

    def test_saving_loading_equality_copies_and_pickles(self):
        graph = at.Graph(self.effects)
        with tempfile.TemporaryDirectory() as folder:
            graph.save(f"{folder}/chain.json")
            loaded = at.Graph.load(f"{folder}/chain.json")
        for other in (loaded, copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
            self.assertEqual(graph, other)
            np.testing.assert_array_equal(graph(noise(), RATE), other(noise(), RATE))
        self.assertNotEqual(graph, at.Graph(self.chord))
        self.assertEqual(eval(repr(graph), {"Graph": at.Graph}), graph)

    def test_a_description_that_is_wrong_is_explained(self):
        for wrong in ("{", "{}", '{"nodes": 3}', {"nodes": {"a": {"unit": "aufx none"}}}):
            with self.assertRaises(at.AudioToolboxError):
                at.Graph(wrong)


if __name__ == "__main__":
    unittest.main()
