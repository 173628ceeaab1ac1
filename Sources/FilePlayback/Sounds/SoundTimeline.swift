// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Glibc
import SignalProcessing
import Synchronization

/// The render thread's part of a schedule of sounds.
///
/// Sounds play one after the other. One whose time comes while another plays waits for the other's
/// end, and then plays whole, unless it interrupts. Only the thread inside the gate of `shared` uses
/// the timeline.
struct SoundTimeline: ~Copyable {
  private enum Transport: UInt8 { case stopped, starting, running }

  private let shared: UnsafeMutablePointer<SoundExchange>
  private let sampleRate: Double
  private var epoch: UInt32 = 0
  private var queue = SoundQueue()
  /// Entries that were scheduled, and that no render had time to take.
  private var untaken: UnsafeMutableRawPointer?
  private var transport = Transport.stopped
  private var startStamp = AudioTimeStamp()
  private var startNumber = 0
  /// The position of the next frame.
  private var position = 0
  /// The sample time of the next render, if time continues without a jump.
  private var nextTime = 0
  /// The position of the first frame of this render, and its host time, zero if unknown.
  private var slicePosition = 0
  private var sliceHostTime: UInt64 = 0

  init(sampleRate: Double, _ shared: UnsafeMutablePointer<SoundExchange>) {
    self.sampleRate = sampleRate
    self.shared = shared
  }

  // MARK: Rendering

  /// [the thread inside the gate] Renders frames; true if all of them are silent.
  @_noLocks
  mutating func render(_ output: SoundOutput, frames: Int, at stamp: AudioTimeStamp) -> Bool {
    collect(passing: shared.pointee.isOffline ? .max : 32_768)
    var now = nextTime
    if stamp.has(.sampleTimeValid) { now = Elementary.whole(stamp.mSampleTime) }
    nextTime = now &+ frames
    sliceHostTime = stamp.has(.hostTimeValid) ? stamp.mHostTime : 0
    var frame = 0
    if case .starting = transport {
      frame = max(framesUntil(startStamp, now), 0)
      shared.pointee.publish(origin: now &+ frame &- position, of: startNumber)
      if frame < frames { transport = .running }
    }
    guard case .running = transport else {
      output.clear(0, frames)
      return true
    }
    if frame > 0 { output.clear(0, frame) }
    slicePosition = position &- frame
    shared.pointee.publish(origin: now &- slicePosition, of: startNumber)
    var isSilent = true
    while frame < frames {
      let part = advance(output, frame, frames - frame)
      frame += part.count
      position &+= part.count
      if !part.isSilent { isSilent = false }
    }
    return isSilent
  }

  /// Renders at most `room` frames of what is next. None if a sound has ended instead: call it again.
  @_noLocks
  private mutating func advance(
    _ output: SoundOutput, _ frame: Int, _ room: Int
  ) -> (count: Int, isSilent: Bool) {
    var room = room
    if let interrupter = queue.interrupter {
      let wait = framesToInterrupt(by: interrupter)
      if wait == 0 {
        while let entry = queue.first, entry != interrupter { end(frame) }
        queue.interrupterHasCome()
        return (0, true)
      }
      room = min(room, wait)
    }
    guard let entry = queue.first else {
      output.clear(frame, room)
      return (room, true)
    }
    if !entry.pointee.hasBegun {
      let wait = framesToStart(of: entry)
      if wait > 0 {
        output.clear(frame, min(room, wait))
        return (min(room, wait), true)
      }
      entry.pointee.hasBegun = true
    }
    if let stream = entry.pointee.stream { return advance(entry, stream, output, frame, room) }
    let count = min(room, entry.pointee.frameCount - entry.pointee.cursor)
    output.copy(entry, from: entry.pointee.cursor, to: frame, count)
    entry.pointee.cursor += count
    if entry.pointee.cursor == entry.pointee.frameCount {
      if entry.pointee.loops, count > 0 { entry.pointee.cursor = 0 } else { end(frame + count) }
    }
    return (count, count == 0)
  }

