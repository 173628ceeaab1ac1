// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Memory for channels of planar Float32, allocated once.
///
/// Uses plain pointers into its owner's memory, or into its own, which the creator deallocates. (It
/// is not a noncopyable value with a deinit: the compiler deinitializes it too often as a member of
/// another such value.)
package struct PlanarBuffer {
  package let channelCount: Int
  package let capacity: Int
  package let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  @usableFromInline package let offsetChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let ownMemory: OwnedMemory?

  /// [control thread] Allocates silence in `memory`, which frees it; if nil, in its own memory.
  package init(channelCount: Int, capacity: Int, in memory: OwnedMemory? = nil) {
    self.channelCount = channelCount
    self.capacity = capacity
    let allocator = memory ?? OwnedMemory()
    ownMemory = memory == nil ? allocator : nil
    // A multiple of 64 bytes per channel keeps every channel aligned for vectors.
    let stride = (max(capacity, 1) + 15) / 16 * 16
    let count = max(channelCount, 1)
    let samples = allocator.array(count * stride, of: Float(0))
    channels = allocator.array((0..<count).map { samples + $0 * stride })
    offsetChannels = allocator.array(count, of: samples)
  }

  /// [control thread] Frees its own memory; nothing may use the buffer afterwards.
  package func deallocate() { ownMemory?.deallocate() }

  /// [render thread] The channels starting at a frame; valid until the next call.
  @_noLocks @inlinable
  package func from(_ frame: Int) -> UnsafePointer<UnsafeMutablePointer<Float>> {
    for channel in 0..<channelCount { offsetChannels[channel] = channels[channel] + frame }
    return UnsafePointer(offsetChannels)
  }

  /// The channels for reading.
  package var readable: UnsafePointer<UnsafePointer<Float>> {
    @_noLocks @inlinable get { reading(channels) }
  }
}

/// The same channels for a function that only reads them.
@_noLocks @inlinable
package func reading(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>) -> UnsafePointer<
  UnsafePointer<Float>
> {
  UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self)
}
