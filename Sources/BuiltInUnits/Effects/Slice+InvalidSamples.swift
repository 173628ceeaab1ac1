// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

extension Slice {
  /// [render thread] Silences NaN, infinite and far too large samples before they enter a feedback
  /// loop.
  @_noLocks
  func silenceInvalidSamples() {
    for channel in 0..<channelCount {
      Samples.discardUnusable(self[channel], count: frameCount)
    }
  }
}
