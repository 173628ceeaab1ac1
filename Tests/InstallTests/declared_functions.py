# SPDX-License-Identifier: Apache-2.0
"""Prints the functions that preprocessed C text declares only in files below a folder, sorted."""

import re
import sys


def declared_functions(source):
    source = re.sub(r"__attribute__ *\(\(.*?\)\)", "", source)
    # Bodies of structures, enumerations and inline functions hold no declarations of functions.
    while re.search(r"\{[^{}]*\}", source):
        source = re.sub(r"\{[^{}]*\}", " ", source)
    names = set()
    for statement in source.split(";"):
        words = statement.split()
        if not words or "typedef" in words or "static" in words:
            continue
        declared = re.match(r"[\w\s*]*?\b(\w+)\s*\(", statement)
        if declared:
            names.add(declared.group(1))
    return names


folder = sys.argv[1]
ours, others = [], []
text = others
for line in sys.stdin:
    marker = re.match(r'# \d+ "([^"]*)"', line)
    if marker:
        text = ours if marker.group(1).startswith(folder) else others
    else:
        text.append(line)
# A header repeats a function of the system that strict C hides.
names = declared_functions("".join(ours)) - declared_functions("".join(others))
print("\n".join(sorted(names)))
