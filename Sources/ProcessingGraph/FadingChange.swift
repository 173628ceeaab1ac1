// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CRealTime

/// A change of sources whose inputs fade: the steps that follow, and the work at its end.
struct FadingChange {
  /// Fades without progress for this many nanoseconds are of inputs that nothing pulls: a switched-off
  /// input of a mixer, or a graph that a program has stopped pulling.
  private static let patience: UInt64 = 200_000_000
  private static let patienceUnpaced: UInt64 = 1_000_000_000

  /// The steps that follow; never empty.
  private(set) var steps: [SourceMotion.Step]
  /// The fades of the step in effect.
  private(set) var fades: [any RunningFade]
  /// The work that is left when the last step is in effect.
  let end: Retirement
  /// Whether a device paces the fades.
  let isPaced: Bool
  private var progress = -1
  private var lastProgress = rt_host_time()

  init(steps: [SourceMotion.Step], fades: [any RunningFade], end: Retirement) {
    self.steps = steps
    self.fades = fades
    self.end = end
    isPaced = end.head?.graphUnit.isPaced == true && end.head?.isPlaying == true
  }

  /// The first of the following steps is in effect, with its fades.
  mutating func begin(_ fades: [any RunningFade]) {
    steps.removeFirst()
    self.fades = fades
    (progress, lastProgress) = (-1, rt_host_time())
  }

  /// [in a turn] Whether the fades have ended, or nothing plays them any more.
  mutating func hasEnded() -> Bool {
    if fades.allSatisfy(\.isFinished) { return true }
    if isPaced, end.head?.isPlaying != true { return true }
    let now = fades.reduce(0) { $0 + $1.position }
    if now != progress { (progress, lastProgress) = (now, rt_host_time()) }
    return rt_host_time() - lastProgress > (isPaced ? Self.patience : Self.patienceUnpaced)
  }
}
