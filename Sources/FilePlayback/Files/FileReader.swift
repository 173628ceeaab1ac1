// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CAudioToolbox
import CRealTime
import Glibc
import SignalProcessing

/// Reads regions of files ahead of a player, on its own thread.
///
/// A region is read in pieces, each a buffer that goes to the render thread and comes back. The first
/// region that is not read to its end is read; one that is to be heard earlier comes before it.
public final class FileReader: @unchecked Sendable {
  /// How much is read ahead of a region.
  package struct ReadAhead: Sendable {
    package var pieceFrames = 8_192
    package var pieceCount = 8

    package init() {}
  }

  /// A region on its way.
  private final class Region {
    var original: ScheduledAudioFileRegion
    let stream: RegionStream
    /// Where it begins; nil: where the one before it ends, or at a host time.
    let begin: Int?
    var outstanding = 0
    var isRead = false
    var hasPieces = false
    var isTakenBack = false
    var failure: AudioError?

    init(_ region: ScheduledAudioFileRegion, _ stream: RegionStream, begin: Int?) {
      original = region
      self.stream = stream
      self.begin = begin
    }

    var end: Int? {
      guard let begin, let frames = stream.totalFrames else { return nil }
      return begin + frames
    }
  }

  private let schedule: SliceSchedule
  private let format: StreamFormat
  private let memory = OwnedMemory()
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var thread: pthread_t?
  private var isEnding = false
  private var regions: [Int: Region] = [:]
  /// Their numbers in the order in which they are read.
  private var order: [Int] = []
  private var nextNumber = 0
  /// Where the region that was scheduled last ends; nil: nobody knows.
  private var chainEnd: Int? = 0
  private var readAhead = ReadAhead()
  private var free: [ScheduledItem.Address] = []
  /// How long the last pieces took to read, in frames.
  private var costs = [0, 0, 0, 0]
  private var framesAhead = 0
  /// Nothing can be done before a piece comes back.
  private var isIdle = true
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// [control thread] Reads for a schedule, at the rate and in the channels of `format`.
  package init(_ schedule: SliceSchedule, _ format: StreamFormat) {
    self.schedule = schedule
    self.format = format
    mutex = memory.cell(pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = memory.cell(pthread_cond_t())
    pthread_cond_init(changed, nil)
    channels = memory.room(format.channelCount, for: UnsafeMutablePointer<Float>.self)
  }

  deinit {
    for item in free { ScheduledItem.deallocate(item) }
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    memory.deallocate()
  }

  private func withMutex<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  // MARK: The control side

  /// [control thread] Reads so much ahead from now on.
  package func setReadAhead(_ readAhead: ReadAhead) {
    withMutex {
      self.readAhead = readAhead
      pthread_cond_broadcast(changed)
    }
  }

  /// [control thread] Has a region of an open file read and played.
  package func play(
    _ region: ScheduledAudioFileRegion, of file: AudioFileObject
  ) throws(AudioError) {
    let stream = try RegionStream(region, file, to: format)
    var begin: Int?
    let isTimed =
      region.mTimeStamp.has(.sampleTimeValid) || region.mTimeStamp.has(.hostTimeValid)
    if region.mTimeStamp.has(.sampleTimeValid) {
      begin = try SliceSchedule.position(region.mTimeStamp)
    }
    if thread == nil { thread = try start() }
    withMutex {
      if !isTimed, let chainEnd, (schedule.position ?? 0) <= chainEnd { begin = chainEnd }
      let made = Region(region, stream, begin: begin)
      let number = nextNumber
      nextNumber += 1
      regions[number] = made
      let place = begin.flatMap { begin in
        order.firstIndex { number in regions[number]?.begin.map { $0 > begin } ?? false }
      }
      order.insert(number, at: place ?? order.endIndex)
      chainEnd = made.end
      isIdle = false
      schedule.expectEnd()
      publishSettled()
      pthread_cond_broadcast(changed)
    }
  }

  /// [control thread] Waits until so many frames have been read ahead, as far as there is room and sound;
  /// 0: two pieces. Ten seconds at most.
  package func prime(_ frames: Int) throws(AudioError) {
    try withMutex { () throws(AudioError) in
      let wanted = frames > 0 ? frames : 2 * readAhead.pieceFrames
      let deadline = rt_host_time() + 10_000_000_000
      while !isIdle, framesAhead < wanted {
        guard rt_host_time() < deadline else {
          throw .cannotDoInCurrentContext.because(
            "\(framesAhead) of \(wanted) frames have been read in ten seconds")
        }
        wait(milliseconds: 100)
      }
    }
  }

  /// [control thread] Ends all regions; what they have given is taken back with the schedule.
  package func withdrawAll() {
    withMutex {
      for number in order {
        regions[number]?.isTakenBack = true
        complete(number, userCanceledErr)
      }
      order = []
      regions = [:]
      chainEnd = 0
      framesAhead = 0
      publishSettled()
      pthread_cond_broadcast(changed)
    }
  }

  /// [control thread] Ends the thread, after a read that is under way. All regions have been taken back.
  package func end() {
    guard let thread else { return }
    withMutex {
      isEnding = true
      pthread_cond_broadcast(changed)
    }
    pthread_join(thread, nil)
    self.thread = nil
    _ = withMutex { takeReturned() }
  }

  // MARK: The thread

  private func start() throws(AudioError) -> pthread_t {
    try startPlainThread(
      { context in
        rt_name_thread("audio-file-read")
        guard let context else { return nil }
        Unmanaged<FileReader>.fromOpaque(context).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func run() {
    pthread_mutex_lock(mutex)
    while !isEnding {
      takeReturned()
      endRead()
      if let number = order.first(where: { regions[$0]?.isRead == false }),
        let region = regions[number], region.outstanding < readAhead.pieceCount
      {
        isIdle = false
        read(number, region)
        schedule.shared.pointee.progress.wrappingAdd(1, ordering: .relaxed)
        pthread_cond_broadcast(changed)
      } else {
        if !isIdle {
          isIdle = true
          pthread_cond_broadcast(changed)
        }
        // The render thread wakes nobody: that would be a system call.
        if order.isEmpty, regions.isEmpty {
          pthread_cond_wait(changed, mutex)
        } else {
          wait(milliseconds: pauseMilliseconds)
        }
      }
    }
    pthread_mutex_unlock(mutex)
  }

  /// A fraction of what one piece lasts.
  private var pauseMilliseconds: Int {
    let piece = 1_000 * Double(readAhead.pieceFrames) / format.sampleRate
    return min(max(Int(piece / 8), 1), 10)
  }

  private func wait(milliseconds: Int) {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_nsec += milliseconds * 1_000_000
    until.tv_sec += until.tv_nsec / 1_000_000_000
    until.tv_nsec %= 1_000_000_000
    pthread_cond_timedwait(changed, mutex, &until)
  }

  /// [mutex held] Takes pieces that were played.
  @discardableResult
  private func takeReturned() -> Bool {
    var rest = schedule.shared.pointee.returned.takeAll()
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

  /// [mutex held] Ends regions that have been read and played.
  private func endRead() {
    for number in order {
      guard let region = regions[number], region.isRead, region.outstanding == 0 else { continue }
      regions[number] = region
      complete(number, region.failure?.status ?? noErr)
      regions[number] = nil
      order.removeAll { $0 == number }
    }
  }

  /// [mutex held] Has the end of a region reported.
  private func complete(_ number: Int, _ status: OSStatus) {
    guard let region = regions[number] else { return }
    let call = RegionEnd(region: region.original, status: status)
    schedule.addEnd { call() }
  }

  /// [mutex held, but while the file is read] Reads the next piece of a region.
  private func read(_ number: Int, _ region: Region) {
    let item = takeFree()
    catchUp(region)
    let capacity = item.pointee.capacity
    for channel in 0..<format.channelCount {
      channels[channel] = UnsafeMutablePointer(mutating: item.pointee.channels[channel])
    }
    let position = region.begin.map { $0 + region.stream.made }
    pthread_mutex_unlock(mutex)
    let before = rt_host_time()
    var count = 0
    var failure: AudioError?
    do throws(AudioError) {
      count = try region.stream.make(capacity, into: channels, channelCount: format.channelCount)
    } catch {
      failure = error
      Explanations.log("a file player stops reading: \(error.text)")
    }
    let nanoseconds = Double(rt_host_time() - before)
    pthread_mutex_lock(mutex)
    costs.removeFirst()
    costs.append(Int(nanoseconds * format.sampleRate / 1e9))
    guard !region.isTakenBack else { return free.append(item) }
    region.failure = failure
    region.isRead =
      failure != nil || count < capacity
      || region.stream.totalFrames.map { region.stream.made >= $0 } ?? false
    if count > 0 {
      send(item, number, region, at: position, count)
    } else {
      free.append(item)
    }
    publishSettled()
  }

  private func send(
    _ item: ScheduledItem.Address, _ number: Int, _ region: Region, at position: Int?, _ count: Int
  ) {
    item.pointee.region = number
    item.pointee.frameCount = count
    item.pointee.hasBegun = false
    item.pointee.position = position ?? .max
    item.pointee.regionBegin = region.begin
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

  /// [mutex held] Where the player is beyond a region's next piece already, continues with what it
  /// needs next: also by then, where reading is slower than playing.
  private func catchUp(_ region: Region) {
    guard let begin = region.begin, let now = schedule.position else { return }
    let piece = readAhead.pieceFrames
    guard now - begin >= region.stream.made + piece else { return }
    let cost = costs.min() ?? 0
    let lead = cost > piece ? min(cost + cost / 4, piece * readAhead.pieceCount) : 0
    region.stream.skip(to: now - begin + lead)
  }

  /// [mutex held] Says up to where nothing is missing.
  private func publishSettled() {
    var settled = Int.max
    for number in order {
      guard let region = regions[number], !region.isRead, let begin = region.begin else { continue }
      settled = min(settled, begin + region.stream.made)
    }
    schedule.shared.pointee.settled.store(settled, ordering: .releasing)
  }

  // MARK: Pieces

  private func takeFree() -> ScheduledItem.Address {
    let capacity = readAhead.pieceFrames
    while let item = free.popLast() {
      if item.pointee.capacity == capacity { return item }
      ScheduledItem.deallocate(item)
    }
    let item = ScheduledItem.allocate(.piece, channels: format.channelCount)
    item.pointee.capacity = capacity
    // Touched now, so that the render thread meets no page that is not there.
    let samples = item.pointee.owner.array(capacity * format.channelCount, of: Float(0))
    for channel in 0..<format.channelCount {
      item.pointee.channels[channel] = UnsafePointer(samples + channel * capacity)
    }
    return item
  }
}

/// A call of a region's completion function that is due.
private struct RegionEnd: @unchecked Sendable {
  let region: ScheduledAudioFileRegion
  let status: OSStatus

  func callAsFunction() {
    guard let completion = region.mCompletionProc else { return }
    var copy = region
    completion(region.mCompletionProcUserData, &copy, status)
  }
}
