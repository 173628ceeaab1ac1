// SPDX-License-Identifier: Apache-2.0

/// The sources of one sum, gathered before they are added all at once.
///
/// Plain pointers; whoever made it deallocates it.
public struct MixList {
  private let sources: UnsafeMutablePointer<UnsafePointer<Float>>
  private let gains: UnsafeMutablePointer<Float>
  /// How many were gathered.
  public private(set) var count = 0

  /// Room for `capacity` sources. [control thread]
  public init(capacity: Int) {
    sources = .allocate(capacity: max(1, capacity))
    gains = .allocate(capacity: max(1, capacity))
  }

  /// Frees the memory; nothing may use it any more. [control thread]
  public func deallocate() {
    sources.deallocate()
    gains.deallocate()
  }

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
