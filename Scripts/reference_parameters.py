# SPDX-License-Identifier: Apache-2.0
"""The parameters of declarations that follow the conventions of their family, such as `__IA` for the stride
of the vector `__A`: the files of docs/reference/parameters say them once."""

import pathlib
import re

CONVENTIONS = pathlib.Path("docs/reference/parameters")


def read(folder=CONVENTIONS):
    """The sections of the files: a module, a pattern of paths, and texts by patterns of names; first those of
    every Swift module."""
    sections = []
    for file in sorted(folder.glob("*.txt"), key=lambda file: (file.stem != "Swift", file.stem)):
        for line in file.read_text().split("\n"):
            if heading := re.fullmatch(r"\[(\w+) (.+)\]", line):
                sections.append((heading.group(1), heading.group(2), {}))
            elif line and not line.startswith("#"):
                name, text = line.split(": ", 1)
                sections[-1][2][name] = text
    return sections


def kind(name, types, names):
    """What a parameter of C is by its name and its type: a stride, or memory that is read or written."""
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


def name_of(parameter):
    """The name of a parameter within its function."""
    return parameter.get("internalName", parameter["name"])


def described(names, symbol, texts, sections):
    """The comment of a declaration with its parameters: as it is if it has them, or if one has no text.

    `names` are those by which headings name its module."""
    parameters = symbol.get("functionSignature", {}).get("parameters", [])
    if any(text.startswith("- Parameter") for text in texts):
        return texts
    path = "/".join(symbol["pathComponents"])
    own = [each for name, pattern, each in sections if name in names and re.fullmatch(pattern, path)]
    types = {
        name_of(parameter): "".join(part["spelling"] for part in parameter["declarationFragments"])
        for parameter in parameters
    }  # fmt: skip
    found = [(name, text_of(name, own, types, types.keys())) for name in types]
    if not any(texts):
        texts = next(([each["sentence"]] for each in reversed(own) if "sentence" in each), texts)
    if not found or not any(texts) or any(text is None for _, text in found):
        return texts
    return [*texts, "", "- Parameters:", *(f"  - {name}: {text}" for name, text in found)]
