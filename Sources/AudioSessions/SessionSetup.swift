// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The category: how the program uses sound. The raw values are the names of the Objective-C
/// constants.
package enum SessionCategory: String, CaseIterable, Sendable {
  case ambient = "AVAudioSessionCategoryAmbient"
  case soloAmbient = "AVAudioSessionCategorySoloAmbient"
  case playback = "AVAudioSessionCategoryPlayback"
  case record = "AVAudioSessionCategoryRecord"
  case playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
  case audioProcessing = "AVAudioSessionCategoryAudioProcessing"
  case multiRoute = "AVAudioSessionCategoryMultiRoute"

  /// Whether it captures.
  package var usesInput: Bool { [.record, .playAndRecord, .multiRoute].contains(self) }
  /// Whether it plays.
  package var usesOutput: Bool { self != .record && self != .audioProcessing }

  /// The name without the common prefix: "Playback".
  package var shortName: String { String(rawValue.dropFirst("AVAudioSessionCategory".count)) }
}

/// The mode: a refinement of the category. The raw values are the names of the Objective-C
/// constants.
package enum SessionMode: String, CaseIterable, Sendable {
  case standard = "AVAudioSessionModeDefault"
  case voiceChat = "AVAudioSessionModeVoiceChat"
  case gameChat = "AVAudioSessionModeGameChat"
  case videoRecording = "AVAudioSessionModeVideoRecording"
  case measurement = "AVAudioSessionModeMeasurement"
  case moviePlayback = "AVAudioSessionModeMoviePlayback"
  case videoChat = "AVAudioSessionModeVideoChat"
  case spokenAudio = "AVAudioSessionModeSpokenAudio"
  case voicePrompt = "AVAudioSessionModeVoicePrompt"
  case shortFormVideo = "AVAudioSessionModeShortFormVideo"
  case dualRoute = "AVAudioSessionModeDualRoute"

  /// The name without the common prefix: "VoiceChat".
  package var shortName: String { String(rawValue.dropFirst("AVAudioSessionMode".count)) }
}

/// The route sharing policy. The raw values are those of `AVAudioSessionRouteSharingPolicy`.
package enum SessionPolicy: UInt, CaseIterable, Sendable {
  case standard = 0
  case longFormAudio = 1
  case independent = 2
  case longFormVideo = 3
}

/// How a category behaves towards other programs and devices. The bits are those of
/// `AVAudioSessionCategoryOptions`.
package struct SessionOptions: OptionSet, Hashable, Sendable {
  package let rawValue: UInt

  package init(rawValue: UInt) { self.rawValue = rawValue }

  package static let mixWithOthers = Self(rawValue: 0x1)
  package static let duckOthers = Self(rawValue: 0x2)
  package static let allowBluetoothHFP = Self(rawValue: 0x4)
  package static let defaultToSpeaker = Self(rawValue: 0x8)
  package static let interruptSpokenAudio = Self(rawValue: 0x10)
  package static let allowBluetoothA2DP = Self(rawValue: 0x20)
  package static let allowAirPlay = Self(rawValue: 0x40)
  package static let overrideMutedMicrophone = Self(rawValue: 0x80)
  package static let farFieldInput = Self(rawValue: 0x4_0000)
  package static let bluetoothHighQualityRecording = Self(rawValue: 0x8_0000)
}

/// A category with its mode, policy and options.
package struct SessionSetup: Equatable, Sendable {
  package var category = SessionCategory.soloAmbient
  package var mode = SessionMode.standard
  package var policy = SessionPolicy.standard
  /// The options that the program requested.
  package var options: SessionOptions = []

  package init(
    _ category: SessionCategory = .soloAmbient, _ mode: SessionMode = .standard,
    _ options: SessionOptions = [], _ policy: SessionPolicy = .standard
  ) {
    self.category = category
    self.mode = mode
    self.options = options
    self.policy = policy
  }

  /// The requested options, and those that these and the mode imply.
  package var effectiveOptions: SessionOptions {
    var all = options
    if !all.isDisjoint(with: [.duckOthers, .interruptSpokenAudio]) { all.insert(.mixWithOthers) }
    if [.voiceChat, .videoChat, .gameChat].contains(mode) { all.insert(.allowBluetoothHFP) }
    if mode == .videoChat { all.insert(.defaultToSpeaker) }
    return all
  }
}
