// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime
import Glibc
import SignalProcessing
import Synchronization

/// The render thread's view of a player's schedule.
///
/// One item sounds at a time. An item whose time comes while another sounds waits for the end of
/// that and continues where it should be by then; its beginning is not heard. One that interrupts
/// does not wait. It is that thread's which has entered `shared`.
struct SliceTimeline: ~Copyable {
  /// What others see of it.
  let shared: UnsafeMutablePointer<SliceExchange>
  private var clock: PlayClock
  private var seenEpoch: UInt32 = 0
  /// The one that is heard first comes first; those without a position come last, in the order of
  /// scheduling.
  var first: ScheduledItem.Address?
  /// The item that was scheduled last, if it is not over; else where it ended.
  private var last: ScheduledItem.Address?
  private var lastEnd = 0
  private var nextSerial = 0
  /// Items without a position as yet, and those that interrupt.
  var openCount = 0
  var interruptCount = 0
  private var isMissing = false
  let channelCount: Int

  init(sampleRate: Double, channelCount: Int, _ shared: UnsafeMutablePointer<SliceExchange>) {
    clock = PlayClock(sampleRate: sampleRate)
    self.channelCount = channelCount
    self.shared = shared
  }

  // MARK: Rendering

  /// What a render fills.
  struct Output {
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let offset: Int
    let channelCount: Int

    /// Silences frames.
    @_noLocks
    func clear(_ frame: Int, _ count: Int) {
      for channel in 0..<channelCount {
        Samples.clear(channels[channel] + offset + frame, count: count)
      }
    }

    /// Copies frames of an item.
    @_noLocks
    func copy(_ item: ScheduledItem.Address, _ start: Int, to frame: Int, _ count: Int) {
      for channel in 0..<min(channelCount, item.pointee.channelCount) {
        Samples.copy(
          item.pointee.channels[channel] + start, to: channels[channel] + offset + frame,
          count: count)
      }
    }
  }

  /// [who is inside] Fills the frames from a time on; true: all of them are silent.
  @_noLocks
  mutating func render(_ output: Output, frames: Int, at stamp: AudioTimeStamp) -> Bool {
    collect()
    let cycle = clock.advance(stamp, frames: frames)
    if openCount > 0 { resolveHostTimes(cycle) }
    var isSilent = play(output, 0, cycle.turn, cycle.before)
    if cycle.turn < frames,
      !play(output, cycle.turn, frames - cycle.turn, cycle.after)
    {
      isSilent = false
    }
    if let after = cycle.after {
      shared.pointee.position.store(max(after + frames - cycle.turn, -1), ordering: .relaxed)
    } else if let before = cycle.before {
      shared.pointee.position.store(max(before + frames, -1), ordering: .relaxed)
    }
    return isSilent
  }

  /// Plays `count` frames from a position on; true: silence.
  @_noLocks
  private mutating func play(
    _ output: Output, _ frame: Int, _ count: Int, _ place: Int?
  ) -> Bool {
    guard let place else {
      output.clear(frame, count)
      return true
    }
    var isSilent = true
    var done = 0
    while done < count {
      let here = place + done
      let part = due(at: here, upTo: count - done)
      if let item = part.item {
        output.copy(item, part.start, to: frame + done, part.count)
        isSilent = false
        isMissing = false
        endIfOver(item, part.start + part.count, at: here + part.count)
        done += part.count
      } else if part.count > 0 {
        done += pause(output, frame + done, part.count, at: here)
      }
    }
    return isSilent
  }

  /// Nothing is due for so many frames, as far as is known; says for how many of them it was silent.
  @_noLocks
  private mutating func pause(
    _ output: Output, _ frame: Int, _ count: Int, at here: Int
  ) -> Int {
    let known = shared.pointee.settled.load(ordering: .acquiring)
    // Something may have come in since.
    if !shared.pointee.incoming.isEmpty {
      collect()
      return 0
    }
    let isMissed = here >= known && here >= 0
    if isMissed, waitForReader(past: here) { return 0 }
    let gap = known > here ? min(count, known - here) : here < 0 ? min(count, -here) : count
    output.clear(frame, gap)
    if isMissed {
      shared.pointee.missedFrames.wrappingAdd(gap, ordering: .relaxed)
      if !isMissing { shared.pointee.misses.wrappingAdd(1, ordering: .relaxed) }
    }
    isMissing = isMissed
    return gap
  }

  /// What is due at a position: an item from one of its frames on, or so many frames of nothing. Neither:
  /// an item ended there, and it has to be asked again.
  @_noLocks
  private mutating func due(at here: Int, upTo count: Int) -> (
    item: ScheduledItem.Address?, start: Int, count: Int
  ) {
    if interruptCount > 0 { interrupt(at: here) }
    guard let item = first else { return (nil, 0, count) }
    // All that came before it are over.
    if item.pointee.position == .max, item.pointee.timing == .following { place(item, at: here) }
    guard item.pointee.position <= here else {
      return (nil, 0, min(count, item.pointee.position - here))
    }
    let length = item.pointee.frameCount
    var start = here - item.pointee.position
    if item.pointee.loops, length > 0 { start %= length }
    guard start < length else {
      end(item)
      return (nil, 0, 0)
    }
    var part = min(count, length - start)
    if interruptCount > 0 { part = min(part, framesToInterrupt(after: here)) }
    if !item.pointee.hasBegun {
      item.pointee.hasBegun = true
      let flags = AUScheduledAudioSliceFlags.scheduledAudioSliceFlag_BeganToRender.rawValue
      let late = AUScheduledAudioSliceFlags.scheduledAudioSliceFlag_BeganToRenderLate.rawValue
      item.pointee.raise(.init(rawValue: start > 0 ? flags | late : flags))
    }
    return (item, start, part)
  }

