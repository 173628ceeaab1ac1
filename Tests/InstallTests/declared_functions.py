# SPDX-License-Identifier: Apache-2.0
"""Prints the functions that preprocessed C text declares in files below a folder, sorted."""

import re
import sys

folder = sys.argv[1]
ours = False
text = []
for line in sys.stdin:
    marker = re.match(r'# \d+ "([^"]*)"', line)
    if marker:
        ours = marker.group(1).startswith(folder)
    elif ours:
        text.append(line)

source = re.sub(r"__attribute__ *\(\(.*?\)\)", "", "".join(text))
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
print("\n".join(sorted(names)))
