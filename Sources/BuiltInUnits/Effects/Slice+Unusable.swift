// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

extension Slice {
  /// [render thread] Silences samples that cannot be sound, before they enter a feedback loop.
  @_noLocks
  func discardUnusable() {
    for channel in 0..<channelCount {
      Samples.discardUnusable(self[channel], count: frameCount)
    }
  }
}
