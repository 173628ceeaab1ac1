// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// Two synthesised loops of two seconds.
struct Loops {
  private let rate: Double
  private let frameCount: Int

  init(sampleRate: Double) {
    rate = sampleRate
    frameCount = Int(2 * sampleRate)
  }

  /// Four plucked notes, by the Karplus-Strong method: noise that circulates in a short delay line
  /// and is averaged on each pass.
  var guitar: [Float] {
    var loop = [Float](repeating: 0, count: frameCount)
    var random = RepeatableNoise()
    for (beat, frequency) in [220.0, 261.626, 329.628, 440].enumerated() {
      var line = (0..<Int(rate / frequency)).map { _ in random.next() }
      for frame in 0..<frameCount / 4 {
        let place = frame % line.count
        loop[beat * frameCount / 4 + frame] = 0.5 * line[place]
        line[place] = 0.498 * (line[place] + line[(place + 1) % line.count])
      }
    }
    return loop
  }

  /// A kick drum on each beat and a hi-hat between.
  var beat: [Float] {
    var random = RepeatableNoise()
    return (0..<frameCount).map { frame in
      let seconds = Double(frame % (frameCount / 4)) / rate
      let kick = sin(2 * .pi * 60 * seconds * (1 + exp(-40 * seconds))) * exp(-12 * seconds)
      let sinceHat = seconds - 0.25
      let hat = sinceHat < 0 ? 0 : Double(random.next()) * exp(-60 * sinceHat)
      return Float(0.6 * kick + 0.2 * hat)
    }
  }

  /// Noise that is the same on each run.
  private struct RepeatableNoise {
    private var state: UInt32 = 1

    /// A number from -1 to 1.
    mutating func next() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state)) / 2_147_483_648
    }
  }
}
