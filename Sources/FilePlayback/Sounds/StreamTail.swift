// SPDX-License-Identifier: Apache-2.0

/// The last frames of a stream as they are if nothing follows: memory of its reader.
struct StreamTail {
  typealias Address = UnsafeMutablePointer<StreamTail>

  /// The link of `Handoff`.
  var next: UnsafeMutableRawPointer?
  /// The positions of its frames in the stream.
  private(set) var range = 0..<0
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let channelCount: Int

  /// [reading thread] A tail in its own memory.
  static func allocate(channelCount: Int, capacity: Int) -> Address {
    let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: channelCount)
    for channel in 0..<channelCount {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
      samples.initialize(repeating: 0, count: capacity)
      (channels + channel).initialize(to: samples)
    }
    let address = Address.allocate(capacity: 1)
    address.initialize(to: StreamTail(channels: channels, channelCount: channelCount))
    return address
  }

  private init(
    channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int
  ) {
    self.channels = channels
    self.channelCount = channelCount
  }

  /// [reading thread] Frees a tail.
  static func deallocate(_ tail: Address) {
    for channel in 0..<tail.pointee.channelCount { tail.pointee.channels[channel].deallocate() }
    tail.pointee.channels.deallocate()
    tail.deallocate()
  }

  /// [reading thread] Sets the positions of its frames.
  mutating func setRange(_ range: Range<Int>) { self.range = range }

  /// [render thread] The number of its frames from a position on.
  @_noLocks
  func count(from position: Int) -> Int {
    position >= range.lowerBound ? max(range.upperBound &- position, 0) : 0
  }
}
