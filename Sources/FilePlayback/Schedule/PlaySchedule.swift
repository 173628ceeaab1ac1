// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import Glibc
import SignalProcessing
import Synchronization

/// The schedule of a player: a program adds items, a render thread plays them, and the schedule
/// reports their completion.
///
/// Scheduling never waits for a render. Completion functions are called on the notifier's thread.
public final class PlaySchedule: NoticeSource, @unchecked Sendable {
  /// The render thread's part; it exists as long as this object.
  private let timeline: UnsafeMutablePointer<PlayTimeline>
  /// The data that control threads and the render thread share.
  let shared: UnsafeMutablePointer<PlayExchange> = .cell(PlayExchange())
  package let channelCount: Int
  /// The number of items and regions whose completion has not been reported.
  let undelivered = Atomic(0)
  /// Guards `completions`.
  private let lock = Lock()
  /// Jobs for the notifier that report completions of regions.
  private var completions: [@Sendable () -> Void] = []
  private var reportedMisses = 0
  private let onMiss: @Sendable () -> Void

  /// [control thread] Makes an empty schedule. `onMiss` is called on the notifier's thread after a
  /// gap because a file was not read in time.
  package init(sampleRate: Double, channelCount: Int, onMiss: @escaping @Sendable () -> Void) {
    self.channelCount = channelCount
    self.onMiss = onMiss
    timeline = .cell(
      PlayTimeline(sampleRate: sampleRate, channelCount: channelCount, shared))
  }

  deinit {
    for list in [shared.pointee.incoming.popAll(), shared.pointee.finished.popAll()] {
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

  /// [control thread] Schedules a slice, which stays in the program's memory until it is complete.
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
    item.pointee.requestedFlags = slice.pointee.mFlags.subtracting([
      .scheduledAudioSliceFlag_Complete, .scheduledAudioSliceFlag_BeganToRender,
      .scheduledAudioSliceFlag_BeganToRenderLate,
    ])
    slice.pointee.mFlags = item.pointee.requestedFlags
    item.pointee.slice = slice
    item.pointee.completion = slice.pointee.mCompletionProc
    item.pointee.userData = slice.pointee.mCompletionProcUserData
    add(item)
  }

  /// Sets when an item plays.
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

  /// The sample time of a stamp, rounded to a position.
  static func position(_ stamp: AudioTimeStamp) throws(AudioError) -> Int {
    let limit = PlayClock.limit - 1
    guard let position = Outside(stamp.mSampleTime.rounded()).within(-limit...limit) else {
      throw .invalidPropertyValue.because("mSampleTime is \(stamp.mSampleTime)")
    }
    return position
  }

  /// [control thread] Sets the time of position 0.
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

  /// Passes an item to the render thread.
  func add(_ item: ScheduledItem.Address) {
    item.pointee.epoch = shared.pointee.epoch.load(ordering: .acquiring)
    if item.pointee.kind != .piece { expectCompletion() }
    shared.pointee.incoming.push(item)
  }

  /// The render thread's access to the schedule; valid as long as the schedule exists.
  package var player: SchedulePlayer { SchedulePlayer(timeline: timeline, shared: shared) }

  /// [any thread] Sets whether the program renders offline: then a render waits for its file.
  package func setOffline(_ isOffline: Bool) {
    shared.pointee.isOffline.store(isOffline, ordering: .relaxed)
  }

  /// [any thread] The position of the next frame to be rendered; nil before the start.
  package var position: Int? {
    let position = shared.pointee.position.load(ordering: .acquiring)
    return position < 0 ? nil : position
  }

  /// [any thread] The number of gaps because files were not read in time, and their total length in
  /// frames.
  package var misses: (count: Int, frames: Int) {
    (
      // Counted after its frames, so that these are complete.
      shared.pointee.misses.load(ordering: .acquiring),
      shared.pointee.missedFrames.load(ordering: .relaxed)
    )
  }

  // MARK: Cancelling

  /// [any thread] Cancels all items and the start. A render that is running may do the work
  /// instead.
  package func cancelAll() {
    shared.pointee.epoch.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let mayWait = rt_current().pointee.depth == 0
    // A render that waits for a file checks whether everything was cancelled.
    let end = mayWait ? rt_host_time() + 2_000_000_000 : 0
    guard waitPolling(every: 100, until: end, while: { !shared.pointee.enter() }) else { return }
    timeline.pointee.collect()
    shared.pointee.leave()
  }

  // MARK: Completions

  /// [any thread] Counts one more completion that will have to be reported.
  func expectCompletion() {
    undelivered.wrappingAdd(1, ordering: .sequentiallyConsistent)
    PlaybackNotices.shared.add(self)
  }

  /// [reader] Adds an expected completion; `job` reports it on the notifier's thread.
  func addCompletion(_ job: @escaping @Sendable () -> Void) {
    lock.withLock { completions.append(job) }
  }

  /// [notifier] Calls the completion functions of what has ended; false if no more are expected.
  func deliverAll() -> Bool {
    var rest = shared.pointee.finished.popAll()
    while let item = rest {
      rest = item.pointee.next
      if let completion = item.pointee.completion, let slice = item.pointee.slice {
        completion(item.pointee.userData, slice)
      }
      ScheduledItem.deallocate(item)
      undelivered.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
    let jobs = lock.withLock {
      defer { completions.removeAll() }
      return completions
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

  /// [control thread, without a lock] Waits until all completions have been reported, for a second
  /// at most, because a completion function may itself wait for this thread.
  package func waitUntilDelivered() {
    let context = rt_current()
    guard context.pointee.depth == 0, context.pointee.locks == 0,
      !PlaybackNotices.shared.isDeliveringOnThisThread
    else { return }
    waitPolling(every: 500, until: rt_host_time() + 1_000_000_000) { !isAllDelivered }
  }
}
