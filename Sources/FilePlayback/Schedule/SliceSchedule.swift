// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
import Glibc
import SignalProcessing
import Synchronization

/// The schedule of a player: scheduled by a program, played by a render thread, and given back.
///
/// Nothing of it waits for a render. Completion functions are called on the notifier's thread.
public final class SliceSchedule: NoticeSource, @unchecked Sendable {
  /// What the render thread has, for as long as this lives.
  private let timeline: UnsafeMutablePointer<SliceTimeline>
  /// What both have.
  let shared: UnsafeMutablePointer<SliceExchange> = .cell(SliceExchange())
  package let channelCount: Int
  /// Items and regions whose end has not been reported.
  let undelivered = Atomic(0)
  /// Jobs for the notifier besides slices; guarded by `lock`.
  private let lock = Lock()
  private var ends: [@Sendable () -> Void] = []
  private var reportedMisses = 0
  private let onMiss: @Sendable () -> Void

  /// [control thread] `onMiss` is called on the notifier's thread when something was silent because it
  /// had not been read in time.
  package init(sampleRate: Double, channelCount: Int, onMiss: @escaping @Sendable () -> Void) {
    self.channelCount = channelCount
    self.onMiss = onMiss
    timeline = .cell(
      SliceTimeline(sampleRate: sampleRate, channelCount: channelCount, shared))
  }

  deinit {
    for list in [shared.pointee.incoming.takeAll(), shared.pointee.finished.takeAll()] {
      var rest = list
      while let item = rest {
        rest = item.pointee.next
        ScheduledItem.deallocate(item)
      }
    }
    timeline.endCell()
    shared.endCell()
  }

  // MARK: Scheduling

  /// [control thread] Schedules a slice of the program, which stays where it is until it is complete.
  package func schedule(_ slice: UnsafeMutablePointer<ScheduledAudioSlice>) throws(AudioError) {
    let list = slice.pointee.mBufferList
    guard UInt(bitPattern: list) != 0 else {
      throw .invalidPropertyValue.because("mBufferList is NULL")
    }
    let count = Int(list.pointee.mNumberBuffers)
    let frames = Int(slice.pointee.mNumberFrames)
    guard count == channelCount else {
      throw .invalidPropertyValue.because(
        "mBufferList has \(count) buffers; the output has \(channelCount) channels, planar")
    }
    let item = ScheduledItem.allocate(.slice, channels: count)
    let buffers = UnsafeMutableRawPointer(list) + 8
    for channel in 0..<count {
      let buffer = (buffers + channel * MemoryLayout<AudioBuffer>.stride).load(as: AudioBuffer.self)
      guard let data = buffer.mData, Int(buffer.mDataByteSize) >= 4 * frames else {
        ScheduledItem.deallocate(item)
        throw .invalidPropertyValue.because(
          "buffer \(channel) holds \(buffer.mDataByteSize) bytes; \(frames) frames take "
            + "\(4 * frames)")
      }
      item.pointee.channels[channel] = UnsafePointer(data.assumingMemoryBound(to: Float.self))
    }
    item.pointee.frameCount = frames
    do throws(AudioError) { try Self.setTime(slice.pointee.mTimeStamp, of: item) } catch {
      ScheduledItem.deallocate(item)
      throw error
    }
    item.pointee.wishes = slice.pointee.mFlags.subtracting([
      .scheduledAudioSliceFlag_Complete, .scheduledAudioSliceFlag_BeganToRender,
      .scheduledAudioSliceFlag_BeganToRenderLate,
    ])
    slice.pointee.mFlags = item.pointee.wishes
    item.pointee.slice = slice
    item.pointee.completion = slice.pointee.mCompletionProc
    item.pointee.userData = slice.pointee.mCompletionProcUserData
    add(item)
  }

  /// Takes over when an item is to be heard.
  static func setTime(_ stamp: AudioTimeStamp, of item: ScheduledItem.Address) throws(AudioError) {
    if stamp.has(.sampleTimeValid) {
      item.pointee.timing = .position
      item.pointee.position = try position(stamp)
    } else if stamp.has(.hostTimeValid) {
      item.pointee.timing = .hostTime
      item.pointee.hostTime = stamp.mHostTime
    } else {
      item.pointee.timing = .following
    }
  }

