// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Compressors and limiters on loud noise in stereo: all of it is turned down all the time.
enum DynamicsBenchmark {
  static func run(in folder: URL) {
    measure(
      "compressor", kAudioUnitSubType_DynamicsProcessor, target: 2.0,
      faust: "co.compressor_stereo(4,-20,0.005,0.1)", in: folder,
      peers: [
        ("csound compress2", csound("compress2 a0,a0,-90,-20,-10,4,0.005,0.1,0.01")),
        ("sox compand", sox(["compand", "0.005,0.1", "6:-70,-60,-20"])),
        ("ffmpeg acompressor", ffmpeg("acompressor=threshold=0.1:ratio=4")),
      ])
    measure(
      "limiter", kAudioUnitSubType_PeakLimiter, target: 2.5, faust: "co.limiter_1176_R4_stereo",
      in: folder, peers: [("ffmpeg alimiter", ffmpeg("alimiter=limit=0.5"))])
    for (name, kind) in [
      ("multi-band compressor", kAudioUnitSubType_MultiBandCompressor),
      ("distortion", kAudioUnitSubType_Distortion),
    ] {
      Report.title("\(name), stereo, 48 kHz (ns per frame and channel)")
      for frames in [64, 512] {
        Report.own("\(name) unit, \(frames) frames", time(kind, frames), "ns")
      }
    }
  }

  private static func measure(
    _ name: String, _ kind: OSType, target: Double, faust: String, in folder: URL,
    peers: [(name: String, pair: (with: Peer, without: Peer))]
  ) {
    Report.title("\(name), stereo, 48 kHz (ns per frame and channel)")
    var ours = 0.0
    for frames in [64, 512] {
      ours = time(kind, frames)
      Report.own("\(name) unit, \(frames) frames", ours, "ns", target: target)
      Report.peer(
        "faust \(faust.prefix { $0 != "(" }), vectorised for this processor, \(frames)",
        FaustEffect.nanosecondsPerSample(faust, frames: frames, in: folder), "ns", ours: ours)
    }
    for peer in peers {
      let whole = peer.pair.with.nanosecondsPerSample(in: folder)
      let rest = peer.pair.without.nanosecondsPerSample(in: folder)
      let net = whole.flatMap { whole in rest.map { max(whole - $0, 0) } }
      Report.peer("\(peer.name), its source not counted", net, "ns", ours: ours)
    }
  }

  /// Nanoseconds per frame and channel of a unit that is rendered by `AudioUnitRender`.
  private static func time(_ kind: OSType, _ frames: Int) -> Double {
    let host = EffectHost(kind, frames: frames)
    return Stopwatch.nanoseconds { host.render() } / Double(2 * frames)
  }

  /// The same job with the effect and without.
  private typealias Pair = (with: Peer, without: Peer)

  private static func sox(_ effect: [String]) -> Pair {
    func peer(_ words: [String]) -> Peer {
      Peer(
        name: "sox",
        command: { seconds, _ in
          ["sox", "-r", "48000", "-c", "2", "-n", "-n", "synth", "\(seconds)", "noise"] + words
        }, samplesPerSecond: 96_000)
    }
    return (peer(effect), peer([]))
  }

  private static func ffmpeg(_ effect: String) -> Pair {
    func peer(_ chain: String) -> Peer {
      Peer(
        name: "ffmpeg",
        command: { seconds, _ in
          let source = "anoisesrc=r=48000:d=\(seconds),aformat=channel_layouts=stereo"
          return ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", source + chain]
            + ["-c:a", "pcm_f32le", "-f", "null", "-"]
        }, samplesPerSecond: 96_000)
    }
    return (peer("," + effect), peer(""))
  }

  private static func csound(_ opcode: String) -> Pair {
    let voices = 20
    func peer(_ body: String) -> Peer {
      Peer(
        name: "csound",
        command: { seconds, folder in
          let file = folder.appendingPathComponent("dynamics\(seconds)\(body.isEmpty).csd")
          let voice = "a0 oscili 0.9, 220, 1\n" + body
          try """
          <CsoundSynthesizer>
          <CsInstruments>
          sr=48000
          ksmps=512
          nchnls=1
          0dbfs=1
          gi1 ftgen 1,0,16384,10,1
          instr 1
          \(Array(repeating: voice, count: voices).joined(separator: "\n"))
          endin
          </CsInstruments>
          <CsScore>
          i1 0 \(seconds)
          e
          </CsScore>
          </CsoundSynthesizer>
          """.write(to: file, atomically: true, encoding: .utf8)
          return ["csound", "-n", "-d", "-m0", file.path]
        }, lengths: (5, 45), samplesPerSecond: 48_000 * Double(voices))
    }
    return (peer("a1 " + opcode), peer(""))
  }
}
