// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Glibc
import SignalProcessing

/// Reads regions of files ahead of a player, on its own thread.
///
/// A region is read in pieces. Each piece is a buffer that goes to the render thread and comes
/// back. Regions are read one after the other, in the order in which they will be played.
public final class ReadAhead: @unchecked Sendable {
  /// How much of a region is read ahead.
  package struct Amount: Sendable {
    package var pieceFrames = 8_192
    package var pieceCount = 8

    package init() {}
  }

  /// A scheduled region that has not been played to its end.
  private final class Region {
    var original: ScheduledAudioFileRegion
    let stream: RegionStream
    /// The position of its first frame; nil if it begins when the previous region ends, or at a
    /// host time.
    let start: Int?
    /// Its frames that have been passed on or skipped. Others read it while the stream makes a piece.
    var passedFrames = 0
    /// The number of its pieces that have not come back from the render thread.
    var outstanding = 0
    var isRead = false
    var hasPieces = false
    var isCanceled = false
    var failure: AudioError?

    init(_ region: ScheduledAudioFileRegion, _ stream: RegionStream, start: Int?) {
      original = region
      self.stream = stream
      self.start = start
    }

    var end: Int? {
      guard let start, let frames = stream.totalFrames else { return nil }
      return (Outside(start) + frames).within(-PlayClock.limit...PlayClock.limit)
    }
  }

  private let schedule: PlaySchedule
  private let format: StreamFormat
  private let memory = OwnedMemory()
  private let lock = ConditionLock()
  private var thread: WorkerThread?
  private var isEnding = false
  private var regions: [Int: Region] = [:]
  /// The numbers of the regions in the order in which they are read.
  private var order: [Int] = []
  private var nextNumber = 0
  /// The end of the region that was scheduled last; nil if it is unknown.
  private var chainEnd: Int? = 0
  private var amount = Amount()
  private var free: [ScheduledItem.Address] = []
  /// The times that it took to read the last pieces, in frames.
  private var readTimes = [0, 0, 0, 0]
  private var framesAhead = 0
  /// Whether there is nothing to read until a piece comes back.
  private var isIdle = true
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// [control thread] Makes a reader for a schedule, with the sample rate and channels of `format`.
  package init(_ schedule: PlaySchedule, _ format: StreamFormat) {
    self.schedule = schedule
    self.format = format
    channels = memory.room(format.channelCount, for: UnsafeMutablePointer<Float>.self)
  }

  deinit {
    for item in free { ScheduledItem.deallocate(item) }
    memory.deallocate()
  }

  // MARK: Control threads

  /// [control thread] Sets how much is read ahead from now on.
  package func setAmount(_ amount: Amount) {
    lock.withLock {
      self.amount = amount
      lock.signal()
    }
  }

  /// [control thread] Schedules a region of an open file.
  package func play(
    _ region: ScheduledAudioFileRegion, of file: AudioFileObject
  ) throws(AudioError) {
    let stream = try RegionStream(FileRegion(region, file), to: format)
    var start: Int?
    let isTimed =
      region.mTimeStamp.has(.sampleTimeValid) || region.mTimeStamp.has(.hostTimeValid)
    if region.mTimeStamp.has(.sampleTimeValid) {
      start = try PlaySchedule.position(region.mTimeStamp)
    }
    if thread?.isLost ?? true { thread = try startThread() }
    lock.withLock {
      if !isTimed, let chainEnd, (schedule.position ?? 0) <= chainEnd { start = chainEnd }
      let newRegion = Region(region, stream, start: start)
      let number = nextNumber
      nextNumber += 1
      regions[number] = newRegion
      let place = start.flatMap { start in
        order.firstIndex { number in regions[number]?.start.map { $0 > start } ?? false }
      }
      order.insert(number, at: place ?? order.endIndex)
      chainEnd = newRegion.end
      isIdle = false
      schedule.expectCompletion()
      publishUnread()
      lock.signal()
    }
  }

