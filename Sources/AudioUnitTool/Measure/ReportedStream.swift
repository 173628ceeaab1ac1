// SPDX-License-Identifier: Apache-2.0

/// A sound that reports how much of it was read.
final class ReportedStream: SteppedStream {
  let input: any SoundStream
  private let show: (Double) -> Void
  private var position = 0

  /// `show` gets the share that was read, 0...1.
  init(_ input: any SoundStream, _ show: @escaping (Double) -> Void) {
    (self.input, self.show) = (input, show)
  }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = try input.read(into: samples, frameCount)
    position += count
    if let all = input.frameCount { show(Double(position) / Double(max(1, all))) }
    return count
  }
}
