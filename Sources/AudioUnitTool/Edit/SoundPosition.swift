// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// A place in a sound, as typed: seconds, minutes and seconds, or frames; before the end with a minus.
struct SoundPosition: Equatable, Sendable {
  private enum Measure: Equatable { case seconds(Double), frames(Int) }
  private let measure: Measure
  let isFromEnd: Bool
  /// As typed.
  let text: String

  /// A frame.
  init(frame: Int) { (measure, isFromEnd, text) = (.frames(frame), false, "\(frame)f") }

  /// Reads a text such as "90", "1:30.5", "250ms", "48000f" or "-5".
  init?(_ text: String) {
    self.text = text
    isFromEnd = text.hasPrefix("-") || text.hasPrefix("−")
    let rest = isFromEnd ? String(text.dropFirst()) : text
    guard let first = rest.first, first.isNumber || first == "." else { return nil }
    if rest.hasSuffix("f"), let count = Int(rest.dropLast()) {
      measure = .frames(count)
      return
    }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard parts.count <= 3,
        let value = isLast ? Quantity.seconds.value(of: part) : Int(part).map(Double.init),
        value >= 0, index == 0 || value < 60
      else { return nil }
      seconds = 60 * seconds + value
    }
    guard seconds <= 1e7 else { return nil }
    measure = .seconds(seconds)
  }

  /// The frame of a sound with `frameCount` frames; nil if it counts from an end that is not known.
  func frame(at sampleRate: Double, of frameCount: Int?) -> Int? {
    let frames =
      switch measure {
      case .seconds(let seconds): Int(saturating: (seconds * sampleRate).rounded())
      case .frames(let count): count
      }
    guard isFromEnd else { return frames }
    return frameCount.map { max(0, $0 - frames) }
  }
}

extension ValueReader where Value == SoundPosition {
  /// A place in a sound.
  static var soundPosition: Self {
    Self(
      expected: "a time such as 90, 1:30, 250ms or 48000f (frames); with a minus, before the end",
      limits: ", such as 90, 1:30, 250ms or 48000f (frames); -3 is 3 s before the end"
    ) { SoundPosition($0) }
  }
}
