// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import SignalProcessing

/// How a parameter is moved.
enum MotionKind: CaseIterable {
  /// To random values at odd frames.
  case steps
  /// To random values at the starts of slices.
  case starts
  /// From one end to the other in slices of 64 frames.
  case sweep
  /// By a scheduled ramp.
  case ramp
}

extension MovedUnit {
  /// The highest peak above 8 kHz that the motion of a parameter leaves, beyond what the unit
  /// outputs there before and after it.
  func click(of parameter: MovedParameter, _ kind: MotionKind) throws -> Double {
    if parameter.isChoice, kind == .sweep || kind == .ramp { return 0 }
    var random = Xoshiro256(seed: UInt64(parameter.id) &+ 7)
    let rest = 9_600
    let settle = 4_800
    var parts = (0..<6).map { _ in (random.nextSample() + 1) / 2 }
    // The ends, too.
    parts[2] = 1
    parts[3] = 0
    var output = try play(2 * rest, slice: 512)
    var events = [(frame: Int, end: Int)]()
    func add(_ changes: [Change], _ length: Int) throws {
      let start = output[0].count
      events.append((start + (changes.first?.frame ?? 0), start + length))
      let piece = try play(length + rest, slice: kind == .sweep ? 64 : 512, changes)
      for channel in output.indices { output[channel] += piece[channel] }
    }
    var last = parameter.value
    switch kind {
    case .steps, .starts:
      for (index, part) in parts.enumerated() {
        let frame = kind == .starts ? 0 : 12 + 131 * index
        try add(
          [Change(parameter: parameter, frame: frame, to: parameter.value(at: part))], 0)
      }
    case .sweep:
      let count = 75
      for (from, to) in [
        (parameter.value, parameter.value(at: 1)),
        (parameter.value(at: 1), parameter.value(at: 0)),
      ] as [(Float, Float)] {
        try add(
          (1...count).map {
            Change(
              parameter: parameter, frame: 64 * $0,
              to: from + (to - from) * Float($0) / Float(count))
          }, 64 * count)
      }
    case .ramp:
      for part in [1, 0, 0.5] as [Float] {
        let to = parameter.value(at: part)
        try add(
          [Change(parameter: parameter, frame: 100, from: last, to: to, duration: settle)], settle)
        last = to
      }
    }
    var worst = 0.0
    for channel in output {
      var before = HighBand.peak(of: channel, in: rest..<2 * rest - 100)
      for (index, event) in events.enumerated() {
        let next = index + 1 < events.count ? events[index + 1].frame : channel.count
        let (start, end) = (event.frame - 60, min(event.end + settle, next - 1_000))
        let after = HighBand.peak(of: channel, in: max(end, next - 2_400)..<next - 100)
        let peak = HighBand.peak(of: channel, in: start..<end)
        let loudest = channel[max(start, 0)..<end].reduce(0.25) { max($0, abs($1)) }
        worst = max(worst, (peak - 1.12 * max(before, after)) * 0.25 / loudest)
        before = after
      }
    }
    return worst
  }

  /// The largest differences between the output in slices of 1, 7 and 64 frames and that in slices
  /// of 4,096, while parameters are set and ramped.
  static func differences(_ unit: Case, _ indices: [Int], sound: [Float]) throws -> (
    name: String, differences: [Double]
  ) {
    var name = ""
    func run(_ slice: Int) throws -> [[Double]] {
      let moved = try MovedUnit(unit, sound: sound)
      var changes = [Change]()
      for index in indices {
        let parameter = moved.parameters[index]
        name = parameter.title
        func value(_ step: Int) -> Float {
          parameter.value(at: Float((step * 5 + index * 3) % 7) / 7 + 0.05)
        }
        let odd = index * 13 % 97
        changes.append(Change(parameter: parameter, frame: 101 + odd, to: value(0)))
        changes.append(
          Change(
            parameter: parameter, frame: 1_501 + odd, from: value(1), to: value(2), duration: 1_203)
        )
        changes.append(Change(parameter: parameter, frame: 3_100 + odd, to: value(3)))
        changes.append(
          Change(
            parameter: parameter, frame: 3_333 + odd, from: value(3), to: value(4), duration: 2_111)
        )
        changes.append(
          Change(
            parameter: parameter, frame: 6_000 + odd, from: value(5), to: value(6), duration: 900))
      }
      changes.sort { $0.frame < $1.frame }
      return try moved.play(8_192, slice: slice, changes)
    }
    let reference = try run(4_096)
    return (
      name,
      try [1, 7, 64].map { slice in
        let other = try run(slice)
        var worst = 0.0
        for (one, two) in zip(reference, other) {
          let peak = one.reduce(1) { max($0, abs($1)) }
          for (a, b) in zip(one, two) { worst = max(worst, abs(a - b) / peak) }
        }
        return worst
      }
    )
  }
}
