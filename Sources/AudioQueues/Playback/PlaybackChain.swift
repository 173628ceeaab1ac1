// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import AudioSupport
internal import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The settings of the stage that changes rate and pitch.
struct TimePitchSettings: Equatable {
  var isEnabled = false
  var isBypassed = false
  var algorithm = UInt32(kAudioQueueTimePitchAlgorithm_Spectral)
}

/// The way of the sound from enqueued buffers to the ring of a renderer: through the decoder, the
/// tap, and the stage that changes rate and pitch. Marks between the frames tell the render thread
/// what takes effect there.
///
/// Only the thread that uses the queue's buffers, or has halted the one that does, accesses it.
final class PlaybackChain {
  /// Where frames go, and what they pass on the way. The tap stays while a thread uses the buffers.
  struct Destination {
    let renderer: UnsafeMutablePointer<PlaybackRenderer>
    var tap: ProcessingTap?
    var timePitch = TimePitchSettings()
  }

  let decoder: BufferDecoder
  private let channelCount: Int
  private let sampleRate: Double
  private let parameters: UnsafeMutablePointer<QueueParameters>
  /// The marks at the next frame of the ring.
  private var marks = Marks()
  private var timePitch: TimePitch?
  /// Parameter events with the time pitch's input frames at which they take effect.
  private var pendingEvents: [(frame: Int, event: AudioQueueParameterEvent)] = []

  /// [control thread] Throws for a format that cannot be decoded.
  init(
    _ format: AudioStreamBasicDescription, _ parameters: UnsafeMutablePointer<QueueParameters>
  ) throws(AudioError) {
    decoder = try BufferDecoder(format)
    channelCount = Int(format.mChannelsPerFrame)
    sampleRate = format.mSampleRate
    self.parameters = parameters
  }

  /// Output frames still to come from the time pitch.
  private(set) var pendingFrames = 0

  /// Forgets everything that is on the way.
  func reset() {
    decoder.reset()
    marks = Marks()
    timePitch?.reset()
    pendingEvents.removeAll()
    pendingFrames = 0
  }

  // MARK: Buffers

  /// Begins a buffer, and marks where it begins. False when frames before a gap in the sound must be
  /// written first.
  func begin(_ enqueued: EnqueuedBuffer, _ to: Destination) -> Bool {
    let timePitch = currentTimePitch(to)
    if let frame = enqueued.options.startFrame {
      // Frames before a gap are written before it.
      if let timePitch, !drain(timePitch, to) { return false }
      marks.start = max(marks.start ?? frame, frame)
    }
    for event in enqueued.options.parameters {
      if let timePitch {
        pendingEvents.append((timePitch.consumedFrames, event))
      } else {
        apply(event)
      }
    }
    decoder.begin(enqueued)
    return true
  }

  /// Passes decoded frames through the tap and the time pitch, in the tap's order, to the ring.
  func emit(_ range: Range<Int>, _ to: Destination) {
    guard !range.isEmpty else { return }
    var source = decoder.output
    var range = range
    if let tap = to.tap, tap.isBeforeEffects {
      source = tap.process(source, range, at: writtenFrame(to))
      range = 0..<range.count
    }
    guard let timePitch = currentTimePitch(to) else { return finish(source, range, to) }
    timePitch.consume(source.from(range.lowerBound), count: range.count)
    while true {
      set(timePitch, to)
      let made = timePitch.render(upTo: pendingEvents.first?.frame)
      finish(timePitch.output, made, to)
      guard applyPendingEvents(timePitch.nextInputFrame) || !made.isEmpty else { break }
    }
    pendingFrames = timePitch.pendingOutputFrames
  }

  /// Writes the frames still in the codec and the time pitch; returns whether none is left.
  func drain(_ to: Destination) -> Bool {
    let (count, isFinished) = decoder.drain()
    emit(0..<count, to)
    guard isFinished else { return false }
    if let timePitch, !drain(timePitch, to) { return false }
    if let tap = to.tap {
      // The tap has processed the last frames before the end was known.
      _ = tap.process(decoder.output, 0..<0, at: writtenFrame(to), isAtEnd: true)
      tap.streamEnded()
    }
    return true
  }

