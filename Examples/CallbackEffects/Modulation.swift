// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A tremolo: a sine modulates the level.
struct Tremolo {
  /// Radians per frame.
  let step: Double
  /// The depth of the modulation, from 0 to 1.
  let depth: Double
  var theta = 0.0

  static let process: Process = { memory, samples, count in
    let me = memory.assumingMemoryBound(to: Tremolo.self)
    for frame in 0..<count {
      let gain = 1 - me.pointee.depth * (0.5 - 0.5 * cos(me.pointee.theta))
      samples[frame] *= Float(gain)
      me.pointee.theta += me.pointee.step
      if me.pointee.theta >= 2 * .pi { me.pointee.theta -= 2 * .pi }
    }
  }
}

/// A vibrato: a sine modulates the position at which a delay line is read.
struct Vibrato {
  /// Radians per frame.
  let step: Double
  /// The depth of the modulation, in frames.
  let swing: Double
  var theta = 0.0
  var line: DelayLine

  static let process: Process = { memory, samples, count in
    let me = memory.assumingMemoryBound(to: Vibrato.self)
    for frame in 0..<count {
      me.pointee.line.write(samples[frame])
      let delay = me.pointee.swing * (1 + sin(me.pointee.theta)) + 1
      samples[frame] = me.pointee.line.read(delay)
      me.pointee.theta += me.pointee.step
      if me.pointee.theta >= 2 * .pi { me.pointee.theta -= 2 * .pi }
    }
  }
}

/// An echo with feedback.
struct Echo {
  let delay: Int
  let feedback: Float
  var line: DelayLine

  static let process: Process = { memory, samples, count in
    let me = memory.assumingMemoryBound(to: Echo.self)
    for frame in 0..<count {
      samples[frame] += me.pointee.feedback * me.pointee.line.read(Double(me.pointee.delay - 1))
      me.pointee.line.write(samples[frame])
    }
  }
}

/// A ring of the last samples. Its memory is allocated before it is used, and freed by its owner.
struct DelayLine {
  private let samples: UnsafeMutablePointer<Float>
  private let length: Int
  private var place = 0

  init(length: Int) {
    self.length = length
    samples = .allocate(capacity: length)
    samples.initialize(repeating: 0, count: length)
  }

  func deallocate() { samples.deallocate() }

  mutating func write(_ sample: Float) {
    place = place + 1 == length ? 0 : place + 1
    samples[place] = sample
  }

  /// The sample written `delay` frames before the last one, interpolated linearly.
  func read(_ delay: Double) -> Float {
    let whole = Int(delay)
    let part = Float(delay - Double(whole))
    return (1 - part) * self[whole] + part * self[whole + 1]
  }

  private subscript(_ delay: Int) -> Float { samples[(place - delay + 2 * length) % length] }
}
