// SPDX-License-Identifier: Apache-2.0

/// The part of a sound between two places, as typed.
struct SoundPart {
  /// The first frame; nil: the beginning.
  var from: SoundPosition?
  /// The frame after the last; nil: the end.
  var to: SoundPosition?

  /// Whether it depends on the length of the sound.
  var isFromEnd: Bool { [from, to].contains { $0?.isFromEnd == true } }

  /// The frames of a sound that it names.
  ///
  /// - Parameters:
  ///   - sampleRate: The frames per second of the sound.
  ///   - length: How many frames the sound has; nil if that is not known.
  /// - Returns: The frames; up to `Int.max` where the length is not known.
  /// - Throws: If there are none.
  func frames(at sampleRate: Double, of length: Int?) throws(Failure) -> Range<Int> {
    func frame(_ place: SoundPosition?, or other: Int) -> Int {
      place?.frame(at: sampleRate, of: length) ?? other
    }
    let (start, end) = (frame(from, or: 0), frame(to, or: length ?? .max))
    if let length, start >= length, length > 0 {
      let seconds = Numbers.short(Double(length) / sampleRate, digits: 3)
      throw Failure("--from \(from?.text ?? "") is not before the end, at \(seconds) s")
    }
    guard start < end || length == 0 else {
      throw Failure("--to \(to?.text ?? "") is not after --from \(from?.text ?? "0")")
    }
    return start..<max(start, min(end, length ?? .max))
  }
}
