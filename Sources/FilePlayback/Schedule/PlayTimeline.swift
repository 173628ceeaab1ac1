// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import SignalProcessing
import Synchronization

/// The render thread's part of a player's schedule.
///
/// One item plays at a time. An item whose time comes while another plays waits for the other's
/// end; the frames that it missed are skipped. An item that interrupts does not wait. Only the
/// thread that has entered `shared` may use the timeline.
struct PlayTimeline: ~Copyable {
  /// The data that it shares with other threads.
  let shared: UnsafeMutablePointer<PlayExchange>
  private var clock: PlayClock
  private var seenEpoch: UInt32 = 0
  /// The items in the order in which they play. Those without a position come last, in the order in
  /// which they were scheduled.
  var first: ScheduledItem.Address?
  /// The item that was scheduled last, until it ends; after that `lastEnd` is where it ended.
  private var last: ScheduledItem.Address?
  private var lastEnd = 0
  private var nextSerial = 0
  /// The numbers of items without a position, and of items that interrupt.
  var openCount = 0
  var interruptCount = 0
  private var isMissing = false
  /// What the reader has published last.
  private var unread = UnreadRegion()
  let channelCount: Int

  init(sampleRate: Double, channelCount: Int, _ shared: UnsafeMutablePointer<PlayExchange>) {
    clock = PlayClock(sampleRate: sampleRate)
    self.channelCount = channelCount
    self.shared = shared
  }

  // MARK: Rendering

  /// The buffers that a render writes to.
  struct Output {
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let offset: Int
    let channelCount: Int

    @_noLocks
    init(
      channels: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, channelCount: Int
    ) {
      self.channels = channels
      self.offset = offset
      self.channelCount = channelCount
    }

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

  /// [the thread that has entered] Renders frames; true if all of them are silent.
  @_noLocks
  mutating func render(_ output: Output, frames: Int, at stamp: AudioTimeStamp) -> Bool {
    collect()
    let cycle = clock.advance(stamp, frames: frames)
    if openCount > 0 { resolveHostTimes(cycle) }
    var isSilent = play(output, 0, cycle.restartFrame, cycle.position)
    if cycle.restartFrame < frames,
      !play(output, cycle.restartFrame, frames - cycle.restartFrame, cycle.restartPosition)
    {
      isSilent = false
    }
    if let after = cycle.restartPosition {
      let end = after + frames - cycle.restartFrame
      shared.pointee.position.store(max(end, -1), ordering: .relaxed)
    } else if let before = cycle.position {
      shared.pointee.position.store(max(before + frames, -1), ordering: .relaxed)
    }
    return isSilent
  }

  /// Renders `count` frames from `startPosition` on; true if all of them are silent.
  @_noLocks
  private mutating func play(
    _ output: Output, _ frame: Int, _ count: Int, _ startPosition: Int?
  ) -> Bool {
    guard let startPosition else {
      output.clear(frame, count)
      return true
    }
    var isSilent = true
    var done = 0
    while done < count {
      let position = startPosition + done
      let part = nextItem(at: position, upTo: count - done)
      if let item = part.item, !mustWait(item, at: position) {
        output.copy(item, part.start, to: frame + done, part.count)
        isSilent = false
        isMissing = false
        endIfPlayed(item, part.start + part.count, at: position + part.count)
        done += part.count
      } else if part.count > 0 {
        let rank = part.item?.pointee.rank ?? .max
        done += fillSilence(output, frame + done, part.count, at: position, before: rank)
      }
    }
    return isSilent
  }

  /// Whether a piece has to wait, because an earlier region plays here and may not be read yet.
  @_noLocks
  private mutating func mustWait(_ item: ScheduledItem.Address, at position: Int) -> Bool {
    guard case .piece = item.pointee.kind else { return false }
    _ = shared.pointee.unread.load(into: &unread)
    // What has been read until now may not have been collected.
    return unread.isMissing(at: position, before: item.pointee.rank)
      || !shared.pointee.incoming.isEmpty
  }

