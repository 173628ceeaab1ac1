// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// What a player and the thread that plays have in common.
struct PlayMemory: ~Copyable {
  let plan = Published()
  let gate = RenderGate()
  let position = PublishedValue<PlayPosition>()
  let messages = MessageQueue<PlayMessage>(capacity: 4_096)
  /// [inside the gate]
  let state: UnsafeMutablePointer<PlayState>

  init(state: UnsafeMutablePointer<PlayState>) { self.state = state }
}
