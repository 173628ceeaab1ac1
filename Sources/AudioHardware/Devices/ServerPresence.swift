// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

/// The sound servers that had devices at the last listing, and how often one has come back.
enum ServerPresence {
  private struct State {
    /// The back ends that have ever had devices, and whether they have some now.
    var isPresent: [String: Bool] = [:]
    var restarts: UInt32 = 0
  }

  private static let state = Guarded(State())

  /// [control thread] How often a server has come back.
  static var restarts: UInt32 { state.withLock { $0.restarts } }

  /// [control thread] Notes whether a back end has devices now.
  static func update(_ backend: String, hasDevices: Bool) {
    state.withLock { state in
      if hasDevices, state.isPresent[backend] == false { state.restarts += 1 }
      if hasDevices || state.isPresent[backend] != nil { state.isPresent[backend] = hasDevices }
    }
  }
}
