// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing

extension Signal {
  /// A sine in single precision, long enough for a conversion to 2,000 frames.
  static func sine(_ frequency: Double, _ sampleRate: Double, count: Int = 130_000) -> Signal {
    Signal.sine(frequency, sampleRate: sampleRate, count: count)
  }
}

extension SampleRateConverter {
  /// Converts one channel; returns how much input was read.
  mutating func process(_ input: [Float], frames: Int, into output: inout [Float]) -> Int {
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard var source = input.baseAddress, var destination = output.baseAddress else { return 0 }
        return process(
          input: &source, inputFrames: frames, output: &destination, outputFrames: output.count)
      }
    }
  }

  /// Converts a signal, from its frame `start`, in slices of the output.
  mutating func convert(
    _ signal: Signal, from start: Int = 0, outputFrames: Int, slice: Int = .max
  ) -> Signal {
    let input = signal.floats
    var read = start
    var samples: [Float] = []
    while samples.count < outputFrames {
      var output = [Float](repeating: .nan, count: min(slice, outputFrames - samples.count))
      let needed = inputFramesNeeded(for: output.count)
      read += process(Array(input[read..<read + needed]), frames: needed, into: &output)
      samples += output
    }
    return Signal(samples, sampleRate: outputRate)
  }
}
