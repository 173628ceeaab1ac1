// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A small room: the input is convolved with the room's impulse response.
struct Convolution {
  private let response: UnsafeMutablePointer<Float>
  private let length: Int
  /// The last samples, newest first, stored twice so that they are always contiguous.
  private let past: UnsafeMutablePointer<Float>
  private var place = 0

  /// An impulse response in samples; the first is the direct sound.
  init(response samples: [Float]) {
    length = samples.count
    response = .allocate(capacity: length)
    response.initialize(from: samples, count: length)
    past = .allocate(capacity: 2 * length)
    past.initialize(repeating: 0, count: 2 * length)
  }

  func deallocate() {
    response.deallocate()
    past.deallocate()
  }

  static let process: Process = { memory, samples, count in
    let me = memory.assumingMemoryBound(to: Convolution.self)
    for frame in 0..<count { samples[frame] = me.pointee.next(samples[frame]) }
  }

  private mutating func next(_ sample: Float) -> Float {
    place = place == 0 ? length - 1 : place - 1
    past[place] = sample
    past[place + length] = sample
    var sum: Float = 0
    for index in 0..<length { sum += response[index] * past[place + index] }
    return sum
  }

  /// The direct sound and two reflections from walls: delays in seconds, and levels.
  static let walls: [(time: Double, level: Float)] = [(0, 0.6), (0.0117, 0.3), (0.0263, -0.15)]

  /// The impulse response of the walls at a sample rate.
  static func room(sampleRate: Double) -> [Float] {
    let places = walls.map { Int($0.time * sampleRate) }
    var response = [Float](repeating: 0, count: (places.max() ?? 0) + 1)
    for (place, wall) in zip(places, walls) { response[place] = wall.level }
    return response
  }
}