  /// Renders at most `room` frames of a file.
  @_noLocks
  private mutating func advance(
    _ entry: SoundEntry.Address, _ stream: UnsafeMutablePointer<StreamRing>,
    _ output: SoundOutput, _ frame: Int, _ room: Int
  ) -> (count: Int, isSilent: Bool) {
    let ready = readyFrames(of: entry, stream)
    // Read after the frames: the end is known when the last of them is there.
    let end = entry.pointee.part?.pointee.end.load(ordering: .acquiring) ?? 0
    let count = max(min(min(room, ready.count), end &- stream.pointee.played), 0)
    if count > 0 { output.take(stream, to: frame, count, fromTail: ready.areTail) }
    if entry.pointee.isPlayed {
      self.end(frame + count)
    } else if count == 0 {
      output.clear(frame, room)
      if stream.pointee.played > 0 {
        shared.pointee.gapCount.wrappingAdd(1, ordering: .relaxed)
        shared.pointee.gapFrames.wrappingAdd(room, ordering: .relaxed)
      }
      return (room, true)
    }
    return (count, count == 0)
  }

  /// The number of frames of a file that can be played next, and whether they are those of the tail. A
  /// render that may wait does so until there are some, and for parts that follow before it takes the
  /// tail.
  @_noLocks
  private func readyFrames(
    of entry: SoundEntry.Address, _ stream: UnsafeMutablePointer<StreamRing>
  ) -> (count: Int, areTail: Bool) {
    while true {
      let ready = stream.pointee.readyCount()
      if ready > 0 || entry.pointee.isPlayed { return (ready, false) }
      let isExtended = stream.pointee.newParts.load(ordering: .acquiring) > 0
      if isExtended, waitForReader(of: entry, stream) { continue }
      let tail = stream.pointee.tailCount()
      if tail > 0 { return (tail, true) }
      if isExtended || !waitForReader(of: entry, stream) { return (0, false) }
    }
  }

  /// Hands back the first sound, whose last frame was before `frame` of this render.
  @_noLocks
  private mutating func end(_ frame: Int) {
    guard let entry = queue.removeFirst() else { return }
    if sliceHostTime > 0 {
      let nanoseconds = Elementary.whole(Double(frame) * 1e9 / sampleRate)
      entry.pointee.endHostTime = sliceHostTime &+ UInt64(bitPattern: Int64(nanoseconds))
    }
    // Its reader is not needed any more, even if it was not read to its end.
    entry.pointee.stream?.pointee.endedParts.wrappingAdd(1, ordering: .releasing)
    shared.pointee.finished.push(entry)
  }

  // MARK: Times

  /// The frames from `now`, the sample time of this render, until a time; none if it is unknown.
  @_noLocks
  private func framesUntil(_ stamp: AudioTimeStamp, _ now: Int) -> Int {
    if stamp.has(.sampleTimeValid) { return Elementary.whole(stamp.mSampleTime) &- now }
    guard stamp.has(.hostTimeValid), sliceHostTime > 0 else { return 0 }
    let (host, other) = (sliceHostTime, stamp.mHostTime)
    let nanoseconds = other > host ? Double(other &- host) : -Double(host &- other)
    let frames = nanoseconds * sampleRate / 1e9
    return Elementary.whole(frames + (frames < 0 ? -0.5 : 0.5))
  }

  /// The frames until a sound's time; none if it follows another or its time is over.
  @_noLocks
  private func framesToStart(of entry: SoundEntry.Address) -> Int {
    switch entry.pointee.timing {
    case .following: 0
    case .position: max(entry.pointee.position &- position, 0)
    case .hostTime:
      max(framesUntil(entry.pointee.stamp, 0) &+ slicePosition &- position, 0)
    }
  }

