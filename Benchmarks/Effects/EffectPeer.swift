// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that applies the same effect to stereo sound at 48 kHz.
///
/// The time without the effect is measured in the same way and subtracted, except for Faust, which
/// measures itself.
struct EffectPeer {
  let name: String
  /// Nanoseconds per frame and channel for each slice size.
  let measure: (_ folder: URL) -> [(frames: Int, nanoseconds: Double?)]

  /// sox, with its own block size; `effect` as on its command line.
  static func sox(_ effect: String) -> EffectPeer {
    sox(effect.split(separator: " ").map(String.init))
  }

  /// sox, with the words of its effect.
  static func sox(_ words: [String]) -> EffectPeer {
    net("sox \(words.first ?? "")", frames: [512]) { seconds, _, _, isBare in
      ["sox", "-V1", "-r", "48000", "-c", "2", "-n", "-n", "synth", "\(seconds)", "whitenoise"]
        + (isBare ? [] : words)
    }
  }

  /// ffmpeg, with its own block size; `filter` as for `-af`.
  static func ffmpeg(_ filter: String) -> EffectPeer {
    net("ffmpeg \(filter.prefix { $0 != "=" })", frames: [512]) { seconds, _, _, isBare in
      let format = "aformat=sample_fmts=fltp:channel_layouts=stereo"
      return [
        "ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-filter_threads", "1", "-f", "lavfi",
        "-i", "anoisesrc=r=48000:d=\(seconds)", "-af", isBare ? format : "\(format),\(filter)",
        "-c:a", "pcm_f32le", "-f", "null", "-",
      ]
    }
  }

  /// csound; `body` is the code of an instrument that reads `a0` and sets `a1` and `a2`.
  static func csound(_ name: String, _ body: String) -> EffectPeer {
    net("csound \(name)", frames: [512, 64], lengths: (10, 110)) {
      seconds, frames, folder, isBare in
      let file = folder.appendingPathComponent("effect\(seconds).csd")
      try """
      <CsoundSynthesizer>
      <CsOptions>
      -n -d -m0
      </CsOptions>
      <CsInstruments>
      sr=48000
      ksmps=\(frames)
      nchnls=2
      0dbfs=1
      instr 1
      a0 rand 0.9
      \(isBare ? "" : body)
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
  }

  /// scsynth; `build` adds the effect to two signals of noise and returns two signals.
  static func scsynth(
    _ name: String,
    _ build:
      @escaping @Sendable (inout SynthDefinition, [SynthDefinition.Signal])
      -> [SynthDefinition.Signal]
  ) -> EffectPeer {
    net("scsynth \(name)", frames: [512, 64]) { seconds, frames, folder, isBare in
      var synth = SynthDefinition()
      let noise = (0..<2).flatMap { _ in synth.add("WhiteNoise", []) }
      let output = isBare ? noise : build(&synth, noise)
      synth.add("Out", [synth.constant(0)] + output, outputs: 0)
      let file = folder.appendingPathComponent("effect\(seconds).osc")
      try SuperColliderScore.data(seconds: seconds, synth).write(to: file)
      return [
        "scsynth", "-N", file.path, "_", "/dev/null", "48000", "RAW", "float", "-o", "2", "-i", "0",
        "-z", "\(frames)", "-m", "65536",
      ]
    }
  }

  /// Faust; `expression` is a process with two channels.
  static func faust(_ name: String, _ expression: String) -> EffectPeer {
    EffectPeer(name: "faust \(name)") { folder in
      let peer = FaustPeer(expression, channelCount: 2, in: folder)
      return [512, 64].map { ($0, peer?.nanosecondsPerSample(frames: $0)) }
    }
  }

  private static func net(
    _ name: String, frames: [Int], lengths: (Int, Int) = (20, 120),
    _ command:
      @escaping @Sendable (
        _ seconds: Int, _ frames: Int, _ folder: URL, _ isBare: Bool
      ) throws -> [String]
  ) -> EffectPeer {
    EffectPeer(name: name) { folder in
      frames.map { count in
        func peer(isBare: Bool) -> Double? {
          Peer(
            name: name, command: { try command($0, count, $1, isBare) }, lengths: lengths,
            samplesPerSecond: 96_000
          ).nanosecondsPerSample(in: folder)
        }
        guard let whole = peer(isBare: false), let bare = peer(isBare: true) else {
          return (count, nil)
        }
        return (count, max(whole - bare, 0))
      }
    }
  }
}
