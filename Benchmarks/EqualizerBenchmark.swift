// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Ten bands of a parametric equaliser on two channels: our unit and other programs.
enum EqualizerBenchmark {
  private static let bands = (0..<10).map { 60 * pow(2, 0.8 * Double($0)) }
  private static let unit = "ns per frame and channel"

  /// What this library takes, and what others take for the same.
  static func run(in folder: URL) {
    Report.title("equaliser of ten bands, two channels, 48 kHz (\(unit))")
    let ours = ours(frames: 512)
    Report.own("AUNBandEQ, double precision, 512 frames", ours, "ns", target: 3.3)
    Report.own("AUNBandEQ, double precision, 64 frames", Self.ours(frames: 64), "ns")
    Report.peer(
      "faust fi.peak_eq_cq (single precision), 512 frames", faust(in: folder), "ns", ours: ours)
    for (name, peer, idle) in peers {
      // What making the noise takes is not the equaliser's.
      let net = peer.nanosecondsPerSample(in: folder).flatMap { whole in
        idle.nanosecondsPerSample(in: folder).map { max(whole - $0, 0) }
      }
      Report.peer(name, net, "ns", ours: ours)
    }
  }

  private static func ours(frames: Int) -> Double {
    let host = StereoEffectHost(kAudioUnitSubType_NBandEQ, frames: frames)
    for (band, frequency) in bands.enumerated() {
      let band = AudioUnitParameterID(band)
      host.set(kAUNBandEQParam_BypassBand + band, 0)
      host.set(kAUNBandEQParam_Frequency + band, Float(frequency))
      host.set(kAUNBandEQParam_Bandwidth + band, 1.388)
      host.set(kAUNBandEQParam_Gain + band, 3)
    }
    return Stopwatch.nanoseconds { host.render() } / Double(2 * frames)
  }

  // MARK: Peers

  private static let peers: [(String, Peer, Peer)] = [
    ("sox equalizer", sox(bands), sox([])),
    ("ffmpeg equalizer", ffmpeg(bands), ffmpeg([])),
    ("csound pareq", csound(bands), csound([])),
  ]

  private static func sox(_ bands: [Double]) -> Peer {
    Peer(
      name: "sox",
      command: { seconds, _ in
        ["sox", "-r", "48000", "-c", "2", "-n", "-n", "synth", "\(seconds)", "whitenoise"]
          + bands.flatMap { ["equalizer", "\($0)", "1q", "3"] }
      }, lengths: (5, 35), samplesPerSecond: 96_000)
  }

  private static func ffmpeg(_ bands: [Double]) -> Peer {
    Peer(
      name: "ffmpeg",
      command: { seconds, _ in
        let filters =
          ["anoisesrc=r=48000:d=\(seconds)", "aformat=sample_fmts=fltp:channel_layouts=stereo"]
          + bands.map { "equalizer=f=\($0):t=q:w=1:g=3" }
        return [
          "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i",
          filters.joined(separator: ","), "-c:a", "pcm_f32le", "-f", "null", "-",
        ]
      }, lengths: (5, 35), samplesPerSecond: 96_000)
  }

  private static func csound(_ bands: [Double]) -> Peer {
    Peer(
      name: "csound",
      command: { seconds, folder in
        let file = folder.appendingPathComponent("equalizer\(bands.count)-\(seconds).csd")
        let filters = bands.flatMap { frequency in
          ["a1 pareq a1,\(frequency),1.4125,1", "a2 pareq a2,\(frequency),1.4125,1"]
        }
        try """
        <CsoundSynthesizer>
        <CsOptions>
        -n -d -m0
        </CsOptions>
        <CsInstruments>
        sr=48000
        ksmps=512
        nchnls=2
        0dbfs=1
        instr 1
        a1 rand 0.1
        a2 rand 0.1
        \(filters.joined(separator: "\n"))
        outs a1,a2
        endin
        </CsInstruments>
        <CsScore>
        i1 0 \(seconds)
        e
        </CsScore>
        </CsoundSynthesizer>
        """.write(to: file, atomically: true, encoding: .utf8)
        return ["csound", "-n", "-d", "-m0", file.path]
      }, lengths: (5, 35), samplesPerSecond: 96_000)
  }

  private static func faust(in folder: URL) -> Double? {
    let chain = bands.map { "fi.peak_eq_cq(3,\($0),1)" }.joined(separator: ":")
    return FaustPeer.nanosecondsPerSample(
      of: "import(\"stdfaust.lib\"); eq = \(chain); process = eq,eq;", name: "equalizer",
      channelCount: 2, vectorised: false, in: folder)
  }
}
