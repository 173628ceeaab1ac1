// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioSessions
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// The notifications that a session has posted, in words: "route newDeviceAvailable from
/// pulse:one".
final class SessionPosts: Sendable {
  private let lines = Mutex<[String]>([])
  private let center = NotificationCenter()

  init(of session: AVAudioSession) {
    session.post(to: center)
    _ = center.addObserver(forName: nil, object: session, queue: nil) { [weak self] note in
      guard let self else { return }
      let text = words(note)
      lines.withLock { $0.append(text) }
    }
  }

  private func words(_ note: Notification) -> String {
    func number(_ key: String) -> UInt? { note.userInfo?[key] as? UInt }
    if let reason = number(AVAudioSessionRouteChangeReasonKey)
      .flatMap(AVAudioSession.RouteChangeReason.init)
    {
      let previous =
        note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey]
        as? AVAudioSessionRouteDescription
      let ports = previous?.outputs.map(\.uid) ?? []
      return "route \(reason) from \(ports.joined(separator: "+"))"
    }
    if let type = number(AVAudioSessionInterruptionTypeKey)
      .flatMap(AVAudioSession.InterruptionType.init)
    {
      let reason = number(AVAudioSessionInterruptionReasonKey)
        .flatMap(AVAudioSession.InterruptionReason.init)
      let options = number(AVAudioSessionInterruptionOptionKey)
      return "interruption \(type)" + (reason.map { " \($0)" } ?? "")
        + (options == 1 ? " resume" : "")
    }
    if let type = number(AVAudioSessionSilenceSecondaryAudioHintTypeKey)
      .flatMap(AVAudioSession.SilenceSecondaryAudioHintType.init)
    {
      return "hint \(type)"
    }
    return note.name.rawValue.replacing("AVAudioSession", with: "")
      .replacing("Notification", with: "")
  }

  /// All except inputs and volume, which have their own tests.
  var all: [String] {
    lines.withLock { $0 }.filter {
      !["AvailableInputsChange", "OutputVolumeDidChange"].contains($0)
    }
  }

  func clear() { lines.withLock { $0 = [] } }
}

/// Runs `body` with a session on a server, independent of the session of the process.
func withServerSession(
  _ device: String, _ body: (AVAudioSession, SessionPosts) throws -> Void
) throws {
  var environment = DeviceEnvironment()
  environment.device = DeviceName(device)
  try DeviceContext(preferences: DevicePreferences()).use {
    try environment.use {
      let session = AVAudioSession(Session())
      let posts = SessionPosts(of: session)
      try session.setCategory(.playback)
      try session.setActive(true)
      #expect(wait { posts.all.contains { $0.hasPrefix("route") } })
      posts.clear()
      try body(session, posts)
    }
  }
}
