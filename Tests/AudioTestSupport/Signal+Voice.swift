// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Talkers and rooms for tests of voice processing, as difficult for an echo canceller as real
/// ones.
extension Signal {
  /// A signal like speech: voiced and unvoiced syllables with moving formants, and pauses between
  /// words, at -26 dBFS (RMS). A different `seed` gives a different talker and different words.
  public static func speech(seed: UInt64, pitch: Double = 120, seconds: Double, sampleRate: Double)
    -> Signal
  {
    var random = Linear(seed: seed)
    let count = Int(seconds * sampleRate)
    var samples = [Double](repeating: 0, count: count)
    var start = 0
    while start < count {
      let isPause = random.next() < 0.22
      let length = Int(
        (isPause ? 0.1 + 0.3 * random.next() : 0.09 + 0.14 * random.next()) * sampleRate)
      if !isPause {
        syllable(&samples, start, min(length, count - start), pitch, sampleRate, &random)
      }
      start += length
    }
    let power = samples.reduce(0) { $0 + $1 * $1 } / Double(max(count, 1))
    return Signal(samples.map { $0 * 0.05 / power.squareRoot() }, sampleRate: sampleRate)
  }

  private static func syllable(
    _ samples: inout [Double], _ start: Int, _ length: Int, _ pitch: Double, _ rate: Double,
    _ random: inout Linear
  ) {
    let isVoiced = random.next() < 0.8
    let level = pow(10, -0.6 * random.next())
    let tone = pitch * (0.85 + 0.4 * random.next())
    let formants = [
      300 + 500 * random.next(), 900 + 1_300 * random.next(), 2_300 + 700 * random.next(),
    ]
    var states = [(Double, Double)](repeating: (0, 0), count: 3)
    var phase = 0.0
    for index in 0..<length {
      let place = Double(index) / Double(length)
      phase += tone * (1 - 0.15 * place) / rate
      var source = 0.35 * (random.next() - 0.5)
      if isVoiced {
        source *= 0.15
        if phase >= 1 {
          phase -= 1
          source += 1
        }
      }
      var sound = 0.0
      for (number, formant) in formants.enumerated() {
        let moved = formant * (1 + (isVoiced ? 0.12 : 0.6) * place)
        guard moved < 0.45 * rate else { continue }
        let radius = exp(-.pi * (60 + 50 * Double(number)) / rate)
        let next =
          source + 2 * radius * cos(2 * .pi * moved / rate) * states[number].0
          - radius * radius * states[number].1
        states[number] = (next, states[number].0)
        sound += next * (1 - radius) * [1, 0.6, 0.35][number]
      }
      let edge = min(1, min(place, 1 - place) * 8)
      samples[start + index] += level * edge * sound
    }
  }

  /// The impulse response of a room: a direct arrival, early reflections, and a tail that falls by
  /// 60 dB within `decay` seconds. The echo is as loud as the played signal.
  public static func room(seed: UInt64, decay: Double, sampleRate: Double) -> [Double] {
    var random = Linear(seed: seed)
    let count = Int(min(decay, 0.5) * sampleRate)
    var response = [Double](repeating: 0, count: count)
    let first = Int(0.002 * sampleRate)
    for index in first..<count {
      let time = Double(index - first) / sampleRate
      // The reflections become denser.
      let isArrival = index == first || random.next() < min(1, 0.02 + 12 * time)
      guard isArrival else { continue }
      let sign = index == first ? 1.6 : 2 * random.next() - 1
      response[index] = sign * pow(10, -3 * time / decay)
    }
    let energy = response.reduce(0) { $0 + $1 * $1 }
    return response.map { $0 / energy.squareRoot() }
  }

  /// The signal convolved with an impulse response, and delayed.
  public func passed(through response: [Double], delay: Int = 0) -> Signal {
    var output = [Double](repeating: 0, count: count)
    for (tap, value) in response.enumerated() where value != 0 {
      let shift = tap + delay
      guard shift < count else { break }
      samples.withUnsafeBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          for index in shift..<output.count { output[index] += value * input[index - shift] }
        }
      }
    }
    return Signal(output, sampleRate: sampleRate)
  }

  /// The part between two times in seconds.
  public func between(_ start: Double, _ end: Double) -> Signal {
    self[Int(start * sampleRate)..<min(Int(end * sampleRate), count)]
  }

  /// Sum of squares.
  public var energy: Double { samples.reduce(0) { $0 + $1 * $1 } }

  /// A generator of pseudorandom numbers from 0 to 1, the same on every machine.
  private struct Linear {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1 }

    mutating func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) * 0x1p-53
    }
  }
}
