// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

/// The sound servers that answered the last listing, and how often one has come back.
enum ServerPresence {
  private struct State {
    /// The back ends that have ever answered, and whether they answer now.
    var isPresent: [String: Bool] = [:]
    var restarts: UInt32 = 0
  }

  private static let state = Guarded(State())

  /// [control thread] How often a server has come back.
  static var restarts: UInt32 { state.withLock { $0.restarts } }

  /// [control thread] Notes whether a back end answers now, with or without devices.
  static func update(_ backend: String, answers: Bool) {
    state.withLock { state in
      if answers, state.isPresent[backend] == false { state.restarts += 1 }
      if answers || state.isPresent[backend] != nil { state.isPresent[backend] = answers }
    }
  }
}
