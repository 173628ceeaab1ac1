// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

// Compares this library with installed programs: sox, ffmpeg, csound, scsynth, Faust, and libraries
// for rate conversion and files. Arguments choose groups: `Benchmarks calls`.

let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
  "audiotoolbox-bench-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

if CommandLine.arguments.dropFirst().first == "stretch-file" {
  try StretchedFile.run(Array(CommandLine.arguments.dropFirst(2)))
  exit(0)
}

let groups: [(name: String, run: () -> Void)] = [
  ("sine", { SineBenchmark.run() }),
  ("peers", { SineBenchmark.runPeers(in: folder) }),
  ("calls", { RenderCallBenchmark.run() }),
  ("graphs", { GraphBenchmark.run() }),
  ("graph-peers", { GraphBenchmark.runPeers(in: folder) }),
  ("threads", { ThreadBenchmark.run() }),
  ("rates", { RateBenchmark.run(in: folder) }),
  ("formats", { FormatBenchmark.run(in: folder) }),
  ("files", { FileBenchmark.run(in: folder) }),
  ("mixers", { MixerBenchmark.run() }),
  ("mixer-peers", { MixerBenchmark.runPeers(in: folder) }),
  ("effects", { EffectJob.run(EffectJob.filters, in: folder) }),
  ("dynamics", { EffectJob.run(EffectJob.dynamics, in: folder) }),
  ("space", { EffectJob.run(EffectJob.space, in: folder) }),
  ("stretch", { StretchBenchmark.run(in: folder) }),
  ("players", { PlayerBenchmark.run(in: folder) }),
  ("engine", { EngineBenchmark.run(in: folder) }),
  ("midi", { MIDIBenchmark.run() }),
  ("voice", { VoiceBenchmark.run(in: folder) }),
  ("vectors", { VectorBenchmark.run(in: folder) }),
  ("plug-ins", { PlugInBenchmark.run(in: folder) }),
  ("servers", { ServerBenchmark.run(in: folder) }),
]
let chosen = Set(CommandLine.arguments.dropFirst())
for group in groups where chosen.isEmpty || chosen.contains(group.name) { group.run() }
