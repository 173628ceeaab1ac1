// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A preset of a unit: a factory preset has a number from 0 on, a preset of the user a negative one.
open class AUAudioUnitPreset: NSObject, NSSecureCoding {
  /// The number of the preset.
  open var number = 0

  /// The name of the preset.
  open var name = ""

  /// A preset with number 0 and no name.
  public override init() {}

  // MARK: Key-value coding

  /// The value of a key: `number` or `name`; nil for another key.
  @discardableResult
  open func value(forKey key: String) -> Any? {
    switch key {
    case "number": NSNumber(value: number)
    case "name": name
    default: nil
    }
  }

  /// Sets `number` or `name`. The program ends for another key, or if the value has another type.
  open func setValue(_ value: Any?, forKey key: String) {
    switch (key, value) {
    case ("number", let value?) where KeyedNumber.of(value) != nil:
      number = KeyedNumber.of(value)?.intValue ?? number
    case ("name", let text as String): name = text
    default:
      fatalError(
        "AUAudioUnitPreset: the key \"\(key)\" cannot be set to \(value.map { "\($0)" } ?? "nil")")
    }
  }

  // MARK: Coding

  /// Archives of it are safe to read.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the preset to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(number, forKey: "number")
    coder.encode(name, forKey: "name")
  }

  /// Reads a preset from an archive; nil if it is damaged.
  public required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    number = coder.decodeInteger(forKey: "number")
    self.name = name.description
  }
}
