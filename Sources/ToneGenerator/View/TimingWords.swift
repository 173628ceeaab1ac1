// SPDX-License-Identifier: Apache-2.0
import PlainText
import ToneModel

/// Reads when a tone sounds, as people type it: "0.5", "200ms delay 2 repeat 5 pause 1", "delay 2".
enum TimingWords {
  /// The timing; nil if the words are none, or if one of them has no effect without another.
  static func timing(_ words: [String]) -> ToneTiming? {
    var rest = words[...]
    let duration = rest.first.flatMap(seconds)
    if duration != nil { rest.removeFirst() }
    var (delay, pause, count) = (nil as Double?, nil as Double?, nil as Int?)
    var repeats = false
    while let word = rest.popFirst() {
      switch word {
      case "delay" where delay == nil:
        guard let value = rest.popFirst().flatMap(seconds) else { return nil }
        delay = value
      case "pause" where pause == nil:
        guard let value = rest.popFirst().flatMap(seconds) else { return nil }
        pause = value
      case "repeat" where !repeats:
        repeats = true
        guard let number = rest.first.flatMap({ Int($0) }) else { continue }
        guard (2...1_000_000).contains(number) else { return nil }
        count = number
        rest.removeFirst()
      default: return nil
      }
    }
    guard let duration else {
      return delay != nil && pause == nil && !repeats ? ToneTiming(delay: delay ?? 0) : nil
    }
    guard duration > 0, repeats || pause == nil else { return nil }
    return ToneTiming(
      delay: delay ?? 0, duration: duration, pause: repeats ? pause ?? duration : nil, count: count)
  }

  private static func seconds(_ word: String) -> Double? {
    Quantity.seconds.value(of: word).flatMap { ToneTiming.times.contains($0) ? $0 : nil }
  }
}
