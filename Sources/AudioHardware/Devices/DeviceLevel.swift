// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing
import Synchronization

/// The level of this process on a device: a volume and a mute switch that every output unit
/// applies.
///
/// It is in memory that lives as long as the process, so that a render thread reads it without a
/// lock.
package struct DeviceLevel: @unchecked Sendable {
  private let bits: UnsafeMutablePointer<Atomic<UInt32>>
  private let muted: UnsafeMutablePointer<Atomic<Bool>>
  private let audible = Self.audible

  private init() {
    bits = .cell(Atomic(Float(1).bitPattern))
    muted = .cell(Atomic(false))
  }

  /// Whether this process is audible, on all devices.
  private static let audible = SharedFlag(pointer: .cell(Atomic(true)))

  /// [any thread] Whether this process is audible, on all devices.
  package static var isAudible: Bool {
    get { audible.pointer.pointee.load(ordering: .relaxed) }
    set { audible.pointer.pointee.store(newValue, ordering: .relaxed) }
  }

  /// [any thread] Sets whether this process is audible; returns whether it was.
  package static func exchangeAudible(_ isAudible: Bool) -> Bool {
    audible.pointer.pointee.exchange(isAudible, ordering: .relaxed)
  }

  /// A switch in memory that lives as long as the process.
  private struct SharedFlag: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Atomic<Bool>>
  }

  private static let levels = Guarded<[String: DeviceLevel]>([:])

  /// [control thread] The level of a device, the same for as long as the process lives.
  package static func of(_ uid: String) -> DeviceLevel {
    levels.withLock { levels in
      if let level = levels[uid] { return level }
      let level = DeviceLevel()
      levels[uid] = level
      return level
    }
  }

  /// [any thread] The factor to multiply samples by.
  package var gain: Float {
    @_noLocks get {
      muted.pointee.load(ordering: .relaxed)
        || !audible.pointer.pointee.load(ordering: .relaxed)
        ? 0 : Float(bitPattern: bits.pointee.load(ordering: .relaxed))
    }
  }

  /// [render thread] Multiplies the frames of some channels by a gain that changes linearly from
  /// `start` before the first frame to `end` at the last one.
  @_noLocks
  package static func ramp(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, frames: Int,
    from start: Float, to end: Float
  ) {
    guard start != 1 || end != 1, frames > 0 else { return }
    let step = (end - start) / Float(frames)
    for channel in 0..<count {
      let samples = channels[channel]
      for index in 0..<frames { samples[index] *= start + step * Float(index + 1) }
    }
  }

  /// [any thread] The volume, 0 to 1.
  var volume: Float {
    get { Float(bitPattern: bits.pointee.load(ordering: .relaxed)) }
    nonmutating set { bits.pointee.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// [any thread] Whether it is muted, regardless of the volume.
  var isMuted: Bool {
    get { muted.pointee.load(ordering: .relaxed) }
    nonmutating set { muted.pointee.store(newValue, ordering: .relaxed) }
  }

  /// The range of volumes in decibels. The lowest value is silence.
  static let range: ClosedRange<Float> = -96...0

  /// A volume of 0 to 1 in decibels, -96 to 0.
  static func decibels(_ scalar: Float) -> Float {
    let floor = range.lowerBound
    return scalar > 0
      ? min(max(Float(20 * Math.decimalLogarithm(Double(scalar))), floor), 0) : floor
  }

  /// Decibels as a volume of 0 to 1; 0 at -96 dB and below.
  static func scalar(_ decibels: Float) -> Float {
    decibels > range.lowerBound
      ? min(Float(Elementary.gain(decibels: Double(min(decibels, 0)))), 1) : 0
  }
}
