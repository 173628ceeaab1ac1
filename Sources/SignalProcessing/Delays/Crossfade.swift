// SPDX-License-Identifier: Apache-2.0

/// A fade from one version of a signal to another, for changes without intermediate values, such as
/// a new delay.
///
/// The caller supplies both versions while it runs. Its weight is that of `FadeShape`.
public struct Crossfade: BitwiseCopyable, Sendable {
  /// Its duration in frames.
  public let length: Int
  private var position = 0
  private let scale: Float

  /// Makes a crossfade that is not running. [any thread]
  public init(length: Int) {
    self.length = max(1, length)
    scale = 1 / Float(self.length)
    position = self.length
  }

  /// Whether the old version is still part of the output.
  public var isRunning: Bool { @_noLocks get { position < length } }

  /// Frames until the end.
  public var framesRemaining: Int { @_noLocks get { length - position } }

  /// Starts with the old version. [render thread]
  @_noLocks
  public mutating func begin() { position = 0 }

  /// Ends it immediately. [render thread]
  @_noLocks
  public mutating func finish() { position = length }

  /// The weight of the new version at a part of a crossfade, from 0 to 1. [any thread]
  @_noLocks
  public static func weight(at part: Float) -> Float { FadeShape.weight(at: part) }

  /// Moves on by `count` frames. [render thread]
  @_noLocks
  public mutating func advance(by count: Int) { position = min(position + count, length) }

  /// Writes the mix of the next `count` frames. `output` may be one of the versions.
  /// [render thread]
  @_noLocks
  public func mix(
    from old: UnsafePointer<Float>, to new: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var index = 0
    while index < count {
      let time = Float(min(position + index, length)) * scale
      let weight = FadeShape.weight(at: time)
      output[index] = old[index] + (new[index] - old[index]) * weight
      index &+= 1
    }
  }
}
