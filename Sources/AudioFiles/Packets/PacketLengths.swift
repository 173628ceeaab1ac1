// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// What the descriptions of packets say of their frames.
struct PacketLengths {
  /// 0 when packets differ.
  private let framesPerPacket: Int
  private let mayEndWithinPacket: Bool

  init(_ format: AudioStreamBasicDescription) {
    framesPerPacket = Int(format.mFramesPerPacket)
    mayEndWithinPacket = CompressedFormat.of(format.mFormatID)?.mayEndWithinPacket ?? false
  }

  /// `mVariableFramesInPacket` of a packet with this number of frames: 0 when the format says it.
  func described(_ frames: Int) -> UInt32 {
    let isStated = framesPerPacket == 0 || mayEndWithinPacket && frames < framesPerPacket
    return isStated ? UInt32(clamping: frames) : 0
  }
}
