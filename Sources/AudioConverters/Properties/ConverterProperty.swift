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

extension PropertyRow where Owner == SignalPath {
  /// A calculation: a number of bytes in, and another number out.
  static func calculation(
    _ id: AudioConverterPropertyID,
    _ calculate: @escaping @Sendable (SignalPath, Int) throws(AudioError) -> Int
  ) -> PropertyRow {
    exchange(id, UInt32.self) { (path, _, bytes) throws(AudioError) in
      bytes = UInt32(clamping: try calculate(path, Int(bytes)))
    }
  }
}
