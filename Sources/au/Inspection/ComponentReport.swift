// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
import ToneModel

/// A component's data in the registry.
struct ComponentReport: Codable {
  let name: String
  let type: FourCharacterCode
  let typeName: String
  let subtype: FourCharacterCode
  let manufacturer: FourCharacterCode
  let manufacturerName: String
  let version: String

  init(_ component: UnitComponent) {
    let description = component.description
    type = FourCharacterCode(description.componentType)
    typeName = CodeNames.type(description.componentType)
    subtype = FourCharacterCode(description.componentSubType)
    manufacturer = FourCharacterCode(description.componentManufacturer)
    manufacturerName = CodeNames.manufacturer(description.componentManufacturer)
    name = component.name
    let number = component.version
    version = "\(number >> 16).\(number >> 8 & 0xff).\(number & 0xff)"
  }
}
