// SPDX-License-Identifier: Apache-2.0
import CoreAudio
import Foundation

// What does not change about a parameter, in archives.
extension ParameterDetails {
  /// Writes it to an archive.
  func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(NSNumber(value: address), forKey: "address")
    coder.encode(minimum, forKey: "minimum")
    coder.encode(maximum, forKey: "maximum")
    coder.encode(NSNumber(value: unit.rawValue), forKey: "unit")
    coder.encode(unitName, forKey: "unitName")
    coder.encode(NSNumber(value: flags.rawValue), forKey: "flags")
    coder.encode(valueStrings, forKey: "valueStrings")
    coder.encode(dependentParameters, forKey: "dependentParameters")
  }

  /// Reads it from an archive; nil if it is damaged.
  init?(coder: NSCoder) {
    func number(_ key: String) -> NSNumber? { coder.decodeObject(of: NSNumber.self, forKey: key) }
    func objects<Object: NSObject & NSSecureCoding>(_ kind: Object.Type, _ key: String)
      -> [Object]?
    {
      guard coder.containsValue(forKey: key) else { return nil }
      return coder.decodeObject(of: [NSArray.self, kind], forKey: key) as? [Object]
    }
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let address = number("address"), let unit = number("unit"), let flags = number("flags"),
      let unit = AudioUnitParameterUnit(rawValue: unit.uint32Value)
    else { return nil }
    self.init(
      name: name.description, address: address.uint64Value,
      minimum: coder.decodeFloat(forKey: "minimum"), maximum: coder.decodeFloat(forKey: "maximum"),
      unit: unit,
      unitName: coder.decodeObject(of: NSString.self, forKey: "unitName")?.description,
      flags: AudioUnitParameterOptions(rawValue: flags.uint32Value),
      valueStrings: objects(NSString.self, "valueStrings")?.map(\.description),
      dependentParameters: objects(NSNumber.self, "dependentParameters"))
  }
}
