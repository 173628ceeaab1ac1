// SPDX-License-Identifier: Apache-2.0

/// The way from one version of a signal to another, for changes that have no values in between, such
/// as another delay.
///
/// Both versions are given while it continues. The weight follows 3t² - 2t³, which begins and ends
/// without a corner.
public struct Crossfade: BitwiseCopyable, Sendable {
  /// Frames that it takes.
  public let length: Int
  private var position = 0
  private let scale: Float

  /// Makes one that has not begun. [any thread]
  public init(length: Int) {
    self.length = max(1, length)
    scale = 1 / Float(self.length)
    position = self.length
  }

  /// Whether the old version is still heard.
  public var isRunning: Bool { @_noLocks get { position < length } }

  /// Frames until it ends.
  public var framesRemaining: Int { @_noLocks get { length - position } }

  /// Starts with the old version. [render thread]
  @_noLocks
  public mutating func begin() { position = 0 }

  /// Ends at once. [render thread]
  @_noLocks
  public mutating func finish() { position = length }

  /// Passes `count` frames. [render thread]
  @_noLocks
  public mutating func advance(by count: Int) { position = min(position + count, length) }

  /// Writes the mixture of the next `count` frames. `output` may be one of the versions. [render thread]
  @_noLocks
  public func mix(
    from old: UnsafePointer<Float>, to new: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var index = 0
    while index < count {
      let time = Float(min(position + index, length)) * scale
      let weight = time * time * (3 - 2 * time)
      output[index] = old[index] + (new[index] - old[index]) * weight
      index &+= 1
    }
  }
}
