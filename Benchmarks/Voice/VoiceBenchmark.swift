// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// The echo loss of this library's voice processing, and of the cancellers that sound servers use.
enum VoiceBenchmark {
  private static let setups: [VoiceCall.Setup] = [
    .init(name: "16 kHz"),
    .init(name: "48 kHz", rate: 48_000),
    .init(name: "reverberation 0.2 s", decay: 0.2),
    .init(name: "reverberation 0.6 s", decay: 0.6),
    .init(name: "echo 12 dB louder", echoGain: 12),
    .init(name: "noise at -20 dB", noise: -20),
    .init(name: "delay 400 ms, known", delay: 0.4),
    .init(name: "delay 400 ms, unknown", delay: 0.4, isDelayKnown: false),
    .init(name: "the delay grows to 90 ms", nextDelay: 0.09),
    .init(name: "the delay grows to 200 ms", nextDelay: 0.2),
    .init(name: "loudspeaker clips from -14 dBFS", clipping: 0.2),
  ]

  /// A program in `VoicePeers`: in C, with its compiler flags, or in Python.
  private struct VoicePeer {
    var name: String
    var source: String
    var flags: String?
  }

  private static let plugin = "$(ls /usr/lib/*/spa-0.2/aec/libspa-aec-webrtc.so)"
  private static let peers = [
    VoicePeer(
      name: "PipeWire's echo-cancel", source: "pipewire",
      flags: "-DPLUGIN=\"\\\"\(plugin)\\\"\" $(pkg-config --cflags libspa-0.2) -ldl"),
    VoicePeer(
      name: "speexdsp, canceller and preprocessor", source: "speexdsp",
      flags: "$(pkg-config --cflags --libs speexdsp) -lm"),
    VoicePeer(name: "AEC3 of WebRTC, aec-audio-processing", source: "aec3"),
  ]

  static func run(in folder: URL) {
    Report.title("voice: echo loss in dB; near talker while both speak, in dB")
    for setup in setups {
      guard let call = try? VoiceCall(setup, in: folder) else {
        return Report.note("espeak-ng, whose talkers speak here, is not installed")
      }
      print(
        "  \(setup.name.padding(toLength: 40, withPad: " ", startingAt: 0))\(VoiceFigures.title)")
      let (output, latency, load) = process(call)
      show("here, \(String(format: "%.1f", load)) % of a core", call, output, latency: latency)
      for peer in peers {
        guard let output = process(call, by: peer, in: folder) else {
          Report.note("\(peer.name): not installed")
          continue
        }
        show(peer.name, call, output, latency: nil)
      }
    }
  }

  private static func show(_ name: String, _ call: VoiceCall, _ output: [Float], latency: Int?) {
    let figures = VoiceFigures(call, output, latency: latency)
    print("    \(name.padding(toLength: 40, withPad: " ", startingAt: 0))\(figures)")
  }

  /// The output of this library, its latency, and its load in per cent of a core.
  private static func process(_ call: VoiceCall) -> (output: [Float], latency: Int, load: Double) {
    let cycle = 256
    var processor = VoiceProcessor(sampleRate: call.setup.rate)
    defer { processor.deallocate() }
    processor.followsLevel = false
    if call.setup.isDelayKnown { processor.setReportedDelay(call.setup.delay) }
    var output = call.microphone
    let start = clock()
    call.far.withUnsafeBufferPointer { far in
      output.withUnsafeMutableBufferPointer { microphone in
        guard let far = far.baseAddress, let microphone = microphone.baseAddress else { return }
        for frame in stride(from: 0, to: call.far.count - cycle, by: cycle) {
          processor.process(microphone + frame, frames: cycle)
          processor.play(far + frame, frames: cycle)
        }
      }
    }
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    return (output, processor.latencyFrames, 100 * seconds / Double(VoiceCall.seconds))
  }

  /// The output of a peer; nil if it cannot be built or run.
  private static func process(
    _ call: VoiceCall, by peer: VoicePeer, in folder: URL
  ) -> [Float]? {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../VoicePeers/\(peer.source)").path
    var program = [folder.appendingPathComponent("voice-\(peer.source)").path]
    if let flags = peer.flags {
      if !FileManager.default.fileExists(atPath: program[0]) {
        let words = "exec 2>/dev/null; cc -O2 '\(source).c' -o '\(program[0])' \(flags)"
        guard run(["sh", "-c", words]) else { return nil }
      }
    } else {
      program = [ProcessInfo.processInfo.environment["PYTHON"] ?? "python3", source + ".py"]
    }
    let files = ["far", "microphone", "output"].map { folder.appendingPathComponent("voice.\($0)") }
    do {
      for (samples, file) in zip([call.far, call.microphone], files) {
        try samples.withUnsafeBytes { Data($0) }.write(to: file)
      }
      let delay = call.setup.isDelayKnown ? call.setup.delay : 0.05
      let words = program + ["\(Int(call.setup.rate))", "\(delay)"] + files.map(\.path)
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
