# SPDX-License-Identifier: Apache-2.0
"""Applies a function of Python to the sound files of a folder, with a pool of processes or with Ray.

  python3 map_files.py pool IN OUT
  python3 map_files.py ray IN OUT

Whole files or none: `write` gives a file its name when it is complete. So a part that was interrupted is done again,
and what it has written before is kept. Killed workers are replaced.
"""

import concurrent.futures
import multiprocessing
import os
import pathlib
import sys

import audiotoolbox as at

PARTS = 40


def process(source: pathlib.Path, target: pathlib.Path) -> None:
    """What happens to a file."""
    samples, rate = at.read(source, rate=16_000, channels=1)
    leveled = at.Chain([at.Unit("hpas", cutoff_frequency=80), at.Unit("lmtr")])(samples, rate)
    at.write(target, leveled, rate)


def process_part(part: int, source: str, target: str) -> int:
    """Processes every file of one part; returns how many there are."""
    paths = sorted(pathlib.Path(source).rglob("*.wav"))[part::PARTS]
    for path in paths:
        goal = pathlib.Path(target) / path.relative_to(source)
        if goal.exists() and goal.stat().st_mtime_ns > path.stat().st_mtime_ns:
            continue
        goal.parent.mkdir(parents=True, exist_ok=True)
        process(path, goal)
    return len(paths)


def with_pool(source: str, target: str) -> int:
    """A killed worker breaks the pool; then the parts that are left get another one."""
    done: dict[int, int] = {}
    for _ in range(4):
        with concurrent.futures.ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
            waiting = {
                pool.submit(process_part, part, source, target): part for part in range(PARTS) if part not in done
            }
            try:
                for future in concurrent.futures.as_completed(waiting):
                    done[waiting[future]] = future.result()
                return sum(done.values())
            except concurrent.futures.process.BrokenProcessPool:
                print("a worker was killed; its parts are done again", file=sys.stderr)
    raise SystemExit(75)


def with_ray(source: str, target: str) -> int:
    """Ray replaces a killed worker, and runs its task again."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report its use
    import ray

    ray.init(include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False)
    task = ray.remote(max_retries=3)(process_part)
    return sum(ray.get([task.remote(part, source, target) for part in range(PARTS)]))


if __name__ == "__main__":
    engine, *folders = sys.argv[1:]
    print({"pool": with_pool, "ray": with_ray}[engine](*folders), "files")
