// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Synchronization

/// What a back end has reported, for the machine thread.
final class MachineSignals: Sendable {
  private let wakeUp: WakeUp
  private let haveChanged = Atomic(true)
  private let isOver = Atomic(false)

  init(_ wakeUp: WakeUp) { self.wakeUp = wakeUp }

  /// What the back end calls.
  var events: MachineEvents {
    MachineEvents(
      portsChanged: { [self] in
        haveChanged.store(true, ordering: .releasing)
        wakeUp.raise()
      },
      ended: { [self] in
        isOver.store(true, ordering: .releasing)
        wakeUp.raise()
      })
  }

  /// Whether the connection has ended.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  /// [machine thread] Whether ports have changed since the last call.
  func takeChange() -> Bool { haveChanged.exchange(false, ordering: .acquiringAndReleasing) }
}
