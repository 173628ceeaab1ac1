// SPDX-License-Identifier: Apache-2.0

/// What a queue is doing. The queue's `lock` guards it.
enum QueueState {
  case stopped
  case running
  /// As `running`, but the device has stopped by itself, or another stream has replaced its own.
  case lost
  case paused
  /// The device is being stopped, and buffers are being returned.
  case stopping
  /// The program has disposed of the queue: no other state follows.
  case disposing

  /// Whether the device runs for the queue, or should.
  var runs: Bool { self == .running || self == .lost }

  /// Whether the queue plays or records, or may resume.
  var isActive: Bool { runs || self == .paused }

  /// Whether the queue has started, and not yet stopped: `kAudioQueueProperty_IsRunning`.
  var hasStarted: Bool { isActive || self == .stopping }

  /// Moves to another state, unless the queue has been disposed of.
  mutating func move(to state: QueueState) {
    if self != .disposing { self = state }
  }

  /// Begins to stop; returns whether the queue was active.
  mutating func beginStop() -> Bool {
    guard isActive else { return false }
    self = .stopping
    return true
  }
}

extension QueueState: CustomStringConvertible {
  /// Its name in error messages, after "the queue is".
  var description: String {
    switch self {
    case .stopped: "stopped"
    case .running, .lost: "running"
    case .paused: "paused"
    case .stopping: "being stopped"
    case .disposing: "being disposed of"
    }
  }
}
