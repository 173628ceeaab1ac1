# SPDX-License-Identifier: Apache-2.0
"""What the functions of vDSP and vForce compute, as their declarations name the arguments."""

import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from declarations import Formula as F

POSITIVE = {"A": (0.5, 2), "B": (0.5, 2)}


def running(A, step, first=0.0):
    """c[0] = first, c[n] = c[n - 1] + step(n)."""
    return np.concatenate([[first], first + np.cumsum([step(n) for n in range(1, len(A))])])


def simpson(A, S):
    c = np.zeros(len(A))
    for n in range(1, len(A)):
        c[n] = (S[0] * (A[0] + A[1]) / 2 if n == 1
                else c[n - 2] + S[0] * (A[n - 2] + 4 * A[n - 1] + A[n]) / 3)
    return c


def two_poles(A, B, C):
    for n in range(2, len(A)):
        C[n] = A[n] * B[0] + A[n - 1] * B[1] + A[n - 2] * B[2] - C[n - 1] * B[3] - C[n - 2] * B[4]
    return C


def crossings(A, B, IA):
    places = np.nonzero(np.signbit(A[1:]) != np.signbit(A[:-1]))[0] + 1
    return {"C": places[B - 1] * IA if len(places) >= B else 0, "D": min(len(places), B)}


def quadratic(A, B):
    b = np.maximum(B.astype(int), 1)
    f = B - b
    return A[b] + f * (A[b + 1] - A[b - 1]) / 2 + f * f * (A[b + 1] - 2 * A[b] + A[b - 1]) / 2