  /// Fills up to `count` frames with silence, because nothing is scheduled for them, or an earlier
  /// region is not read there; returns how many. Returns 0 if something may have been read since.
  @_noLocks
  private mutating func fillSilence(
    _ output: Output, _ frame: Int, _ count: Int, at position: Int, before rank: Int
  ) -> Int {
    _ = shared.pointee.unread.load(into: &unread)
    // More items may have been scheduled since.
    if !shared.pointee.incoming.isEmpty {
      collect()
      return 0
    }
    let isMissed = position >= 0 && unread.isMissing(at: position, before: rank)
    if isMissed, waitForReader(past: position, before: rank) { return 0 }
    let gap =
      unread.position > position
      ? min(count, unread.position - position) : position < 0 ? min(count, -position) : count
    output.clear(frame, gap)
    if isMissed {
      shared.pointee.missedFrames.wrappingAdd(gap, ordering: .relaxed)
      if !isMissing { shared.pointee.misses.wrappingAdd(1, ordering: .releasing) }
    }
    isMissing = isMissed
    return gap
  }

  /// The item to play at a position, its first frame and how many to play; or, without an item, the
  /// number of silent frames until the next one. If that is 0, an item ended there: call it again.
  @_noLocks
  private mutating func nextItem(at position: Int, upTo count: Int) -> (
    item: ScheduledItem.Address?, start: Int, count: Int
  ) {
    if interruptCount > 0 { interrupt(at: position) }
    guard let item = first else { return (nil, 0, count) }
    // All items before it have ended.
    if item.pointee.position == .max, case .following = item.pointee.timing {
      setPosition(of: item, to: position)
    }
    guard item.pointee.position <= position else {
      return (nil, 0, min(count, item.pointee.position - position))
    }
    let length = item.pointee.frameCount
    var start = position - item.pointee.position
    if item.pointee.loops, length > 0 { start %= length }
    guard start < length else {
      end(item)
      return (nil, 0, 0)
    }
    var part = min(count, length - start)
    if interruptCount > 0 { part = min(part, framesToInterrupt(after: position)) }
    if !item.pointee.hasBegun {
      item.pointee.hasBegun = true
      let flags = AUScheduledAudioSliceFlags.scheduledAudioSliceFlag_BeganToRender.rawValue
      let late = AUScheduledAudioSliceFlags.scheduledAudioSliceFlag_BeganToRenderLate.rawValue
      item.pointee.setFlags(.init(rawValue: start > 0 ? flags | late : flags))
    }
    return (item, start, part)
  }

  // MARK: Scheduled items

  /// [the thread that has entered] Schedules the incoming items.
  @_noLocks
  mutating func collect() {
    let now = shared.pointee.epoch.load(ordering: .acquiring)
    if now != seenEpoch { endAll(now) }
    var rest = shared.pointee.incoming.popAll()
    while let item = rest {
      rest = item.pointee.next
      item.pointee.next = nil
      if item.pointee.epoch != seenEpoch,
        item.pointee.epoch == shared.pointee.epoch.load(ordering: .acquiring)
      {
        endAll(item.pointee.epoch)
      }
      if item.pointee.epoch != seenEpoch {
        release(item)
      } else if case .start = item.pointee.kind {
        clock.start(at: item.pointee.start)
        release(item)
      } else {
        schedule(item)
      }
    }
  }

  /// [the thread that has entered] Ends all items, and cancels the start.
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
    let position = max(shared.pointee.position.load(ordering: .relaxed), 0)
    switch item.pointee.timing {
    case .position: break
    case .hostTime: item.pointee.position = .max
    case .following:
      if item.pointee.interrupts {
        item.pointee.position = position
      } else if let last {
        item.pointee.position = last.pointee.end
      } else {
        item.pointee.position = max(lastEnd, position)
      }
    }
    if item.pointee.position == .max { openCount += 1 }
    if item.pointee.interrupts || item.pointee.interruptsAtLoop { interruptCount += 1 }
    last = item
    insert(item)
  }

