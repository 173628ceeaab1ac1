// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing

extension ToneOscillator {
  /// Renders a steady tone as a signal, in slices of `slice` frames.
  mutating func signal(
    _ waveform: Waveform, _ frequency: Double, amplitude: Float = 1, duty: Float = 0.5,
    count: Int, slice: Int = 512
  ) -> Signal {
    var samples = [Float](repeating: .nan, count: count)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      for frame in stride(from: 0, to: count, by: slice) {
        render(
          into: start + frame, count: min(slice, count - frame), waveform: waveform,
          frequency: frequency, amplitude: amplitude, duty: duty)
      }
    }
    return Signal(samples, sampleRate: sampleRate)
  }

  /// Renders a tone whose frequency moves evenly from `start` to `end`, in slices.
  mutating func sweep(
    _ waveform: Waveform, from start: Double, to end: Double, count: Int, slice: Int
  ) -> Signal {
    var samples = [Float](repeating: .nan, count: count)
    let step = (end - start) / Double(count)
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let memory = buffer.baseAddress else { return }
      for frame in stride(from: 0, to: count, by: slice) {
        render(
          into: memory + frame, count: min(slice, count - frame), waveform: waveform,
          frequency: start + step * Double(frame), frequencyStep: step, amplitude: 1)
      }
    }
    return Signal(samples, sampleRate: sampleRate)
  }
}
