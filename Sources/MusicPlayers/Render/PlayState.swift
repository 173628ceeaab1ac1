// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// A change of a parameter along its curve. Plain memory.
struct CurveRamp: BitwiseCopyable {
  let unit: UInt
  let number: UInt32
  let scope: UInt32
  let element: UInt32
  /// The beats and values of its two points.
  let startBeat: Double
  let endBeat: Double
  let startValue: Float
  let endValue: Float
  /// The frames of the unit that one frame of the plan lasts.
  let frameScale: Double

  /// From a point of a curve to the next one, which come later than in their track.
  @_noLocks
  init(_ target: PlayTarget, from start: PlayEvent, to end: PlayEvent, later shift: Double) {
    (unit, frameScale) = (target.number, target.frameScale)
    (number, scope, element) = (start.number, start.scope, start.element)
    (startBeat, endBeat) = (start.beat + shift, end.beat + shift)
    (startValue, endValue) = (start.value, end.value)
  }
}

/// Where a player is, for the thread that plays. Plain memory.
struct PlayState: BitwiseCopyable {
  static var rampCapacity: Int { @_noLocks get { 128 } }

  /// The numbers of the plan that was taken, and of the last jump.
  var plan: UInt64 = 0
  var jump: UInt64 = 0
  var hasJumped = false
  /// Whether something that sets instruments up is still to be sent.
  var isChasing = false
  var waiting = WaitingTargets()
  /// Frames are counted from a base, at which the sequence has some seconds. It moves when rate or
  /// tempos change.
  var baseSeconds = 0.0
  var frame = 0
  /// The beat of the next frame, and that half a frame earlier, from which events belong to it.
  var beat = 0.0
  var firstBeat = 0.0
  var position = PlayPosition()
  /// The host time until which messages were sent; 0 if slices have none.
  var sentUntil: UInt64 = 0
  var sounding: SoundingNotes
  var held: HeldChannels
  let ramps: UnsafeMutablePointer<CurveRamp>
  var rampCount = 0
  /// For a call of a unit.
  let scratch: UnsafeMutablePointer<AudioUnitParameterEvent>

  /// [control thread] At the start, without a plan.
  init() {
    sounding = SoundingNotes(.allocate(capacity: SoundingNotes.capacity))
    held = HeldChannels(.allocate(capacity: HeldChannels.capacity))
    ramps = .allocate(capacity: Self.rampCapacity)
    scratch = .allocate(capacity: 1)
    scratch.initialize(to: AudioUnitParameterEvent())
  }

  /// [control thread] Frees its memory.
  func deallocate() {
    sounding.notes.deallocate()
    held.entries.deallocate()
    waiting.deallocate()
    ramps.deallocate()
    scratch.deallocate()
  }
}
