// SPDX-License-Identifier: Apache-2.0

/// The output buffers of an effect, and their mix with the dry signal; the gains fade within a few
/// milliseconds. Uses plain pointers; the owner deallocates them.
public struct WetMixer: BitwiseCopyable, @unchecked Sendable {
  /// Capacity of the buffers in frames.
  public static var runFrames: Int { @_noLocks get { 512 } }

  /// The effect's output, two channels.
  public let left: UnsafeMutablePointer<Float>
  public let right: UnsafeMutablePointer<Float>
  private let smoothingFrames: Int
  private var dry = Fade(1)
  private var wet = Fade(0)
  private var isFresh = true

  /// Allocates the buffers of both channels. [control thread]
  public init(sampleRate: Double) {
    left = .allocate(capacity: 2 * Self.runFrames)
    left.initialize(repeating: 0, count: 2 * Self.runFrames)
    right = left + Self.runFrames
    smoothingFrames = Int(sampleRate * 0.005)
  }

  /// Frees the memory. [control thread]
  public func deallocate() { left.deallocate() }

  /// Applies the next gains immediately, without a fade. [render thread]
  @_noLocks
  public mutating func reset() { isFresh = true }

  /// Sets both gains from the next frame on. [render thread]
  @_noLocks
  public mutating func set(dry newDry: Float, wet newWet: Float) {
    let frames = isFresh ? 0 : smoothingFrames
    isFresh = false
    if newDry != dry.target || frames == 0 { dry.move(to: newDry, within: frames) }
    if newWet != wet.target || frames == 0 { wet.move(to: newWet, within: frames) }
  }

  /// Mixes `count` frames of the effect into the dry signal. Both channels may be the same buffer,
  /// which then gets the left channel. [render thread]
  @_noLocks
  public mutating func mix(
    into leftSound: UnsafeMutablePointer<Float>, _ rightSound: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    mix(left, into: leftSound, count)
    if leftSound != rightSound { mix(right, into: rightSound, count) }
    dry.advance(by: count)
    wet.advance(by: count)
  }

  @_noLocks
  private func mix(
    _ effect: UnsafePointer<Float>, into sound: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    if dry.framesRemaining == 0 && wet.framesRemaining == 0 {
      let (dry, wet) = (dry.target, wet.target)
      var index = 0
      while index &+ 8 <= count {
        let address = UnsafeMutableRawPointer(sound + index)
        let input = UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
        let effectSamples = UnsafeRawPointer(effect + index).loadUnaligned(as: SIMD8<Float>.self)
        address.storeBytes(of: input * dry + effectSamples * wet, as: SIMD8<Float>.self)
        index &+= 8
      }
      while index < count {
        sound[index] = sound[index] * dry + effect[index] * wet
        index &+= 1
      }
    } else {
      for index in 0..<count {
        sound[index] = sound[index] * dry.value(at: index) + effect[index] * wet.value(at: index)
      }
    }
  }
}
