// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

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

  /// The same for packets of another length than the file states. Its numbers may count frames of
  /// the stated length or of the true one: those that fit `packetCount` packets.
  func counted(
    inPacketsOf length: Int, insteadOf stated: Int, packetCount: Int
  ) -> Self {
    let sum = Outside(validFrames) + primingFrames + remainderFrames
    guard let sum = sum.upTo(Limits.count), stated > 0 else { return self }
    let isStated = abs(sum - packetCount * stated) <= abs(sum - packetCount * length)
    guard isStated else { return self }
    return Self(
      validFrames: validFrames * length / stated, primingFrames: primingFrames * length / stated,
      remainderFrames: remainderFrames * length / stated)
  }
}
