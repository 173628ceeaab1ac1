// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import CoreAudio

/// The objects of units that have a process of their own: notifications of its end name them.
enum UnitObjects {
  private struct Weak { weak var object: AUAudioUnit? }
  private static let objects: Guarded<[AudioUnit: Weak]> = {
    objectOfUnit = { unit in objects.withLock { $0[unit]?.object } }
    return Guarded([:])
  }()

  /// [control thread] Adds the object of a unit, if the unit has a process of its own. The object is not kept
  /// alive.
  static func add(_ object: AUAudioUnit, of unit: AudioUnit) {
    guard !object.isLoadedInProcess else { return }
    objects.withLock { $0[unit] = Weak(object: object) }
  }

  /// [any thread] Removes the object of a unit.
  static func remove(_ unit: AudioUnit) { objects.withLock { $0[unit] = nil } }
}
