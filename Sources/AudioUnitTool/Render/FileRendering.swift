// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import SignalProcessing
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The rendering of files through units, in series, each into another file.
struct FileRendering: Sendable {
  let units: [UnitSpec]
  /// Seconds to render after the end of the file; nil: as long as the units sound.
  let tail: Double?
  /// The channels that the units get; nil: those of the file.
  var channelCount: Int?
  /// How much of the channel for low-frequency effects fewer channels get; linear.
  var lowFrequencyGain: Float = 0
  /// The sample format of the output.
  var samples = SoundFileSamples.native
  /// The kind of a file whose name does not say it, such as a pipe; nil: WAV.
  var kind: SoundFileKind?
  /// Whether each file is on the disk before it gets its name.
  var isSynchronized = false

  /// What was rendered.
  private struct Result {
    var outcome = Conversion.Outcome()
    var sampleRate = 0.0
    /// The largest sample, linear.
    var peak = 0.0
    /// What there is to say if it is silent although its input is not.
    var silence: String?
  }

  /// Renders a file as fast as possible. The output begins with the first frame of the input: the
  /// latency of the units is removed. It is as long as the units make it.
  ///
  /// - Returns: A summary of the output.
  func run(_ task: ConversionList.Task) throws -> String {
    try ToneEffects.check(units)
    for folder in ConversionList.folders([task]) { AbandonedFiles.remove(in: folder) }
    let signals = Signals(Signals.ending)
    var signal: Int32?
    var progress = Progress()
    let watch = Conversion.Watch(
      isStopped: {
        signal = signal ?? signals.next()
        return signal != nil
      }, show: { progress.show($0) })
    let result = try result(task, watch)
    progress.clear()
    if let signal { Signals.endProcess(by: signal) }
    guard let result else { throw Failure("\(task.output): not written") }
    let title = task.input == "-" ? "standard input" : task.input
    Failure.warn(of: result.outcome.condition, in: title)
    Failure.warn(of: result.outcome.repairs, in: title)
    if let silence = result.silence {
      Console.error("\(task.output): is silent, although \(title) is not: \(silence)")
    }
    let seconds = Double(result.outcome.frames) / result.sampleRate
    return "\(task.output): \(Numbers.count(result.outcome.frames, "frame")), "
      + "\(Numbers.plain((seconds * 1_000).rounded() / 1_000)) s, peak "
      + "\(Numbers.rounded(SignalProcessing.Decibels.level(result.peak), digits: 2)) dBFS"
  }

  /// Renders one of many files; nil if it was stopped. Nothing incomplete remains.
  func render(
    _ task: ConversionList.Task, _ watch: Conversion.Watch
  ) throws(Failure) -> Conversion.Outcome? {
    guard !MIDIScore.isScore(task.input) else {
      throw Failure("\(task.input): is a MIDI file, which is rendered alone and without units")
    }
    guard var result = try result(task, watch) else { return nil }
    if let silence = result.silence {
      result.outcome.notes.append("the output is silent, although the input is not: \(silence)")
    }
    return result.outcome
  }

  private func result(
    _ task: ConversionList.Task, _ watch: Conversion.Watch
  ) throws(Failure) -> Result? {
    var settings = ConversionSettings()
    (settings.channelCount, settings.lowFrequencyGain) = (channelCount, lowFrequencyGain)
    let source = try SoundInput(task.input, settings, isStreamed: task.output == "-")
    let sound = try UnitStream(try source.open(), units, tail: tail)
    guard sound.input.frameCount != 0 else { throw Failure("\(source.title): has no frames") }
    guard var result = try write(sound, to: task.output, watch) else { return nil }
    result.outcome.repairs += sound.repairs
    result.outcome.condition = source.condition
    result.sampleRate = sound.sampleRate
    result.peak = sound.readAndResetPeak()
    if result.peak == 0, sound.hasSound {
      result.silence =
        "check the volumes of " + units.map(\.name).joined(separator: ", ")
    }
    return result
  }

  private func write(
    _ sound: UnitStream, to output: String, _ watch: Conversion.Watch
  ) throws(Failure) -> Result? {
    let planes = PlanarMemory(channelCount: sound.channelCount, frameCount: BlockMemory.frameCount)
    let memory = BlockMemory(channelCount: sound.channelCount)
    let all = sound.frameCount
    let target = try target(output, sound, expecting: all)
    var result = Result()
    while case let count = try sound.read(into: memory.samples, BlockMemory.frameCount), count > 0 {
      if watch.isStopped() { return nil }
      memory.split(into: planes, count)
      try target.write(planes.channels, count)
      result.outcome.frames += count
      if let all { watch.show(Double(result.outcome.frames) / Double(max(1, all))) }
    }
    try target.finish()
    result.outcome.repairs = target.repairs
    return result
  }

  private func target(
    _ output: String, _ sound: UnitStream, expecting frameCount: Int?
  ) throws(Failure) -> ConversionTarget {
    var encoding: SoundFileEncoding
    do {
      encoding = try SoundFileEncoding(path: output, kind: kind)
      try encoding.adopt(samples)
    } catch { throw Failure(error.explanation, error.status) }
    encoding.isSynchronized = isSynchronized
    return try ConversionTarget(
      output, sampleRate: sound.sampleRate.rounded(), channelCount: sound.channelCount, encoding,
      expecting: frameCount)
  }
}
