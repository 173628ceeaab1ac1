// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import MusicSequences

/// One slice of a player: some frames of a plan. [render thread]
///
/// An event belongs to the frame that is nearest to its time. At one time, notes end before others
/// begin, and events come in the order of their tracks.
struct PlaySlice {
  let plan: UnsafeMutablePointer<PlanHeader>
  let state: UnsafeMutablePointer<PlayState>
  let memory: UnsafeMutablePointer<PlayMemory>
  let frameCount: Int
  let hostTime: UInt64
  private var startBeat = 0.0
  private var endBeat = 0.0
  /// The beat before which events belong to this slice.
  private var limitBeat = 0.0

  /// More events of one slice wait for the next one.
  static var eventLimit: Int { @_noLocks get { 65_536 } }

  @_noLocks
  init(
    plan: UnsafeMutablePointer<PlanHeader>, state: UnsafeMutablePointer<PlayState>,
    memory: UnsafeMutablePointer<PlayMemory>, frameCount: Int, hostTime: UInt64
  ) {
    (self.plan, self.state, self.memory) = (plan, state, memory)
    (self.frameCount, self.hostTime) = (frameCount, hostTime)
  }

  /// The seconds of the sequence that one frame lasts.
  private var step: Double { @_noLocks get { plan.pointee.rate / plan.pointee.sampleRate } }

  /// The seconds at a frame of the slice.
  @_noLocks
  private func seconds(_ frame: Double) -> Double {
    state.pointee.baseSeconds + (Double(state.pointee.frame) + frame) * step
  }

  /// The frame of the slice that is nearest to a beat.
  @_noLocks
  func frame(_ beat: Double) -> UInt32 {
    let frame =
      (plan.pointee.seconds(beat) - state.pointee.baseSeconds) / step - Double(state.pointee.frame)
    guard frame > 0, frameCount > 0 else { return 0 }
    return UInt32(min(frame + 0.5, Double(frameCount - 1)))
  }

  /// A frame as a unit counts it, whose rate may be another one.
  @_noLocks
  private func scaled(_ frame: UInt32, by scale: Double) -> UInt32 {
    UInt32(min(max(0, Double(frame) * scale + 0.5), 4e9))
  }

  /// Takes the plan, and plays the frames.
  @_noLocks
  mutating func play() {
    if state.pointee.plan != plan.pointee.number { takePlan() }
    guard plan.pointee.isPlaying, frameCount > 0 else { return }
    startBeat = state.pointee.beat
    endBeat = plan.pointee.beats(seconds(Double(frameCount)))
    limitBeat = plan.pointee.beats(seconds(Double(frameCount) - 0.5))
    sendEvents()
    moveCurves()
    state.pointee.position.seconds = seconds(0)
    state.pointee.position.hostTime = hostTime
    state.pointee.frame += frameCount
    state.pointee.beat = endBeat
    state.pointee.firstBeat = limitBeat
    state.pointee.position.endSeconds = seconds(0)
    if hostTime > 0 {
      state.pointee.sentUntil =
        hostTime &+ UInt64(Double(frameCount) * 1e9 / plan.pointee.sampleRate)
    }
    state.pointee.position.sentUntil = state.pointee.sentUntil
    memory.pointee.position.store(state.pointee.position)
  }

  // MARK: Plans

  /// Takes a plan: jumps, or goes on at the same beat.
  @_noLocks
  private mutating func takePlan() {
    let isJump = !state.pointee.hasJumped || state.pointee.jump != plan.pointee.jump
    state.pointee.plan = plan.pointee.number
    state.pointee.hasJumped = true
    if isJump {
      endNotes()
      state.pointee.jump = plan.pointee.jump
      state.pointee.beat = plan.pointee.startBeat
      state.pointee.firstBeat = plan.pointee.startBeat - PlayTrack.tolerance
      state.pointee.rampCount = 0
    }
    state.pointee.frame = 0
    state.pointee.baseSeconds = plan.pointee.seconds(state.pointee.beat)
    for index in 0..<plan.pointee.trackCount {
      plan.pointee.tracks[index].seek(state.pointee.firstBeat)
    }
    if isJump, plan.pointee.isPlaying {
      (startBeat, endBeat) = (state.pointee.beat, state.pointee.beat)
      chase()
    }
    let seconds = state.pointee.baseSeconds
    var position = PlayPosition()
    position.jump = plan.pointee.jump
    position.rate = plan.pointee.rate
    position.sentUntil = state.pointee.sentUntil
    position.startSeconds =
      isJump ? seconds : min(seconds, plan.pointee.seconds(plan.pointee.startBeat))
    (position.seconds, position.endSeconds) = (seconds, seconds)
    // The next slice begins where the last one ended.
    if !isJump, state.pointee.position.hostTime > 0 {
      position.hostTime = state.pointee.sentUntil
    }
    state.pointee.position = position
    memory.pointee.position.store(position)
  }

