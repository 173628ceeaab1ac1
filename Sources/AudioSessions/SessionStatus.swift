// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio

extension StatusFamily {
  /// The status codes of AudioSession.h and `AVAudioSession`.
  package static let sessions = StatusFamily(
    of: ["AudioSession"],
    [
      .init(
        kAudioSessionNotInitialized, "kAudioSessionNotInitialized",
        "The session has not been initialized.", "Call AudioSessionInitialize first."),
      .init(
        kAudioSessionAlreadyInitialized, "kAudioSessionAlreadyInitialized",
        "The session has already been initialized.", "Call AudioSessionInitialize once."),
      .init(
        kAudioSessionUnsupportedPropertyError, "kAudioSessionUnsupportedPropertyError",
        "The session does not have this property, or it cannot be read or written.",
        "AudioSession.h lists the properties."),
      .init(
        kAudioSessionBadPropertySizeError, "kAudioSessionBadPropertySizeError",
        "The memory does not have the size of the value.",
        "Call AudioSessionGetPropertySize first."),
      .init(
        kAudioSessionNotActiveError, "kAudioSessionNotActiveError",
        "Audio units still run while the session is to be deactivated.",
        "Stop them first: AudioOutputUnitStop."),
      .init(
        kAudioSessionIncompatibleCategory, "kAudioSessionIncompatibleCategory",
        "The category does not allow this.", "Set another category first."),
      .init(
        SessionCode.cannotStartPlaying, "AVAudioSessionErrorCodeCannotStartPlaying",
        "There is no device to play to.", "`au devices` lists all devices."),
      .init(
        SessionCode.cannotStartRecording, "AVAudioSessionErrorCodeCannotStartRecording",
        "There is no device to record from.", "`au devices` lists all devices."),
      .init(
        SessionCode.resourceNotAvailable, "AVAudioSessionErrorCodeResourceNotAvailable",
        "The device does not have this.", "Look at currentRoute and availableInputs."),
    ])
}

/// Codes without a name in AudioSession.h.
package enum SessionCode {
  /// '!pla'
  package static let cannotStartPlaying: OSStatus = 0x2170_6c61
  /// '!rec'
  package static let cannotStartRecording: OSStatus = 0x2172_6563
  /// '!res'
  package static let resourceNotAvailable: OSStatus = 0x2172_6573
}

extension AudioError {
  static var sessionIsBusy: Self { Self(status: kAudioSessionNotActiveError) }
  static var cannotStartPlaying: Self { Self(status: SessionCode.cannotStartPlaying) }
  static var cannotStartRecording: Self { Self(status: SessionCode.cannotStartRecording) }
  static var resourceNotAvailable: Self { Self(status: SessionCode.resourceNotAvailable) }
}
