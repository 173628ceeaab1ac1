// SPDX-License-Identifier: Apache-2.0

/// A crossfade of an input, as the graph observes it that began it.
package protocol RunningFade: AnyObject, Sendable {
  /// [any thread] How many frames it has played.
  var position: Int { get }
  /// [any thread] Whether only the new source is played.
  var isFinished: Bool { get }
}

/// How long the crossfade of an input takes, in seconds.
package struct FadeTiming: Equatable, Sendable {
  /// How long only the old source is played, until the new one has overcome its latency.
  package var warmUp: Double
  /// The crossfade itself.
  package var duration: Double

  /// [any thread] The timing of a crossfade.
  package init(warmUp: Double, duration: Double) {
    self.warmUp = warmUp
    self.duration = duration
  }
}
