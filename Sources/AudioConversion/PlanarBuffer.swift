// SPDX-License-Identifier: Apache-2.0

/// Memory for some channels of planar Float32, allocated once.
///
/// Plain pointers; whoever made it deallocates it. (Not a value that ends by itself: as a member of
/// another such value the compiler ends it too often.)
package struct PlanarBuffer {
  package let channelCount: Int
  package let capacity: Int
  package let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  @usableFromInline package let offsetChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let memory: UnsafeMutablePointer<Float>

  package init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    // A multiple of 64 bytes per channel keeps every channel aligned for vectors.
    let stride = (max(capacity, 1) + 15) / 16 * 16
    memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(channelCount, 1) * stride * 4, alignment: 64
    ).bindMemory(to: Float.self, capacity: max(channelCount, 1) * stride)
    memory.initialize(repeating: 0, count: max(channelCount, 1) * stride)
    channels = .allocate(capacity: max(channelCount, 1))
    offsetChannels = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<max(channelCount, 1) { channels[channel] = memory + channel * stride }
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  package func deallocate() {
    memory.deallocate()
    channels.deallocate()
    offsetChannels.deallocate()
  }

  /// [render thread] The channels from a frame on; valid until the next call.
  @_noLocks @inlinable
  package func from(_ frame: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    for channel in 0..<channelCount { offsetChannels[channel] = channels[channel] + frame }
    return UnsafePointer(offsetChannels)
  }

  /// The channels to read from.
  package var readable: UnsafePointer<UnsafePointer<Float>> {
    @_noLocks @inlinable get { reading(channels) }
  }
}

/// The same channels, for a function that only reads them.
@_noLocks @inlinable
package func reading(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>) -> UnsafePointer<
  UnsafePointer<Float>
> {
  UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self)
}
