// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CheckedNumbers
import SignalProcessing

/// A sound that repeats, for the render thread: samples with a peak of 1.
struct SoundPlan {
  /// The samples of each channel of the output.
  let channels: UnsafePointer<UnsafePointer<Float>>
  let channelCount: Int
  /// At least one.
  let frameCount: Int

  /// [render thread] Multiplies frames of a list, from `start` on, by the sound from frame `place` on.
  @_noLocks
  func apply(
    to data: UnsafeMutablePointer<AudioBufferList>, from start: Int, _ count: Int, at place: Int
  ) {
    let list = buffers(of: data)
    let first = place % frameCount
    for channel in 0..<min(channelCount, Int(data.pointee.mNumberBuffers)) {
      guard let memory = list[channel].mData else { continue }
      let samples = memory.assumingMemoryBound(to: Float.self) + start
      let sound = channels[channel]
      // A sound that has not begun yet is silent, so its place does not matter.
      var index = first < 0 ? first + frameCount : first
      for frame in 0..<count {
        samples[frame] *= sound[index]
        index = index + 1 == frameCount ? 0 : index + 1
      }
    }
  }
}

/// The memory of a sound that repeats, at the sample rate of an output.
///
/// The end meets the beginning as in the file, also after the conversion of the rate: the converter
/// reads the file in a circle. A period of the file is a whole number of frames at the new rate; if
/// no multiple of the period is one, within four million frames, the pitch differs by less than half a
/// frame in a period.
final class SoundLoop: @unchecked Sendable {  // not changed after its initialization
  let plan: UnsafePointer<SoundPlan>
  private let memory = OwnedMemory()

  private static let mostRepeatedFrames = 1 << 22
  private static let sliceFrames = 4_096

  /// [control thread] Converts samples. An output of one channel gets the mean of all channels; one
  /// with more channels than the file gets them again, in their order.
  init(_ samples: SoundSamples, sampleRate: Double, channelCount: Int) {
    var sources = samples.channels
    if channelCount == 1, sources.count > 1 { sources = [Self.mean(sources)] }
    let (length, period) = Self.periods(
      samples.frameCount, from: samples.sampleRate, to: sampleRate)
    let memory = memory
    let scale = 1 / samples.peak
    let isEqual = samples.sampleRate == sampleRate
    let converted = sources.map { source in
      isEqual
        ? memory.array(source.map { $0 * scale })
        : Self.convert(
          source, length, from: samples.sampleRate, to: period, at: sampleRate, scale, memory)
    }
    let channels = (0..<max(channelCount, 1)).map { UnsafePointer(converted[$0 % sources.count]) }
    plan = UnsafePointer(
      memory.cell(
        SoundPlan(
          channels: UnsafePointer(memory.array(channels)), channelCount: channels.count,
          frameCount: isEqual ? samples.frameCount : period)))
  }

  /// [control thread] Silence, in place of a sound that cannot be read any more.
  init(channelCount: Int) {
    let silence = UnsafePointer(memory.array(1, of: Float(0)))
    let channels = Array(repeating: silence, count: max(channelCount, 1))
    plan = UnsafePointer(
      memory.cell(
        SoundPlan(
          channels: UnsafePointer(memory.array(channels)), channelCount: channels.count,
          frameCount: 1)))
  }

  deinit { memory.deallocate() }

  private static func mean(_ channels: [[Float]]) -> [Float] {
    channels[0].indices.map { frame in
      channels.reduce(Float(0)) { $0 + $1[frame] } / Float(channels.count)
    }
  }

  /// The frames of the file that are converted, one period or several, and what they become.
  static func periods(_ count: Int, from source: Double, to target: Double) -> (Int, Int) {
    if let (from, to) = wholeRates(source, target) {
      let repeats = from / divisor(count % from, from)
      if repeats <= mostRepeatedFrames / count {
        return (repeats * count, repeats * count / from * to)
      }
    }
    return (count, max(1, Int(saturating: (Double(count) * target / source).rounded())))
  }

  /// The ratio of two rates in small numbers; nil if they are no whole numbers.
  private static func wholeRates(_ source: Double, _ target: Double) -> (Int, Int)? {
    guard let from = Int(exactly: source), let to = Int(exactly: target), from > 0, to > 0 else {
      return nil
    }
    let common = divisor(from, to)
    return (from / common, to / common)
  }

  /// The greatest common divisor.
  private static func divisor(_ one: Int, _ other: Int) -> Int {
    var (a, b) = (other, one)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// Converts `length` frames of a file that repeats to `period` frames.
  private static func convert(
    _ source: [Float], _ length: Int, from sourceRate: Double, to period: Int,
    at sampleRate: Double, _ scale: Float, _ memory: OwnedMemory
  ) -> UnsafeMutablePointer<Float> {
    let target = Double(period) / Double(length) * sourceRate
    let isExact = abs(target / sampleRate - 1) < 1e-15
    var converter = SampleRateConverter(
      inputRate: sourceRate, outputRate: isExact ? sampleRate : target, channelCount: 1,
      quality: .mastering)
    converter.prime()
    let result = memory.array(period, of: Float(0))
    var output = [Float](repeating: 0, count: sliceFrames)
    // The first frames depend on the silence before the first one. They come again after a period.
    let settled = Int(saturating: 2 * converter.latency * target) + 64
    var (done, read) = (0, 0)
    while done < settled + period {
      let count = min(sliceFrames, settled + period - done)
      let needed = converter.inputFramesNeeded(for: count)
      let input = (0..<max(needed, 1)).map { source[(read + $0) % source.count] * scale }
      read = (read + needed) % source.count
      process(&converter, input, needed, &output, count)
      for index in 0..<count where done + index >= settled {
        result[(done + index) % period] = output[index]
      }
      done += count
    }
    return result
  }

  private static func process(
    _ converter: inout SampleRateConverter, _ input: [Float], _ inputCount: Int,
    _ output: inout [Float], _ outputCount: Int
  ) {
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard var source = input.baseAddress, var target = output.baseAddress else { return }
        converter.process(
          input: &source, inputFrames: inputCount, output: &target, outputFrames: outputCount)
      }
    }
  }
}
