// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import SignalProcessing

/// The conversion of one file.
struct Conversion: Sendable {
  /// What a conversion has written.
  struct Outcome: Sendable {
    /// The number of frames.
    var frames = 0
    /// The samples that the output could not hold as they were.
    var repairs = SampleRepairs()
    /// Whether the input was complete; nil if that is unknown.
    var condition: SoundFileCondition?
    /// What the steps of the edit have to say.
    var notes: [String] = []
  }

  /// Sees how far a conversion is, and may stop it.
  struct Watch {
    /// Whether the conversion is to stop.
    let isStopped: () -> Bool
    /// Gets the share that is done, 0...1.
    let show: (Double) -> Void
  }

  /// What is written.
  private struct Sound {
    let format: FrameFormat
    let memory: UnsafeMutableRawPointer
    let frameCount: Int?
    /// The part of the input that it is; nil if its frames are in another order.
    let map: FrameMap?
    let keptBits: Int?
    /// Reads the next frames to `memory`; returns how many.
    let read: () throws(Failure) -> Int
  }

  let settings: ConversionSettings

  /// Converts a file and returns what was written; nil if it was stopped.
  func convert(
    _ task: ConversionList.Task, _ watch: Watch
  ) throws(Failure) -> Outcome? {
    let encoding = settings.rawOutput == nil ? try settings.encoding(for: task.output) : nil
    try ConversionList.checkTarget(task.output)
    let edit = task.edit ?? settings.edit
    let isStreamed = task.output == "-" && edit.passCount == 1
    let input =
      if let (inputs, combination) = task.combined {
        try CombinedInput(inputs, combination, settings, isStreamed: isStreamed)
      } else {
        try SoundInput(task.input, settings, isStreamed: isStreamed)
      }
    let requested = settings.sampleRate
    let newRate: @Sendable (Double) -> Double = {
      requested ?? encoding?.sampleRate(for: $0) ?? $0
    }
    guard !edit.isEmpty || input.isPipe || task.combined != nil else {
      let source = try input.file(rate: newRate, nil)
      return try write(
        Sound(
          format: source.frameFormat, memory: source.memory, frameCount: source.frameCount,
          map: source.map, keptBits: source.keptBits,
          read: { () throws(Failure) in try source.read() }), of: input, to: task, encoding, watch,
        showsShare: true)
    }
    let notes = EditNotes()
    let counter = FrameCounter(passCount: edit.passCount, watch)
    let sound = try edit.apply(
      to: { () throws(Failure) in WatchedStream(try input.open(), counter) },
      rate: RateStep(newRate: newRate, quality: settings.quality), notes)
    let memory = BlockMemory(channelCount: sound.channelCount)
    let (samples, count) = (memory.samples, BlockMemory.frameCount)
    let format = FrameFormat(.float64, sound.sampleRate, channelCount: sound.channelCount)
    var outcome = try write(
      Sound(
        format: format, memory: UnsafeMutableRawPointer(samples), frameCount: sound.frameCount,
        map: sound.map, keptBits: sound.keepsSamples ? input.keptBits : nil,
        read: { () throws(Failure) in try sound.read(into: samples, count) }), of: input, to: task,
      encoding, watch, showsShare: false)
    withExtendedLifetime(memory) {}
    outcome?.notes = notes.lines
    return outcome
  }

  /// Opens the output.
  private func target(
    _ task: ConversionList.Task, _ sound: Sound, _ input: SoundInput, _ given: SoundFileEncoding?
  ) throws(Failure) -> any SoundTarget {
    guard var encoding = given else {
      guard let format = settings.rawOutput else { throw Failure("\(task.output): has no format") }
      return try RawTarget(
        task.output, format, from: sound.format, sourceBits: sound.keptBits,
        dither: settings.dither, isSynchronized: settings.isSynchronized)
    }
    if settings.bits == nil, encoding.codec == kAudioFormatLinearPCM || input.bits != nil {
      encoding.bits = input.bits ?? 16
    }
    var metadata = input.metadata
    if let map = sound.map {
      metadata.move(to: map.start..<max(map.start, map.end), ratio: map.ratio)
    } else {
      (metadata.markers, metadata.regions) = ([], [])
    }
    if (task.edit ?? settings.edit).movesChannels { metadata.dropChannels() }
    try settings.metadata.apply(
      to: &metadata, sampleRate: sound.format.sampleRate, frameCount: sound.frameCount)
    return try ConversionTarget(
      task.output, sampleRate: sound.format.sampleRate, channelCount: sound.format.channelCount,
      encoding, from: sound.format, sourceBits: sound.keptBits, metadata: metadata,
      expecting: sound.frameCount)
  }

  private func write(
    _ sound: Sound, of input: SoundInput, to task: ConversionList.Task,
    _ encoding: SoundFileEncoding?, _ watch: Watch, showsShare: Bool
  ) throws(Failure) -> Outcome? {
    let target = try target(task, sound, input, encoding)
    var outcome = Outcome()
    while true {
      if watch.isStopped() { return nil }
      let count = try sound.read()
      if count == 0 { break }
      try target.write(interleaved: sound.memory, count)
      outcome.frames += count
      if showsShare, let all = sound.frameCount {
        watch.show(Double(outcome.frames) / Double(max(1, all)))
      }
    }
    // A stopped source ends early.
    if watch.isStopped() { return nil }
    try target.finish()
    outcome.repairs = target.repairs
    outcome.condition = input.condition
    return outcome
  }
}

/// Counts the frames of a source over all passes.
private final class FrameCounter {
  let watch: Conversion.Watch
  private let passCount: Int
  private var frames = 0

  init(passCount: Int, _ watch: Conversion.Watch) {
    (self.passCount, self.watch) = (passCount, watch)
  }

  func add(_ count: Int, of all: Int?) {
    frames += count
    if let all { watch.show(min(1, Double(frames) / Double(max(1, all * passCount)))) }
  }
}

/// A source that ends early when the conversion is stopped, and whose frames are counted.
private final class WatchedStream: SteppedStream {
  let input: any SoundStream
  private let counter: FrameCounter

  init(_ input: any SoundStream, _ counter: FrameCounter) {
    (self.input, self.counter) = (input, counter)
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    guard !counter.watch.isStopped() else { return 0 }
    let count = try input.read(into: samples, frameCount)
    counter.add(count, of: input.frameCount)
    return count
  }

  func skip(_ count: Int) throws(Failure) -> Int {
    guard !counter.watch.isStopped() else { return 0 }
    let skipped = try input.skip(count)
    counter.add(skipped, of: input.frameCount)
    return skipped
  }
}
