// SPDX-License-Identifier: Apache-2.0

extension Container.PacketInfo {
  /// The same for a file of `frameCount` frames, whatever a program stated: priming, valid frames
  /// and remainder are no more than all frames.
  func limited(to frameCount: Int) -> Self {
    let all = max(0, frameCount)
    let priming = min(max(0, primingFrames), all)
    let valid = min(max(0, validFrames), all - priming)
    return Self(
      validFrames: valid, primingFrames: priming, remainderFrames: all - priming - valid)
  }
}
