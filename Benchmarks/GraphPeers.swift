// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The costs of chains of units and of mixers in other programs.
enum GraphPeers {
  /// A hundred stereo gains in series, 64 frames at a time; a sample here is one unit in one slice.
  static let chains: [Peer] = [
    Peer(
      name: "csound, 100 multiplications",
      command: { seconds, folder in
        let gains = (0..<100).map { _ in "a1 = a1 * k1\na2 = a2 * k1" }.joined(separator: "\n")
        return try csound(
          "chain", seconds, folder, sliceFrames: 64,
          "k1 = 0.999\na1 oscili 0.5, 440\na2 = a1\n\(gains)\nouts a1, a2")
      }, lengths: (10, 60), samplesPerSecond: slices),
    Peer(
      name: "scsynth, 100 MulAdd",
      command: { seconds, folder in
        var synth = SynthDefinition()
        let (zero, gain) = (synth.constant(0), synth.constant(0.999))
        var (left, right) = (synth.add("DC", [gain])[0], synth.add("DC", [gain])[0])
        for _ in 0..<100 {
          left = synth.add("MulAdd", [left, gain, zero])[0]
          right = synth.add("MulAdd", [right, gain, zero])[0]
        }
        synth.add("Out", [zero, left, right], outputs: 0)
        return try scsynth("chain", seconds, folder, sliceFrames: 64, synth)
      }, lengths: (20, 120), samplesPerSecond: slices),
    Peer(
      name: "sox, 100 vol",
      command: { seconds, _ in
        ["sox", "--buffer", "512", "-r", "48000", "-c", "2", "-n", "-n", "synth", "\(seconds)"]
          + ["sine", "440"] + (0..<100).flatMap { _ in ["vol", "0.999"] }
      }, lengths: (2, 12), samplesPerSecond: slices),
    Peer(
      name: "ffmpeg, 100 volume",
      command: { seconds, _ in
        let gains = (0..<100).map { _ in "volume=0.999:precision=float" }.joined(separator: ",")
        return [
          "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i",
          "anullsrc=r=48000:cl=stereo:n=64:d=\(seconds)", "-af", gains, "-c:a", "pcm_f32le", "-f",
          "null", "-",
        ]
      }, lengths: (2, 12), samplesPerSecond: slices),
  ]

  /// Sixty-four stereo inputs, each with a gain, mixed to a stereo output.
  static let mixers: [Peer] =
    [64, 512].map { frames in
      Peer(
        name: "scsynth MulAdd, 64 inputs, \(frames) frames",
        command: { seconds, folder in
          var synth = SynthDefinition()
          let zero = synth.constant(0)
          let source = synth.add("DC", [synth.constant(0.01)])[0]
          var (left, right) = (synth.add("DC", [zero])[0], synth.add("DC", [zero])[0])
          for input in 0..<64 {
            let gain = synth.constant(0.3 + 0.005 * Float(input))
            left = synth.add("MulAdd", [source, gain, left])[0]
            right = synth.add("MulAdd", [source, gain, right])[0]
          }
          synth.add("Out", [zero, left, right], outputs: 0)
          return try scsynth("mix\(frames)", seconds, folder, sliceFrames: frames, synth)
        }, lengths: (20, 120), samplesPerSecond: 48_000 * 2 * 64)
    } + [
      Peer(
        name: "ffmpeg amix, 64 inputs (making them included)",
        command: { seconds, _ in
          ["ffmpeg", "-v", "error", "-nostdin"]
            + (0..<64).flatMap { _ in
              ["-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo:d=\(seconds)"]
            } + [
              "-filter_complex", "amix=inputs=64:normalize=0", "-c:a", "pcm_f32le", "-f", "null",
              "-",
            ]
        }, lengths: (2, 12), samplesPerSecond: 48_000 * 2 * 64)
    ]

  /// The units times slices in a second of a chain of a hundred.
  private static let slices = 100.0 * 48_000 / 64

  private static func csound(
    _ name: String, _ seconds: Int, _ folder: URL, sliceFrames: Int, _ body: String
  ) throws -> [String] {
    let file = folder.appendingPathComponent("\(name)\(seconds).csd")
    try """
    <CsoundSynthesizer>
    <CsOptions>
    -n -d -m0
    </CsOptions>
    <CsInstruments>
    sr=48000
    ksmps=\(sliceFrames)
    nchnls=2
    0dbfs=1
    instr 1
    \(body)
    endin
    </CsInstruments>
    <CsScore>
    i1 0 \(seconds)
    e
    </CsScore>
    </CsoundSynthesizer>
    """.write(to: file, atomically: true, encoding: .utf8)
    return ["csound", "-n", "-d", "-m0", file.path]
  }

  private static func scsynth(
    _ name: String, _ seconds: Int, _ folder: URL, sliceFrames: Int, _ synth: SynthDefinition
  ) throws -> [String] {
    let file = folder.appendingPathComponent("\(name)\(seconds).osc")
    try SuperColliderScore.data(seconds: seconds, synth).write(to: file)
    return [
      "scsynth", "-N", file.path, "_", "/dev/null", "48000", "RAW", "float", "-o", "2", "-i", "0",
      "-z", "\(sliceFrames)", "-w", "512",
    ]
  }
}
