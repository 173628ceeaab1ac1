// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension FormatStorage {
  /// What two equal formats have in common, without what makes no difference: the interleaving of
  /// one channel, the alignment of samples that fill their bytes, and the usual layout of one or two
  /// channels.
  struct Identity: Hashable {
    let sampleRate: Double
    let fields: [UInt32]
    let layout: [UInt8]?
  }

  var identity: Identity {
    let description = description.pointee
    return Identity(
      sampleRate: description.mSampleRate,
      fields: linear.map { fields(of: $0) }
        ?? [
          description.mFormatID, description.mFormatFlags, description.mBytesPerPacket,
          description.mFramesPerPacket, description.mBytesPerFrame, description.mChannelsPerFrame,
          description.mBitsPerChannel,
        ],
      layout: layout.flatMap { $0.isUsual ? nil : $0.normalBytes })
  }

  private func fields(of linear: StreamFormat) -> [UInt32] {
    var flags = linear.flags & (kAudioFormatFlagIsFloat | kLinearPCMFormatFlagsSampleFractionMask)
    if linear.bytesPerSample > 1 { flags |= linear.flags & kAudioFormatFlagIsBigEndian }
    if !linear.isFloat { flags |= linear.flags & kAudioFormatFlagIsSignedInteger }
    if linear.bitsPerChannel < 8 * linear.bytesPerSample {
      flags |= linear.flags & kAudioFormatFlagIsAlignedHigh
    }
    let channelCount = description.pointee.mChannelsPerFrame
    if channelCount != 1 { flags |= linear.flags & kAudioFormatFlagIsNonInterleaved }
    return [
      kAudioFormatLinearPCM, flags, UInt32(linear.bytesPerSample), channelCount,
      UInt32(linear.bitsPerChannel),
    ]
  }
}
