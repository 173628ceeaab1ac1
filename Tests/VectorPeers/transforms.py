# SPDX-License-Identifier: Apache-2.0
"""Transforms, filters with setups, and functions whose arguments have a form of their own, each compared
with numpy or its definition. `suffix` is D for double."""

import ctypes

import numpy

from declarations import Split, Vector, pointer, random

UNSIGNED = ctypes.c_ulong


def stride():
    return int(random.choice([-2, -1, 1, 1, 2, 3]))


def packed_spectrum(spectrum):
    """A spectrum of numpy in the packing of vDSP: that of Nyquist is beside that of zero."""
    packed = spectrum[:-1].astype(complex)
    packed[0] = spectrum[0].real + 1j * spectrum[-1].real
    return packed


def real_transform(packed, direction):
    """What vDSP makes of packed numbers: twice the spectrum, or the numbers times their count."""
    count = 2 * len(packed)
    if direction == 1:
        numbers = numpy.stack([packed.real, packed.imag], 1).reshape(-1)
        return packed_spectrum(2 * numpy.fft.rfft(numbers))
    spectrum = numpy.append(packed, packed[0].imag)
    spectrum[0] = packed[0].real
    numbers = count * numpy.fft.irfft(spectrum)
    return numbers[0::2] + 1j * numbers[1::2]


def complex_transform(numbers, direction):
    return numpy.fft.fft(numbers) if direction == 1 else numpy.fft.ifft(numbers) * len(numbers)


KINDS = (("z", 1, complex_transform), ("zr", 2, real_transform))


def powers_of_two(library, results, kind, suffix):
    """One transform, and several at once, in place and not, with a buffer of the caller and without."""
    log2n = int(random.integers(1, 14))
    radix = int(random.integers(0, 3))
    setup = library.setup(f"vDSP_create_fftsetup{suffix}", UNSIGNED(log2n), radix)
    length, buffer = UNSIGNED(log2n), Split(1 << log2n, 1, kind)
    for direction in (1, -1):
        for name, half, transform in KINDS:
            count = (1 << log2n) // half
            for form in ("", "t"):
                more = [buffer.pointer] if form else []
                a, c = Split(count, stride(), kind), Split(count, stride(), kind)
                expected = transform(a.numbers(), direction)
                detail = f"count {count} strides {a.stride} {c.stride} direction {direction}"
                getattr(library, f"vDSP_fft_{name}op{form}{suffix}")(
                    setup, *a.arguments(), *c.arguments(), *more, length, direction)
                results.expect(f"fft_{name}op{form}", c.numbers(), expected, kind, detail)
                getattr(library, f"vDSP_fft_{name}ip{form}{suffix}")(
                    setup, *a.arguments(), *more, length, direction)
                results.expect(f"fft_{name}ip{form}", a.numbers(), expected, kind, detail)
            several(library, results, kind, suffix, setup, log2n, direction, (name, half, transform))
    getattr(library, f"vDSP_destroy_fftsetup{suffix}")(setup)


def several(library, results, kind, suffix, setup, log2n, direction, transform_kind):
    name, half, transform = transform_kind
    count, times = (1 << log2n) // half, int(random.integers(1, 5))
    step = ctypes.c_long(count)
    a, c = Split(count * times, 1, kind), Split(count * times, 1, kind)
    expected = numpy.concatenate([
        transform(a.numbers()[first:first + count], direction) for first in range(0, count * times, count)])
    detail = f"count {count} times {times} direction {direction}"
    getattr(library, f"vDSP_fftm_{name}op{suffix}")(
        setup, *a.arguments(), step, *c.arguments(), step, UNSIGNED(log2n), UNSIGNED(times), direction)
    results.expect(f"fftm_{name}op", c.numbers(), expected, kind, detail)
    getattr(library, f"vDSP_fftm_{name}ip{suffix}")(
        setup, *a.arguments(), step, UNSIGNED(log2n), UNSIGNED(times), direction)
    results.expect(f"fftm_{name}ip", a.numbers(), expected, kind, detail)


