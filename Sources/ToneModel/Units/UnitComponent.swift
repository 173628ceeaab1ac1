// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import UnitTexts

/// A component of this process, with its codes and its name.
package struct UnitComponent: NamedComponent {
  /// Its handle.
  package let handle: AudioComponent
  package let description: AudioComponentDescription
  package let name: String
  /// Major version in the upper 16 bits, minor and patch in eight each.
  package let version: UInt32

  private init(_ handle: AudioComponent) {
    self.handle = handle
    var description = AudioComponentDescription()
    AudioComponentGetDescription(handle, &description)
    self.description = description
    var name: Unmanaged<CFString>?
    AudioComponentCopyName(handle, &name)
    self.name = name.map { String(describing: $0.takeRetainedValue()) } ?? ""
    var version: UInt32 = 0
    AudioComponentGetVersion(handle, &version)
    self.version = version
  }

  /// [control thread] The first component with some codes; nil if there is none.
  package init?(_ query: AudioComponentDescription) {
    var query = query
    guard let found = AudioComponentFindNext(nil, &query) else { return nil }
    self.init(found)
  }

  /// [control thread] The components with some codes, where zero matches all.
  package static func all(
    matching query: AudioComponentDescription = .init()
  ) -> [UnitComponent] {
    var query = query
    var found: [UnitComponent] = []
    while let next = AudioComponentFindNext(found.last?.handle, &query) {
      found.append(UnitComponent(next))
    }
    return found
  }

  /// [control thread] The components that match a name or codes, as people type them, or the
  /// identifier of a plug-in. Plug-ins are searched if nothing else matches.
  package static func named(_ text: String) -> [UnitComponent] {
    func found() -> [UnitComponent] { named(text) { all(matching: $0) } }
    let known = found()
    guard known.isEmpty else { return known }
    PlugInEntry.enableAll()
    let plugIns = found()
    guard plugIns.isEmpty else { return plugIns }
    return PlugInEntry.all().filter { $0.identifier == text && $0.codes.componentType != 0 }
      .compactMap { UnitComponent($0.codes) }
  }

  /// [control thread] Makes an instance, which the caller disposes of.
  package func makeInstance(_ step: String) throws(ToneError) -> AudioUnit {
    var unit: AudioUnit?
    try ToneError.check(AudioComponentInstanceNew(handle, &unit), step)
    guard let unit else { throw ToneError(step) }
    return unit
  }
}

/// A unit that is disposed of with this object.
package final class TemporaryUnit {
  /// The unit; it is not initialised.
  package let unit: AudioUnit

  /// [control thread] Makes an instance of a component.
  package init(_ component: UnitComponent) throws(ToneError) {
    unit = try component.makeInstance("Can't make the unit")
  }

  deinit { AudioComponentInstanceDispose(unit) }
}
