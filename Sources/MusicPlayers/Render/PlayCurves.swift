// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The parameters that follow curves in a slice. [render thread]
struct PlayCurves {
  private let time: SliceTime
  private let state: UnsafeMutablePointer<PlayState>

  @_noLocks
  init(_ time: SliceTime, _ state: UnsafeMutablePointer<PlayState>) {
    (self.time, self.state) = (time, state)
  }

  /// Begins the curve from a point of a track, at a time of the track.
  @_noLocks
  func send(
    _ event: UnsafeMutablePointer<PlayEvent>, of track: UnsafeMutablePointer<PlayTrack>,
    at beat: Double
  ) {
    let target = track.pointee.target
    let unit = target.number
    let event = event.pointee
    // The beat of the sequence at the point.
    let shift = track.pointee.offset + Double(track.pointee.pass) * track.pointee.loopDuration
    endRamp(unit, event, at: beat + shift)
    guard event.nextPoint >= 0 else {
      _ = setParameter(
        unit, event.number, event.scope, event.element, event.value,
        at: SliceTime.scaled(time.frame(beat + shift), by: target.frameScale))
      return
    }
    let next = track.pointee.events[event.nextPoint]
    guard state.pointee.rampCount < PlayState.rampCapacity else { return }
    state.pointee.ramps[state.pointee.rampCount] = CurveRamp(
      target, from: event, to: next, later: shift)
    state.pointee.rampCount += 1
  }

  /// Ends the curve that leads to a point.
  @_noLocks
  private func endRamp(_ unit: UInt, _ event: PlayEvent, at beat: Double) {
    let ramps = state.pointee.ramps
    for index in 0..<state.pointee.rampCount
    where ramps[index].unit == unit && ramps[index].number == event.number
      && ramps[index].scope == event.scope && ramps[index].element == event.element
    {
      let ramp = ramps[index]
      state.pointee.rampCount -= 1
      ramps[index] = ramps[state.pointee.rampCount]
      let (first, last) = (max(ramp.startBeat, time.startBeat), min(ramp.endBeat, beat))
      if last > first { move(ramp, from: first, to: last) }
      return
    }
  }

  /// Moves the parameters along their curves for this slice.
  @_noLocks
  func move() {
    var index = 0
    while index < state.pointee.rampCount {
      let ramp = state.pointee.ramps[index]
      let first = max(ramp.startBeat, time.startBeat)
      let last = min(ramp.endBeat, time.endBeat)
      if last > first { move(ramp, from: first, to: last) }
      if ramp.endBeat <= time.endBeat {
        state.pointee.rampCount -= 1
        state.pointee.ramps[index] = state.pointee.ramps[state.pointee.rampCount]
      } else {
        index += 1
      }
    }
  }

  @_noLocks
  private func move(_ ramp: CurveRamp, from first: Double, to last: Double) {
    let length = ramp.endBeat - ramp.startBeat
    let change = Double(ramp.endValue - ramp.startValue)
    let start = SliceTime.scaled(time.frame(first), by: ramp.frameScale)
    // The last frame of the slice leads to the next one.
    let end = SliceTime.scaled(
      last < time.endBeat ? time.frame(last) : UInt32(clamping: time.frameCount),
      by: ramp.frameScale)
    let event = state.pointee.scratch
    event.pointee.scope = ramp.scope
    event.pointee.element = ramp.element
    event.pointee.parameter = ramp.number
    event.pointee.eventType = .parameterEvent_Ramped
    event.pointee.eventValues.ramp.startBufferOffset = Int32(clamping: start)
    event.pointee.eventValues.ramp.durationInFrames = max(1, end - min(start, end))
    let startValue = ramp.startValue + Float(change * (first - ramp.startBeat) / length)
    event.pointee.eventValues.ramp.startValue = startValue
    event.pointee.eventValues.ramp.endValue =
      ramp.startValue + Float(change * (last - ramp.startBeat) / length)
    if !schedule(ramp.unit, event) {
      _ = setParameter(ramp.unit, ramp.number, ramp.scope, ramp.element, startValue, at: start)
    }
  }
}
