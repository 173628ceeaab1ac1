// SPDX-License-Identifier: Apache-2.0
import AudioToolboxFunctions
import AudioUnitCore
import CoreAudio
import Synchronization

/// Follows the properties of a C unit: it knows whether the unit may have other parameters, and calls
/// the observers of its object.
final class PropertyWatch: Sendable {
  private let observers: KeyObservers
  private let followsParameters = Atomic(false)
  private let followsAll = Atomic(false)
  private let hasOtherParameters = Atomic(false)

  init(_ observers: KeyObservers) { self.observers = observers }

  /// The properties that say which parameters a unit has.
  private static let lists = [kAudioUnitProperty_ParameterList, kAudioUnitProperty_ElementCount]

  private static let others = ListenedProperties.ids.subtracting(lists)

  /// [control thread] From now on it knows whether the unit may have other parameters.
  func followParameters(of unit: AudioUnit) {
    guard !followsParameters.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for id in Self.lists { add(id, unit) }
  }

  /// [control thread] From now on it also calls observers.
  func followAll(of unit: AudioUnit) {
    followParameters(of: unit)
    guard !followsAll.exchange(true, ordering: .acquiringAndReleasing) else { return }
    for id in Self.others { add(id, unit) }
  }

  /// [control thread] Whether the unit may have other parameters than at the last call.
  func takeParameterChange() -> Bool {
    hasOtherParameters.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// [control thread] Ends all; waits for a call that is running on another thread.
  func end(_ unit: AudioUnit) {
    guard followsParameters.load(ordering: .acquiring) else { return }
    for id in Self.lists + Array(Self.others) {
      AudioUnitRemovePropertyListenerWithUserData(unit, id, Self.changed, context)
    }
  }

  private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private func add(_ id: AudioUnitPropertyID, _ unit: AudioUnit) {
    AudioUnitAddPropertyListener(unit, id, Self.changed, context)
  }

  private static let changed: AudioUnitPropertyListenerProc = { context, _, id, _, _ in
    Unmanaged<PropertyWatch>.fromOpaque(context).takeUnretainedValue().changed(id)
  }

  private func changed(_ id: AudioUnitPropertyID) {
    if Self.lists.contains(id) { hasOtherParameters.store(true, ordering: .releasing) }
    for key in ListenedProperties.keys(id) { observers.call(key, .after) }
  }
}
