// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import Synchronization

/// Counts the gaps in a unit's output because its worker was late.
struct Lateness: ~Copyable {
  private let count = Atomic(0)
  private let frames = Atomic(0)
  private let isLate = Atomic(false)

  /// [any thread] The number of gaps, and their total length in frames.
  var total: (count: Int, frames: Int) {
    (count.load(ordering: .relaxed), frames.load(ordering: .relaxed))
  }

  /// [render thread] Counts `missing` frames of a render: a new gap, unless the previous render had
  /// one.
  @_noLocks
  borrowing func note(missing: Int) {
    guard missing > 0 else { return isLate.store(false, ordering: .relaxed) }
    frames.wrappingAdd(missing, ordering: .relaxed)
    if !isLate.exchange(true, ordering: .relaxed) { count.wrappingAdd(1, ordering: .relaxed) }
  }
}

/// A unit with a worker thread.
protocol WorkerUnit: NativeUnit {
  /// Whether a device waits for the renders, as reported by the program.
  var pace: WorkSignal.Pace { get set }
  /// Gaps since the unit was initialised.
  var gaps: (count: Int, frames: Int) { get }
  /// The reason for the gaps, and what the user can change.
  var advice: String { get }
}

extension WorkerUnit {
  /// The properties of such a unit: whether it renders offline, and its gaps.
  static var workerRows: [UnitProperty] {
    PropertyRow<Self>.rows([
      .flag(
        kAudioUnitProperty_OfflineRender, in: [kAudioUnitScope_Global],
        get: { unit, _ in unit.pace == .offline },
        set: { unit, _, isOn in unit.pace = isOn ? .offline : .realTime }),
      .value(
        kAUDiagnosticsProperty_Xruns, in: [kAudioUnitScope_Global],
        reading: { unit in
          AUDiagnosticsXruns(
            mCount: UInt32(clamping: unit.gaps.count), mServerCount: 0, mServerReports: 0)
        }),
      .string(
        kAUDiagnosticsProperty_Interruption, in: [kAudioUnitScope_Global], isNullWhenUnset: true,
        get: { unit, _ in
          let gaps = unit.gaps
          guard gaps.count > 0 else { return nil }
          return "\(gaps.frames) frames were silent, in \(gaps.count) "
            + "place\(gaps.count == 1 ? "" : "s"): \(unit.advice)"
        }),
    ])
  }
}