def window(a, b, c):
    def of(N, Flag):
        turns = 2 * np.pi * np.arange(N) / N
        whole = a - b * np.cos(turns) + c * np.cos(2 * turns)
        if Flag & 2 and c == 0 and a == 0.5:
            whole *= 2 * np.sqrt(2 / 3)
        return whole[:(N + 1) // 2] if Flag & 1 else whole
    return of


def extreme(find, of=lambda A: A):
    def both(A, IA):
        n = find(of(A))
        return {"C": of(A)[n], "Index": n * IA}
    return both


def ramp(Start, Step, N):
    return Start + Step * np.arange(N)


def one_ramp(I, Start, Step, N, O=0):
    return {"O": O + I * ramp(Start[0], Step[0], N), "Start": ramp(Start[0], Step[0], N + 1)[-1]}


def two_ramps(I0, I1, Start, Step, N, O0=0, O1=0):
    r = ramp(Start[0], Step[0], N)
    return {"O0": O0 + I0 * r, "O1": O1 + I1 * r, "Start": ramp(Start[0], Step[0], N + 1)[-1]}


def copied(A, C, M, N, TA, TC):
    for row in range(N):
        C[row * TC:row * TC + M] = A[row * TA:row * TA + M]
    return C


def decimated(A, F, DF, N, P):
    return np.array([A[n * DF:n * DF + P] @ F for n in range(N)])


def matrix(A, B, M, N, P):
    return (A.reshape(M, P) @ B.reshape(P, N)).ravel()


def to_integers(kind, rounded, factor=False):
    limits = np.iinfo("int32" if "24" in kind else kind)
    low, high = {"int24": (-(1 << 23), (1 << 23) - 1), "uint24": (0, (1 << 24) - 1)}.get(
        kind, (limits.min, limits.max))
    # Numbers that do not fit, too.
    span = {"A": (-1.5 * high, 1.5 * high)}
    if factor:
        return F(lambda A, B: np.clip(np.trunc(A * B), low, high).astype(np.int64), ranges=span,
                 values={"B": 0.5})
    return F(lambda A: np.clip(rounded(A), low, high).astype(np.int64), ranges=span)


SMALL = {"M": 9, "P": 9}
MATRICES = dict(sizes={"A": "M*P", "B": "P*N", "C": "M*N"}, lengths=SMALL, growth="P")
FILTER = dict(sizes={"A": "N+P-1", "F": "P"}, lengths={"P": 40}, growth="P")
WINDOWS = {"Flag": [0, 1, 2, 3]}

FORMULAS = {
    # Arithmetic
    "vadd": F(lambda A, B: A + B), "vsub": F(lambda A, B: A - B), "vmul": F(lambda A, B: A * B),
    "vdiv": F(lambda A, B: A / B, ranges=POSITIVE), "vmax": F(lambda A, B: np.maximum(A, B)),
    "vmin": F(lambda A, B: np.minimum(A, B)), "vmaxmg": F(lambda A, B: np.maximum(abs(A), abs(B))),
    "vminmg": F(lambda A, B: np.minimum(abs(A), abs(B))), "vdist": F(lambda A, B: np.hypot(A, B)),
    "vaddsub": F(lambda P, Q: {"S": Q + P, "T": Q - P}),
    "vsadd": F(lambda A, B: A + B), "vsmul": F(lambda A, B: A * B),
    "vsdiv": F(lambda A, B: A / B, ranges=POSITIVE), "svdiv": F(lambda A, B: A / B, ranges=POSITIVE),
    "vam": F(lambda A, B, C: (A + B) * C), "vsbm": F(lambda A, B, C: (A - B) * C),
    "vma": F(lambda A, B, C: A * B + C), "vmsb": F(lambda A, B, C: A * B - C),
    "vasm": F(lambda A, B, C: (A + B) * C), "vsbsm": F(lambda A, B, C: (A - B) * C),
    "vmsa": F(lambda A, B, C: A * B + C), "vsma": F(lambda A, B, C: A * B + C),
    "vsmsa": F(lambda A, B, C: A * B + C), "vsmsb": F(lambda A, B, C: A * B - C),
    "vintb": F(lambda A, B, C: A + C * (B - A)),
    "vaam": F(lambda A, B, C, D: (A + B) * (C + D)), "vsbsbm": F(lambda A, B, C, D: (A - B) * (C - D)),
    "vasbm": F(lambda A, B, C, D: (A + B) * (C - D)), "vmma": F(lambda A, B, C, D: A * B + C * D),
    "vmmsb": F(lambda A, B, C, D: A * B - C * D), "vsmsma": F(lambda A, B, C, D: A * B + C * D),
    "vpythg": F(lambda A, B, C, D: np.hypot(A - C, B - D)),
    "vneg": F(lambda A: -A), "vabs": F(lambda A: abs(A)), "vnabs": F(lambda A: -abs(A)),
    "vsq": F(lambda A: A * A), "vssq": F(lambda A: A * abs(A)), "vfrac": F(lambda A: A - np.trunc(A), ranges={"A": (-9, 9)}),
    "vdbcon": F(lambda A, B, F: (20 if F else 10) * np.log10(A / B), ranges=POSITIVE,
                choices={"F": [0, 1]}, growth="10"),
    "vaddi": F(lambda A, B: (A + B).astype(np.int32)), "vsaddi": F(lambda A, B: (A + B).astype(np.int32)),
    "vabsi": F(lambda A: abs(A).astype(np.int32)), "vfilli": F(lambda A, N: np.full(N, A[0])),
    "vdivi": F(lambda A, B: np.where(B == 0, 0, np.trunc(A / np.where(B == 0, 1, B))).astype(np.int64).astype(np.int32),
               ranges={"B": (-9, 10)}),
    "veqvi": F(lambda A, B: ~(A ^ B)),
    # Reductions
    "sve": F(lambda A: A.sum(), growth="N"), "svemg": F(lambda A: abs(A).sum(), growth="N"),
    "svesq": F(lambda A: A @ A, growth="N"), "svs": F(lambda A: A @ abs(A), growth="N"),
    "sve_svesq": F(lambda A: {"Sum": A.sum(), "SumOfSquares": A @ A}, growth="N"),
    "dotpr": F(lambda A, B: A @ B, growth="N"),
    "dotpr2": F(lambda A0, A1, B: {"C0": A0 @ B, "C1": A1 @ B}, growth="N"),
    "distancesq": F(lambda A, B: (A - B) @ (A - B), growth="N"),
    "meanv": F(lambda A: A.mean()), "meamgv": F(lambda A: abs(A).mean()), "measqv": F(lambda A: (A * A).mean()),
    "mvessq": F(lambda A: (A * abs(A)).mean()), "rmsqv": F(lambda A: np.sqrt((A * A).mean())),
    "normalize": F(lambda A: {"C": (A - A.mean()) / A.std(), "Mean": A.mean(), "StandardDeviation": A.std()}
                   if A.std() > 0.01 else {"Mean": A.mean()}, growth="200"),
    "maxv": F(lambda A: A.max()), "minv": F(lambda A: A.min()), "maxmgv": F(lambda A: abs(A).max()),
    "minmgv": F(lambda A: abs(A).min()),
    "maxvi": F(extreme(np.argmax)), "minvi": F(extreme(np.argmin)),
    "maxmgvi": F(extreme(np.argmax, abs)), "minmgvi": F(extreme(np.argmin, abs)),
    "nzcros": F(crossings, lengths={"B": 40}),
    # Limits and selection
    "vclip": F(lambda A, B, C: np.clip(A, B, C), values={"B": -0.5, "C": 0.25}),
    "vclipc": F(lambda A, B, C: {"D": np.clip(A, B, C), "NLow": (A < B).sum(), "NHigh": (A > C).sum()},
                values={"B": -0.5, "C": 0.25}),
    "viclip": F(lambda A, B, C: np.where((A <= B) | (A >= C), A, np.where(A < 0, B, C)),
                values={"B": -0.5, "C": 0.25}),
    "vthr": F(lambda A, B: np.maximum(A, B)), "vthres": F(lambda A, B: np.where(A >= B, A, 0)),
    "vthrsc": F(lambda A, B, C: np.where(A >= B, C, -C)), "vlim": F(lambda A, B, C: np.where(A >= B, C, -C)),
    "venvlp": F(lambda A, B, C: np.where((C > A) | (C < B), C, 0)),
    "vcmprs": F(lambda A, B: A[B != 0], prepare={"B": np.rint}),
    "vgathr": F(lambda A, B: A[B - 1], sizes={"A": "M"}, lengths={"M": 50}, ranges={"A": (-1, 1), "B": (1, "M+1")}),
    "vindex": F(lambda A, B: A[B.astype(int)], sizes={"A": "M"}, lengths={"M": 50}, ranges={"B": (0, "M-0.01")}),
    "vrvrs": F(lambda C: C[::-1]), "vswap": F(lambda A, B: {"A": B, "B": A}),
    "vsort": F(lambda C, Order: np.sort(C)[::Order], choices={"Order": [1, -1]}),
    "vsorti": F(lambda C, Order: np.argsort(C)[::Order], choices={"Order": [1, -1]}, sizes={"C": "N"},
                prepare={"Index": lambda I: np.arange(len(I))}),
    # Generation, tables and integration
    "vclr": F(lambda N: np.zeros(N)), "vfill": F(lambda A, N: np.full(N, A[0])),
    "mmov": F(copied, sizes={"A": "N*TA", "C": "N*TC"},
              lengths={"M": 9, "TA": lambda n: n["M"] + 2, "TC": lambda n: n["M"] + 1}),
    "vramp": F(lambda A, B, N: ramp(A, B, N), growth="4"),
    "vgen": F(lambda A, B, N: np.linspace(A[0], B[0], N)),
    "vgenp": F(lambda A, B, N: np.interp(np.arange(N), B, A), sizes={"A": "M", "B": "M"}, lengths={"M": 9},
               ranges={"B": (0, "N")}, prepare={"B": lambda B: np.linspace(0.5, 0.5 + 2 * len(B), len(B))}),
    "vrampmul": F(lambda I, Start, Step, N: one_ramp(I, Start, Step, N), growth="4"),
    "vrampmuladd": F(one_ramp, growth="4"), "vrampmuladd2": F(two_ramps, growth="4"),
    "vrampmul2": F(lambda I0, I1, Start, Step, N: two_ramps(I0, I1, Start, Step, N), growth="4"),
    "vtmerg": F(lambda A, B, N: A + (B - A) * np.arange(N) / max(1, N - 1)),
    "hann_window": F(window(0.5, 0.5, 0), choices=WINDOWS), "hamm_window": F(window(0.54, 0.46, 0), choices=WINDOWS),
    "blkman_window": F(window(0.42, 0.5, 0.08), choices=WINDOWS),
    "vlint": F(lambda A, B: np.interp(B, np.arange(len(A)), A), sizes={"A": "M"},
               lengths={"M": lambda n: 40}, ranges={"B": (0, 38.9)}, growth="10"),
    "vqint": F(quadratic, sizes={"A": "M"}, lengths={"M": lambda n: 40}, ranges={"B": (0.1, 38.9)}, growth="10"),
    "vtabi": F(lambda A, S1, S2, C: np.interp(A * S1 + S2, np.arange(len(C)), C), sizes={"C": "M"},
               lengths={"M": 40}, values={"S1": 16.0, "S2": 14.0}, growth="10"),
    "vpoly": F(lambda A, B: np.polyval(A, B), sizes={"A": "P+1"}, lengths={"P": 6}),
    "vrsum": F(lambda A, S: running(A, lambda n: S[0] * A[n]), growth="N"),
    "vtrapz": F(lambda A, S: running(A, lambda n: S[0] * (A[n - 1] + A[n]) / 2), growth="N"),
    "vsimps": F(simpson, growth="N"),
    "vswsum": F(lambda A, P: sliding_window_view(A, P).sum(1), sizes={"A": "N+P-1"}, lengths={"P": 40}, growth="N+P"),
    "vswmax": F(lambda A, P: sliding_window_view(A, P).max(1), sizes={"A": "N+P-1"}, lengths={"P": 40}),
    "vavlin": F(lambda A, B, C: (C * B + A) / (B + 1), ranges={"B": (1, 9)}),
    # Filters and matrices
    "conv": F(lambda A, F: np.correlate(A, F), **FILTER), "zconv": F(lambda A, F: np.correlate(A, F.conj()), **FILTER),
    "desamp": F(decimated, sizes={"A": "(N-1)*DF+P", "F": "P"}, lengths={"P": 20, "DF": 4}, growth="P"),
    "zrdesamp": F(decimated, sizes={"A": "(N-1)*DF+P", "F": "P", "C": "N"}, lengths={"P": 20, "DF": 4}, growth="P"),
    "deq22": F(two_poles, sizes={"A": "N+2", "B": 5, "C": "N+2"}, values={"B": [0.2, 0.3, 0.1, -0.4, 0.2]}),
    "mmul": F(matrix, **MATRICES), "zmmul": F(matrix, **MATRICES), "zrmmul": F(matrix, **MATRICES),
    "mtrans": F(lambda A, M, N: A.reshape(N, M).T.ravel(), sizes={"A": "M*N", "C": "M*N"}, lengths={"M": 9}),
    # Complex numbers
    "zvmov": F(lambda A: A), "zvfill": F(lambda A, N: np.full(N, A[0])), "zvneg": F(lambda A: -A),
    "zvadd": F(lambda A, B: A + B), "zvsub": F(lambda A, B: A - B), "zvcmul": F(lambda A, B: A.conj() * B),
    "zvmul": F(lambda A, B, Conjugate: (A if Conjugate == 1 else A.conj()) * B, choices={"Conjugate": [1, -1]}),
    "zvdiv": F(lambda A, B: A / B, ranges={"B": (0.5, 1)}),
    "zvma": F(lambda A, B, C: A * B + C), "zvcma": F(lambda A, B, C: A.conj() * B + C),
    "zvconj": F(lambda A: A.conj()), "zvzsml": F(lambda A, B: A * B), "zvsma": F(lambda A, B, C: A * B + C),
    "zrvadd": F(lambda A, B: A + B), "zrvsub": F(lambda A, B: A - B), "zrvmul": F(lambda A, B: A * B),
    "zrvdiv": F(lambda A, B: A / B, ranges={"B": (0.5, 1)}),
    "zvabs": F(lambda A: abs(A)), "zvmags": F(lambda A: abs(A) ** 2), "zvphas": F(lambda A: np.angle(A)),
    "zvmgsa": F(lambda A, B: abs(A) ** 2 + B), "zaspec": F(lambda A, C: C + abs(A) ** 2, sizes={"A": "N"}),
    "zcspec": F(lambda A, B, C: C + A.conj() * B, sizes={"A": "N", "B": "N", "C": "N"}),
    "zcoher": F(lambda A, B, C: abs(C) ** 2 / (A * B), sizes={"A": "N", "B": "N", "C": "N"}, ranges=POSITIVE),
    "ztrans": F(lambda A, B: B / A, sizes={"A": "N", "B": "N", "C": "N"}, ranges=POSITIVE),
    "zdotpr": F(lambda A, B: A @ B, growth="N"), "zidotpr": F(lambda A, B: A.conj() @ B, growth="N"),
    "zrdotpr": F(lambda A, B: A @ B, growth="N"),
}

# Conversions
FORMULAS["vspdp"] = FORMULAS["vdpsp"] = F(lambda A: A)
for bits in ("8", "16", "24", "32"):
    for sign, kind in (("", "int" + bits), ("u", "uint" + bits)):
        FORMULAS[f"vflt{sign}{bits}"] = F(lambda A: A)
        if bits != "24":
            FORMULAS[f"vfix{sign}{bits}"] = to_integers(kind, np.trunc)
            FORMULAS[f"vfixr{sign}{bits}"] = to_integers(kind, np.rint)
FORMULAS["vfltsm24"] = FORMULAS["vfltsmu24"] = F(lambda A, B: A * B)
FORMULAS["vsmfix24"] = to_integers("int24", np.trunc, factor=True)
FORMULAS["vsmfixu24"] = to_integers("uint24", np.trunc, factor=True)

WIDE, ABOVE = {"x": (-1.5, 1.5)}, {"x": (0.01, 5)}


def unary(name, ranges):
    function = getattr(np, name)
    return F(lambda x: function(x), ranges=ranges)


FORCE = {
    **{name: unary(there, WIDE) for name, there in {
        "ceil": "ceil", "floor": "floor", "int": "trunc", "nint": "rint", "fabs": "abs", "exp": "exp",
        "exp2": "exp2", "expm1": "expm1", "sin": "sin", "cos": "cos", "tan": "tan", "atan": "arctan",
        "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "asinh": "arcsinh", "cbrt": "cbrt"}.items()},
    **{name: unary(there, ABOVE) for name, there in {
        "log": "log", "log2": "log2", "log10": "log10", "log1p": "log1p", "sqrt": "sqrt"}.items()},
    "rec": F(lambda x: 1 / x, ranges={"x": (0.5, 5)}), "rsqrt": F(lambda x: 1 / np.sqrt(x), ranges={"x": (0.5, 5)}),
    "logb": F(lambda x: np.frexp(x)[1] - 1.0, ranges=ABOVE), "acosh": F(lambda x: np.arccosh(x), ranges={"x": (1, 9)}),
    "asin": F(lambda x: np.arcsin(x)), "acos": F(lambda x: np.arccos(x)),
    "atanh": F(lambda x: np.arctanh(x), ranges={"x": (-0.9, 0.9)}),
    "sinpi": F(lambda x: np.sin(np.pi * x), ranges=WIDE), "cospi": F(lambda x: np.cos(np.pi * x), ranges=WIDE),
    "tanpi": F(lambda x: np.tan(np.pi * x), ranges={"x": (-0.4, 0.4)}),
    "atan2": F(lambda y, x: np.arctan2(y, x)), "div": F(lambda y, x: y / x, ranges={"x": (0.5, 5)}),
    "pow": F(lambda y, x: x ** y, ranges={"x": (0.1, 5), "y": (-3, 3)}, growth="4"),
    "pows": F(lambda y, x: x ** y[0], ranges={"x": (0.1, 5), "y": (-3, 3)}, growth="4"),
    "copysign": F(lambda y, x: np.copysign(y, x)),
    "fmod": F(lambda y, x: np.fmod(y, x), ranges={"y": (-9, 9)}),
    "remainder": F(lambda y, x: np.vectorize(math.remainder)(y, x), ranges={"y": (-9, 9)}),
    "nextafter": F(lambda y, x: y), "sincos": F(lambda x: {"z": np.sin(x), "y": np.cos(x)}, ranges=WIDE),
}
