# SPDX-License-Identifier: Apache-2.0
"""The targets of Package.swift and their dependencies, for the scripts in this folder."""

import pathlib
import re

TARGET = re.compile(
    r"\.(?:target|executableTarget|systemLibrary)\(\s*name: \"(\w+)\"(.*?)\n?\s*\)(?=,\n|\n)", re.S
)
DEPENDENCIES = re.compile(r"dependencies: \[(.*?)\]", re.S)
ELSEWHERE = re.compile(r"path: \"(?:Examples|Benchmarks|Tests)")


def arrows(only_sources=False):
    """The dependencies of each target; `only_sources` omits examples, benchmarks and tests."""
    package = pathlib.Path(__file__).parent.parent / "Package.swift"
    # Skips the products, which have lists of targets too.
    text = package.read_text().split("\n  targets: [", 1)[1]
    found = {}
    for name, rest in TARGET.findall(text):
        if only_sources and ELSEWHERE.search(rest):
            continue
        list_of_names = DEPENDENCIES.search(rest)
        names = re.findall(r'"(\w+)"', list_of_names.group(1)) if list_of_names else []
        found[name] = set(names)
    return found


def below(name, graph):
    """All direct and indirect dependencies of a target."""
    found = set()
    for other in graph.get(name, ()):
        found |= {other} | below(other, graph)
    return found
