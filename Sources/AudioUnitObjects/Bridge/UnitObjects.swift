// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import CoreAudio

/// The objects of units that have a process of their own: notifications of its end name them.
enum UnitObjects {
  private struct Weak { weak var object: AnyObject? }
  private static let objects: Guarded<[AudioUnit: Weak]> = {
    objectOfUnit = { unit in objects.withLock { $0[unit]?.object } }
    return Guarded([:])
  }()

  /// [control thread] Adds the object of a unit, which is not kept alive.
  static func add(_ object: AnyObject, of unit: AudioUnit) {
    objects.withLock { $0[unit] = Weak(object: object) }
  }

  /// [any thread] Removes the object of a unit.
  static func remove(_ unit: AudioUnit) { objects.withLock { $0[unit] = nil } }
}
