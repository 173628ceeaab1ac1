// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A property that a unit may have.
struct PropertyEntry: Sendable {
  let id: AudioUnitPropertyID
  /// The C constant.
  let name: String
  /// The C type of its value; empty if it is unknown.
  let type: String
  /// What else is known of it: `kAUDiagnosticsPropertyFlag_…`.
  private let flags: UInt32

  /// Whether it is a property of a parameter: its element is the parameter's ID.
  var isByParameter: Bool { has(UInt32(kAUDiagnosticsPropertyFlag_ElementIsParameter)) }

  /// Whether reading it requires an argument in the value's memory.
  var takesInput: Bool { has(UInt32(kAUDiagnosticsPropertyFlag_ReadingTakesArgument)) }

  /// Whether its value is an object that the caller must release.
  var isObject: Bool { type.hasPrefix("CF") }

  private func has(_ flag: UInt32) -> Bool { flags & flag != 0 }

  /// The properties that a unit may have, or any unit, in the order of their numbers.
  static func all(of unit: AudioUnit? = nil) -> [PropertyEntry] {
    (0..<AUDiagnosticsGetPropertyCount()).compactMap { PropertyEntry($0, of: unit) }
      .filter { $0.has(UInt32(kAUDiagnosticsPropertyFlag_MayExist)) }
  }

  private init?(_ index: UInt32, of unit: AudioUnit?) {
    var (id, flags) = (AudioUnitPropertyID(0), UInt32(0))
    var (name, type): (Unmanaged<CFString>?, Unmanaged<CFString>?)
    let status = AUDiagnosticsCopyPropertyAtIndex(unit, index, &id, &flags, &name, &type)
    guard status == noErr, let name = name?.takeRetainedValue(),
      let type = type?.takeRetainedValue()
    else { return nil }
    self.id = id
    self.flags = flags
    self.name = String(describing: name)
    self.type = String(describing: type)
  }
}
