// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// What follows from the packets themselves.
extension MP4Container {
  /// Adds the packets of the fragments. Returns the frames of the last one if the durations are
  /// those of whole packets up to it: others are rounded to a coarse time unit, or missing.
  func add(_ fragments: MP4Fragments, to table: inout PacketTable) throws(AudioError)
    -> Int?
  {
    let window = try ByteWindow(store)
    var scanner = fragments
    var last: FoundPacket?
    var areWhole = true
    while let packet = try scanner.next(window) {
      guard table.count < MP4Limits.packets else {
        throw damaged("has more than \(MP4Limits.packets) packets")
      }
      table.append(packet)
      if let last, last.frames != Int(format.mFramesPerPacket) { areWhole = false }
      last = packet
    }
    endsEarly = scanner.isCut
    guard let last, areWhole, !endsEarly, last.frames > 0 else { return nil }
    return last.frames
  }

  /// The object types of MPEG audio do not tell its layers apart, and some writers state two channels
  /// whatever there are: the first frame tells both.
  func setLayer(_ table: inout PacketTable, _ track: inout MP4Track) throws(AudioError) {
    let head = try store.bytes(at: table.offset(0), min(4, table.size(0)))
    guard let frame = MPEGFrame(ByteFields(head, isBigEndian: true)) else { return }
    format.mFormatID = frame.formatID
    format.mChannelsPerFrame = UInt32(clamping: frame.channelCount)
    track.entry.format.mFormatID = frame.formatID
    track.entry.format.mChannelsPerFrame = format.mChannelsPerFrame
    layout = WaveLayout.native(frame.channelCount)
    guard frame.frameCount != Int(format.mFramesPerPacket) else { return }
    format.mFramesPerPacket = UInt32(clamping: frame.frameCount)
    track.entry.format.mFramesPerPacket = format.mFramesPerPacket
    table = table.with(framesPerPacket: frame.frameCount)
  }

  /// Reads the frames per packet from the first packet, because Opus packets contain their length.
  func setOpusFrames(_ table: inout PacketTable) throws(AudioError) {
    let frames = OpusPacket.frames(try store.bytes(at: table.offset(0), min(2, table.size(0))))
    guard frames > 0, frames != Int(format.mFramesPerPacket) else { return }
    format.mFramesPerPacket = UInt32(clamping: frames)
    table = table.with(framesPerPacket: frames)
  }
}
