// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing

/// Sounds for stretching in slices: onsets over a chord, and a measure of how intact the chord
/// stays.
enum StretchSounds {
  /// The stretched version of a mono sound, in slices of these lengths in turn. `slice` renders one
  /// slice to `output`: its arguments are the frame count, the frames rendered before, and a
  /// function that returns the next input frames.
  static func stretched(
    _ sound: [Float], frames: Int, slices: [Int],
    slice: (
      _ count: Int, _ rendered: Int, _ output: UnsafeMutablePointer<Float>,
      _ input: (Int) -> UnsafePointer<Float>
    ) -> Void
  ) -> [Float] {
    let longest = slices.max() ?? 64
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let input = memory.array(33 * longest, of: Float(0))
    let output = memory.array(longest, of: Float(0))
    var (rendered, consumed, sliceIndex): ([Float], Int, Int) = ([], 0, 0)
    while rendered.count < frames {
      let count = slices[sliceIndex % slices.count]
      sliceIndex += 1
      slice(count, rendered.count, output) { needed in
        for index in 0..<needed {
          input[index] = consumed + index < sound.count ? sound[consumed + index] : 0
        }
        consumed += needed
        return UnsafePointer(input)
      }
      rendered += UnsafeBufferPointer(start: output, count: count)
    }
    return rendered
  }

  private static let chord = [130.8, 196, 261.6, 329.6]

  /// Noise bursts, every second one with a tone, some 250 ms apart, over the tones of a pad.
  static func onsets(over pad: Float, count: Int = 96_000) -> (sound: [Float], positions: [Int]) {
    var random = Xoshiro256(seed: 11)
    var sound = (0..<count).map { frame in
      pad
        * chord.reduce(Float(0)) {
          $0 + Float(SteppedTransform.sine(turns: $1 * Double(frame) / 48_000 + $1))
        }
    }
    var positions: [Int] = []
    var position = 6_000
    while position < count - 6_000 {
      positions.append(position)
      var (gain, last): (Float, Float) = (0.5, 0)
      for frame in 0..<5_000 {
        let noise = random.nextSample()
        sound[position + frame] += gain * (noise - last)
        if positions.count % 2 == 0 {
          let turns = 700 * Double(frame) / 48_000
          sound[position + frame] += gain * Float(SteppedTransform.cosine(turns: turns))
        }
        last = noise
        gain *= 0.998_8
      }
      position += 11_000 + Int(1_000 * random.nextSample())
    }
    return (sound, positions)
  }

  /// The energy 6 to 30 Hz next to two tones of the pad, relative to that of the tones, in
  /// decibels, over a second starting at a frame.
  static func sidebands(_ sound: [Float], from first: Int) -> Double {
    var (tone, beside) = (0.0, 0.0)
    for frequency in [196, 261.6] {
      for offset in stride(from: -29.5, through: 29.5, by: 1) {
        let cycles = (frequency + offset) / 48_000
        let step = (
          SteppedTransform.cosine(turns: cycles), SteppedTransform.sine(turns: cycles)
        )
        var (phasor, sum) = ((1.0, 0.0), (0.0, 0.0))
        for frame in 0..<48_000 {
          let sample = Double(sound[first + frame]) * window[frame]
          sum = (sum.0 + sample * phasor.0, sum.1 + sample * phasor.1)
          phasor = (
            phasor.0 * step.0 - phasor.1 * step.1, phasor.0 * step.1 + phasor.1 * step.0
          )
        }
        let power = sum.0 * sum.0 + sum.1 * sum.1
        if abs(offset) < 5 { tone += power } else if abs(offset) > 6 { beside += power }
      }
    }
    return Decibels.level((beside / tone).squareRoot())
  }

  /// A Blackman-Harris window of one second.
  private static let window: [Double] = (0..<48_000).map { frame in
    let turns = Double(frame) / 48_000
    return 0.358_75 - 0.488_29 * SteppedTransform.cosine(turns: turns)
      + 0.141_28 * SteppedTransform.cosine(turns: 2 * turns)
      - 0.011_68 * SteppedTransform.cosine(turns: 3 * turns)
  }
}
