// SPDX-License-Identifier: Apache-2.0
import AudioFiles
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
  /// When a sound begins.
  package enum Start: Sendable {
    /// After the sounds that were scheduled before.
    case next
    /// At a number of frames after the start of the player.
    case position(Int)
    /// At a host time; at once if renders have none.
    case hostTime(UInt64)
  }

  /// How a buffer is played; see `AVAudioPlayerNodeBufferOptions`.
  package struct Options: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sound repeats until another one interrupts it.
    package static let loops = Options(rawValue: 1)
    /// All sounds before it end when its time has come.
    package static let interrupts = Options(rawValue: 2)
    /// All sounds before it end at the next end of the one that is playing.
    package static let interruptsAtLoop = Options(rawValue: 4)
  }

  /// The samples of a buffer.
  package struct Samples {
    let channels: UnsafePointer<UnsafeMutablePointer<Float>>
    let stride: Int
    let frameCount: Int
    let owner: AnyObject

    /// Samples that stay valid while `owner` exists. The samples of a channel are `stride` apart.
    package init(
      _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, stride: Int, frameCount: Int,
      owner: AnyObject
    ) {
      self.channels = channels
      self.stride = stride
      self.frameCount = frameCount
      self.owner = owner
    }
  }

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

  /// [any thread but a render thread] Schedules a buffer, whose samples are not copied.
  package func schedule(
    _ samples: Samples, at start: Start = .next, options: Options = [],
    completion: SoundCompletion = .consumed, handler: (@Sendable () -> Void)? = nil
  ) {
    var entry = entry(.sound)
    entry.channels = samples.channels
    entry.stride = samples.stride
    entry.frameCount = samples.frameCount
    entry.loops = options.contains(.loops)
    entry.interrupts = options.contains(.interrupts)
    entry.interruptsAtLoop = options.contains(.interruptsAtLoop)
    add(entry, start, owner: samples.owner, nil, completion, handler)
  }

  /// [any thread but a render thread] Schedules a part of a file: frames of the file from `first` on,
  /// all if the count is `UInt32.max`, and so many repetitions.
  ///
  /// - Throws: If the file has no such frames, or cannot be decoded or converted.
  package func schedule(
    _ file: AudioFileObject, from first: Int = 0, frameCount: UInt32 = .max, loops: UInt32 = 0,
    at start: Start = .next, owner: AnyObject? = nil, completion: SoundCompletion = .consumed,
    handler: (@Sendable () -> Void)? = nil
  ) throws(AudioError) {
    var position: Int?
    if case .position(let frame) = start { position = frame }
    let stream = try SoundStream(
      file, start: first, frameCount: frameCount, loops: loops, at: position, to: format)
    var entry = entry(.sound)
    entry.stream = stream.shared
    add(entry, start, owner: owner, stream, completion, handler)
    reader.add(stream)
  }

  private func entry(_ kind: SoundEntry.Kind) -> SoundEntry {
    SoundEntry(kind, epoch: shared.pointee.epoch.load(ordering: .acquiring))
  }

  private func add(
    _ entry: SoundEntry, _ start: Start, owner: AnyObject?, _ stream: SoundStream?,
    _ completion: SoundCompletion, _ handler: (@Sendable () -> Void)?
  ) {
    lock.withLock {
      var entry = entry
      switch start {
      case .next: break
      case .position(let frame):
        entry.timing = .position
        entry.position = min(max(frame, -Self.limit), Self.limit)
      case .hostTime(let time):
        entry.timing = .hostTime
        entry.stamp.mFlags = .hostTimeValid
        entry.stamp.mHostTime = time
      }
      let sound = ScheduledSound(
        nextNumber, owner: owner, stream: stream, completion, handler)
      nextNumber += 1
      entry.sound = .passRetained(sound)
      // First, because the render thread may end it at once.
      completions.add(sound)
      shared.pointee.incoming.push(SoundEntry.allocate(entry))
    }
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
      startNumber += 1
      var entry = entry(.start)
      entry.stamp = stamp
      entry.number = startNumber
      shared.pointee.incoming.push(SoundEntry.allocate(entry))
    }
    completions.setActive(true)
  }

  /// [any thread but a render thread] Pauses: sounds and position stay.
  package func pause() {
    lock.withLock {
      guard isStarted else { return }
      isStarted = false
      shared.pointee.incoming.push(SoundEntry.allocate(entry(.pause)))
    }
    completions.setActive(false)
  }

  /// [any thread] Ends all sounds; the position is 0 again. Their handlers are called soon.
  package func stop() { stop(continues: false) }

  /// [any thread] As `stop`, but if it was playing it starts again at once.
  package func reset() { stop(continues: true) }

  private func stop(continues: Bool) {
    lock.withLock {
      let restarts = continues && isStarted
      isStarted = false
      reader.removeAll()
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

  /// [any thread] Sets whether the program renders offline: then a render waits for its file.
  package func setOffline(_ isOffline: Bool) {
    shared.pointee.isOffline.store(isOffline, ordering: .relaxed)
  }

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
