// SPDX-License-Identifier: Apache-2.0
import AVFAudio

/// The choices of --category and --mode, spelled as in Swift code.
enum SessionChoice {
  /// A category.
  enum Category: String, CaseIterable, Sendable {
    case ambient, soloAmbient, playback, record, playAndRecord, multiRoute

    var value: AVAudioSession.Category {
      switch self {
      case .ambient: .ambient
      case .soloAmbient: .soloAmbient
      case .playback: .playback
      case .record: .record
      case .playAndRecord: .playAndRecord
      case .multiRoute: .multiRoute
      }
    }
  }

  /// A mode.
  enum Mode: String, CaseIterable, Sendable {
    case `default`, voiceChat, gameChat, videoRecording, measurement, moviePlayback, videoChat
    case spokenAudio, voicePrompt, shortFormVideo

    var value: AVAudioSession.Mode {
      switch self {
      case .default: .default
      case .voiceChat: .voiceChat
      case .gameChat: .gameChat
      case .videoRecording: .videoRecording
      case .measurement: .measurement
      case .moviePlayback: .moviePlayback
      case .videoChat: .videoChat
      case .spokenAudio: .spokenAudio
      case .voicePrompt: .voicePrompt
      case .shortFormVideo: .shortFormVideo
      }
    }
  }
}
