// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// Packets with what a program needs to decode them, as AudioFile or AudioFileStream supplies it.
struct PacketSound {
  var format = AudioStreamBasicDescription()
  var cookie: [UInt8] = []
  /// Which decoded frames are sound; nil if that is not stated.
  var table: AudioFilePacketTableInfo?
  /// The number of packets that is stated; nil: none is.
  var statedPackets: Int?
  private(set) var packets: [(bytes: [UInt8], frames: UInt32)] = []

  /// A converter could not be made, or stopped.
  private struct Failure: Error { let status: OSStatus }

  /// Adds packets that lie in memory one behind the other; without descriptions, of equal sizes.
  mutating func add(
    _ bytes: UnsafeRawBufferPointer,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>
  ) {
    guard !descriptions.isEmpty, format.mBytesPerPacket == 0 else {
      return packets.append((Array(bytes), 0))
    }
    for packet in descriptions {
      let start = Int(packet.mStartOffset)
      packets.append(
        (Array(bytes[start..<start + Int(packet.mDataByteSize)]), packet.mVariableFramesInPacket))
    }
  }

  /// The number of frames that is stated; nil: none is.
  var statedFrames: Int? {
    if let table { return Int(table.mNumberValidFrames) }
    guard let statedPackets, format.mFramesPerPacket > 0 else { return nil }
    return statedPackets * Int(format.mFramesPerPacket)
  }

  /// The sound: what AudioConverter makes of the packets, without the frames that the table excludes.
  func samples() throws -> [Float] {
    var (source, target) = (format, floatFormat(like: format))
    let channels = Int(format.mChannelsPerFrame)
    var made: AudioConverterRef?
    let status = AudioConverterNew(&source, &target, &made)
    guard status == noErr, let converter = made else { throw Failure(status: status) }
    defer { AudioConverterDispose(converter) }
    if !cookie.isEmpty {
      AudioConverterSetProperty(
        converter, kAudioConverterDecompressionMagicCookie, UInt32(cookie.count), cookie)
    }
    if table != nil {
      // Otherwise the cookie says how many frames come first.
      var none = AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)
      AudioConverterSetProperty(converter, kAudioConverterPrimeInfo, 8, &none)
    }
    let decoded = try PacketFeeding(self).decode(with: converter)
    guard let table else { return decoded }
    let sound = decoded.dropFirst(channels * max(0, Int(table.mPrimingFrames)))
    // A table in front may have no number yet.
    return table.mNumberValidFrames > 0
      ? Array(sound.prefix(channels * Int(table.mNumberValidFrames))) : Array(sound)
  }

  /// Supplies the packets to a converter.
  private final class PacketFeeding {
    private let sound: PacketSound
    private var next = 0
    private let memory: UnsafeMutableRawBufferPointer
    private let description = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(
      capacity: 1)

    init(_ sound: PacketSound) {
      self.sound = sound
      memory = .allocate(
        byteCount: max(1, sound.packets.map(\.bytes.count).max() ?? 0), alignment: 16)
      description.initialize(to: .init())
    }

    deinit {
      memory.deallocate()
      description.deallocate()
    }

    func decode(with converter: AudioConverterRef) throws -> [Float] {
      var samples: [Float] = []
      let channels = sound.format.mChannelsPerFrame
      var part = [Float](repeating: 0, count: 1_000 * Int(channels))
      while true {
        var count: UInt32 = 1_000
        let before = next
        let status = part.withUnsafeMutableBytes { bytes in
          var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
              mNumberChannels: channels, mDataByteSize: UInt32(bytes.count),
              mData: bytes.baseAddress))
          return AudioConverterFillComplexBuffer(
            converter,
            { _, count, list, descriptions, context in
              guard let context else { return kAudio_ParamError }
              Unmanaged<PacketFeeding>.fromOpaque(context).takeUnretainedValue()
                .supply(count, list, descriptions)
              return noErr
            }, Unmanaged.passUnretained(self).toOpaque(), &count, &list, nil)
        }
        samples += part[..<Int(count * channels)]
        // A packet that cannot be decoded is left out.
        guard status == noErr || next > before else { throw Failure(status: status) }
        guard count > 0 || status != noErr else { return samples }
      }
    }

    private func supply(
      _ count: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
      _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) {
      count.pointee = 0
      guard next < sound.packets.count else { return }
      let packet = sound.packets[next]
      next += 1
      memory.copyBytes(from: packet.bytes)
      list.pointee.mBuffers.mData = memory.baseAddress
      list.pointee.mBuffers.mDataByteSize = UInt32(packet.bytes.count)
      let size = Int(sound.format.mBytesPerPacket)
      guard size == 0 else {
        count.pointee = UInt32(packet.bytes.count / size)
        return
      }
      count.pointee = 1
      description.pointee = .init(
        mStartOffset: 0, mVariableFramesInPacket: packet.frames,
        mDataByteSize: UInt32(packet.bytes.count))
      descriptions?.pointee = description
    }
  }
}
