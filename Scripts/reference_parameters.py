# SPDX-License-Identifier: Apache-2.0
"""The parameters of C functions that follow the conventions of their family, such as `__IA` for the stride
of the vector `__A`: docs/reference/parameters.txt says them once."""

import pathlib
import re

CONVENTIONS = "docs/reference/parameters.txt"


def read(path=CONVENTIONS):
    """The sections of the file: a module, a pattern of functions, and texts by patterns of names."""
    sections = []
    for line in pathlib.Path(path).read_text().split("\n"):
        if heading := re.fullmatch(r"\[(\w+) (.+)\]", line):
            sections.append((heading.group(1), heading.group(2), {}))
        elif line and not line.startswith("#"):
            name, text = line.split(": ", 1)
            sections[-1][2][name] = text
    return sections


def kind(name, types, names):
    """What a parameter is by its name and its type: a stride, or memory that is read or written."""
    if re.fullmatch(r"__I[A-Z]\d?", name) and "__" + name[3:] in names:
        return "stride"
    if "*" not in types.get(name, ""):
        return None
    is_vector = "__I" + name.removeprefix("__") in names
    is_read = "const" in types[name]
    # The structure of a complex vector is read, even where its elements are written: those of the last one.
    if "SplitComplex" in types[name]:
        is_read = name != [each for each in names if "*" in types[each]][-1]
    return ("vector " if is_vector else "") + ("in" if is_read else "out")


def text_of(name, sections, types, names):
    """The text about a parameter; None if no section has one. The last one that fits counts."""
    found = None
    wanted = kind(name, types, names)
    for texts in sections:
        exact = next((text for pattern, text in texts.items() if re.fullmatch(pattern, name)), None)
        found = exact or found or texts.get(wanted) or texts.get((wanted or "").removeprefix("vector "))
    short = name.removeprefix("__")
    return found and found.replace("$", short[1:] if wanted == "stride" else short)


def describe(module, symbol, sections):
    """The lines that a comment needs; none if it has them, or if a parameter has no text."""
    lines = symbol.get("docComment", {}).get("lines", [])
    parameters = symbol.get("functionSignature", {}).get("parameters", [])
    if not parameters or any(line["text"].startswith("- Parameter") for line in lines):
        return []
    title = symbol["names"]["title"]
    own = [texts for name, pattern, texts in sections if name == module and re.fullmatch(pattern, title)]
    types = {
        parameter["name"]: "".join(part["spelling"] for part in parameter["declarationFragments"])
        for parameter in parameters
    }  # fmt: skip
    texts = [(name, text_of(name, own, types, types.keys())) for name in types]
    if any(text is None for _, text in texts):
        return []
    return ["", "- Parameters:", *(f"  - {name}: {text}" for name, text in texts)]
