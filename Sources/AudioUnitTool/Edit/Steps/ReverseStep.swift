// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Plays a sound backwards.
struct ReverseStep: EditStep {
  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream { try ReversedStream(try input()) }
}

/// A sound from its last frame to its first. All of it is kept in a temporary file.
private final class ReversedStream: SteppedStream {
  let input: any SoundStream
  private let file: TemporaryFile
  private let length: Int
  private var left: Int

  init(_ input: any SoundStream) throws(Failure) {
    self.input = input
    let file = try TemporaryFile()
    var length = 0
    try input.forEachBlock { block, count throws(Failure) in
      try file.append(
        UnsafeRawBufferPointer(start: block.samples, count: count * block.channelCount * 8))
      length += count
    }
    (self.file, self.length, left) = (file, length, length)
  }

  var frameCount: Int? { length }
  var map: FrameMap? { nil }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    let count = min(frameCount, left)
    guard count > 0 else { return 0 }
    left -= count
    let channels = channelCount
    try file.read(
      UnsafeMutableRawBufferPointer(start: samples, count: count * channels * 8),
      at: left * channels * 8)
    for frame in 0..<count / 2 {
      let (one, other) = (frame * channels, (count - 1 - frame) * channels)
      for channel in 0..<channels {
        (samples[one + channel], samples[other + channel]) =
          (samples[other + channel], samples[one + channel])
      }
    }
    return count
  }
}
