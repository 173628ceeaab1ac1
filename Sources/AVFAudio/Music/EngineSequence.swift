// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// The sequence of an engine.
final class EngineSequence: Sendable {
  private let handle = Guarded<UInt>(0)

  /// The sequence that the program has set.
  var sequence: MusicSequence? {
    get { handle.withLock { MusicSequence(bitPattern: $0) } }
    set { handle.withLock { $0 = UInt(bitPattern: newValue) } }
  }
}
