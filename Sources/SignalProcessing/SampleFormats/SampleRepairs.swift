// SPDX-License-Identifier: Apache-2.0

/// How many samples had to be changed because only floating point can hold them: those that are not
/// numbers, and those beyond full scale.
public struct SampleRepairs: Equatable, Sendable {
  /// Samples that are not numbers, which become silence.
  public private(set) var notNumbers = 0
  /// Samples beyond full scale, infinite ones among them, which are clipped.
  public private(set) var clipped = 0

  /// [any thread] None.
  public init() {}

  /// Whether no sample has to be changed.
  public var isEmpty: Bool { notNumbers == 0 && clipped == 0 }

  /// [any thread] Adds those of other samples.
  public static func += (sum: inout Self, more: Self) {
    sum.notNumbers += more.notNumbers
    sum.clipped += more.clipped
  }

  /// [any thread] Counts the samples that have to be changed.
  public init(of samples: UnsafePointer<Float>, count: Int) {
    for index in 0..<count where !(samples[index].magnitude <= 1) {
      if samples[index].isNaN { notNumbers += 1 } else { clipped += 1 }
    }
  }

  /// [any thread] As above, for Float64.
  public init(of samples: UnsafePointer<Double>, count: Int) {
    for index in 0..<count where !(samples[index].magnitude <= 1) {
      if samples[index].isNaN { notNumbers += 1 } else { clipped += 1 }
    }
  }

  /// [any thread] A sample as an encoder can take it.
  public static func repaired(_ sample: Float) -> Float {
    sample.isNaN ? 0 : min(max(sample, -1), 1)
  }

  /// In words, a sentence for each kind: "1 sample is not a number; it became silence".
  public var sentences: [String] {
    var sentences: [String] = []
    if notNumbers == 1 { sentences.append("1 sample is not a number; it became silence") }
    if notNumbers > 1 {
      sentences.append("\(notNumbers) samples are not numbers; they became silence")
    }
    if clipped == 1 { sentences.append("1 sample is beyond full scale; it was clipped") }
    if clipped > 1 {
      sentences.append("\(clipped) samples are beyond full scale; they were clipped")
    }
    return sentences
  }
}
