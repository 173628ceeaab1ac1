// SPDX-License-Identifier: Apache-2.0

/// The tempos of a sequence: converts beats to seconds and back. Beats are quarter notes. [any thread]
///
/// Before its first tempo it has the initial one; before the start, the tempo at the start.
package struct TempoMap: Equatable, Sendable {
  /// A tempo from a beat on.
  package struct Point: Equatable, Sendable, BitwiseCopyable {
    package let beat: Double
    package let seconds: Double
    package let secondsPerBeat: Double

    package func seconds(_ beat: Double) -> Double {
      seconds + (beat - self.beat) * secondsPerBeat
    }

    package func beats(_ seconds: Double) -> Double {
      beat + (seconds - self.seconds) / secondsPerBeat
    }
  }

  /// The tempo without a tempo event.
  package static let initialTempo = 120.0

  /// The first point is at beat 0.
  package let points: [Point]

  /// The tempos at some beats, in order; of two at one beat the later one counts.
  package init(_ tempos: [(beat: Double, tempo: Double)] = [], initial: Double = initialTempo) {
    var points = [Point(beat: 0, seconds: 0, secondsPerBeat: 60 / initial)]
    for (beat, tempo) in tempos {
      let last = points[points.count - 1]
      if max(beat, 0) == last.beat { points.removeLast() }
      points.append(
        Point(
          beat: max(beat, 0), seconds: last.seconds(max(beat, 0)), secondsPerBeat: 60 / tempo))
    }
    self.points = points
  }

  /// The seconds from the start to a beat.
  package func seconds(_ beat: Double) -> Double {
    point { $0.beat <= beat }.seconds(beat)
  }

  /// The beat at some seconds from the start.
  package func beats(_ seconds: Double) -> Double {
    point { $0.seconds <= seconds }.beats(seconds)
  }

  /// The last point for which a condition holds, or the first one.
  private func point(where holds: (Point) -> Bool) -> Point {
    var (low, high) = (0, points.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if holds(points[middle]) { low = middle } else { high = middle - 1 }
    }
    return points[low]
  }
}
