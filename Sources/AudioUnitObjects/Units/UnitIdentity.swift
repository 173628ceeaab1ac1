// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
import CoreAudio
import Foundation

/// What a unit is an instance of.
struct UnitIdentity {
  let component: AudioComponent
  let description: AudioComponentDescription
  /// "Manufacturer: Name".
  let fullName: String
  let names: ComponentNames
  let version: UInt32

  /// The first component that matches a description.
  init(_ query: AudioComponentDescription) throws {
    var query = query
    guard let component = AudioComponentFindNext(nil, &query) else {
      let codes = [query.componentType, query.componentSubType, query.componentManufacturer]
        .map { "'\(FourCharacterCode($0))'" }.joined(separator: " ")
      throw NSError(
        AudioError.instanceInvalidated.because("AUAudioUnit: no component has the codes \(codes)"))
    }
    try self.init(component)
  }

  /// The component of an existing unit.
  init(of unit: AudioUnit) throws { try self.init(AudioComponentInstanceGetComponent(unit)) }

  private init(_ component: AudioComponent) throws {
    var description = AudioComponentDescription()
    var version: UInt32 = 0
    var name: Unmanaged<CFString>?
    try CUnit.check(AudioComponentGetDescription(component, &description))
    try CUnit.check(AudioComponentGetVersion(component, &version))
    try CUnit.check(AudioComponentCopyName(component, &name))
    self.component = component
    self.description = description
    self.version = version
    fullName = name.map { "\($0.takeRetainedValue())" } ?? ""
    names = ComponentNames(fullName)
  }
}
