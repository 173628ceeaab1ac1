# SPDX-License-Identifier: Apache-2.0
"""Packs what a fuzzer has found beyond its seeds into a small archive: pack.py FOUND SEEDS LIMIT ARCHIVE

The smallest inputs first, as long as the archive has at most LIMIT bytes; none at all makes no archive."""

import pathlib
import sys
import zipfile

found, seeds, limit, archive = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])
known = {path.read_bytes() for path in seeds.iterdir()}
inputs = sorted((path for path in found.iterdir() if path.read_bytes() not in known), key=lambda path: path.stat().st_size)


def pack(count):
    archive.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(inputs[:count], key=lambda path: path.name):
            # The same inputs make the same bytes.
            file.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return archive.stat().st_size


low, high = 0, len(inputs)
while low < high:
    middle = (low + high + 1) // 2
    low, high = (middle, high) if pack(middle) <= limit else (low, middle - 1)
if low == 0:
    archive.unlink(missing_ok=True)
else:
    print(f"{archive.name}: {low} of {len(inputs)} inputs, {pack(low)} bytes")
