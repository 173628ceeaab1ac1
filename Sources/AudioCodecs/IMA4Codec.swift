// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The state of one channel of IMA ADPCM: the last sample, and the step size.
///
/// IMA Digital Audio Focus and Technical Working Group, "Recommended practices for enhancing
/// digital audio compatibility in multimedia systems" (1992), in the packets of QuickTime: 64
/// samples in 34 bytes. The first two bytes are the upper nine bits of the previous sample and the
/// index of the step size.
struct IMA4Channel {
  /// Bytes and frames of a packet of one channel.
  static let packetSize = 34
  static let packetFrames = 64

  var sample: Int32 = 0
  var index: Int32 = 0

  /// Sets the state from a packet's header, unless it matches already.
  mutating func begin(_ header: UInt16) {
    let newIndex = min(Int32(header & 0x7F), 88)
    let newSample = Int32(Int16(bitPattern: header & 0xFF80))
    // The current state is exact, the header is rounded.
    if newIndex == index, abs(newSample - sample) <= 0x7F { return }
    index = newIndex
    sample = newSample
  }

  /// The header of a packet.
  var header: UInt16 {
    UInt16(truncatingIfNeeded: sample) & 0xFF80 | UInt16(truncatingIfNeeded: index)
  }

  /// The next sample, from four bits.
  mutating func decode(_ code: UInt8) -> Int16 {
    let step = Self.steps[Int(index)]
    var change = step >> 3
    if code & 4 != 0 { change += step }
    if code & 2 != 0 { change += step >> 1 }
    if code & 1 != 0 { change += step >> 2 }
    sample = min(max(code & 8 != 0 ? sample - change : sample + change, -32_768), 32_767)
    index = min(max(index + Self.changes[Int(code & 7)], 0), 88)
    return Int16(truncatingIfNeeded: sample)
  }

  /// The four bits closest to the next sample.
  mutating func encode(_ target: Int16) -> UInt8 {
    let step = Self.steps[Int(index)]
    let difference = Int32(target) - sample
    var code: UInt8 = difference < 0 ? 8 : 0
    var rest = abs(difference)
    if rest >= step {
      code |= 4
      rest -= step
    }
    if rest >= step >> 1 {
      code |= 2
      rest -= step >> 1
    }
    if rest >= step >> 2 { code |= 1 }
    _ = decode(code)
    return code
  }

  private static let changes: [Int32] = [-1, -1, -1, -1, 2, 4, 6, 8]
  private static let steps: [Int32] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73,
    80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
    544, 598, 658, 724, 796, 876, 963, 1_060, 1_166, 1_282, 1_411, 1_552, 1_707, 1_878, 2_066,
    2_272,
    2_499, 2_749, 3_024, 3_327, 3_660, 4_026, 4_428, 4_871, 5_358, 5_894, 6_484, 7_132, 7_845,
    8_630,
    9_493, 10_442, 11_487, 12_635, 13_899, 15_289, 16_818, 18_500, 20_350, 22_385, 24_623, 27_086,
    29_794, 32_767,
  ]
}

/// Decodes IMA 4:1.
final class IMA4Decoder: PacketDecoder {
  let format: StreamFormat
  let leadingFrames = 0
  private var channels: [IMA4Channel]

  init(rate: Double, channels: Int) throws(AudioError) {
    format = try .interleaved(.int16, rate: rate, channels: channels)
    self.channels = Array(repeating: IMA4Channel(), count: channels)
  }

  func decode(_ packets: UnsafeRawBufferPointer, into frames: FrameQueue) throws(AudioError) {
    let count = channels.count
    let packetSize = IMA4Channel.packetSize * count
    for packet in 0..<packets.count / packetSize {
      let output = frames.add(IMA4Channel.packetFrames).assumingMemoryBound(to: Int16.self)
      for channel in 0..<count {
        let start = packet * packetSize + channel * IMA4Channel.packetSize
        channels[channel].begin(UInt16(packets[start]) << 8 | UInt16(packets[start + 1]))
        for index in 0..<IMA4Channel.packetFrames {
          let byte = packets[start + 2 + index / 2]
          output[index * count + channel] =
            channels[channel].decode(index % 2 == 0 ? byte & 0xF : byte >> 4)
        }
      }
    }
  }

  func finish(into frames: FrameQueue) throws(AudioError) {}
  func reset() { channels = Array(repeating: IMA4Channel(), count: channels.count) }
}

/// Encodes IMA 4:1.
final class IMA4Encoder: PacketEncoder {
  let format: StreamFormat
  let framesPerPass = IMA4Channel.packetFrames
  let framesPerPacket = IMA4Channel.packetFrames
  let delayFrames = 0
  let cookie: [UInt8] = []
  var maximumPacketSize: Int { IMA4Channel.packetSize * channels.count }
  private var channels: [IMA4Channel]

  init(rate: Double, channels: Int) throws(AudioError) {
    format = try .interleaved(.int16, rate: rate, channels: channels)
    self.channels = Array(repeating: IMA4Channel(), count: channels)
  }

  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  {
    let samples = frames.assumingMemoryBound(to: Int16.self)
    var packet: [UInt8] = []
    for channel in channels.indices {
      let header = channels[channel].header
      packet += [UInt8(truncatingIfNeeded: header >> 8), UInt8(truncatingIfNeeded: header & 0xFF)]
      var low: UInt8 = 0
      for index in 0..<IMA4Channel.packetFrames {
        // The last packet is padded with silence.
        let sample = index < count ? samples[index * channels.count + channel] : 0
        let code = channels[channel].encode(sample)
        if index % 2 == 0 { low = code } else { packet.append(low | code << 4) }
      }
    }
    packet.withUnsafeBytes { packets.add($0, frames: IMA4Channel.packetFrames) }
  }

  func finish(into packets: PacketQueue) throws(AudioError) {}
}
