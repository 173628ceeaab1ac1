// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension AudioError {
  // Named after the constants of AudioFile.h, without their prefix.

  package static var unsupportedFileType: Self {
    Self(status: kAudioFileUnsupportedFileTypeError)
  }
  package static var unsupportedDataFormat: Self {
    Self(status: kAudioFileUnsupportedDataFormatError)
  }
  package static var unsupportedProperty: Self {
    Self(status: kAudioFileUnsupportedPropertyError)
  }
  package static var badPropertySize: Self { Self(status: kAudioFileBadPropertySizeError) }
  package static var filePermissions: Self { Self(status: kAudioFilePermissionsError) }
  package static var notOptimized: Self { Self(status: kAudioFileNotOptimizedError) }
  package static var invalidChunk: Self { Self(status: kAudioFileInvalidChunkError) }
  package static var tooLargeForKind: Self {
    Self(status: kAudioFileDoesNotAllow64BitDataSizeError)
  }
  package static var invalidPacketOffset: Self {
    Self(status: kAudioFileInvalidPacketOffsetError)
  }
  package static var damagedFile: Self { Self(status: kAudioFileInvalidFileError) }
  package static var fileOperationNotSupported: Self {
    Self(status: kAudioFileOperationNotSupportedError)
  }
  package static var endOfFile: Self { Self(status: kAudioFileEndOfFileError) }
  package static var filePosition: Self { Self(status: kAudioFilePositionError) }
  /// The requested bytes of a stream have not arrived yet.
  package static var dataUnavailable: Self { Self(status: kAudioFileStreamError_DataUnavailable) }
  package static var valueUnknown: Self { Self(status: kAudioFileStreamError_ValueUnknown) }
  package static var illegalOperation: Self {
    Self(status: kAudioFileStreamError_IllegalOperation)
  }
  package static var discontinuity: Self {
    Self(status: kAudioFileStreamError_DiscontinuityCantRecover)
  }

  /// The same failure with the status code of AudioFile functions.
  package var asFileError: AudioError {
    let status =
      switch self.status {
      case kAudio_FilePermissionError: kAudioFilePermissionsError
      case kAudioUnitErr_InvalidFile: kAudioFileUnspecifiedError
      case kAudioUnitErr_FormatNotSupported: kAudioFileUnsupportedDataFormatError
      case kAudioUnitErr_InvalidFilePath: kAudio_BadFilePathError
      default: self.status
      }
    let text = explanation
    return AudioError(status: status).because(text)
  }
}
