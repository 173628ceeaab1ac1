// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension AudioError {
  /// Failures of codecs; each is named after its C constant.
  static var codecFormat: Self { Self(status: kAudioConverterErr_FormatNotSupported) }
  static var codecFailed: Self { Self(status: kAudioConverterErr_UnspecifiedError) }
  static var codecPacket: Self { Self(status: kAudioConverterErr_InvalidInputSize) }
}
