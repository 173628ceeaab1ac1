// SPDX-License-Identifier: Apache-2.0

extension SessionSetup {
  /// The role of this program's streams for a sound server (`media.role`). With it, a session
  /// manager decides which program is ducked, paused or continues.
  package var role: String {
    switch mode {
    case .voiceChat, .videoChat, .gameChat, .dualRoute: return "Communication"
    case .moviePlayback, .shortFormVideo: return "Movie"
    case .videoRecording: return "Camera"
    case .measurement: return "Production"
    case .voicePrompt: return "Notification"
    default: break
    }
    switch category {
    case .ambient, .soloAmbient: return "Game"
    case .playback: return "Music"
    default: return "Production"
    }
  }
}
