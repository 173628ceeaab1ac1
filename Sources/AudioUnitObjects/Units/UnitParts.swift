// SPDX-License-Identifier: Apache-2.0
import AudioToolboxFunctions
import CoreAudio
import Foundation

/// What an audio unit as an object stores.
final class UnitParts {
  let identity: UnitIdentity
  /// The C unit that the object stands for; nil for subclasses of programs.
  let bridge: BridgedUnit?
  let renderer: UnitRenderer
  let bridged = BridgedParts()
  let observers: KeyObservers
  /// What a host has set.
  var host = HostValues()
  /// Called when a property has changed that C hosts know too.
  var propertyChanged: (AudioUnitPropertyID) -> Void = { _ in }

  /// Those of a unit of a component, made with the options of a program.
  init(
    _ identity: UnitIdentity, isBridge: Bool, _ options: AudioComponentInstantiationOptions
  ) throws {
    self.identity = identity
    let unit = isBridge ? try BridgedUnit(identity.component, identity.description, options) : nil
    bridge = unit
    observers = unit?.observers ?? KeyObservers()
    renderer =
      unit?.renderer
      ?? UnitRenderer(takesMIDI: identity.description.takesMIDI, passesEvents: true)
  }

  /// Those of an existing C unit.
  init(lent handle: AudioUnit) throws {
    identity = try UnitIdentity(of: handle)
    let unit = BridgedUnit(lent: handle, identity.description)
    bridge = unit
    observers = unit.observers
    renderer = unit.renderer
  }

  /// Changes a property, and calls its observers. Those of a C unit's property are called by its
  /// listeners.
  func change(_ key: String, _ body: () -> Void) {
    guard bridge == nil || ListenedProperties.id(of: key) == nil else { return body() }
    observers.call(key, .before)
    body()
    observers.call(key, .after)
  }
}
