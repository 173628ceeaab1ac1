// SPDX-License-Identifier: Apache-2.0

/// The sources of one sum, gathered before they are added all at once.
///
/// Plain pointers; its owner deallocates it.
public struct MixList {
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let gains: UnsafeMutablePointer<Float>
  /// How many were gathered.
  public private(set) var count = 0
  private let ownsMemory: Bool

  /// Room for `capacity` sources. [control thread]
  public init(capacity: Int) {
    self.init(
      capacity: capacity, ownsMemory: true,
      at: .allocate(byteCount: Self.size(capacity), alignment: 16))
  }

  /// The same in memory of the caller's, `size(capacity)` bytes that are aligned for pointers.
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

  /// How many bytes a list takes, a multiple of 8. [any thread]
  public static func size(_ capacity: Int) -> Int {
    let count = max(1, capacity)
    return count * MemoryLayout<UnsafePointer<Float>>.stride + (count + 1) / 2 * 8
  }

  /// Frees the memory, if it is its own; nothing may use it any more. [control thread]
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
