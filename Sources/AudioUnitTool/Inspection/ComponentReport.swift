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
  /// "built in", or the format of a plug-in, with its identifier and path.
  let format: String
  let identifier: String?
  let path: String?
  /// The constants of the codes, and a sentence; nil unless they are asked for.
  let keys: ComponentKeys?

  init(_ component: UnitComponent, plugIn: PlugInEntry? = nil, hasKeys: Bool = false) {
    let description = component.description
    type = FourCharacterCode(description.componentType)
    typeName = CodeNames.type(description.componentType)
    subtype = FourCharacterCode(description.componentSubType)
    manufacturer = FourCharacterCode(description.componentManufacturer)
    manufacturerName = CodeNames.manufacturer(description.componentManufacturer)
    name = component.name
    let number = component.version
    version = "\(number >> 16).\(number >> 8 & 0xff).\(number & 0xff)"
    format = plugIn?.formatName ?? "built in"
    identifier = plugIn?.identifier
    path = plugIn?.path
    keys =
      hasKeys
      ? ComponentKeys(
        type: description.componentType, subtype: description.componentSubType,
        manufacturer: description.componentManufacturer) : nil
  }
}
