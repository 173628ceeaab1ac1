// SPDX-License-Identifier: Apache-2.0

/// Keeps the part of a sound between two places.
struct CutStep: EditStep {
  let part: SoundPart

  var passCount: Int { part.isFromEnd ? 2 : 1 }

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let sound = try input()
    var length = sound.frameCount
    if length == nil, passCount == 2 { length = try sound.skip(.max) }
    let range = try part.frames(at: sound.sampleRate, of: length)
    let fresh = sound.frameCount == nil && passCount == 2 ? try input() : sound
    return CutStream(fresh, range)
  }
}

/// Some consecutive frames of a sound.
final class CutStream: SteppedStream {
  let input: any SoundStream
  private let range: Range<Int>
  private var position = 0

  init(_ input: any SoundStream, _ range: Range<Int>) {
    (self.input, self.range) = (input, range)
  }

  var frameCount: Int? {
    input.frameCount.map { range.clamped(to: 0..<$0).count } ?? nil
  }
  var map: FrameMap? { input.map?.cut(to: range) }

  func read(
    into samples: UnsafeMutablePointer<Double>, _ frameCount: Int
  ) throws(Failure) -> Int {
    if position < range.lowerBound {
      position += try input.skip(range.lowerBound - position)
      guard position == range.lowerBound else { return 0 }
    }
    let wanted = min(frameCount, range.upperBound - position)
    guard wanted > 0 else { return 0 }
    let count = try input.read(into: samples, wanted)
    position += count
    return count
  }
}
