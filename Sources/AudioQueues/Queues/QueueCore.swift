// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
import SignalProcessing

/// What all parts of a queue share.
final class QueueCore: @unchecked Sendable {
  /// The format of the buffers, every field filled in.
  let format: AudioStreamBasicDescription
  let access = QueueAccess()
  let calls: QueueCalls
  let parameters: UnsafeMutablePointer<QueueParameters>

  init(_ format: AudioStreamBasicDescription, on executor: any CallbackExecutor) {
    self.format = format
    calls = QueueCalls(on: executor, lock: access.lock)
    parameters = .cell(QueueParameters())
  }

  deinit { parameters.endCell() }
}
