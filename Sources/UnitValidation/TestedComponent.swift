// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The component to validate, and how thoroughly.
struct TestedComponent: @unchecked Sendable {
  let component: AudioComponent
  let description: AudioComponentDescription
  /// Whether all sizes, rates and rounds are tested, and not only some.
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
    /// May have different numbers of frames in and out.
    case converter
    /// Plays to a device, and pulls its input by itself.
    case device
  }

  /// All values in a full validation, otherwise a few.
  func choice<Value>(_ few: [Value], all: [Value]) -> [Value] { isFull ? all : few }
}

extension TestedComponent.Kind {
  /// Whether input and output can be compared frame by frame.
  var isEffect: Bool { self == .effect }
}

/// Reproducible pseudo-random numbers.
struct SeededGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A number in 0..<1 (xorshift64*, Vigna 2016).
  mutating func next() -> Double {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Double((state &* 0x2545_F491_4F6C_DD1D) >> 11) / 9_007_199_254_740_992
  }

  /// A whole number in a range.
  mutating func next(in range: Range<Int>) -> Int {
    range.lowerBound + Int(next() * Double(range.count))
  }

  /// A number in a range.
  mutating func next(in range: ClosedRange<Float>) -> Float {
    range.lowerBound + Float(next()) * (range.upperBound - range.lowerBound)
  }
}
