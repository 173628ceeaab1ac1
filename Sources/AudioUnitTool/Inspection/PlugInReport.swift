// SPDX-License-Identifier: Apache-2.0
import PlainText
import ToneModel

/// What is known about a plug-in.
struct PlugInReport: Encodable {
  let name: String
  let format: String
  let identifier: String
  let path: String
  let type: FourCharacterCode?
  let subtype: FourCharacterCode?
  let manufacturer: FourCharacterCode?
  /// Why it cannot be used.
  let reason: String?
  let isBlocked: Bool

  init(_ entry: PlugInEntry) {
    (name, format, path) = (entry.name, entry.formatName, entry.path)
    (identifier, reason, isBlocked) = (entry.identifier, entry.reason, entry.isBlocked)
    let codes = entry.codes.componentType == 0 ? nil : entry.codes
    type = codes.map { FourCharacterCode($0.componentType) }
    subtype = codes.map { FourCharacterCode($0.componentSubType) }
    manufacturer = codes.map { FourCharacterCode($0.componentManufacturer) }
  }
}
