# SPDX-License-Identifier: Apache-2.0
"""Every translation has exactly the texts of the two views, with the same placeholders."""

import pathlib
import re
import sys

texts = set()
for folder in ("Desktop/Sources", "Sources/ToneGenerator", "Sources/ToneTexts"):
    for path in pathlib.Path(folder).rglob("*.swift"):
        texts |= set(re.findall(r'\btr\(\s*"((?:[^"\\]|\\.)*)"', path.read_text()))
presets = pathlib.Path("Sources/ToneModel/TonePreset.swift").read_text()
texts |= set(re.findall(r'TonePreset\("([^"]+)"', presets))

wrong = []
for path in sorted(pathlib.Path("po").glob("*.po")):
    pairs = dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.*)"$', path.read_text(), re.M))
    wrong += [f"{path}: no translation of {text!r}" for text in sorted(texts - {k for k in pairs if pairs[k]})]
    wrong += [f"{path}: nothing says {text!r}" for text in sorted(set(pairs) - texts)]
    wrong += [f"{path}: placeholders of {k!r}" for k, v in pairs.items() if k.count("{}") != v.count("{}")]
print(*wrong, f"{len(texts)} texts", sep="\n")
sys.exit(bool(wrong))