  /// Sets instruments up for the start.
  @_noLocks
  private func chase() {
    for index in 0..<plan.pointee.chaseCount {
      let track = plan.pointee.tracks + plan.pointee.chaseTracks[index]
      let event = plan.pointee.chase + index
      if track.pointee.isAutomated, event.pointee.isParameter {
        sendPoint(event, of: track, at: state.pointee.beat - track.pointee.offset)
      } else {
        send(event, of: track, at: state.pointee.beat)
      }
    }
  }

  // MARK: Events

  /// Sends what happens before the limit, in order.
  @_noLocks
  private func sendEvents() {
    let tracks = plan.pointee.tracks
    for _ in 0..<Self.eventLimit {
      var (next, beat) = (-1, limitBeat)
      for index in 0..<plan.pointee.trackCount where tracks[index].nextBeat < beat {
        (next, beat) = (index, tracks[index].nextBeat)
      }
      if state.pointee.sounding.nextEnd <= beat, state.pointee.sounding.nextEnd < limitBeat {
        let note = state.pointee.sounding.removeFirst()
        end(note, at: frame(note.endBeat))
      } else if next >= 0 {
        let event = tracks[next].events + tracks[next].index
        send(event, of: tracks + next, at: beat)
        tracks[next].advance()
      } else {
        return
      }
    }
  }

  /// Sends an event of a track that is due at a beat of the sequence.
  @_noLocks
  private func send(
    _ event: UnsafeMutablePointer<PlayEvent>, of track: UnsafeMutablePointer<PlayTrack>,
    at beat: Double
  ) {
    let target = track.pointee.target
    let frame = frame(beat)
    switch event.pointee.kind {
    case .note:
      guard !target.isNothing, hasRoom(for: target) else { return }
      makeRoom(at: frame)
      send(event.pointee.status, event.pointee.data1, event.pointee.data2, to: target, at: frame)
      state.pointee.sounding.add(
        SoundingNote(
          target, until: beat + event.pointee.duration, event.pointee.status & 0x0f | 0x80,
          event.pointee.data1, event.pointee.release))
    case .channel:
      guard hasRoom(for: target) else { return }
      if !target.isNothing {
        state.pointee.held.observe(
          event.pointee.status, event.pointee.data1, event.pointee.data2, to: target)
      }
      send(event.pointee.status, event.pointee.data1, event.pointee.data2, to: target, at: frame)
    case .bytes:
      guard let data = event.pointee.data else { return }
      if target.isUnit {
        sendBytes(target.number, data, event.pointee.byteCount)
      } else {
        report(.bytes, event, of: track, at: frame)
      }
    case .extendedNote:
      guard target.isUnit, let data = event.pointee.data
      else { return }
      makeRoom(at: frame)
      let instance = startNote(
        target.number, event.pointee.number, event.pointee.scope, data,
        at: scaled(frame, by: target.frameScale))
      var note = SoundingNote(target, until: beat + event.pointee.duration, 0, 0, 0)
      (note.instance, note.group, note.isExtended) = (instance, event.pointee.scope, true)
      state.pointee.sounding.add(note)
    case .parameter:
      guard target.isUnit else { return }
      guard !track.pointee.isAutomated else {
        sendPoint(event, of: track, at: event.pointee.beat)
        return
      }
      setParameter(
        target.number, event.pointee.number, event.pointee.scope, event.pointee.element,
        event.pointee.value, at: scaled(frame, by: target.frameScale))
    case .user: report(.user, event, of: track, at: frame)
    case .preset: report(.preset, event, of: track, at: frame)
    }
  }

  /// The messages that are kept free for the ends of notes.
  private static var reserve: Int { @_noLocks get { 2 * SoundingNotes.capacity } }

  /// Whether a message to a target leaves room for the ends of all notes.
  @_noLocks
  private func hasRoom(for target: PlayTarget) -> Bool {
    target.isUnit || memory.pointee.messages.hasRoom(for: Self.reserve)
  }

