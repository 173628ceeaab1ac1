// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The subject of a validation: a component, and how thoroughly.
struct Subject: @unchecked Sendable {
  let component: AudioComponent
  let description: AudioComponentDescription
  /// Whether every size, rate and round is tried, and not a choice of them.
  let isFull: Bool

  init(_ component: AudioComponent, isFull: Bool) throws {
    self.component = component
    self.isFull = isFull
    var description = AudioComponentDescription()
    try expect(
      AudioComponentGetDescription(component, &description), "AudioComponentGetDescription")
    self.description = description
  }

  /// The role of a unit in its host, which determines the possible checks.
  enum Kind {
    /// No input, output to pull.
    case generator
    /// One input, one output of as many frames.
    case effect
    /// Several inputs or outputs.
    case mixer
    /// May take another number of frames than it gives.
    case converter
    /// Plays to a device: it pulls by itself.
    case device
  }

  /// Several sizes where all are tried, a few of them otherwise.
  func choice<Value>(_ few: [Value], all: [Value]) -> [Value] { isFull ? all : few }
}

extension Subject.Kind {
  /// Whether what goes in comes out at the same time, so that the two can be compared.
  var isEffect: Bool { self == .effect }
}

/// Numbers that look random and are the same each time.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number from 0 to below 1 (xorshift64*, Vigna 2016).
  mutating func next() -> Double {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Double((state &* 0x2545_F491_4F6C_DD1D) >> 11) / 9_007_199_254_740_992
  }

  /// A whole number of a range.
  mutating func next(in range: Range<Int>) -> Int {
    range.lowerBound + Int(next() * Double(range.count))
  }

  /// A number of a range.
  mutating func next(in range: ClosedRange<Float>) -> Float {
    range.lowerBound + Float(next()) * (range.upperBound - range.lowerBound)
  }
}