  /// [control thread] Waits until `frames` frames have been read ahead (0: two pieces), or as many
  /// as there are buffers and sound for. Waits at most ten seconds.
  package func prime(_ frames: Int) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      let target = frames > 0 ? frames : 2 * amount.pieceFrames
      let deadline = rt_host_time() + 10_000_000_000
      while !isIdle, framesAhead < target {
        guard rt_host_time() < deadline else {
          throw .cannotDoInCurrentContext.because(
            "\(framesAhead) of \(target) frames have been read in ten seconds")
        }
        wait(milliseconds: 100)
      }
    }
  }

  /// [control thread] Cancels all regions. Their pieces come back when the schedule is cancelled.
  package func cancelAll() {
    lock.withLock {
      for number in order {
        regions[number]?.isCanceled = true
        complete(number, userCanceledErr)
      }
      order = []
      regions = [:]
      chainEnd = 0
      framesAhead = 0
      publishUnread()
      lock.signal()
    }
  }

  /// [control thread] Ends the thread after its current read. All regions must have been cancelled.
  package func end() {
    guard let thread else { return }
    lock.withLock {
      isEnding = true
      lock.signal()
    }
    thread.stop()
    self.thread = nil
    _ = lock.withLock { collectReturned() }
  }

  // MARK: The thread

  private func startThread() throws(AudioError) -> WorkerThread {
    let thread = WorkerThread(name: "audio-file-read") { [unowned(unsafe) self] _ in
      lock.withLock { run() }
    }
    try thread.start()
    return thread
  }

  /// [under the lock]
  private func run() {
    while !isEnding {
      collectReturned()
      completeRegions()
      if let (number, region) = nextToRead {
        isIdle = false
        read(number, region)
        schedule.shared.pointee.progress.wrappingAdd(1, ordering: .relaxed)
        lock.signal()
      } else {
        if !isIdle {
          isIdle = true
          lock.signal()
        }
        // The render thread does not wake this thread, because that would be a system call.
        if order.isEmpty, regions.isEmpty {
          lock.wait()
        } else {
          wait(milliseconds: pauseMilliseconds)
        }
      }
    }
  }

  /// [under the lock] The region to read from next, if its pieces have room. Those behind it play later,
  /// unless it waits for a host time: then the first one with a position is read, too.
  private var nextToRead: (number: Int, region: Region)? {
    var hasWaiting = false
    for number in order {
      guard let region = regions[number], !region.isRead else { continue }
      let hasRoom = region.outstanding < amount.pieceCount
      if region.start != nil { return hasRoom ? (number, region) : nil }
      if hasRoom, !hasWaiting { return (number, region) }
      hasWaiting = true
    }
    return nil
  }

  /// A fraction of the duration of a piece.
  private var pauseMilliseconds: Int {
    let piece = 1_000 * Double(amount.pieceFrames) / format.sampleRate
    return Int(saturating: min(max(piece / 8, 1), 10))
  }

  private func wait(milliseconds: Int) {
    lock.wait(until: rt_host_time() + UInt64(clamping: milliseconds) * 1_000_000)
  }

  /// [under the lock] Collects the pieces that came back; false if there were none.
  @discardableResult
  private func collectReturned() -> Bool {
    var rest = schedule.shared.pointee.returned.popAll()
    let isAny = rest != nil
    while let item = rest {
      rest = item.pointee.next
      if let region = regions[item.pointee.region] {
        region.outstanding -= 1
        framesAhead -= item.pointee.frameCount
      }
      free.append(item)
    }
    return isAny
  }

  /// [under the lock] Completes the regions that have been read and played.
  private func completeRegions() {
    for number in order {
      guard let region = regions[number], region.isRead, region.outstanding == 0 else { continue }
      regions[number] = region
      complete(number, region.failure?.status ?? noErr)
      regions[number] = nil
      order.removeAll { $0 == number }
    }
  }

  /// [under the lock] Schedules the call of a region's completion function.
  private func complete(_ number: Int, _ status: OSStatus) {
    guard let region = regions[number] else { return }
    let call = RegionCompletion(region: region.original, status: status)
    schedule.addCompletion { call() }
  }

  /// [holding the lock, except while the file is read] Reads the next piece of a region.
  private func read(_ number: Int, _ region: Region) {
    let item = makeItem()
    catchUp(region)
    let capacity = item.pointee.capacity
    for channel in 0..<format.channelCount {
      channels[channel] = UnsafeMutablePointer(mutating: item.pointee.channels[channel])
    }
    let position = region.start.map { $0 + region.stream.position }
    let before = rt_host_time()
    var count = 0
    var failure: AudioError?
    lock.withoutLock {
      do throws(AudioError) {
        count = try region.stream.makeToEnd(
          capacity, into: channels, channelCount: format.channelCount)
      } catch {
        failure = error
        Explanations.log("a file player stops reading: \(error.text)")
      }
    }
    let nanoseconds = Double(rt_host_time() - before)
    readTimes.removeFirst()
    readTimes.append(Int(saturating: min(nanoseconds * format.sampleRate / 1e9, 0x1p48)))
    guard !region.isCanceled else { return free.append(item) }
    region.failure = failure
    region.isRead =
      failure != nil || region.stream.hasEnded && count < capacity
      || region.stream.totalFrames.map { region.stream.position >= $0 } ?? false
    if count > 0 {
      send(item, number, region, at: position, count)
    } else {
      free.append(item)
    }
    region.passedFrames = region.stream.position
    publishUnread()
  }

  /// [under the lock] Passes a piece to the render thread.
  private func send(
    _ item: ScheduledItem.Address, _ number: Int, _ region: Region, at position: Int?, _ count: Int
  ) {
    item.pointee.region = number
    item.pointee.frameCount = count
    item.pointee.hasBegun = false
    item.pointee.position = position ?? .max
    item.pointee.regionStart = region.start
    item.pointee.timing = position == nil ? .following : .position
    if position == nil, !region.hasPieces, region.original.mTimeStamp.has(.hostTimeValid) {
      item.pointee.timing = .hostTime
      item.pointee.hostTime = region.original.mTimeStamp.mHostTime
    }
    region.hasPieces = true
    region.outstanding += 1
    framesAhead += count
    schedule.add(item)
  }

  /// [under the lock] If the player is already past a region's next piece, skips to the frames that it
  /// needs next. If reading is slower than playing, also skips the frames that would be late, unless
  /// the player waits for them.
  private func catchUp(_ region: Region) {
    guard let start = region.start, let now = schedule.position else { return }
    let isAwaited = schedule.shared.pointee.isAwaited.load(ordering: .relaxed)
    let piece = amount.pieceFrames
    guard now - start >= region.stream.position + piece else { return }
    let readTime = isAwaited ? 0 : readTimes.min() ?? 0
    let lead = readTime > piece ? min(readTime + readTime / 4, piece * amount.pieceCount) : 0
    region.stream.skip(to: now - start + lead)
    region.passedFrames = region.stream.position
  }

  /// [under the lock] Publishes how far the first region has been read that must still be read.
  private func publishUnread() {
    var unread = UnreadRegion()
    for number in order {
      guard let region = regions[number], !region.isRead, let start = region.start else { continue }
      unread = UnreadRegion(rank: start, position: start + region.passedFrames)
      break
    }
    schedule.shared.pointee.unread.store(unread)
  }

  // MARK: Pieces

  /// [under the lock] Returns a free piece of the current size, or a new one.
  private func makeItem() -> ScheduledItem.Address {
    let capacity = amount.pieceFrames
    while let item = free.popLast() {
      if item.pointee.capacity == capacity { return item }
      ScheduledItem.deallocate(item)
    }
    let item = ScheduledItem.allocate(.piece, channels: format.channelCount)
    item.pointee.capacity = capacity
    // Written now, so that the render thread causes no page fault.
    let samples = item.pointee.owner.array(capacity * format.channelCount, of: Float(0))
    for channel in 0..<format.channelCount {
      item.pointee.channels[channel] = UnsafePointer(samples + channel * capacity)
    }
    return item
  }
}

/// A pending call of a region's completion function.
private struct RegionCompletion: @unchecked Sendable {
  let region: ScheduledAudioFileRegion
  let status: OSStatus

  func callAsFunction() {
    guard let completion = region.mCompletionProc else { return }
    var copy = region
    completion(region.mCompletionProcUserData, &copy, status)
  }
}
