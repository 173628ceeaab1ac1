// SPDX-License-Identifier: Apache-2.0
// Plays a chord of soft tones: SourceSynth [FREQUENCY] [SECONDS]
import AVFoundation
import ExampleSupport

/// A sine and its phase, which only the render thread uses.
final class Voice: @unchecked Sendable {
  private let step: Double
  private var phase = 0.0
  private var level: Float = 0

  init(_ frequency: Double, _ sampleRate: Double) { step = frequency / sampleRate }

  func render(_ samples: UnsafeMutableBufferPointer<Float>) {
    for frame in samples.indices {
      // Rises within a tenth of a second, so that the start does not click.
      level = min(level + 0.000_2, 1)
      samples[frame] = level * Float(sin(2 * .pi * phase))
      phase = (phase + step).truncatingRemainder(dividingBy: 1)
    }
  }
}

run("SourceSynth [FREQUENCY] [SECONDS]") { arguments in
  let frequency = try arguments.number("FREQUENCY", in: 20...10_000, default: 220)
  let rate = try activateSession(.playback)
  let format = try some(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1))
  let engine = AVAudioEngine()
  for (index, ratio) in [1, 1.25, 1.5].enumerated() {
    let voice = Voice(frequency * ratio, format.sampleRate)
    let source = AVAudioSourceNode(format: format) { _, _, _, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        voice.render(UnsafeMutableBufferPointer(buffer))
      }
      return noErr
    }
    engine.attach(source)
    try engine.connectNode(source, to: engine.mainMixerNode, format: format)
    source.volume = 0.2
    source.pan = Float(index - 1) / 2
  }
  try engine.start()
  wait(seconds: try arguments.number("SECONDS", in: 0...86_400, default: 3))
  engine.stop()
}
