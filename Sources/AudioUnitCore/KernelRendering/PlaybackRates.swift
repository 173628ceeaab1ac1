// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The playback rate of an input during one render, divided into pieces of constant rate.
///
/// Plain memory for the render thread, allocated when the unit is initialised; the owner frees it.
public struct PlaybackRates: BitwiseCopyable {
  /// The frames of each piece, and its playback rate, where 1 is the recorded rate.
  public let lengths: UnsafeMutablePointer<Int32>
  public let rates: UnsafeMutablePointer<Float>
  public private(set) var count = 0
  private let capacity: Int
  private var radialSpeed: RadialSpeed

  /// [control thread] Memory for renders of up to `maximumFrames` frames.
  init(maximumFrames: Int, sampleRate: Double, in memory: OwnedMemory) {
    radialSpeed = RadialSpeed(sampleRate: sampleRate, in: memory)
    // The pieces of a ramp have 16 frames. Changes shorten them. The last piece of this number covers
    // all remaining frames.
    capacity = maximumFrames / 16 + 64
    lengths = memory.array(capacity, of: 0)
    rates = memory.array(capacity, of: 0)
  }

  /// [render thread] Clears the history of the distance: the source is at rest at first.
  @_noLocks
  mutating func reset() { radialSpeed.reset() }

  /// [render thread] Lays out a render with a constant rate.
  @_noLocks
  mutating func hold(_ rate: Float, frames: Int) {
    (lengths[0], rates[0], count) = (Int32(frames), rate, 1)
    radialSpeed.reset()
  }

  /// [render thread] Lays out a render in which the rate changes. Each piece of a ramp has the
  /// ramp's mean rate, so that it consumes exactly as much of the source as the ramp, in renders of
  /// any size.
  @_noLocks
  mutating func follow(
    _ automation: borrowing Automation, _ store: ParameterStore, _ slot: Int,
    _ shift: DopplerShift?, frames: Int
  ) {
    count = 0
    var frame = 0
    while frame < frames {
      let piece = automation.piece(store, slot, from: frame, end: frames)
      var length = min(piece.frames, frames - frame)
      if let shift {
        let run = automation.run(store, shift.distanceSlot, from: frame, end: frames)
        length = min(length, min(run, radialSpeed.framesUntilNext))
      }
      if count == capacity - 1 { length = frames - frame }
      var rate = piece.mean
      if let shift {
        rate *= factor(shift)
        trackDistance(length, frame, automation, store, shift)
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

  /// The factor by which the source's motion shifts its pitch.
  @_noLocks
  private func factor(_ shift: DopplerShift) -> Float {
    // The factor for a source that approaches at half the speed of sound or faster is 2.
    let speed = min(max(radialSpeed.speed, -0.5 * shift.speedOfSound), 1e6)
    return shift.speedOfSound / (shift.speedOfSound + speed)
  }

  /// Measures the distance during `length` frames of the render, from frame `frame` on.
  @_noLocks
  private mutating func trackDistance(
    _ length: Int, _ frame: Int, _ automation: borrowing Automation, _ store: ParameterStore,
    _ shift: DopplerShift
  ) {
    var done = 0
    while done < length {
      let run = min(length - done, radialSpeed.framesUntilNext)
      let first = frame + done
      radialSpeed.advance(
        run, from: automation.value(store, shift.distanceSlot, at: first),
        to: automation.value(store, shift.distanceSlot, at: first + run - 1))
      done += run
    }
  }
}

/// The parameter and setting for the distance and the Doppler shift of a mixer's inputs.
public struct DopplerShift: BitwiseCopyable, Sendable {
  /// The slot of the distance in metres.
  let distanceSlot: Int
  /// The index of a setting, and its bit that turns the shift on.
  let flags: Int
  let bit: Int
  /// The speed of sound in metres per second.
  let speedOfSound: Float

  /// A shift by the parameter `distance` in metres; it is on while `bit` is set in `flags`.
  public init<Parameter: ParameterKey, Setting: SettingKey>(
    distance: Parameter, flags: Setting, bit: UInt32, speedOfSound: Double
  ) {
    distanceSlot = distance.slot
    self.flags = flags.index
    self.bit = Int(bit)
    self.speedOfSound = Float(speedOfSound)
  }

  /// [render thread] Whether it is on for an input.
  @_noLocks
  func isOn(_ store: ParameterStore) -> Bool {
    Int(store.sliceSetting(flags)) & bit != 0
  }
}