  // MARK: What is scheduled

  /// [who is inside] Takes over what came in.
  @_noLocks
  mutating func collect() {
    let now = shared.pointee.epoch.load(ordering: .acquiring)
    if now != seenEpoch { endAll(now) }
    var rest = shared.pointee.incoming.takeAll()
    while let item = rest {
      rest = item.pointee.next
      item.pointee.next = nil
      if item.pointee.epoch != seenEpoch,
        item.pointee.epoch == shared.pointee.epoch.load(ordering: .acquiring)
      {
        endAll(item.pointee.epoch)
      }
      if item.pointee.epoch != seenEpoch {
        giveBack(item)
      } else if item.pointee.kind == .start {
        clock.start(at: item.pointee.start)
        giveBack(item)
      } else {
        schedule(item)
      }
    }
  }

  /// [who is inside] Ends all items, and forgets the start.
  @_noLocks
  private mutating func endAll(_ newEpoch: UInt32) {
    while let item = first { end(item) }
    seenEpoch = newEpoch
    clock.stop()
    shared.pointee.position.store(-1, ordering: .relaxed)
    (last, lastEnd, openCount, interruptCount, isMissing) = (nil, 0, 0, 0, false)
  }

  @_noLocks
  private mutating func schedule(_ item: ScheduledItem.Address) {
    item.pointee.serial = nextSerial
    nextSerial &+= 1
    let here = max(shared.pointee.position.load(ordering: .relaxed), 0)
    switch item.pointee.timing {
    case .position: break
    case .hostTime: item.pointee.position = .max
    case .following:
      if item.pointee.interrupts {
        item.pointee.position = here
      } else if let last {
        item.pointee.position = last.pointee.end
      } else {
        item.pointee.position = max(lastEnd, here)
      }
    }
    if item.pointee.position == .max { openCount += 1 }
    if item.pointee.interrupts || item.pointee.interruptsAtLoop { interruptCount += 1 }
    last = item
    insert(item)
  }

  /// Puts an item where its position is.
  @_noLocks
  mutating func insert(_ item: ScheduledItem.Address) {
    var before: ScheduledItem.Address?
    var after = first
    while let other = after, other.pointee.isAhead(of: item.pointee) {
      before = other
      after = other.pointee.next
    }
    item.pointee.next = after
    if let before { before.pointee.next = item } else { first = item }
  }

  /// Takes an item out.
  @_noLocks
  mutating func remove(_ item: ScheduledItem.Address) {
    guard first != item else {
      first = item.pointee.next
      return
    }
    var before = first
    while let other = before, other.pointee.next != item { before = other.pointee.next }
    if let before { before.pointee.next = item.pointee.next }
  }

  /// Gives an item without a position one.
  @_noLocks
  private mutating func place(_ item: ScheduledItem.Address, at position: Int) {
    remove(item)
    item.pointee.position = position
    openCount -= 1
    insert(item)
  }

  @_noLocks
  private mutating func resolveHostTimes(_ cycle: PlayClock.Cycle) {
    guard let place = cycle.after.map({ $0 - cycle.turn }) ?? cycle.before else { return }
    var next = first
    while let item = next {
      next = item.pointee.next
      guard item.pointee.position == .max, item.pointee.timing == .hostTime else { continue }
      let frames = clock.frames(from: cycle.hostTime, to: item.pointee.hostTime)
      self.place(item, at: max(place + frames, 0))
    }
  }

  // MARK: What is over

  /// Ends an item whose last frame was played, or has another take its place there.
  @_noLocks
  private mutating func endIfOver(_ item: ScheduledItem.Address, _ frame: Int, at here: Int) {
    guard frame == item.pointee.frameCount else { return }
    if interruptCount > 0, let other = successor(of: item, at: here) {
      takeOver(other, at: here)
    } else if !item.pointee.loops {
      end(item)
    }
  }

  /// Gives an item back: nothing more of it is heard.
  @_noLocks
  mutating func end(_ item: ScheduledItem.Address) {
    remove(item)
    if item == last {
      last = nil
      lastEnd = item.pointee.end == .max ? 0 : item.pointee.end
    }
    if item.pointee.position == .max { openCount -= 1 }
    if item.pointee.interrupts || item.pointee.interruptsAtLoop { interruptCount -= 1 }
    giveBack(item)
  }

  @_noLocks
  private borrowing func giveBack(_ item: ScheduledItem.Address) {
    guard item.pointee.kind != .piece else { return shared.pointee.returned.leave(item) }
    item.pointee.raise(.scheduledAudioSliceFlag_Complete)
    shared.pointee.finished.leave(item)
  }

  // MARK: Waiting

  /// [a caller that nothing paces] Waits until a position is settled or something came in; false when
  /// the reader has done nothing for ten seconds, or all is being taken back.
  ///
  /// A device is not kept waiting, nor a thread of real-time priority, unless the program says that it
  /// renders offline: there what is missing is silent.
  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func waitForReader(past here: Int) -> Bool {
    guard
      shared.pointee.isOffline.load(ordering: .relaxed)
        || rt_current().pointee.cycles == 0 && !rt_is_real_time()
    else { return false }
    rt_host_enter()
    defer { rt_host_leave() }
    var seen = shared.pointee.progress.load(ordering: .relaxed)
    var pauses = 0
    while pauses < 50_000 {
      guard shared.pointee.epoch.load(ordering: .acquiring) == seenEpoch else { return false }
      if shared.pointee.settled.load(ordering: .acquiring) > here
        || !shared.pointee.incoming.isEmpty
      {
        return true
      }
      usleep(200)
      let now = shared.pointee.progress.load(ordering: .relaxed)
      pauses = now == seen ? pauses + 1 : 0
      seen = now
    }
    return false
  }
}
