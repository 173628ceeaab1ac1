// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The length of packets of lossless sound, which the packets state themselves: the last one of a
/// file is usually shorter than the others.
enum LosslessPacket {
  /// Bytes from which the length can be read.
  private static let headBytes = 16

  /// The frames of a packet of FLAC or Apple Lossless, by its first bytes. `usual`: those of a packet
  /// that states no length. Nil for other codecs, and for bytes that are no packet.
  private static func frames(_ head: ByteFields, _ id: AudioFormatID, usual: Int) -> Int? {
    switch id {
    case kAudioFormatFLAC: return FLACFrame(head)?.frames
    case kAudioFormatAppleLossless:
      // An element: its type and number, 12 unused bits, whether it is shorter than usual, the bytes
      // by which samples are shifted, whether they are stored as they are; then the length.
      let word = head.uint64(0)
      guard head.count >= 8, [0, 1, 3].contains(word >> 61) else { return nil }
      guard word >> 44 & 1 == 1 else { return usual }
      let frames = Int(truncatingIfNeeded: word >> 9 & 0xFFFF_FFFF)
      return (1...max(1, usual)).contains(frames) ? frames : nil
    default: return nil
    }
  }

  /// The packets of a file and their frames.
  struct Measured {
    var packets: PacketTable
    /// Frames of each packet but the last; 0 when packets differ.
    var framesPerPacket: Int
    /// The frames of all packets.
    var frameCount: Int
  }

  /// [control thread] What packets state, where the packet table of a file is wrong: writers that do
  /// not know the length of the last packet count it as whole, and writers that do not know the
  /// length of any state an average. Nil where packets do not say.
  static func measure(
    _ packets: PacketTable, _ format: AudioStreamBasicDescription, _ window: ByteWindow
  ) throws(AudioError) -> Measured? {
    let usual = Int(format.mFramesPerPacket)
    // The end of a stream can be a packet without bytes.
    let count = (0..<packets.count).last { packets.size($0) > 0 }.map { $0 + 1 } ?? 0
    guard count > 0, usual > 0 else { return nil }
    var packets = packets
    packets.removeLast(packets.count - count)
    func frames(_ index: Int) throws(AudioError) -> Int? {
      let bytes = min(headBytes, packets.size(index))
      let head = try window.fields(packets.offset(index), bytes)
      return Self.frames(head, format.mFormatID, usual: usual)
    }
    if count > 1, let first = try frames(0), first != usual {
      var measured = PacketTable(framesPerPacket: 0)
      for index in 0..<count {
        guard let frames = try frames(index) else { return nil }
        measured.append(offset: packets.offset(index), size: packets.size(index), frames: frames)
      }
      // Usually only the last one differs.
      let isConstant =
        (0..<count - 1).allSatisfy { measured.frames($0) == first }
        && measured.frames(count - 1) <= first
      return Measured(
        packets: isConstant ? measured.with(framesPerPacket: first) : measured,
        framesPerPacket: isConstant ? first : 0, frameCount: measured.frameCount)
    }
    guard let last = try frames(count - 1), last <= usual else { return nil }
    return Measured(
      packets: packets, framesPerPacket: usual, frameCount: packets.frameCount - usual + last)
  }
}
