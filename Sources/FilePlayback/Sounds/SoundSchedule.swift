// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing
import Synchronization

/// A schedule of buffers and parts of files, which a render thread plays one after the other.
///
/// A program schedules, starts, pauses and stops from any thread, and never waits for a render. What
/// it has done takes effect in the order of the calls, in the next render. Handlers are called on a
/// thread of the schedule.
package final class SoundSchedule: @unchecked Sendable {
  /// Positions and sample times are at most this many frames from zero.
  private static let limit = 1 << 53

  /// The format of what it renders: planar.
  package let format: StreamFormat
  private let timeline: UnsafeMutablePointer<SoundTimeline>
  private let shared: UnsafeMutablePointer<SoundExchange> = .cell(SoundExchange())
  private let completions: SoundCompletions
  private let reader: SoundReader
  /// Guards the variables, and the order of `incoming`.
  private let lock = Lock()
  private var nextNumber = 0
  private var startNumber = 0
  private var isStarted = false
  /// The time of the last start, until it was paused or stopped.
  private var startStamp = AudioTimeStamp()
  /// The stream of the sound that is played last, if another part may follow in it.
  private weak var lastStream: SoundStream?
  /// The latest times of sounds since the last stop.
  private var latestPosition = Int.min
  private var latestHostTime: UInt64 = 0

  /// [control thread] Makes an empty schedule that renders with the rate and channels of a format.
  package init(_ format: StreamFormat) {
    self.format = format
    timeline = .cell(SoundTimeline(sampleRate: format.sampleRate, shared))
    completions = SoundCompletions(shared)
    reader = SoundReader(sampleRate: format.sampleRate)
    shared.pointee.reader.store(
      UInt(bitPattern: Unmanaged.passUnretained(reader.check).toOpaque()), ordering: .releasing)
  }

  deinit {
    reader.removeAll()
    shared.pointee.epoch.wrappingAdd(1, ordering: .acquiringAndReleasing)
    timeline.pointee.collect()
    completions.close()
    SoundEntry.deallocateAll(shared.pointee.incoming.popAll())
    SoundEntry.deallocateAll(shared.pointee.finished.popAll())
    timeline.endCell()
    shared.endCell()
  }

  /// The render thread's access to the schedule; valid as long as the schedule exists.
  package var renderer: SoundRenderer {
    SoundRenderer(timeline: timeline, shared: shared, channelCount: format.channelCount)
  }

  // MARK: Scheduling

  /// [any thread but a render thread] Schedules a sound. The samples of a buffer are not copied.
  ///
  /// - Throws: If a buffer has other channels; if a file has no such frames, or cannot be decoded or
  ///   converted.
  package func schedule(_ request: SoundRequest) throws(AudioError) {
    while !schedule(try ready(request)) {}
  }

  /// A sound that was checked and opened for one schedule.
  package struct ReadySound {
    fileprivate let request: SoundRequest
    fileprivate let position: Int?
    fileprivate var part: StreamPart?
    /// Nil if the part is to follow in the stream of the sound before it.
    fileprivate var stream: SoundStream?
  }

  /// [control thread] Checks a sound and opens its file, which may call functions of the program.
  /// Throws as `schedule(_:)`.
  package func ready(_ request: SoundRequest) throws(AudioError) -> ReadySound {
    var position: Int?
    if case .position(let frame) = request.start {
      position = min(max(frame, -Self.limit), Self.limit)
    }
    switch request.content {
    case .samples(let samples):
      guard samples.channelCount == format.channelCount else {
        throw .formatNotSupported.because(
          "the buffer has \(samples.channelCount) channels, and the schedule "
            + "\(format.channelCount)")
      }
      return ReadySound(request: request, position: position)
    case .file(let part):
      let region = try FileRegion(part)
      let part = StreamPart(region)
      var sound = ReadySound(request: request, position: position, part: part)
      let follows = request.joins && lock.withLock { lastStream?.mayTake(region.format) ?? false }
      if !follows { sound.stream = try SoundStream(part, at: position, to: format) }
      return sound
    }
  }

  /// [any thread but a render thread] Schedules a sound that is ready for this schedule; false if it is
  /// not, because what it was to follow has ended meanwhile.
  package func schedule(_ sound: ReadySound) -> Bool {
    lock.withLock {
      guard let stream = stream(of: sound) else { return false }
      var entry = entry(.sound)
      if case .samples(let samples) = sound.request.content {
        entry.channels = samples.channels
        entry.stride = samples.stride
        entry.frameCount = samples.frameCount
      }
      entry.stream = stream?.shared
      entry.part = sound.part?.shared
      add(entry, sound, stream)
      if let stream { reader.add(stream) }
      return true
    }
  }

  /// [under the lock] The stream of a sound: that of the sound before it, if the sound follows in it. A
  /// buffer has none. Nil if the sound should have followed in a stream that has ended.
  private func stream(of sound: ReadySound) -> SoundStream?? {
    if let part = sound.part, sound.stream == nil {
      guard let lastStream, lastStream.append(part) else { return nil }
      return lastStream
    }
    lastStream = isLast(sound) ? sound.stream : nil
    return .some(sound.stream)
  }

  /// [under the lock] Whether a new sound is played after all others, rather than inserted by its time.
  private func isLast(_ sound: ReadySound) -> Bool {
    switch sound.request.start {
    case .next: return true
    case .position:
      let position = sound.position ?? 0
      defer { latestPosition = max(latestPosition, position) }
      return position >= latestPosition
    case .hostTime(let time):
      defer { latestHostTime = max(latestHostTime, time) }
      return time >= latestHostTime
    }
  }

  /// [under the lock]
  private func entry(_ kind: SoundEntry.Kind) -> SoundEntry {
    SoundEntry(kind, epoch: shared.pointee.epoch.load(ordering: .acquiring))
  }

  /// [under the lock]
  private func add(_ entry: SoundEntry, _ ready: ReadySound, _ stream: SoundStream?) {
    var entry = entry
    let request = ready.request
    switch request.start {
    case .next: break
    case .position:
      entry.timing = .position
      entry.position = ready.position ?? 0
    case .hostTime(let time):
      entry.timing = .hostTime
      entry.stamp.mFlags = .hostTimeValid
      entry.stamp.mHostTime = time
    }
    entry.loops = request.options.contains(.loops)
    entry.interrupts = request.options.contains(.interrupts)
    entry.interruptsAtLoop = request.options.contains(.interruptsAtLoop)
    let sound = ScheduledSound(nextNumber, request, stream, ready.part)
    nextNumber += 1
    entry.sound = .passRetained(sound)
    // First, because the render thread may end it at once.
    completions.add(sound)
    shared.pointee.incoming.push(SoundEntry.allocate(entry))
  }

  /// [control thread] Schedules what has not ended in a schedule with another format, and starts that
  /// if this plays, at the time of this start if it may be to come. This has nothing left afterwards.
  ///
  /// A sound ends instead if the other schedule has no use for it: a file that cannot be converted,
  /// a buffer with another number of channels. If renders have come since the start, all sounds end.
  package func move(to other: SoundSchedule) {
    let ratio = other.format.sampleRate / format.sampleRate
    let (wasPlaying, start, sounds) = lock.withLock {
      () -> (Bool, AudioTimeStamp, [ScheduledSound]) in
      let hasRendered = shared.pointee.origin(of: startNumber) != nil
      var start = startStamp
      // The renders of the other may count from another time.
      if hasRendered { start.mFlags.remove(.sampleTimeValid) }
      return (isStarted, start, hasRendered ? [] : completions.removeAll())
    }
    stop()
    for sound in sounds {
      let request = sound.request.scaled(by: ratio)
      do throws(AudioError) { try other.schedule(request) } catch { other.end(request) }
    }
    guard wasPlaying else { return }
    var stamp = start
    stamp.mSampleTime = (stamp.mSampleTime * ratio).rounded()
    other.play(at: stamp)
  }

  /// [any thread but a render thread] Ends a sound after those that were scheduled before, without
  /// playing it: its handler is called then.
  package func end(_ request: SoundRequest) {
    lock.withLock { add(entry(.sound), ReadySound(request: request, position: nil), nil) }
  }

  /// [control thread] Reads files ahead, until this many frames of the schedule are ready or as many
  /// as there is room for; waits at most ten seconds.
  package func prepare(frameCount: Int) { reader.prepare(frameCount) }

  // MARK: Running

  /// [any thread but a render thread] Whether it was started, and neither paused nor stopped since.
  package var isPlaying: Bool { lock.withLock { isStarted } }

  /// [any thread but a render thread] Starts, or continues after a pause: at a sample time of the
  /// renders, or at a host time if there is none. A time that is over, or a stamp without any, means
  /// at once.
  package func play(at stamp: AudioTimeStamp = AudioTimeStamp()) {
    lock.withLock {
      let isTimed = stamp.mFlags.contains(.sampleTimeValid) || stamp.mFlags.contains(.hostTimeValid)
      guard isTimed || !isStarted else { return }
      isStarted = true
      startStamp = stamp
      startNumber += 1
      var entry = entry(.start)
      entry.stamp = stamp
      entry.number = startNumber
      shared.pointee.incoming.push(SoundEntry.allocate(entry))
      completions.setActive(true)
    }
  }

  /// [any thread but a render thread] Pauses: sounds and position stay.
  package func pause() {
    lock.withLock {
      guard isStarted else { return }
      isStarted = false
      shared.pointee.incoming.push(SoundEntry.allocate(entry(.pause)))
      completions.setActive(false)
    }
  }

  /// [any thread] Ends all sounds; the position is 0 again. Their handlers are called soon.
  package func stop() { stop(continues: false) }

  /// [any thread] As `stop`, but if it was playing it starts again at once.
  package func reset() { stop(continues: true) }

  private func stop(continues: Bool) {
    lock.withLock {
      let restarts = continues && isStarted
      isStarted = false
      // No render knows this start: its time is unknown.
      startNumber += 1
      reader.removeAll()
      (lastStream, latestPosition, latestHostTime) = (nil, .min, 0)
      shared.pointee.epoch.wrappingAdd(1, ordering: .acquiringAndReleasing)
      // No render may come for a long time. One that comes just now is silent, as it would be anyway.
      if rt_current().pointee.depth == 0, !shared.pointee.gate.isHeldByThisThread {
        shared.pointee.gate.close { timeline.pointee.collect() }
      }
      completions.endAll()
      if restarts { play() } else { completions.setActive(false) }
    }
  }

  // MARK: Time

  /// [any thread but a render thread] The sample time of the renders at which position 0 is; nil if it
  /// does not play, or no render has seen its start yet.
  package var origin: Int? {
    lock.withLock { isStarted ? shared.pointee.origin(of: startNumber) : nil }
  }

  /// [any thread] Sets whether something waits for the renders. A render waits for its file if
  /// nothing does; if that is unknown, unless a device or a thread of real-time priority renders.
  package func setPace(_ pace: RenderPace) { shared.pointee.pace.store(pace, ordering: .relaxed) }

  /// [any thread] Sets the seconds from a render until its sound has come out of the device.
  package func setLatency(_ seconds: Double) {
    completions.latency.store(
      UInt64(saturating: min(max(seconds, 0), 60) * 1e9), ordering: .relaxed)
  }

  /// [any thread] The number of gaps because files were not read in time, and their total length in
  /// frames.
  package var gaps: (count: Int, frames: Int) {
    (
      shared.pointee.gapCount.load(ordering: .relaxed),
      shared.pointee.gapFrames.load(ordering: .relaxed)
    )
  }
}
