// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// The properties of packets, and the translations between packets, frames and bytes.
extension FileProperties {
  static let packets: [Row] = [
    .value(
      kAudioFilePropertyAudioDataByteCount,
      get: { Int64($0.container.packets?.byteCount ?? $0.container.dataByteCount) }),
    .value(kAudioFilePropertyAudioDataPacketCount, get: { Int64($0.container.packetCount) }),
    .value(
      kAudioFilePropertyMaximumPacketSize,
      get: { UInt32(clamping: largestPacketSize($0.container)) }),
    .value(
      kAudioFilePropertyPacketSizeUpperBound,
      get: { UInt32(clamping: largestPacketSize($0.container)) }),
    .value(kAudioFilePropertyDataOffset, get: { Int64($0.container.dataOffset) }),
    .value(
      kAudioFilePropertyPacketTableInfo,
      size: .bytes(MemoryLayout<AudioFilePacketTableInfo>.size), writable: ifWritable,
      get: { (file) throws(AudioError) in
        guard let info = file.container.packetInfo else { throw missing("packet table", file) }
        return AudioFilePacketTableInfo(info)
      },
      set: { (file, info: AudioFilePacketTableInfo) throws(AudioError) in
        try file.container.setPacketInfo(
          Container.packetInfo(info, for: file.container.store.name))
      }),
    .value(kAudioFilePropertyRestrictsRandomAccess, get: { _ in 0 as UInt32 }),
    .exchange(
      kAudioFilePropertyPacketRangeByteCountUpperBound, AudioPacketRangeByteCountTranslation.self
    ) { file, _, range in
      range.mPacketCount = max(0, range.mPacketCount)
      let size = Int64(largestPacketSize(file.container))
      let bound = range.mPacketCount.multipliedReportingOverflow(by: size)
      range.mByteCountUpperBound = bound.overflow ? Int64.max : bound.partialValue
    },
    .exchange(
      kAudioFilePropertyPacketToRollDistance, AudioPacketRollDistanceTranslation.self
    ) { file, _, roll in roll.mRollDistance = Int64(rollDistance(file.container.format)) },
    .exchange(
      kAudioFilePropertyPreviousIndependentPacket, AudioIndependentPacketTranslation.self
    ) { _, _, packet in packet.mIndependentlyDecodablePacket = max(0, packet.mPacket) - 1 },
    .exchange(
      kAudioFilePropertyNextIndependentPacket, AudioIndependentPacketTranslation.self
    ) { file, _, packet in
      let next = packet.mPacket &+ 1
      packet.mIndependentlyDecodablePacket = next < Int64(file.container.packetCount) ? next : -1
    },
    .exchange(
      kAudioFilePropertyPacketToDependencyInfo, AudioPacketDependencyInfoTranslation.self
    ) { _, _, packet in
      packet.mIsIndependentlyDecodable = 1
      packet.mNumberPrerollPackets = 0
    },
  ]

