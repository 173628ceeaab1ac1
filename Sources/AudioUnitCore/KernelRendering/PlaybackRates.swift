// SPDX-License-Identifier: Apache-2.0

/// How fast an input plays through the frames of one render: pieces of one rate each.
///
/// Plain memory for the render thread, made when the unit is initialised; whoever made it deallocates
/// it.
public struct PlaybackRates: BitwiseCopyable {
  /// Frames of a piece while the rate moves.
  private static var pieceFrames: Int { @_noLocks get { 16 } }

  /// The frames of each piece, and how many times as fast as it was recorded the source plays in it.
  public let lengths: UnsafeMutablePointer<Int32>
  public let rates: UnsafeMutablePointer<Float>
  public private(set) var count = 0
  private let capacity: Int
  /// The followed distance of the source, in metres; not a number before the first render.
  private var distance = Float.nan

  /// [control thread] For renders of up to `maximumFrames` frames.
  init(maximumFrames: Int) {
    // Changes cut pieces short; beyond these the rate of the last one stands.
    capacity = maximumFrames / Self.pieceFrames + 64
    lengths = .allocate(capacity: capacity)
    rates = .allocate(capacity: capacity)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() {
    lengths.deallocate()
    rates.deallocate()
  }

  /// [render thread] The next render is the first: the distance begins where the source is.
  @_noLocks
  mutating func reset() { distance = .nan }

  /// [render thread] Lays out a render in which the rate stands still.
  @_noLocks
  mutating func hold(_ rate: Float, frames: Int) {
    (lengths[0], rates[0], count) = (Int32(frames), rate, 1)
    distance = .nan
  }

  /// [render thread] Lays out a render in which the rate moves. Of a straight line a piece has the mean,
  /// so that it takes exactly as much of the source.
  @_noLocks
  mutating func follow(
    _ automation: borrowing Automation, _ store: ParameterStore, _ slot: Int,
    _ shift: DopplerShift?, frames: Int, sampleRate: Float
  ) {
    count = 0
    var frame = 0
    while frame < frames {
      var length = min(
        automation.run(store, slot, from: frame, end: frames), frames - frame)
      let first = automation.value(store, slot, at: frame)
      if shift != nil || automation.value(store, slot, at: frame + length - 1) != first {
        length = min(length, Self.pieceFrames)
      }
      if count == capacity - 1 { length = frames - frame }
      let last = automation.value(store, slot, at: frame + length - 1)
      var rate = (first + last) * 0.5
      if let shift {
        let there = automation.value(store, shift.distanceSlot, at: frame + length - 1)
        rate *= approach(there, length, shift, sampleRate)
      }
      (lengths[count], rates[count]) = (Int32(length), rate)
      count += 1
      frame += length
    }
  }

  /// How the motion of the source within a piece moves its pitch. The distance is followed with a delay
  /// of a twentieth of a second, as hosts move sources in steps.
  @_noLocks
  private mutating func approach(
    _ there: Float, _ frames: Int, _ shift: DopplerShift, _ sampleRate: Float
  ) -> Float {
    guard !distance.isNaN else {
      distance = there
      return 1
    }
    let passed = Float(frames)
    let moved = (there - distance) * (passed / (passed + 0.05 * sampleRate))
    distance += moved
    // What comes nearer as fast as sound is limited like any other rate.
    let speed = min(max(moved * sampleRate / passed, -0.5 * shift.speedOfSound), 1e6)
    return shift.speedOfSound / (shift.speedOfSound + speed)
  }
}

/// Where a mixer's inputs say how far away they are, and whether their motion moves the pitch.
public struct DopplerShift: BitwiseCopyable, Sendable {
  /// The slot of the distance in metres.
  let distanceSlot: Int
  /// The place of a setting, and the bit in it that turns the shift on.
  let flags: Int
  let bit: Int
  /// In metres per second.
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
