// SPDX-License-Identifier: Apache-2.0
import AudioSupport
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
  private let busCalls = Guarded<[@Sendable (AudioUnitScope, Int, String) -> Void]>([])

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

  /// The properties of buses, with their keys.
  private static let busProperties = [
    kAudioUnitProperty_StreamFormat: "format", kAudioUnitProperty_ElementName: "name",
  ]

  /// [control thread] From now on it calls a function with scope, element and key when a property of a
  /// bus has changed.
  func followBuses(
    of unit: AudioUnit, _ call: @escaping @Sendable (AudioUnitScope, Int, String) -> Void
  ) {
    let isFirst = busCalls.withLock { calls in
      calls.append(call)
      return calls.count == 1
    }
    guard isFirst else { return }
    for id in Self.busProperties.keys {
      AudioUnitAddPropertyListener(unit, id, Self.busChanged, context)
    }
  }

  /// [control thread] Whether the unit may have other parameters than at the last call.
  func takeParameterChange() -> Bool {
    hasOtherParameters.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// [control thread] Ends all; waits for a call that is running on another thread.
  func end(_ unit: AudioUnit) {
    if !busCalls.withLock({ $0.isEmpty }) {
      for id in Self.busProperties.keys {
        AudioUnitRemovePropertyListenerWithUserData(unit, id, Self.busChanged, context)
      }
    }
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

  private static let busChanged: AudioUnitPropertyListenerProc = { context, _, id, scope, element in
    guard let key = busProperties[id] else { return }
    let watch = Unmanaged<PropertyWatch>.fromOpaque(context).takeUnretainedValue()
    for call in watch.busCalls.withLock({ $0 }) { call(scope, Int(element), key) }
  }

  private func changed(_ id: AudioUnitPropertyID) {
    if Self.lists.contains(id) { hasOtherParameters.store(true, ordering: .releasing) }
    for key in ListenedProperties.keys(id) { observers.call(key, .after) }
  }
}