  /// Writes the mark of the end; returns whether there was room.
  func end(_ to: Destination) -> Bool {
    writeMarks(to)
    return to.renderer.pointee.marks.push(mark(.end, to))
  }

  private func finish(_ source: PlanarBuffer, _ range: Range<Int>, _ to: Destination) {
    guard !range.isEmpty else { return }
    var (source, range) = (source, range)
    if let tap = to.tap, !tap.isBeforeEffects {
      source = tap.process(source, range, at: writtenFrame(to))
      range = 0..<range.count
    }
    writeMarks(to)
    // There is room: the ring is larger than the frames decoded ahead plus those of one call.
    _ = to.renderer.pointee.ring.write(
      UnsafePointer(source.channels), from: range.lowerBound, count: range.count)
  }

  /// The queue time, in frames, of the next frame written to the ring.
  private func writtenFrame(_ to: Destination) -> Int {
    max(to.renderer.pointee.position.end, 0) + to.renderer.pointee.ring.fill
  }

  // MARK: Marks

  /// Writes the marks at the next frame of the ring for the render thread.
  func writeMarks(_ to: Destination) {
    guard !marks.isEmpty else { return }
    let marks = marks
    self.marks = Marks()
    if let start = marks.start {
      var mark = mark(.start, to)
      mark.time = start
      // Without room for it, the gap follows these frames.
      if !to.renderer.pointee.marks.push(mark) { self.marks.start = start }
    }
    for (id, value) in marks.values {
      var mark = mark(.parameter, to)
      (mark.id, mark.value) = (id, value)
      // An event without room takes effect a little early.
      if !to.renderer.pointee.marks.push(mark) { _ = parameters.pointee.set(id, value) }
    }
  }

  private func mark(_ kind: PlaybackMark.Kind, _ to: Destination) -> PlaybackMark {
    PlaybackMark(
      kind, at: to.renderer.pointee.ring.written,
      generation: to.renderer.pointee.generation.load(ordering: .relaxed))
  }

  /// Applies a parameter event at the next frame of the ring.
  private func apply(_ event: AudioQueueParameterEvent) {
    switch event.mID {
    // These parameters belong to stages before the ring, so they change immediately.
    case kAudioQueueParam_PlayRate, kAudioQueueParam_Pitch:
      _ = parameters.pointee.set(event.mID, event.mValue)
    default: marks.values[event.mID] = event.mValue
    }
  }

  // MARK: Time pitch

  /// The stage that changes rate and pitch; nil when it is not enabled.
  private func currentTimePitch(_ to: Destination) -> TimePitch? {
    let algorithm = to.timePitch.isEnabled ? to.timePitch.algorithm : nil
    if timePitch?.algorithm == algorithm { return timePitch }
    applyPendingEvents(.infinity)
    timePitch = algorithm.map {
      TimePitch(algorithm: $0, channelCount: channelCount, sampleRate: sampleRate)
    }
    return timePitch
  }

  private func set(_ timePitch: TimePitch, _ to: Destination) {
    timePitch.set(
      rate: parameters.pointee.limited(kAudioQueueParam_PlayRate),
      cents: parameters.pointee.limited(kAudioQueueParam_Pitch),
      isBypassed: to.timePitch.isBypassed)
  }

  /// Applies the events up to the input frame that is output next; returns whether there were any.
  @discardableResult
  private func applyPendingEvents(_ nextInputFrame: Double) -> Bool {
    var hasApplied = false
    while let (frame, event) = pendingEvents.first, nextInputFrame > Double(frame) - 1 {
      apply(event)
      pendingEvents.removeFirst()
      hasApplied = true
    }
    return hasApplied
  }

  /// Writes frames that are still in the time pitch, as many as one call makes; returns whether
  /// none is left.
  private func drain(_ timePitch: TimePitch, _ to: Destination) -> Bool {
    set(timePitch, to)
    let made = timePitch.drain()
    finish(timePitch.output, made, to)
    applyPendingEvents(timePitch.nextInputFrame)
    guard made.isEmpty else { return false }
    applyPendingEvents(.infinity)
    timePitch.reset()
    pendingFrames = 0
    return true
  }
}
