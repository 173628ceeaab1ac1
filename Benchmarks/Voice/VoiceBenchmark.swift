// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// What the echo of a call loses here, and in the cancellers that sound servers use.
enum VoiceBenchmark {
  private static let setups: [VoiceCall.Setup] = [
    .init(name: "16 kHz"),
    .init(name: "48 kHz", rate: 48_000),
    .init(name: "reverberation 0.2 s", decay: 0.2),
    .init(name: "reverberation 0.6 s", decay: 0.6),
    .init(name: "echo 12 dB louder", echoGain: 12),
    .init(name: "noise at -20 dB", noise: -20),
    .init(name: "delay 400 ms, told", delay: 0.4),
    .init(name: "delay 400 ms, not told", delay: 0.4, isDelayTold: false),
  ]

  /// A program of `VoicePeers`, and what it needs to be built.
  private struct VoicePeer {
    var name: String
    var source: String
    var flags: String
  }

  private static let plugin = "$(ls /usr/lib/*/spa-0.2/aec/libspa-aec-webrtc.so)"
  private static let peers = [
    VoicePeer(
      name: "PipeWire's echo-cancel", source: "pipewire",
      flags: "-DPLUGIN=\"\\\"\(plugin)\\\"\" $(pkg-config --cflags libspa-0.2) -ldl"),
    VoicePeer(
      name: "speexdsp, canceller and preprocessor", source: "speexdsp",
      flags: "$(pkg-config --cflags --libs speexdsp) -lm"),
  ]

  static func run(in folder: URL) {
    Report.title("voice: echo loss in dB; near talker while both speak, in dB")
    for setup in setups {
      guard let call = try? VoiceCall(setup, in: folder) else {
        return Report.note("espeak-ng, whose talkers speak here, is not installed")
      }
      print(
        "  \(setup.name.padding(toLength: 40, withPad: " ", startingAt: 0))\(VoiceFigures.title)")
      let (given, latency, load) = process(call)
      show("here, \(String(format: "%.1f", load)) % of a core", call, given, latency: latency)
      for peer in peers {
        guard let given = process(call, by: peer, in: folder) else {
          Report.note("\(peer.name): not installed")
          continue
        }
        show(peer.name, call, given, latency: nil)
      }
    }
  }

  private static func show(_ name: String, _ call: VoiceCall, _ given: [Float], latency: Int?) {
    let figures = VoiceFigures(call, given, latency: latency)
    print("    \(name.padding(toLength: 40, withPad: " ", startingAt: 0))\(figures)")
  }

  /// What is given here, how late, and for how many per cent of a core.
  private static func process(_ call: VoiceCall) -> (given: [Float], latency: Int, load: Double) {
    let cycle = 256
    var processor = VoiceProcessor(sampleRate: call.setup.rate)
    defer { processor.deallocate() }
    processor.followsLevel = false
    if call.setup.isDelayTold { processor.setReportedDelay(call.setup.delay) }
    var given = call.heard
    let start = clock()
    call.far.withUnsafeBufferPointer { far in
      given.withUnsafeMutableBufferPointer { heard in
        guard let far = far.baseAddress, let heard = heard.baseAddress else { return }
        for frame in stride(from: 0, to: call.far.count - cycle, by: cycle) {
          processor.process(heard + frame, frames: cycle)
          processor.play(far + frame, frames: cycle)
        }
      }
    }
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    return (given, processor.latencyFrames, 100 * seconds / Double(VoiceCall.seconds))
  }

  /// What a peer gives; nil where it cannot be built or does not run.
  private static func process(
    _ call: VoiceCall, by peer: VoicePeer, in folder: URL
  ) -> [Float]? {
    let program = folder.appendingPathComponent("voice-\(peer.source)").path
    if !FileManager.default.fileExists(atPath: program) {
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../VoicePeers/\(peer.source).c").path
      let words = "exec 2>/dev/null; cc -O2 '\(source)' -o '\(program)' \(peer.flags)"
      guard run(["sh", "-c", words]) else { return nil }
    }
    let files = ["far", "heard", "given"].map { folder.appendingPathComponent("voice.\($0)") }
    do {
      for (samples, file) in zip([call.far, call.heard], files) {
        try samples.withUnsafeBytes { Data($0) }.write(to: file)
      }
      let delay = call.setup.isDelayTold ? call.setup.delay : 0.05
      let words = [program, "\(Int(call.setup.rate))", "\(delay)"] + files.map(\.path)
      guard run(words) else { return nil }
      return try Data(contentsOf: files[2]).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    } catch { return nil }
  }

  private static func run(_ words: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
