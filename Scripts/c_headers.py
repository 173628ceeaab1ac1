# SPDX-License-Identifier: Apache-2.0
"""The public C declarations, as the toolchain's compiler reads them, each with its own sentence.

The compiler takes the comment of one constant for the next ones too, if they have none, and no comment
of a macro. So what it found is compared with the lines of the header: a sentence is in the lines directly
above a declaration, or behind it. A function shares that of the function directly above it, without an
empty line between them: the forms of vDSP for float and double."""

import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile

PLATFORM = ["-I", "Install/include", "-I", "Install/platform"]
# The name of each C module in the reference, the folder that programs search, and the headers or folders.
MODULES = {
    "AudioToolboxC": ("Sources/CAudioToolbox", ["Sources/CAudioToolbox"]),
    "AccelerateC": ("Sources/CAccelerate/include", ["Sources/CAccelerate/include"]),
    "osC": ("Sources/COperatingSystem/include", ["Sources/COperatingSystem/include/os"]),
    "CoreFoundationC": ("Install/include", ["Install/include/CoreFoundation", "Install/include/MacTypes.h"]),
}
# The names of Apple's platform for C programs, which have sentences but no pages in the reference.
PLATFORM_MODULES = {
    "CarbonC": ("Sources/CAudioToolbox", [f"Install/include/{name}" for name in (
        "AVFoundation", "ApplicationServices", "AssertMacros.h", "Availability.h", "AvailabilityMacros.h",
        "AvailabilityVersions.h", "Carbon", "CarbonCore", "CoreServices", "IOKit", "TargetConditionals.h")]),
    "PlatformC": ("Sources/CAudioToolbox", ["Install/platform"]),
}  # fmt: skip
# CFSystemNames.h only declares which of the system's names are visible, and dispatch.h that the system's
# own header is missing.
WITHOUT_PAGES = {"CFSystemNames.h", "dispatch.h"}


@functools.cache
def compiler():
    """The toolchain's clang, which knows -extract-api; the distribution's may be older."""
    script = 'source Scripts/toolchain.sh && echo "$toolchain_clang"'
    return subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True).stdout.strip()


@functools.cache
def lines_of(path):
    return pathlib.Path(path).read_text().split("\n")


def module(name):
    return MODULES.get(name) or PLATFORM_MODULES[name]


def headers(name):
    paths = map(pathlib.Path, module(name)[1])
    found = (header for path in paths for header in (path.rglob("*.h") if path.is_dir() else [path]))
    return sorted(str(header) for header in found if header.name not in WITHOUT_PAGES)


def place(symbol):
    """The header and the line, counted from 0, of a symbol."""
    location = symbol["location"]
    path = os.path.normpath(location["uri"].removeprefix("file://"))
    return path, location["position"]["line"]


def name_of(symbol):
    return ".".join(symbol["pathComponents"])


def comment_above(lines, number):
    """The lines of the comment that ends directly above a line."""
    first = number
    while first > 0 and lines[first - 1].lstrip().startswith("///"):
        first -= 1
    return [line.lstrip().removeprefix("///").removeprefix(" ") for line in lines[first:number]]


def own_comment(symbol, lines, number):
    """The comment of a declaration itself."""
    kind = symbol["kind"]["identifier"]
    found = symbol.get("docComment", {}).get("lines", [])
    if kind == "c.macro" or re.match(r"(CF_ENUM\(\w+\)|enum) \{.*\};$", lines[number]):
        return comment_above(lines, number)
    if found:
        first = found[0].get("range", {}).get("start", {}).get("line", number)
        last = found[-1].get("range", {}).get("end", {}).get("line", number)
        is_inner = lines[number].lstrip().startswith("}")
        is_constant = kind in ("c.enum.case", "c.property")
        # The type of a function's result or an attribute may be on a line of its own.
        between = "\n".join(lines[last + 1:number])
        near = last in (number, number - 1) or first == number
        if near or is_inner or (not is_constant and not re.search(r"[;,}]\s*$|^$", between, re.M)):
            return [line["text"] for line in found]
    # Several fields in one line.
    return comment_above(lines, number)


def shared_comment(symbol, lines, number):
    """The comment at the beginning of a group of functions or types without an empty line."""
    if symbol["kind"]["identifier"] not in ("c.func", "c.typealias", "c.struct"):
        return []
    first = number
    while first > 0 and lines[first - 1].strip():
        first -= 1
    last = first
    while lines[last].startswith("///"):
        last += 1
    return comment_above(lines, last) if last < number else []


def graph(name):
    """The symbol graph of a module, in which each symbol has its own comment or none."""
    include = ["-I", module(name)[0]]
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "symbols.json"
        subprocess.run(
            [compiler(), "-extract-api", f"--product-name={name}", "-x", "c-header", "-fblocks", *include,
             *PLATFORM, *headers(name), "-o", output], check=True)  # fmt: skip
        result = json.loads(output.read_text())
    for symbol in result["symbols"]:
        path, number = place(symbol)
        lines = lines_of(path)
        comment = own_comment(symbol, lines, number) or shared_comment(symbol, lines, number)
        symbol["docComment"] = {"lines": [{"text": text} for text in comment]}
    return result


def without_sentence(result):
    """The header, line and name of each declaration without a sentence."""
    for symbol in result["symbols"]:
        if not any(line["text"].strip() for line in symbol["docComment"]["lines"]):
            path, number = place(symbol)
            yield path, number + 1, name_of(symbol)


def parameters(symbol):
    return [parameter["name"] for parameter in symbol.get("functionSignature", {}).get("parameters", [])]


def undescribed(result):
    """The header, line and name of each function one of whose parameters is not described."""
    for symbol in result["symbols"]:
        if symbol["kind"]["identifier"] == "c.func":
            text = "\n".join(line["text"] for line in symbol["docComment"]["lines"])
            described = re.findall(r"^(?:- Parameter|  -|@param) (\w+)", text, re.M)
            missing = [name for name in parameters(symbol) if name not in described]
            if missing:
                path, number = place(symbol)
                yield path, number + 1, f"{name_of(symbol)}: {', '.join(missing)}"