  /// Inserts an item by its position.
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

  /// Removes an item from the list.
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

  /// Sets the position of an item that has none yet.
  @_noLocks
  private mutating func setPosition(of item: ScheduledItem.Address, to position: Int) {
    remove(item)
    item.pointee.position = position
    openCount -= 1
    insert(item)
  }

  @_noLocks
  private mutating func resolveHostTimes(_ cycle: PlayClock.Cycle) {
    let restart = cycle.restartPosition.map { $0 - cycle.restartFrame }
    guard let startPosition = restart ?? cycle.position else { return }
    var next = first
    while let item = next {
      next = item.pointee.next
      guard item.pointee.position == .max, case .hostTime = item.pointee.timing else { continue }
      let frames = clock.frames(from: cycle.hostTime, to: item.pointee.hostTime)
      setPosition(of: item, to: max(startPosition + frames, 0))
    }
  }

  // MARK: Ended items

  /// Ends an item if its last frame was played, unless it loops or another item interrupts it
  /// there.
  @_noLocks
  private mutating func endIfPlayed(_ item: ScheduledItem.Address, _ frame: Int, at position: Int) {
    guard frame == item.pointee.frameCount else { return }
    if interruptCount > 0, let other = successor(of: item, at: position) {
      interruptOthers(with: other, at: position)
    } else if !item.pointee.loops {
      end(item)
    }
  }

  /// Removes an item from the list and hands it back.
  @_noLocks
  mutating func end(_ item: ScheduledItem.Address) {
    remove(item)
    if item == last {
      last = nil
      lastEnd = item.pointee.end == .max ? 0 : item.pointee.end
    }
    if item.pointee.position == .max { openCount -= 1 }
    if item.pointee.interrupts || item.pointee.interruptsAtLoop { interruptCount -= 1 }
    release(item)
  }

  /// Hands an item back to the file reader or to the notifier.
  @_noLocks
  private borrowing func release(_ item: ScheduledItem.Address) {
    if case .piece = item.pointee.kind { return shared.pointee.returned.push(item) }
    item.pointee.setFlags(.scheduledAudioSliceFlag_Complete)
    shared.pointee.finished.push(item)
  }

  // MARK: Waiting

  /// [a caller that nothing paces] Waits until what plays at a position before other items has been
  /// read, or another item came in; false if the reader did nothing for ten seconds, or everything was
  /// cancelled.
  ///
  /// Does not wait in a device's cycle or on a thread of real-time priority, unless the program
  /// reports that it renders offline: there the missing frames are silent.
  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func waitForReader(past position: Int, before rank: Int) -> Bool {
    guard
      shared.pointee.isOffline.load(ordering: .relaxed)
        || rt_current().pointee.cycles == 0 && !rt_is_real_time()
    else { return false }
    rt_host_enter()
    defer { rt_host_leave() }
    // If time has jumped, the reader skips to this position instead of reading what lies between.
    shared.pointee.isAwaited.store(true, ordering: .relaxed)
    shared.pointee.position.store(max(position, -1), ordering: .releasing)
    defer { shared.pointee.isAwaited.store(false, ordering: .relaxed) }
    let limit: UInt64 = 10_000_000_000
    var (seen, end, isThere) = (
      shared.pointee.progress.load(ordering: .relaxed), rt_host_time() + limit, false
    )
    waitPolling(every: 200) {
      guard shared.pointee.epoch.load(ordering: .acquiring) == seenEpoch else { return false }
      let unread = shared.pointee.unread.load() ?? UnreadRegion()
      isThere =
        !unread.isMissing(at: position, before: rank) || !shared.pointee.incoming.isEmpty
      let now = shared.pointee.progress.load(ordering: .relaxed)
      if now != seen { (seen, end) = (now, rt_host_time() + limit) }
      return !isThere && rt_host_time() < end
    }
    return isThere
  }
}
