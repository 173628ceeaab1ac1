// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing

/// Rate conversion, as an output unit does it.
enum ConverterBenchmark {
  static func run() {
    Report.title("sample rate conversion, 512 frames (ns per output sample and channel)")
    for (from, to) in [(44_100.0, 48_000.0), (96_000.0, 44_100.0)] {
      for quality in SampleRateConverter.Quality.allCases {
        Report.own(
          "\(Int(from)) to \(Int(to)) Hz, \(quality)", convert(from, to, quality), "ns")
      }
    }
  }

  private static func convert(
    _ from: Double, _ to: Double, _ quality: SampleRateConverter.Quality
  ) -> Double {
    let frames = 512
    var converter = SampleRateConverter(
      inputRate: from, outputRate: to, channelCount: 1, quality: quality)
    let input = UnsafeMutablePointer<Float>.allocate(capacity: 8192)
    let output = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer {
      input.deallocate()
      output.deallocate()
    }
    input.initialize(repeating: 0.25, count: 8192)
    var inputs = UnsafePointer(input)
    var outputs = output
    return Stopwatch.nanoseconds {
      let needed = converter.inputFramesNeeded(for: frames)
      converter.process(
        input: &inputs, inputFrames: needed, output: &outputs, outputFrames: frames)
    } / Double(frames)
  }
}
