// SPDX-License-Identifier: Apache-2.0

/// Collects the sources of a sum, which are then added in one pass.
///
/// Uses plain pointers; the owner deallocates them.
public struct MixList {
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let gains: UnsafeMutablePointer<Float>
  /// Number of collected sources.
  public private(set) var count = 0
  private let ownsMemory: Bool

  /// Makes a list for `capacity` sources. [control thread]
  public init(capacity: Int) {
    self.init(
      capacity: capacity, ownsMemory: true,
      at: .allocate(byteCount: Self.size(capacity), alignment: 16))
  }

  /// Makes a list in the caller's memory: `size(capacity)` bytes, aligned for pointers.
  /// [control thread]
  public init(capacity: Int, at memory: UnsafeMutableRawPointer) {
    self.init(capacity: capacity, ownsMemory: false, at: memory)
  }

  private init(capacity: Int, ownsMemory: Bool, at memory: UnsafeMutableRawPointer) {
    self.ownsMemory = ownsMemory
    let count = max(1, capacity)
    sources = memory.bindMemory(to: UnsafePointer<Float>.self, capacity: count)
    gains = (memory + count * MemoryLayout<UnsafePointer<Float>>.stride).bindMemory(
      to: Float.self, capacity: count)
  }

  /// Size of a list in bytes, a multiple of 8. [any thread]
  public static func size(_ capacity: Int) -> Int {
    let count = max(1, capacity)
    return count * MemoryLayout<UnsafePointer<Float>>.stride + (count + 1) / 2 * 8
  }

  /// Frees the memory if the list owns it; nothing may use the list afterwards. [control thread]
  public func deallocate() { if ownsMemory { sources.deallocate() } }

  /// Begins a new sum. [render thread]
  @_noLocks
  public mutating func removeAll() { count = 0 }

  /// Adds a source, unless its gain is zero. [render thread]
  @_noLocks
  public mutating func append(_ source: UnsafePointer<Float>, _ gain: Float) {
    guard gain != 0 else { return }
    sources[count] = source
    gains[count] = gain
    count += 1
  }

  /// Writes the sum, or silence when there are no sources. [render thread]
  @_noLocks
  public func mix(into output: UnsafeMutablePointer<Float>, count frameCount: Int) {
    if count == 0 {
      Samples.clear(output, count: frameCount)
    } else {
      MixKernel.mix(
        into: output, count: frameCount, sources: sources, gains: gains, sourceCount: count)
    }
  }
}
