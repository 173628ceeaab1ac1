// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension AudioError {
  /// Failures of converters; each is named after its C constant.
  static var converterFormat: Self { Self(status: kAudioConverterErr_FormatNotSupported) }
  static var converterOperation: Self { Self(status: kAudioConverterErr_OperationNotSupported) }
  static var converterProperty: Self { Self(status: kAudioConverterErr_PropertyNotSupported) }
  static var converterInputSize: Self { Self(status: kAudioConverterErr_InvalidInputSize) }
  static var converterOutputSize: Self { Self(status: kAudioConverterErr_InvalidOutputSize) }
  static var converterPropertySize: Self { Self(status: kAudioConverterErr_BadPropertySizeError) }
  static var converterDescriptions: Self {
    Self(status: kAudioConverterErr_RequiresPacketDescriptionsError)
  }
}