def other_lengths(library, results, kind, suffix):
    """The transforms whose lengths have the factors three and five."""
    count = int(random.choice([1, 3, 5, 15])) << int(random.integers(4, 10))
    for direction in (1, -1):
        for name, half, transform in KINDS:
            setup = library.setup(
                f"vDSP_DFT_{name}op_CreateSetup{suffix}", None, UNSIGNED(count), direction)
            a, c = Split(count // half, 1, kind), Split(count // half, 1, kind)
            getattr(library, f"vDSP_DFT_Execute{suffix}")(
                setup, *(part.address() for part in (a.re, a.im, c.re, c.im)))
            detail = f"count {count} direction {direction}"
            results.expect(f"DFT_{name}op", c.numbers(), transform(a.numbers(), direction), kind, detail)
            getattr(library, f"vDSP_DFT_DestroySetup{suffix}")(setup)


def interleaved(library, results, kind, suffix):
    """Complex numbers, or pairs of real ones, in one array."""
    count = int(random.choice([2, 3, 5, 9, 15, 25])) << int(random.integers(2, 9))
    for direction in (1, -1):
        for is_real, transform in ((0, complex_transform), (1, real_transform)):
            setup = library.setup(
                f"vDSP_DFT_Interleaved_CreateSetup{suffix}", None, UNSIGNED(count), direction, is_real)
            a, c = Vector(2 * count, 1, kind), Vector(2 * count, 1, kind)
            expected = transform(a.numbers().view(complex), direction)
            getattr(library, f"vDSP_DFT_Interleaved_Execute{suffix}")(setup, a.address(), c.address())
            detail = f"count {count} direction {direction} real {is_real}"
            results.expect("DFT_Interleaved", c.numbers().view(complex), expected, kind, detail)
            getattr(library, f"vDSP_DFT_Interleaved_DestroySetup{suffix}")(setup)


def cosines(library, results):
    count = int(random.choice([1, 3, 5, 15])) << int(random.integers(4, 7))
    n, k = numpy.arange(count)[numpy.newaxis, :], numpy.arange(count)[:, numpy.newaxis]
    steps = {2: k * (n + 0.5), 3: n * (k + 0.5), 4: (n + 0.5) * (k + 0.5)}
    for kind in (2, 3, 4):
        setup = library.setup("vDSP_DCT_CreateSetup", None, UNSIGNED(count), kind)
        a, c = Vector(count, 1, "float32"), Vector(count, 1, "float32")
        library.vDSP_DCT_Execute(setup, a.address(), c.address())
        numbers = a.numbers()
        if kind == 3:
            numbers[0] /= 2
        expected = numpy.cos(numpy.pi * steps[kind] / count) @ numbers
        results.expect("DCT", c.numbers(), expected, "float32", f"type {kind} count {count}")
        library.vDSP_DFT_DestroySetup(setup)


def random_section():
    """A section whose poles are well inside of the unit circle, so that errors die away."""
    radius, angle = random.uniform(0, 0.7), random.uniform(0, numpy.pi)
    return [*random.uniform(-1, 1, 3), -2 * radius * numpy.cos(angle), radius * radius]


def filtered(numbers, sections):
    for b0, b1, b2, a1, a2 in sections:
        source, result = numpy.append(numbers, [0, 0]), numpy.zeros(len(numbers) + 2)
        # Index -1 and -2 are the zeros at the end.
        for n in range(len(numbers)):
            result[n] = (b0 * source[n] + b1 * source[n - 1] + b2 * source[n - 2]
                         - a1 * result[n - 1] - a2 * result[n - 2])
        numbers = result[:len(numbers)]
    return numbers


def sections(library, results, kind, suffix, count):
    coefficients = numpy.array([random_section() for _ in range(int(random.integers(1, 5)))])
    x, y = Vector(count, stride(), kind), Vector(count, stride(), kind)
    setup = library.setup(
        f"vDSP_biquad_CreateSetup{suffix}", pointer(coefficients), UNSIGNED(len(coefficients)))
    delay = numpy.zeros(2 * len(coefficients) + 2, kind)
    getattr(library, f"vDSP_biquad{suffix}")(
        setup, pointer(delay), *x.arguments(), *y.arguments(), UNSIGNED(count))
    # Each section passes on the rounding of those before it.
    expected = filtered(x.numbers(), coefficients)
    results.expect("biquad", y.numbers(), expected, kind, f"count {count}", 10)
    getattr(library, f"vDSP_biquad_DestroySetup{suffix}")(setup)


def channels(library, results, kind, suffix, count):
    """A filter of several channels: new coefficients, inactive sections, its state and a copy of it."""
    sections, channels = 2, 3
    shape = numpy.array([[random_section() for _ in range(channels)] for _ in range(sections)])

    def make():
        flat = numpy.ascontiguousarray(shape).reshape(-1)
        return library.setup(
            f"vDSP_biquadm_CreateSetup{suffix}", pointer(flat), UNSIGNED(sections), UNSIGNED(channels))

    def apply(setup, inputs):
        outputs = [Vector(count, 1, kind) for _ in inputs]
        addresses = [(ctypes.c_void_p * channels)(*(each.address().value for each in vectors))
                     for vectors in (inputs, outputs)]
        getattr(library, f"vDSP_biquadm{suffix}")(
            setup, addresses[0], ctypes.c_long(1), addresses[1], ctypes.c_long(1), UNSIGNED(count))
        return numpy.concatenate([each.numbers() for each in outputs])

    def expected(inputs, active=(True, True)):
        return numpy.concatenate([
            filtered(each.numbers(), shape[list(active), channel]) for channel, each in enumerate(inputs)])

    setup, other = make(), make()
    inputs = [Vector(count, 1, kind) for _ in range(channels)]
    results.expect("biquadm", apply(setup, inputs), expected(inputs), kind, f"count {count}", 10)
    # The other goes on where this one is.
    getattr(library, f"vDSP_biquadm_CopyState{suffix}")(other, setup)
    following = [Vector(count, 1, kind) for _ in range(channels)]
    both = apply(other, following)
    results.expect("biquadm_CopyState", both, apply(setup, following), kind, f"count {count}", 10)
    for form, precision in (("Double", "float64"), ("Single", "float32")):
        new = numpy.array(random_section(), precision)
        shape[1, 1] = new
        getattr(library, f"vDSP_biquadm_SetCoefficients{form}{suffix}")(
            setup, pointer(new), UNSIGNED(1), UNSIGNED(1), UNSIGNED(1), UNSIGNED(1))
        getattr(library, f"vDSP_biquadm_ResetState{suffix}")(setup)
        results.expect(
            f"biquadm_SetCoefficients{form}", apply(setup, inputs), expected(inputs), kind, f"count {count}", 10)
    active = numpy.array([True, False])
    getattr(library, f"vDSP_biquadm_SetActiveFilters{suffix}")(setup, pointer(active))
    getattr(library, f"vDSP_biquadm_ResetState{suffix}")(setup)
    results.expect(
        "biquadm_SetActiveFilters", apply(setup, inputs), expected(inputs, active), kind, f"count {count}", 10)
    for each in (setup, other):
        getattr(library, f"vDSP_biquadm_DestroySetup{suffix}")(each)


def pairs(library, results, kind, suffix, count):
    """Interleaved numbers, whose strides count real numbers, and numbers by their addresses."""
    step = int(random.integers(1, 4))
    memory = Vector(2 * count * step, 1, kind)
    numbers = memory.numbers().view(complex)[::step]
    z = Split(count, stride(), kind)
    getattr(library, f"vDSP_ctoz{suffix}")(
        memory.address(), ctypes.c_long(2 * step), *z.arguments(), UNSIGNED(count))
    results.expect("ctoz", z.numbers(), numbers, kind, f"count {count} step {step}")
    back = Vector(2 * count * step, 1, kind)
    getattr(library, f"vDSP_ztoc{suffix}")(
        *z.arguments(), back.address(), ctypes.c_long(2 * step), UNSIGNED(count))
    results.expect("ztoc", back.numbers().view(complex)[::step], numbers, kind, f"count {count} step {step}")
    polar = {"polar": abs(numbers) + 1j * numpy.angle(numbers),
             "rect": numbers.real * numpy.exp(1j * numbers.imag)}
    for name, expected in polar.items():
        getattr(library, f"vDSP_{name}{suffix}")(
            memory.address(), ctypes.c_long(2 * step), back.address(), ctypes.c_long(2 * step), UNSIGNED(count))
        results.expect(name, back.numbers().view(complex)[::step], expected, kind, f"count {count} step {step}", 2)
    places = random.integers(0, len(memory.memory), count)
    addresses = (ctypes.c_void_p * count)(
        *(memory.address().value + int(place) * memory.memory.itemsize for place in places))
    c = Vector(count, stride(), kind)
    getattr(library, f"vDSP_vgathra{suffix}")(addresses, ctypes.c_long(1), *c.arguments(), UNSIGNED(count))
    results.expect("vgathra", c.numbers(), memory.numbers()[places], kind, f"count {count}")