  static let translations: [Row] = [
    .exchange(kAudioFilePropertyPacketToFrame, AudioFramePacketTranslation.self) {
      (file, _, place) throws(AudioError) in
      let file = file.container
      let packet = try packet(place.mPacket, file)
      let frames = Outside(packet) * Int(file.format.mFramesPerPacket)
      let start = file.packets?.start(packet) ?? frames.upTo(Limits.count) ?? Limits.count
      place = AudioFramePacketTranslation(
        mFrame: Int64(start), mPacket: Int64(packet), mFrameOffsetInPacket: 0)
    },
    .exchange(kAudioFilePropertyFrameToPacket, AudioFramePacketTranslation.self) {
      (file, _, place) throws(AudioError) in
      let file = file.container
      guard place.mFrame >= 0 else {
        throw .invalidArgument.because("\(file.store.name): has no frame \(place.mFrame)")
      }
      let frame = Int(place.mFrame)
      let packet: Int
      if let table = file.packets, table.count > 0 {
        packet = min(table.packet(at: frame), table.count - 1)
        place.mFrameOffsetInPacket = UInt32(clamping: frame - table.start(packet))
      } else {
        let size = max(1, Int(file.format.mFramesPerPacket))
        packet = frame / size
        place.mFrameOffsetInPacket = UInt32(clamping: frame % size)
      }
      place.mPacket = Int64(packet)
    },
    .exchange(kAudioFilePropertyPacketToByte, AudioBytePacketTranslation.self) {
      (file, _, place) throws(AudioError) in
      let file = file.container
      let packet = try packet(place.mPacket, file)
      let byte =
        file.packets.map { packet < $0.count ? $0.offset(packet) - file.dataOffset : 0 }
        ?? packet * Int(file.format.mBytesPerPacket)
      place = AudioBytePacketTranslation(
        mByte: Int64(byte), mPacket: Int64(packet), mByteOffsetInPacket: 0, mFlags: [])
    },
    .exchange(kAudioFilePropertyByteToPacket, AudioBytePacketTranslation.self) {
      (file, _, place) throws(AudioError) in
      let file = file.container
      guard (0..<1 << 60).contains(place.mByte) else {
        throw .invalidArgument.because("\(file.store.name): has no byte \(place.mByte)")
      }
      let byte = Int(place.mByte)
      let (packet, rest): (Int, Int)
      if let table = file.packets, table.count > 0 {
        packet = table.packet(atByte: byte + file.dataOffset)
        rest = byte + file.dataOffset - table.offset(packet)
      } else {
        let size = max(1, Int(file.format.mBytesPerPacket))
        (packet, rest) = (byte / size, byte % size)
      }
      place = AudioBytePacketTranslation(
        mByte: Int64(byte), mPacket: Int64(packet), mByteOffsetInPacket: UInt32(clamping: rest),
        mFlags: [])
    },
  ]

  private static func packet(_ packet: Int64, _ file: Container) throws(AudioError) -> Int {
    guard packet >= 0, packet <= Int64(file.packetCount) else {
      throw .invalidPacketOffset.because(
        "\(file.store.name): has \(file.packetCount) packets, no packet \(packet)")
    }
    return min(Int(packet), max(0, (file.packets?.count ?? .max) - 1))
  }

  /// The roll distance of a codec: one packet when its windows overlap, else 0.
  static func rollDistance(_ format: AudioStreamBasicDescription) -> Int {
    let alone = [kAudioFormatFLAC, kAudioFormatAppleLossless]
    return format.mBytesPerPacket > 0 || alone.contains(format.mFormatID) ? 0 : 1
  }

  private static func largestPacketSize(_ file: Container) -> Int {
    file.packets?.maximumSize ?? Int(file.format.mBytesPerPacket)
  }

  /// The duration of the sound.
  static func seconds(_ file: Container) -> Double {
    file.format.mSampleRate > 0 ? Double(file.frameCount) / file.format.mSampleRate : 0
  }

  /// Bits per second, on average.
  static func bitRate(_ file: Container) -> Double {
    let duration = Double(file.packetFrameCount) / file.format.mSampleRate
    let bytes = Double(file.packets?.byteCount ?? file.dataByteCount)
    if file.packets == nil, file.format.mFramesPerPacket > 0 {
      return file.format.mSampleRate * 8 * Double(file.format.mBytesPerPacket)
        / Double(file.format.mFramesPerPacket)
    }
    return duration > 0 ? min(bytes * 8 / duration, 4e9) : 0
  }

  /// Seconds with three decimals; nil for a duration beyond any number of them.
  static func text(_ seconds: Double) -> String? {
    guard let thousandths = Outside((seconds * 1_000).rounded()).count else { return nil }
    let rest = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

extension AudioFilePacketTableInfo {
  /// The packet table of a file.
  init(_ info: Container.PacketInfo) {
    self.init(
      mNumberValidFrames: Int64(info.validFrames),
      mPrimingFrames: Int32(clamping: info.primingFrames),
      mRemainderFrames: Int32(clamping: info.remainderFrames))
  }
}

extension Container {
  /// The packet table that a program sets.
  static func packetInfo(_ info: AudioFilePacketTableInfo, for name: String) throws(AudioError)
    -> PacketInfo
  {
    try packetInfo(
      validFrames: info.mNumberValidFrames, primingFrames: info.mPrimingFrames,
      remainderFrames: info.mRemainderFrames, for: name)
  }
}
