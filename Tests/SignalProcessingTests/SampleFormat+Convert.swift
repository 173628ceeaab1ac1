// SPDX-License-Identifier: Apache-2.0

@testable import SignalProcessing

extension SampleFormat {
  /// Decodes samples of this format and encodes them in another, as converters do: in Float32 if it
  /// represents this format, else in Float64.
  func convert(
    _ source: UnsafeRawPointer, stride sourceStride: Int, to format: SampleFormat,
    at destination: UnsafeMutableRawPointer, stride: Int, count: Int,
    dither: UnsafeMutablePointer<DitherState>? = nil
  ) {
    let dither = dither.flatMap { state in
      Dither(state.pointee.kind, bits: state.pointee.bits).isUsed(from: self, to: format)
        ? state : nil
    }
    if SampleFormat.float32.canRepresent(self) {
      var samples = [Float](repeating: 0, count: count)
      decode(source, stride: sourceStride, into: &samples, count: count)
      format.encode(samples, count: count, to: destination, stride: stride, dither: dither)
    } else {
      var samples = [Double](repeating: 0, count: count)
      decode(source, stride: sourceStride, into: &samples, count: count)
      format.encode(samples, count: count, to: destination, stride: stride, dither: dither)
    }
  }
}