  /// A sample time as a position.
  static func position(_ stamp: AudioTimeStamp) throws(AudioError) -> Int {
    guard abs(stamp.mSampleTime) < 0x1p62 else {
      throw .invalidPropertyValue.because("mSampleTime is \(stamp.mSampleTime)")
    }
    return Int(stamp.mSampleTime.rounded())
  }

  /// [control thread] Says when time 0 is.
  package func start(at stamp: AudioTimeStamp) throws(AudioError) {
    guard stamp.has(.sampleTimeValid) || stamp.has(.hostTimeValid) else {
      throw .invalidPropertyValue.because(
        "mFlags is \(stamp.mFlags.rawValue): a sample time or a host time must be valid")
    }
    if stamp.has(.sampleTimeValid) { _ = try Self.position(stamp) }
    let item = ScheduledItem.allocate(.start, channels: 0)
    item.pointee.start = stamp
    add(item)
  }

  /// Hands an item to the render thread.
  func add(_ item: ScheduledItem.Address) {
    item.pointee.epoch = shared.pointee.epoch.load(ordering: .acquiring)
    if item.pointee.kind != .piece { expectEnd() }
    shared.pointee.incoming.leave(item)
  }

  /// What a render thread plays it by; valid as long as the schedule is there.
  package var player: SlicePlayer { SlicePlayer(timeline: timeline, shared: shared) }

  /// [any thread] Says whether nothing waits for what is rendered: then a render waits for its file.
  package func setOffline(_ isOffline: Bool) {
    shared.pointee.isOffline.store(isOffline, ordering: .relaxed)
  }

  /// [any thread] The position of the frame to be rendered next; nil before the start.
  package var position: Int? {
    let position = shared.pointee.position.load(ordering: .relaxed)
    return position < 0 ? nil : position
  }

  /// [any thread] How often sound was missing because it had not been read in time, and how many frames.
  package var misses: (count: Int, frames: Int) {
    (
      shared.pointee.misses.load(ordering: .relaxed),
      shared.pointee.missedFrames.load(ordering: .relaxed)
    )
  }

  // MARK: Taking back

  /// [any thread] Takes back all that is scheduled, and the start. Where a render is under way that
  /// does it in a moment.
  package func withdrawAll() {
    shared.pointee.epoch.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let mayWait = rt_current().pointee.depth == 0
    // A render that waits for a file looks whether all is being taken back.
    for _ in 0..<(mayWait ? 20_000 : 1) {
      if shared.pointee.enter() {
        timeline.pointee.collect()
        shared.pointee.leave()
        return
      }
      if mayWait { usleep(100) }
    }
  }

  // MARK: Completions

  /// [any thread] One more end will have to be reported.
  func expectEnd() {
    undelivered.wrappingAdd(1, ordering: .sequentiallyConsistent)
    PlaybackNotices.shared.add(self)
  }

  /// [reader] Something that was expected has ended; `job` reports it on the notifier's thread.
  func addEnd(_ job: @escaping @Sendable () -> Void) {
    lock.withLock { ends.append(job) }
  }

  /// [notifier] Calls the completion functions of what has ended; false when nothing is to come.
  func deliverAll() -> Bool {
    var rest = shared.pointee.finished.takeAll()
    while let item = rest {
      rest = item.pointee.next
      if let completion = item.pointee.completion, let slice = item.pointee.slice {
        completion(item.pointee.userData, slice)
      }
      ScheduledItem.deallocate(item)
      undelivered.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
    let jobs = lock.withLock {
      defer { ends.removeAll() }
      return ends
    }
    for job in jobs {
      job()
      undelivered.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
    let misses = misses.count
    if misses != reportedMisses {
      reportedMisses = misses
      onMiss()
    }
    return !isAllDelivered
  }

  var isAllDelivered: Bool { undelivered.load(ordering: .sequentiallyConsistent) == 0 }

  /// [control thread, without a lock] Waits until all ends have been reported, for a second at
  /// most: a completion function may itself wait for this thread.
  package func waitUntilDelivered() {
    let context = rt_current()
    guard context.pointee.depth == 0, context.pointee.locks == 0,
      !PlaybackNotices.shared.isCalledHere
    else { return }
    for _ in 0..<2_000 {
      guard !isAllDelivered else { return }
      usleep(500)
    }
  }
}
