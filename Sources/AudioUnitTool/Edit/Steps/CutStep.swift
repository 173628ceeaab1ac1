// SPDX-License-Identifier: Apache-2.0

/// Keeps the part of a sound between two places.
struct CutStep: EditStep {
  /// The first frame; nil: the beginning.
  let from: SoundPosition?
  /// The frame after the last; nil: the end.
  let to: SoundPosition?

  var passCount: Int { [from, to].contains { $0?.isFromEnd == true } ? 2 : 1 }

  func apply(
    to input: () throws(Failure) -> any SoundStream, _ notes: EditNotes
  ) throws(Failure) -> any SoundStream {
    let sound = try input()
    var length = sound.frameCount
    if length == nil, passCount == 2 { length = try sound.skip(.max) }
    func frame(_ place: SoundPosition?, or other: Int) -> Int {
      place?.frame(at: sound.sampleRate, of: length) ?? other
    }
    let range = (start: frame(from, or: 0), end: frame(to, or: length ?? .max))
    if let length, range.start >= length, length > 0 {
      throw Failure(
        "--from \(from?.text ?? "") is not before the end, at \(Self.time(length, sound))")
    }
    guard range.start < range.end || length == 0 else {
      throw Failure("--to \(to?.text ?? "") is not after --from \(from?.text ?? "0")")
    }
    let fresh = sound.frameCount == nil && passCount == 2 ? try input() : sound
    return CutStream(fresh, range.start..<max(range.start, min(range.end, length ?? .max)))
  }

  private static func time(_ frames: Int, _ sound: any SoundStream) -> String {
    "\(Numbers.short(Double(frames) / sound.sampleRate, digits: 3)) s"
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