  /// Sends a message to a unit, or reports it for an endpoint.
  @_noLocks
  private func send(
    _ status: UInt8, _ data1: UInt8, _ data2: UInt8, to target: PlayTarget, at frame: UInt32
  ) {
    switch target.kind {
    case .nothing: break
    case .unit:
      sendMessage(
        target.number, status, data1, data2, at: scaled(frame, by: target.frameScale))
    case .endpoint:
      var message = PlayMessage(.midi, to: target)
      (message.status, message.data1, message.data2) = (status, data1, data2)
      message.hostTime = hostTime(at: frame)
      _ = memory.pointee.messages.push(message)
    }
  }

  /// Reports an event for a control thread.
  @_noLocks
  private func report(
    _ kind: PlayMessage.Kind, _ event: UnsafeMutablePointer<PlayEvent>,
    of track: UnsafeMutablePointer<PlayTrack>, at frame: UInt32
  ) {
    guard memory.pointee.messages.hasRoom(for: Self.reserve) else { return }
    var message = PlayMessage(kind, to: track.pointee.target)
    message.track = track.pointee.handle
    message.serial = event.pointee.serial
    message.beat = event.pointee.beat
    (message.sliceStart, message.sliceEnd) = (startBeat, endBeat)
    message.hostTime = hostTime(at: frame)
    _ = memory.pointee.messages.push(message)
  }

  /// The host time of a frame; not before what was sent earlier, so that no note ends before it
  /// begins.
  @_noLocks
  private func hostTime(at frame: UInt32) -> UInt64 {
    let time =
      hostTime == 0 ? 0 : hostTime &+ UInt64(Double(frame) * 1e9 / plan.pointee.sampleRate)
    return max(time, state.pointee.sentUntil)
  }

  // MARK: Ends of notes

  /// Ends all notes that sound, at the first frame, and lifts the pedals.
  @_noLocks
  private func endNotes() {
    while state.pointee.sounding.count > 0 { end(state.pointee.sounding.removeFirst(), at: 0) }
    for index in 0..<state.pointee.held.count {
      let entry = state.pointee.held.entries[index]
      for number in 0..<16 {
        let channel = UInt8(truncatingIfNeeded: number)
        let mask: UInt16 = 1 &<< UInt16(truncatingIfNeeded: number)
        if entry.pedals & mask != 0 { send(0xb0 | channel, 64, 0, to: entry.target, at: 0) }
        if entry.notes & mask != 0 { send(0xb0 | channel, 123, 0, to: entry.target, at: 0) }
      }
    }
    state.pointee.held.removeAll()
  }

  /// Ends a note now if there is no room for another.
  @_noLocks
  private func makeRoom(at frame: UInt32) {
    guard state.pointee.sounding.isFull else { return }
    end(state.pointee.sounding.removeFirst(), at: frame)
  }

  @_noLocks
  private func end(_ note: SoundingNote, at frame: UInt32) {
    if note.isExtended {
      stopNote(
        note.target.number, note.instance, note.group,
        at: scaled(frame, by: note.target.frameScale))
    } else {
      send(note.status, note.key, note.velocity, to: note.target, at: frame)
    }
  }

  // MARK: Curves

  /// Begins the curve from a point of a track, at a time of the track.
  @_noLocks
  private func sendPoint(
    _ event: UnsafeMutablePointer<PlayEvent>, of track: UnsafeMutablePointer<PlayTrack>,
    at time: Double
  ) {
    let target = track.pointee.target
    let unit = target.number
    let event = event.pointee
    // The beat of the sequence at the point.
    let shift = track.pointee.offset + Double(track.pointee.pass) * track.pointee.loopDuration
    endRamp(unit, event, at: time + shift)
    guard event.nextPoint >= 0 else {
      setParameter(
        unit, event.number, event.scope, event.element, event.value,
        at: scaled(frame(time + shift), by: target.frameScale))
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
      let (first, last) = (max(ramp.startBeat, startBeat), min(ramp.endBeat, beat))
      if last > first { move(ramp, from: first, to: last) }
      return
    }
  }

  /// Moves the parameters along their curves for this slice.
  @_noLocks
  private func moveCurves() {
    var index = 0
    while index < state.pointee.rampCount {
      let ramp = state.pointee.ramps[index]
      let first = max(ramp.startBeat, startBeat)
      let last = min(ramp.endBeat, endBeat)
      if last > first { move(ramp, from: first, to: last) }
      if ramp.endBeat <= endBeat {
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
    let start = scaled(frame(first), by: ramp.frameScale)
    // The last frame of the slice leads to the next one.
    let end = scaled(
      last < endBeat ? frame(last) : UInt32(clamping: frameCount), by: ramp.frameScale)
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
      setParameter(ramp.unit, ramp.number, ramp.scope, ramp.element, startValue, at: start)
    }
  }
}
