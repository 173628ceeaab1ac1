// SPDX-License-Identifier: Apache-2.0

/// The purpose for which a program uses sound: a typed string, as in Objective-C.
public struct SessionCategory: RawRepresentable, Hashable, Sendable {
  /// The word itself.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Sound that the program does not depend on; it mixes with other programs' sound.
  public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
  /// Sound that the program does not depend on; the default of a new session.
  public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
  /// Playback is the program's main purpose.
  public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
  /// Recording only.
  public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
  /// Playback and recording.
  public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
  /// Neither playback nor recording: sound is processed without a device.
  public static let audioProcessing = Self(rawValue: "AVAudioSessionCategoryAudioProcessing")
  /// Several devices at the same time.
  public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")

  /// All of them.
  package static let allCases: [Self] = [
    .ambient, .soloAmbient, .playback, .record, .playAndRecord, .audioProcessing, .multiRoute,
  ]

  /// Whether it captures.
  package var usesInput: Bool { [.record, .playAndRecord, .multiRoute].contains(self) }
  /// Whether it plays.
  package var usesOutput: Bool { self != .record && self != .audioProcessing }

  /// The name without the common prefix: "Playback".
  package var shortName: String { String(rawValue.dropFirst("AVAudioSessionCategory".count)) }
}

/// A refinement of the category: a typed string, as in Objective-C.
public struct SessionMode: RawRepresentable, Hashable, Sendable {
  /// The word itself.
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No refinement; the default of a new session.
  public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
  /// A call.
  public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
  /// A call within a game.
  public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
  /// Recording of a video.
  public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
  /// As little signal processing as possible.
  public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
  /// A film.
  public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
  /// A video call.
  public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
  /// Speech, which pauses when another program plays speech.
  public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
  /// Short announcements.
  public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
  /// Short videos.
  public static let shortFormVideo = Self(rawValue: "AVAudioSessionModeShortFormVideo")
  /// A headset and a loudspeaker at the same time.
  public static let dualRoute = Self(rawValue: "AVAudioSessionModeDualRoute")

  /// All of them.
  package static let allCases: [Self] = [
    .default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat,
    .spokenAudio, .voicePrompt, .shortFormVideo, .dualRoute,
  ]

  /// The name without the common prefix: "VoiceChat".
  package var shortName: String { String(rawValue.dropFirst("AVAudioSessionMode".count)) }
}
