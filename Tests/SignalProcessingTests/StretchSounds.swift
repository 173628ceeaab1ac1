// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing

/// Sounds that are stretched in slices; hits over a chord, and how much of the chord is left whole.
enum StretchSounds {
  /// What comes of a mono sound, in slices of these lengths in turn. `slice` makes the frames of one in
  /// `output`: it gets their count, how many were made before, and where so many next frames of the sound lie.
  static func stretched(
    _ sound: [Float], frames: Int, slices: [Int],
    slice: (
      _ count: Int, _ made: Int, _ output: UnsafeMutablePointer<Float>,
      _ input: (Int) -> UnsafePointer<Float>
    ) -> Void
  ) -> [Float] {
    let longest = slices.max() ?? 64
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let input = memory.array(33 * longest, of: Float(0))
    let output = memory.array(longest, of: Float(0))
    var (made, taken, turn): ([Float], Int, Int) = ([], 0, 0)
    while made.count < frames {
      let count = slices[turn % slices.count]
      turn += 1
      slice(count, made.count, output) { needed in
        for index in 0..<needed {
          input[index] = taken + index < sound.count ? sound[taken + index] : 0
        }
        taken += needed
        return UnsafePointer(input)
      }
      made += UnsafeBufferPointer(start: output, count: count)
    }
    return made
  }

  private static let chord = [130.8, 196, 261.6, 329.6]

  /// Hits of noise, every second with a tone in it, some 250 ms apart; over tones of a pad.
  static func hits(over pad: Float, count: Int = 96_000) -> (sound: [Float], places: [Int]) {
    var random = Xoshiro256(seed: 11)
    var sound = (0..<count).map { frame in
      pad
        * chord.reduce(Float(0)) {
          $0 + Float(SteppedTransform.sine(turns: $1 * Double(frame) / 48_000 + $1))
        }
    }
    var places: [Int] = []
    var place = 6_000
    while place < count - 6_000 {
      places.append(place)
      var (gain, last): (Float, Float) = (0.5, 0)
      for frame in 0..<5_000 {
        let noise = random.nextSample()
        sound[place + frame] += gain * (noise - last)
        if places.count % 2 == 0 {
          let turns = 700 * Double(frame) / 48_000
          sound[place + frame] += gain * Float(SteppedTransform.cosine(turns: turns))
        }
        last = noise
        gain *= 0.998_8
      }
      place += 11_000 + Int(1_000 * random.nextSample())
    }
    return (sound, places)
  }

  /// The energy 6 to 30 Hz beside two tones of the pad, against that of the tones, in decibels, over a second
  /// from a frame on.
  static func sidebands(_ sound: [Float], from first: Int) -> Double {
    var (tone, beside) = (0.0, 0.0)
    for frequency in [196, 261.6] {
      for offset in stride(from: -29.5, through: 29.5, by: 1) {
        let turn = (frequency + offset) / 48_000
        let step = (
          SteppedTransform.cosine(turns: turn), SteppedTransform.sine(turns: turn)
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

  /// Blackman's and Harris's, of a second.
  private static let window: [Double] = (0..<48_000).map { frame in
    let turns = Double(frame) / 48_000
    return 0.358_75 - 0.488_29 * SteppedTransform.cosine(turns: turns)
      + 0.141_28 * SteppedTransform.cosine(turns: 2 * turns)
      - 0.011_68 * SteppedTransform.cosine(turns: 3 * turns)
  }
}
