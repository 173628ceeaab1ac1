// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import MusicSequences

/// One slice of a player: some frames of a plan. [render thread]
///
/// An event belongs to the frame that is nearest to its time. At one time, notes end before others
/// begin, and events come in the order of their tracks. What a target has no room for waits for the next
/// slice, with all that follows it.
struct PlaySlice {
  private let plan: UnsafeMutablePointer<PlanHeader>
  private let state: UnsafeMutablePointer<PlayState>
  private let memory: UnsafeMutablePointer<PlayMemory>
  private let frameCount: Int
  private let hostTime: UInt64
  private var time: SliceTime
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
    time = SliceTime(plan, state, frameCount)
  }

  /// Takes the plan, and plays the frames.
  @_noLocks
  mutating func play() {
    beginWaiting()
    if state.pointee.plan != plan.pointee.number { takePlan() }
    if state.pointee.isChasing { chase() }
    if !plan.pointee.isPlaying { endNotes() }
    guard plan.pointee.isPlaying, frameCount > 0 else { return }
    time.startBeat = state.pointee.beat
    time.endBeat = plan.pointee.beats(time.seconds(Double(frameCount)))
    limitBeat = plan.pointee.beats(time.seconds(Double(frameCount) - 0.5))
    sendEvents()
    PlayCurves(time, state).move()
    state.pointee.position.seconds = time.seconds(0)
    state.pointee.position.hostTime = hostTime
    state.pointee.frame += frameCount
    state.pointee.beat = time.endBeat
    state.pointee.firstBeat = limitBeat
    state.pointee.position.endSeconds = time.seconds(0)
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
      state.pointee.waiting.removeAll()
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
    if state.pointee.waiting.count > 0 { resumeWaiting() }
    if isJump { state.pointee.isChasing = plan.pointee.isPlaying }
    if state.pointee.isChasing { chooseChase(isJump) }
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

  /// Chooses what sets instruments up: all at a jump, otherwise what targets wait for.
  @_noLocks
  private func chooseChase(_ isJump: Bool) {
    for index in 0..<plan.pointee.chaseCount {
      let target = plan.pointee.tracks[plan.pointee.chaseTracks[index]].target
      plan.pointee.chase[index].isChased = !isJump && !state.pointee.waiting.has(target)
    }
  }

  /// Sets instruments up for the start. The rest of it waits if a target has no room.
  @_noLocks
  private mutating func chase() {
    (time.startBeat, time.endBeat) = (state.pointee.beat, state.pointee.beat)
    state.pointee.isChasing = false
    for index in 0..<plan.pointee.chaseCount where !plan.pointee.chase[index].isChased {
      let track = plan.pointee.tracks + plan.pointee.chaseTracks[index]
      let event = plan.pointee.chase + index
      if track.pointee.isWaiting {
        state.pointee.isChasing = true
      } else if track.pointee.isAutomated, event.pointee.isParameter {
        PlayCurves(time, state).send(
          event, of: track, at: state.pointee.beat - track.pointee.offset)
        event.pointee.isChased = true
      } else if send(event, of: track, at: state.pointee.beat) {
        state.pointee.waiting.remove(track.pointee.target)
        event.pointee.isChased = true
      } else if wait(track.pointee.target, at: state.pointee.firstBeat) {
        state.pointee.isChasing = true
      } else {
        event.pointee.isChased = true
      }
    }
  }

  // MARK: Events

  /// Sends what happens before the limit, in order.
  @_noLocks
  private func sendEvents() {
    let tracks = plan.pointee.tracks
    var count = 0
    while true {
      var (next, beat) = (-1, limitBeat)
      for index in 0..<plan.pointee.trackCount
      where tracks[index].nextBeat < beat && !tracks[index].isWaiting {
        (next, beat) = (index, tracks[index].nextBeat)
      }
      if state.pointee.sounding.nextEnd <= beat, state.pointee.sounding.nextEnd < limitBeat {
        endNote()
      } else if next >= 0 {
        let event = tracks[next].events + tracks[next].index
        let target = tracks[next].target
        if count < Self.eventLimit, send(event, of: tracks + next, at: beat) {
          state.pointee.waiting.remove(target)
          tracks[next].advance()
        } else if !wait(target, at: beat, tracks[next].handle, event.pointee.serial) {
          tracks[next].advance()
        }
      } else {
        return
      }
      count += 1
    }
  }

  /// Sends an event of a track that is due at a beat of the sequence; false if its target has no room
  /// for it now.
  @_noLocks
  private func send(
    _ event: UnsafeMutablePointer<PlayEvent>, of track: UnsafeMutablePointer<PlayTrack>,
    at beat: Double
  ) -> Bool {
    let target = track.pointee.target
    let frame = time.frame(beat)
    switch event.pointee.kind {
    case .note:
      guard !target.isNothing else { return true }
      guard hasRoom(for: target), makeRoom(at: frame),
        send(event.pointee.status, event.pointee.data1, event.pointee.data2, to: target, at: frame)
      else { return false }
      state.pointee.sounding.add(
        SoundingNote(
          target, until: beat + event.pointee.duration, event.pointee.status & 0x0f | 0x80,
          event.pointee.data1, event.pointee.release))
      return true
    case .channel:
      guard !target.isNothing else { return true }
      guard hasRoom(for: target),
        send(event.pointee.status, event.pointee.data1, event.pointee.data2, to: target, at: frame)
      else { return false }
      state.pointee.held.observe(
        event.pointee.status, event.pointee.data1, event.pointee.data2, to: target)
      return true
    case .bytes:
      guard let data = event.pointee.data else { return true }
      guard target.isUnit else { return report(.bytes, event, of: track, at: frame) }
      return sendBytes(target.number, data, event.pointee.byteCount)
    case .extendedNote:
      guard target.isUnit, let data = event.pointee.data else { return true }
      guard makeRoom(at: frame) else { return false }
      let started = startNote(
        target.number, event.pointee.number, event.pointee.scope, data,
        at: SliceTime.scaled(frame, by: target.frameScale))
      guard started.hasRoom else { return false }
      var note = SoundingNote(target, until: beat + event.pointee.duration, 0, 0, 0)
      (note.instance, note.group, note.isExtended) = (started.note, event.pointee.scope, true)
      state.pointee.sounding.add(note)
      return true
    case .parameter:
      guard target.isUnit else { return true }
      guard !track.pointee.isAutomated else {
        PlayCurves(time, state).send(event, of: track, at: event.pointee.beat)
        return true
      }
      return setParameter(
        target.number, event.pointee.number, event.pointee.scope, event.pointee.element,
        event.pointee.value, at: SliceTime.scaled(frame, by: target.frameScale))
    case .user: return report(.user, event, of: track, at: frame)
    case .preset: return report(.preset, event, of: track, at: frame)
    }
  }

  /// The messages that are kept free for the ends of notes.
  private static var reserve: Int { @_noLocks get { 2 * SoundingNotes.capacity } }

  /// Whether a message to a target leaves room for the ends of all notes.
  @_noLocks
  private func hasRoom(for target: PlayTarget) -> Bool {
    target.isUnit || memory.pointee.messages.hasRoom(for: Self.reserve)
  }

  /// Sends a message to a unit, or reports it for an endpoint; false if there is no room.
  @_noLocks
  private func send(
    _ status: UInt8, _ data1: UInt8, _ data2: UInt8, to target: PlayTarget, at frame: UInt32
  ) -> Bool {
    switch target.kind {
    case .nothing: return true
    case .unit:
      return sendMessage(
        target.number, status, data1, data2, at: SliceTime.scaled(frame, by: target.frameScale))
    case .endpoint:
      var message = PlayMessage(.midi, to: target)
      (message.status, message.data1, message.data2) = (status, data1, data2)
      message.hostTime = hostTime(at: frame)
      return memory.pointee.messages.push(message)
    }
  }

  /// Reports an event for a control thread; false if there is no room.
  @_noLocks
  private func report(
    _ kind: PlayMessage.Kind, _ event: UnsafeMutablePointer<PlayEvent>,
    of track: UnsafeMutablePointer<PlayTrack>, at frame: UInt32
  ) -> Bool {
    guard memory.pointee.messages.hasRoom(for: Self.reserve) else { return false }
    var message = PlayMessage(kind, to: track.pointee.target)
    message.track = track.pointee.handle
    message.serial = event.pointee.serial
    message.beat = event.pointee.beat
    (message.sliceStart, message.sliceEnd) = (time.startBeat, time.endBeat)
    message.hostTime = hostTime(at: frame)
    return memory.pointee.messages.push(message)
  }

  /// The host time of a frame; not before what was sent earlier, so that no note ends before it
  /// begins.
  @_noLocks
  private func hostTime(at frame: UInt32) -> UInt64 {
    let time =
      hostTime == 0 ? 0 : hostTime &+ UInt64(Double(frame) * 1e9 / plan.pointee.sampleRate)
    return max(time, state.pointee.sentUntil)
  }

  // MARK: Targets without room

  /// Lets all targets take events again.
  @_noLocks
  private func beginWaiting() {
    guard state.pointee.waiting.count > 0 else { return }
    let second = min(max(1, plan.pointee.sampleRate), 1e9)
    state.pointee.waiting.begin(frameCount, limit: Int(second))
    for index in 0..<plan.pointee.trackCount { plan.pointee.tracks[index].isWaiting = false }
  }

  /// Lets a target wait for the next slice, from an event on; false if it must not.
  @_noLocks
  private func wait(
    _ target: PlayTarget, at beat: Double, _ track: UInt = 0, _ serial: UInt64 = 0
  ) -> Bool {
    guard state.pointee.waiting.add(target, at: beat, track, serial) else { return false }
    for index in 0..<plan.pointee.trackCount
    where plan.pointee.tracks[index].target.isSame(as: target) {
      plan.pointee.tracks[index].isWaiting = true
    }
    return true
  }

  /// Lets the tracks of a new plan go on where their targets wait. Of the tracks that have an event at
  /// that time, those before the one that waits have sent it.
  @_noLocks
  private func resumeWaiting() {
    let tracks = plan.pointee.tracks
    for index in 0..<plan.pointee.trackCount {
      guard let place = state.pointee.waiting.place(of: tracks[index].target) else { continue }
      tracks[index].seek(place.beat - PlayTrack.tolerance)
      var first = index
      while first < plan.pointee.trackCount, tracks[first].handle != place.track { first += 1 }
      guard first < plan.pointee.trackCount else { continue }
      while tracks[index].nextBeat <= place.beat + PlayTrack.tolerance,
        first > index || tracks[index].events[tracks[index].index].serial != place.serial
      {
        tracks[index].advance()
      }
    }
  }

  // MARK: Ends of notes

  /// Ends all notes that sound, at the first frame, and lifts the pedals. A note whose target has no room
  /// is left for the next slice.
  @_noLocks
  private func endNotes() {
    for _ in 0..<state.pointee.sounding.count {
      var note = state.pointee.sounding.removeFirst()
      guard !end(note, at: 0) else { continue }
      note.endBeat = -.infinity
      state.pointee.sounding.add(note)
    }
    for index in 0..<state.pointee.held.count {
      let entry = state.pointee.held.entries[index]
      for number in 0..<16 {
        let channel = UInt8(truncatingIfNeeded: number)
        let mask: UInt16 = 1 &<< UInt16(truncatingIfNeeded: number)
        if entry.pedals & mask != 0 { _ = send(0xb0 | channel, 64, 0, to: entry.target, at: 0) }
        if entry.notes & mask != 0 { _ = send(0xb0 | channel, 123, 0, to: entry.target, at: 0) }
      }
    }
    state.pointee.held.removeAll()
  }

  /// Ends the note whose end is due first; in the next slice if its target waits.
  @_noLocks
  private func endNote() {
    var note = state.pointee.sounding.removeFirst()
    if !state.pointee.waiting.isBlocked(note.target) {
      guard !end(note, at: time.frame(note.endBeat)) else {
        return state.pointee.waiting.remove(note.target)
      }
      guard wait(note.target, at: max(note.endBeat, state.pointee.firstBeat)) else { return }
    }
    note.endBeat = limitBeat
    state.pointee.sounding.add(note)
  }

  /// Ends a note now if there is no room for another; false if its target has no room.
  @_noLocks
  private func makeRoom(at frame: UInt32) -> Bool {
    guard state.pointee.sounding.isFull else { return true }
    let note = state.pointee.sounding.removeFirst()
    guard !end(note, at: frame) else { return true }
    state.pointee.sounding.add(note)
    return false
  }

  /// False if its target has no room.
  @_noLocks
  private func end(_ note: SoundingNote, at frame: UInt32) -> Bool {
    if note.isExtended {
      return stopNote(
        note.target.number, note.instance, note.group,
        at: SliceTime.scaled(frame, by: note.target.frameScale))
    }
    return send(note.status, note.key, note.velocity, to: note.target, at: frame)
  }
}
