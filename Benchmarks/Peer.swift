// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that does the same work, measured from outside.
///
/// Its processor time is measured for two lengths of the same job: the difference is the work
/// without the start-up.
struct Peer: Sendable {
  let name: String
  /// Makes the command line for a length in seconds; it may create files in the folder.
  let command: @Sendable (_ seconds: Int, _ folder: URL) throws -> [String]
  /// The shorter and the longer job, in seconds of sound.
  var lengths = (20, 120)
  /// The samples in a second of sound.
  var samplesPerSecond = 48_000.0

  /// Nanoseconds per sample, the median of three; nil if the program is missing or fails.
  func nanosecondsPerSample(in folder: URL) -> Double? {
    var slopes: [Double] = []
    for _ in 0..<3 {
      guard let short = spent(lengths.0, folder), let long = spent(lengths.1, folder) else {
        return nil
      }
      let samples = Double(lengths.1 - lengths.0) * samplesPerSecond
      slopes.append((long - short) * 1e9 / samples)
    }
    return slopes.sorted()[1]
  }

  /// The processor time of one run, in seconds.
  private func spent(_ seconds: Int, _ folder: URL) -> Double? {
    guard let words = try? command(seconds, folder) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let before = childTime()
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return childTime() - before
  }

  private func childTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}

extension Peer {
  /// Oscillators of other programs, at 997 Hz and 48 kHz.
  static let sines: [Peer] = [
    csound("csound poscil (equal purity)", "poscil 0.5,997,1"),
    csound("csound oscili (-88 dB)", "oscili 0.5,997,1"),
    Peer(
      name: "scsynth SinOsc and MulAdd (-88 dB)",
      command: { seconds, folder in
        let file = folder.appendingPathComponent("bench\(seconds).osc")
        try SuperColliderScore.data(seconds: seconds, .sines).write(to: file)
        return [
          "scsynth", "-N", file.path, "_", "/dev/null", "48000", "RAW", "float", "-o", "1", "-i",
          "0", "-z", "512",
        ]
      }, samplesPerSecond: 48_000.0 * Double(SynthDefinition.sineVoices)),
    Peer(
      name: "sox synth sine",
      command: { seconds, _ in
        ["sox", "-r", "48000", "-c", "1", "-n", "-n", "synth", "\(seconds)", "sine", "997"]
      }),
    Peer(
      name: "ffmpeg aevalsrc sin()",
      command: { seconds, _ in
        [
          "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i",
          "aevalsrc='sin(2*PI*997*t):s=48000:d=\(seconds)'", "-c:a", "pcm_f32le", "-f", "null", "-",
        ]
      }),
  ]

  /// Fifty instances of an opcode, so that its own work dominates.
  private static func csound(_ name: String, _ opcode: String) -> Peer {
    let voices = 50
    return Peer(
      name: name,
      command: { seconds, folder in
        let file = folder.appendingPathComponent("bench\(seconds).csd")
        let body = (0..<voices).map { _ in "a1 \(opcode)" }.joined(separator: "\n")
        try """
        <CsoundSynthesizer>
        <CsOptions>
        -n -d -m0
        </CsOptions>
        <CsInstruments>
        sr=48000
        ksmps=512
        nchnls=1
        0dbfs=1
        gi1 ftgen 1,0,16384,10,1
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
      }, lengths: (10, 110), samplesPerSecond: 48_000.0 * Double(voices))
  }
}
