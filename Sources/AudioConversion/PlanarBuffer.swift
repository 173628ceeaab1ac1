// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// Memory for some channels of planar Float32, allocated once.
///
/// Plain pointers: into the memory of its owner, or into its own, which its creator deallocates.
/// (Not a noncopyable value with a deinit: as a member of another such value the compiler ends it
/// too often.)
package struct PlanarBuffer {
  package let channelCount: Int
  package let capacity: Int
  package let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  @usableFromInline package let offsetChannels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let own: OwnedMemory?

  /// [control thread] Silence in `memory`, which frees it; nil: in its own memory.
  package init(channelCount: Int, capacity: Int, in memory: OwnedMemory? = nil) {
    self.channelCount = channelCount
    self.capacity = capacity
    let taken = memory ?? OwnedMemory()
    own = memory == nil ? taken : nil
    // A multiple of 64 bytes per channel keeps every channel aligned for vectors.
    let stride = (max(capacity, 1) + 15) / 16 * 16
    let count = max(channelCount, 1)
    let samples = taken.array(count * stride, of: Float(0))
    channels = taken.array((0..<count).map { samples + $0 * stride })
    offsetChannels = taken.array(count, of: samples)
  }

  /// [control thread] Frees its own memory; nothing may use it any more.
  package func deallocate() { own?.deallocate() }

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
