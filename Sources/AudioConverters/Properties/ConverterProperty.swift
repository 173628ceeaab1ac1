// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of converters.
  static let converters = PropertyFamily(
    "a converter's",
    Errors(
      unknown: kAudioConverterErr_PropertyNotSupported,
      unreadable: kAudioConverterErr_PropertyNotSupported,
      readOnly: kAudioConverterErr_OperationNotSupported,
      size: kAudioConverterErr_BadPropertySizeError,
      value: kAudioConverterErr_OperationNotSupported))
}

extension PropertyRow where Owner == Converter {
  /// A calculation: a number of bytes in, and another number out.
  static func calculation(
    _ id: AudioConverterPropertyID,
    _ calculate: @escaping @Sendable (Converter, Int) throws(AudioError) -> Int
  ) -> PropertyRow {
    exchange(id, UInt32.self) { (converter, _, bytes) throws(AudioError) in
      bytes = UInt32(clamping: try calculate(converter, Int(bytes)))
    }
  }
}

extension Converter {
  /// The identifiers of all properties.
  package static var propertyIDs: [AudioConverterPropertyID] { properties.rows.map(\.id) }

  /// [control thread] The size of a property and whether it can be set.
  public func information(of id: AudioConverterPropertyID) throws(AudioError) -> PropertyInfo {
    try Self.properties.info(PropertyAddress(id), of: self)
  }

  /// [control thread] Reads a property into memory of `size` bytes and sets `size` to its size.
  public func read(
    _ id: AudioConverterPropertyID, into memory: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    try Self.properties.read(PropertyAddress(id), of: self, into: memory, size: &size)
  }

  /// [control thread] Sets a property.
  public func write(_ id: AudioConverterPropertyID, _ data: UnsafeRawBufferPointer)
    throws(AudioError)
  {
    let (address, properties) = (PropertyAddress(id), Self.properties)
    let row = try properties.row(address, of: self)
    guard row.write != nil else { throw properties.readOnly(address) }
    try exclusively { () throws(AudioError) in
      try properties.write(row, address, of: self, data)
    }
  }
}
