// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The playback rate of an input during one render, as pieces of constant rate.
///
/// Plain memory for the render thread, made when the unit is initialised; its owner frees it.
public struct PlaybackRates: BitwiseCopyable {
  /// Frames of a piece while the rate changes.
  private static var pieceFrames: Int { @_noLocks get { 16 } }

  /// The frames of each piece, and its playback rate, where 1 is the recorded rate.
  public let lengths: UnsafeMutablePointer<Int32>
  public let rates: UnsafeMutablePointer<Float>
  public private(set) var count = 0
  private let capacity: Int
  private var approach: Approach

  /// [control thread] For renders of up to `maximumFrames` frames.
  init(maximumFrames: Int, sampleRate: Double, in memory: OwnedMemory) {
    approach = Approach(sampleRate: sampleRate, in: memory)
    // Changes shorten pieces; beyond this number the rate of the last one holds.
    capacity = maximumFrames / Self.pieceFrames + 64
    lengths = memory.array(capacity, of: 0)
    rates = memory.array(capacity, of: 0)
  }

  /// [render thread] The next render is the first: the distance starts at the source's position.
  @_noLocks
  mutating func reset() { approach.reset() }

  /// [render thread] Lays out a render with a constant rate.
  @_noLocks
  mutating func hold(_ rate: Float, frames: Int) {
    (lengths[0], rates[0], count) = (Int32(frames), rate, 1)
    approach.reset()
  }

  /// [render thread] Lays out a render in which the rate changes. Each piece of a ramp has the
  /// ramp's mean rate, so that it takes exactly the same amount of the source.
  @_noLocks
  mutating func follow(
    _ automation: borrowing Automation, _ store: ParameterStore, _ slot: Int,
    _ shift: DopplerShift?, frames: Int
  ) {
    count = 0
    var frame = 0
    while frame < frames {
      var length = min(
        automation.run(store, slot, from: frame, end: frames), frames - frame)
      let first = automation.value(store, slot, at: frame)
      if automation.value(store, slot, at: frame + length - 1) != first {
        length = min(length, Self.pieceFrames)
      }
      if let shift {
        let run = automation.run(store, shift.distanceSlot, from: frame, end: frames)
        length = min(length, min(run, approach.framesUntilNext))
      }
      if count == capacity - 1 { length = frames - frame }
      let last = automation.value(store, slot, at: frame + length - 1)
      var rate = (first + last) * 0.5
      if let shift {
        rate *= factor(shift)
        pass(length, frame, automation, store, shift)
      }
      (lengths[count], rates[count]) = (Int32(length), rate)
      count += 1
      frame += length
    }
  }

  /// [render thread] Keeps only the first frames of the layout.
  @_noLocks
  mutating func cut(_ frames: Int) {
    var (left, piece) = (frames, 0)
    while piece < count, left > 0 {
      lengths[piece] = min(lengths[piece], Int32(left))
      left -= Int(lengths[piece])
      piece += 1
    }
    count = piece
  }

  /// The factor by which the motion of the source shifts its pitch.
  @_noLocks
  private func factor(_ shift: DopplerShift) -> Float {
    // A source that approaches at the speed of sound is limited like any other rate.
    let speed = min(max(approach.speed, -0.5 * shift.speedOfSound), 1e6)
    return shift.speedOfSound / (shift.speedOfSound + speed)
  }

  /// Tracks the distance through frames of the render.
  @_noLocks
  private mutating func pass(
    _ length: Int, _ frame: Int, _ automation: borrowing Automation, _ store: ParameterStore,
    _ shift: DopplerShift
  ) {
    var done = 0
    while done < length {
      let run = min(length - done, approach.framesUntilNext)
      let first = frame + done
      approach.pass(
        run, from: automation.value(store, shift.distanceSlot, at: first),
        to: automation.value(store, shift.distanceSlot, at: first + run - 1))
      done += run
    }
  }
}

/// The parameter and setting for the distance of a mixer's inputs and for their Doppler shift.
public struct DopplerShift: BitwiseCopyable, Sendable {
  /// The slot of the distance in metres.
  let distanceSlot: Int
  /// The index of a setting, and the bit in it that turns the shift on.
  let flags: Int
  let bit: Int
  /// The speed of sound in metres per second.
  let speedOfSound: Float

  /// `distance` is in metres; the shift is on while `bit` is set in the value of `flags`.
  public init<Parameter: ParameterKey, Setting: SettingKey>(
    distance: Parameter, flags: Setting, bit: UInt32, speedOfSound: Double
  ) {
    distanceSlot = distance.slot
    self.flags = flags.index
    self.bit = Int(bit)
    self.speedOfSound = Float(speedOfSound)
  }

  /// [render thread] Whether an input has it on.
  @_noLocks
  func isOn(_ store: ParameterStore) -> Bool {
    Int(store.frozenSetting(flags)) & bit != 0
  }
}
