// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioSessions
import AudioSupport
import Foundation
import Testing

/// Runs `body` with a new session, with its own preferences and a device that no other test uses.
func withSession<Result>(
  rate: Double? = nil, frames: Int? = nil, channels: Int? = nil, device: String? = nil,
  hasStreams: Bool = false, _ body: (AVAudioSession) throws -> Result
) throws -> Result {
  let path = NSTemporaryDirectory() + "session-\(UUID().uuidString).wav"
  defer { try? FileManager.default.removeItem(atPath: path) }
  let variables = [
    "AUDIOTOOLBOX_DEVICE": device ?? "file:\(path)",
    "AUDIOTOOLBOX_RATE": rate.map { String(Int($0)) },
    "AUDIOTOOLBOX_FRAMES": frames.map(String.init),
    "AUDIOTOOLBOX_CHANNELS": channels.map(String.init),
  ]
  let environment = try DeviceEnvironment { variables[$0] ?? nil }
  return try DeviceContext(preferences: DevicePreferences()).use {
    try environment.use {
      let session = Session(hasStreams: { hasStreams })
      return try body(AVAudioSession(session))
    }
  }
}

/// The domain, code and text of the error that a call throws; nil when it throws none.
func failure(_ body: () throws -> Void) -> (domain: String, code: Int, text: String)? {
  do {
    try body()
    return nil
  } catch {
    let error = error as NSError
    return (error.domain, error.code, error.localizedDescription)
  }
}

/// The notifications that a session has posted.
final class Posts: Sendable {
  struct Post: Sendable {
    var name: Notification.Name
    var numbers: [String: UInt]
    var previous: AVAudioSessionRouteDescription?
  }

  // Not a Mutex, which the thread sanitizer does not know.
  private let posts = Guarded<[Post]>([])
  private let center = NotificationCenter()

  init(of session: AVAudioSession) {
    session.post(to: center)
    _ = center.addObserver(forName: nil, object: session, queue: nil) { [weak self] note in
      guard let self else { return }
      var post = Post(name: note.name, numbers: [:])
      for (key, value) in note.userInfo ?? [:] {
        guard let key = key as? String else { continue }
        if let number = value as? UInt { post.numbers[key] = number }
        if let route = value as? AVAudioSessionRouteDescription { post.previous = route }
      }
      posts.withLock { $0.append(post) }
    }
  }

  var all: [Post] { posts.withLock { $0.copied() } }

  /// Waits until this many notifications have been posted.
  func wait(for count: Int) -> Bool {
    for _ in 0..<1_000 {
      if all.count >= count { return true }
      usleep(5_000)
    }
    return false
  }
}
