// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The times of events. [any thread]
package enum EventTime {
  /// The latest time of an event. Programs use later times, such as `kMusicTimeStamp_EndOfTrack`, for
  /// the end of a track.
  package static let limit = 1e9

  /// A time that an event can have.
  package static func checked(_ time: Double) throws(AudioError) -> Double {
    guard time >= 0, time < limit else {
      throw .invalidArgument.because("an event at beat \(time); expected 0 or more")
    }
    return time
  }

  /// The times from start to before end. A start before 0 is 0, and an end at the limit or later
  /// includes all events.
  package static func range(_ start: Double, _ end: Double) throws(AudioError) -> Range<Double> {
    guard !start.isNaN, !end.isNaN, start <= end else {
      throw .invalidArgument.because("the range from beat \(start) to beat \(end)")
    }
    return max(0, min(start, limit))..<(end >= limit ? .infinity : max(0, end))
  }
}
