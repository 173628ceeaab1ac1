// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// What the registry says of a component.
struct ComponentReport: Codable {
  let name: String
  let type: FourCharacterCode
  let typeName: String
  let subtype: FourCharacterCode
  let manufacturer: FourCharacterCode
  let manufacturerName: String
  let version: String

  init(_ component: AudioComponent) throws {
    var description = AudioComponentDescription()
    try Failure.check(
      AudioComponentGetDescription(component, &description), "Can't describe a component")
    type = FourCharacterCode(description.componentType)
    typeName = Words.type(description.componentType)
    subtype = FourCharacterCode(description.componentSubType)
    manufacturer = FourCharacterCode(description.componentManufacturer)
    manufacturerName = Words.manufacturer(description.componentManufacturer)
    var text: Unmanaged<CFString>?
    try Failure.check(AudioComponentCopyName(component, &text), "Can't name a component")
    name = text.map { String(describing: $0.takeRetainedValue()) } ?? ""
    var number: UInt32 = 0
    try Failure.check(AudioComponentGetVersion(component, &number), "Can't read a version")
    version = "\(number >> 16).\(number >> 8 & 0xff).\(number & 0xff)"
  }

  /// Every component whose codes agree; a code that is nil agrees with any.
  static func components(
    type: FourCharacterCode? = nil, subtype: FourCharacterCode? = nil,
    manufacturer: FourCharacterCode? = nil
  ) -> [AudioComponent] {
    var description = AudioComponentDescription(
      componentType: type?.value ?? 0, componentSubType: subtype?.value ?? 0,
      componentManufacturer: manufacturer?.value ?? 0, componentFlags: 0, componentFlagsMask: 0)
    var found: [AudioComponent] = []
    while let next = AudioComponentFindNext(found.last, &description) { found.append(next) }
    return found
  }
}
