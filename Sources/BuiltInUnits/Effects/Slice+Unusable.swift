// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

extension Slice {
  /// [render thread] Silences samples that are no sound, before they come into a feedback loop.
  @_noLocks
  func discardUnusable() {
    for channel in 0..<channelCount {
      Samples.discardUnusable(self[channel], count: frameCount)
    }
  }
}