  /// The frames until an interrupter ends the sounds before it.
  @_noLocks
  private func framesToInterrupt(by entry: SoundEntry.Address) -> Int {
    if !entry.pointee.interrupts, let first = queue.first, first != entry,
      !first.pointee.isAtJoint
    {
      return .max
    }
    return framesToStart(of: entry)
  }

  // MARK: Scheduled entries

  /// [the thread inside the gate] Takes what was scheduled.
  @_noLocks
  mutating func collect() { collect(passing: .max) }

  /// Takes what was scheduled, until the search for places in the queue has passed so many sounds;
  /// the next render takes the rest.
  @_noLocks
  private mutating func collect(passing limit: Int) {
    let now = shared.pointee.epoch.load(ordering: .acquiring)
    if now != epoch { stop(now) }
    let start = queue.passedCount
    takeEntries(since: start, limit)
    guard untaken == nil else { return }
    untaken = shared.pointee.incoming.popAll()
    takeEntries(since: start, limit)
  }

  /// Takes entries of `untaken`.
  @_noLocks
  private mutating func takeEntries(since start: Int, _ limit: Int) {
    while let item = untaken, queue.passedCount &- start < limit {
      let entry = item.assumingMemoryBound(to: SoundEntry.self)
      untaken = UnsafeMutableRawPointer(entry.pointee.next)
      entry.pointee.next = nil
      // It was stopped, and this scheduled, after the look above.
      if entry.pointee.epoch != epoch,
        entry.pointee.epoch == shared.pointee.epoch.load(ordering: .acquiring)
      {
        stop(entry.pointee.epoch)
      }
      guard entry.pointee.epoch == epoch else {
        shared.pointee.finished.push(entry)
        continue
      }
      take(entry)
    }
  }

  @_noLocks
  private mutating func take(_ entry: SoundEntry.Address) {
    switch entry.pointee.kind {
    case .sound: return queue.insert(entry)
    case .start:
      transport = .starting
      startStamp = entry.pointee.stamp
      startNumber = entry.pointee.number
    case .pause: transport = .stopped
    }
    shared.pointee.finished.push(entry)
  }

  /// Hands back all sounds; the position is 0 again.
  @_noLocks
  private mutating func stop(_ newEpoch: UInt32) {
    while let entry = queue.removeFirst() { shared.pointee.finished.push(entry) }
    epoch = newEpoch
    transport = .stopped
    position = 0
  }

  // MARK: Waiting

  /// [a caller that nothing paces] Waits until the reader has read from a file and what follows it;
  /// false after ten seconds, or if everything was stopped.
  ///
  /// Does not wait if the program renders in real time, or if it has not said so and this is a
  /// device's cycle or a thread of real-time priority: there the missing frames are silent, and the
  /// file plays on after them.
  @_semantics("no_performance_analysis") @inline(never)
  private borrowing func waitForReader(
    of entry: SoundEntry.Address, _ stream: UnsafeMutablePointer<StreamRing>
  ) -> Bool {
    switch shared.pointee.pace.load(ordering: .relaxed) {
    case .offline: break
    case .realTime: return false
    case .unknown: if rt_current().pointee.cycles > 0 || rt_is_real_time() { return false }
    }
    rt_host_enter()
    defer { rt_host_leave() }
    if let reader = UnsafeRawPointer(bitPattern: shared.pointee.reader.load(ordering: .acquiring)) {
      Unmanaged<PeriodicCheck>.fromOpaque(reader)._withUnsafeGuaranteedRef { $0.wake() }
    }
    return waitPolling(every: 100, until: rt_host_time() + 10_000_000_000) {
      (stream.pointee.needsReader || stream.pointee.newParts.load(ordering: .acquiring) > 0)
        && !entry.pointee.isPlayed && shared.pointee.epoch.load(ordering: .acquiring) == epoch
    } && shared.pointee.epoch.load(ordering: .acquiring) == epoch
  }
}
