// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Decodes the packets of a file to interleaved Float32 at its rate. Seeking is exact to the frame.
final class FileDecoder: ConverterInput {
  let format: AudioStreamBasicDescription
  private let file: AudioFileObject
  private let converter: Converter
  /// Parts that are decoded one after the other; most files have only one.
  private let parts: [Part]
  private var part = 0
  /// Frames of the current part that are not decoded yet.
  private var framesLeft: Int
  private var nextPacket = 0
  /// How the codec depends on the packets before.
  private let history: DecoderHistory
  /// The packet before which the decoder starts again, and the frames before that which are not
  /// decoded yet.
  private var restart = Int.max
  private var framesToRestart = Int.max
  /// Decoded frames to drop: the codec's priming, and those before a seek position.
  private var framesToDrop: Int
  private let memory: OwnedMemory
  private let packet: UnsafeMutableRawBufferPointer
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>
  private let packetsAtOnce: Int
  private let discardBuffer: UnsafeMutableRawBufferPointer
  private let discardedFrames: Int

  init(_ file: AudioFileObject) throws(AudioError) {
    self.file = file
    let container = file.container
    let channels = container.format.mChannelsPerFrame
    guard (1...Limits.channels).contains(Int(channels)) else {
      throw .unsupportedDataFormat.because("\(container.store.name): \(channels) channels")
    }
    let largest = container.packets?.maximumSize ?? Int(container.format.mBytesPerPacket)
    guard largest <= Limits.packetBytes else {
      throw .damagedFile.because("\(container.store.name): a packet of \(largest) bytes")
    }
    format = AudioStreamBasicDescription(
      mSampleRate: container.format.mSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: 4 * channels,
      mFramesPerPacket: 1, mBytesPerFrame: 4 * channels, mChannelsPerFrame: channels,
      mBitsPerChannel: 32, mReserved: 0)
    converter = try Converter(from: container.format, to: format)
    history = DecoderHistory(container)
    parts = Part.all(of: container)
    framesLeft = parts[0].frames.count
    framesToDrop = parts[0].primingFrames
    packetsAtOnce = max(1, min(64, 65_536 / max(1, largest)))
    memory = OwnedMemory()
    packet = memory.bytes(max(1, largest * packetsAtOnce))
    discardedFrames = max(1, min(4_096, Limits.discardedBytes / Int(4 * channels)))
    descriptions = memory.room(packetsAtOnce, for: AudioStreamPacketDescription.self)
    discardBuffer = memory.bytes(discardedFrames * Int(4 * channels))
    place(atFrame: 0)
    try set(cookie: container.cookie)
    guard CompressedFormat.of(container.format.mFormatID) != nil else { return }
    // This class drops leading frames itself, according to the file.
    let none = [AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)]
    try none.withUnsafeBufferPointer { info throws(AudioError) in
      try converter.write(kAudioConverterPrimeInfo, UnsafeRawBufferPointer(info))
    }
  }

  deinit { memory.deallocate() }

  /// A run of packets that one decoder decodes.
  private struct Part {
    let packets: Range<Int>
    /// Its frames among those of the whole sound.
    let frames: Range<Int>
    let primingFrames: Int
    let cookie: [UInt8]

    static func all(of file: Container) -> [Part] {
      guard !file.links.isEmpty else {
        // The reader stops at the end of the sound.
        return [
          Part(
            packets: 0..<Int.max, frames: 0..<Int.max,
            primingFrames: priming(file.packetInfo), cookie: file.cookie)
        ]
      }
      var start = 0
      return file.links.map { link in
        let count = min(max(0, link.info.validFrames), Limits.count - start)
        defer { start += count }
        return Part(
          packets: link.packets, frames: start..<start + count,
          primingFrames: priming(link.info), cookie: link.cookie)
      }
    }

    private static func priming(_ info: Container.PacketInfo?) -> Int {
      min(max(0, info?.primingFrames ?? 0), Limits.count)
    }
  }

  private func set(cookie: [UInt8]) throws(AudioError) {
    guard !cookie.isEmpty else { return }
    try cookie.withUnsafeBufferPointer { bytes throws(AudioError) in
      try converter.write(kAudioConverterDecompressionMagicCookie, UnsafeRawBufferPointer(bytes))
    }
  }

  /// Starts decoding a part, from one of its frames on.
  private func begin(_ index: Int, atFrame frame: Int = 0) throws(AudioError) {
    if parts[index].cookie != parts[part].cookie { try set(cookie: parts[index].cookie) }
    part = index
    framesLeft = parts[index].frames.count - frame
    try start(atFrame: frame)
  }

  func seek(to frame: Int) throws(AudioError) {
    let index = parts.lastIndex { $0.frames.lowerBound <= frame } ?? 0
    try begin(index, atFrame: frame - parts[index].frames.lowerBound)
  }

  /// Lets the decoder start so that its next frame is this one of the part, as it would be if the
  /// part was decoded from its beginning.
  private func start(atFrame frame: Int) throws(AudioError) {
    place(atFrame: frame)
    try converter.reset()
  }

  private func place(atFrame frame: Int) {
    let target = frame + parts[part].primingFrames + firstFrame
    let (first, index) = (parts[part].packets.lowerBound, packet(at: target))
    setRestart(after: index)
    nextPacket = frame > 0 ? history.start(for: index - first) + first : first
    framesToDrop = frame > 0 ? target - outputStart(of: nextPacket) : parts[part].primingFrames
    framesToRestart = restart < Int.max ? outputStart(of: restart) - target : .max
  }

  /// The first frame of the part's packets, in the packet table of the whole file.
  private var firstFrame: Int {
    let first = parts[part].packets.lowerBound
    return first > 0 ? file.container.packets?.start(first) ?? 0 : 0
  }

  private func packet(at frame: Int) -> Int {
    let size = Int(file.container.format.mFramesPerPacket)
    return file.container.packets?.packet(at: frame) ?? (size > 0 ? frame / size : 0)
  }

  /// The first frame that a decoder outputs when it starts with a packet.
  private func outputStart(of packet: Int) -> Int {
    let format = file.container.format
    guard let packets = file.container.packets else {
      return (Outside(packet) * Int(format.mFramesPerPacket)).upTo(Limits.count) ?? Limits.count
    }
    guard packet < packets.count else { return packets.frameCount }
    // The first packet of Vorbis only provides the overlap for the second.
    let isSilent = format.mFormatID == CompressedFormat.vorbis
    return packets.start(packet) + (isSilent ? packets.frames(packet) : 0)
  }

  /// Sets the next place behind a packet at which the decoder starts again.
  private func setRestart(after packet: Int) {
    let first = parts[part].packets.lowerBound
    restart = history.restart(after: packet - first).map { $0 + first } ?? .max
    guard let packets = file.container.packets, restart < packets.count,
      restart < parts[part].packets.upperBound
    else {
      restart = .max
      return
    }
  }

  /// Decodes frames; returns their number, which is less than requested only at the end.
  func decode(_ requested: Int, into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int
  {
    let size = Int(format.mBytesPerPacket)
    var done = 0
    while done < requested {
      if framesLeft <= 0, part + 1 < parts.count { try begin(part + 1) }
      if framesToRestart <= 0 { try start(atFrame: parts[part].frames.count - framesLeft) }
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[(done * size)...])
      let most = min(requested - done, framesLeft, framesToRestart)
      let count = try decodePart(most, into: rest)
      done += count
      framesLeft -= count
      if framesToRestart < .max { framesToRestart -= count }
      guard count == 0 else { continue }
      if restart < .max {
        // The packets before it have fewer frames than they should.
        framesLeft -= framesToRestart
        framesToRestart = 0
        continue
      }
      // If a part has fewer frames than it states, the next part follows directly.
      guard part + 1 < parts.count else { break }
      framesLeft = 0
    }
    return done
  }

  /// Decodes frames of a part; fewer only at its end.
  private func decodePart(
    _ requested: Int, into bytes: UnsafeMutableRawBufferPointer
  ) throws(AudioError) -> Int {
    let size = Int(format.mBytesPerPacket)
    while framesToDrop > 0 {
      let part = min(framesToDrop, discardedFrames)
      let count = try run(part, into: discardBuffer)
      guard count > 0 else { return 0 }
      framesToDrop -= count
    }
    var done = 0
    while done < requested {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[(done * size)...])
      let count = try run(requested - done, into: rest)
      guard count > 0 else { break }
      done += count
    }
    return done
  }

  private func run(_ requested: Int, into bytes: UnsafeMutableRawBufferPointer) throws(AudioError)
    -> Int
  {
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: format.mChannelsPerFrame,
        mDataByteSize: UInt32(clamping: bytes.count), mData: bytes.baseAddress))
    var frames = UInt32(clamping: requested)
    try converter.fill(self, packets: &frames, into: &list, descriptions: nil)
    return Int(frames)
  }

  /// The next packets of the part.
  func supply(
    _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets {
    do throws(AudioError) {
      let read = try readPackets(count)
      // The sound ends where the file says, whatever its table says of single packets.
      for index in 0..<read.packets { descriptions[index].mVariableFramesInPacket = 0 }
      list.pointee.mBuffers.mData = packet.baseAddress
      list.pointee.mBuffers.mDataByteSize = UInt32(clamping: read.bytes)
      return SuppliedPackets(UInt32(clamping: read.packets), descriptions)
    } catch {
      guard error.status == kAudioFileEndOfFileError else { throw error }
      return SuppliedPackets(0)
    }
  }

  private func readPackets(_ requested: Int) throws(AudioError) -> AudioFileObject.PacketsRead {
    let packetsLeft = min(parts[part].packets.upperBound, restart) - nextPacket
    guard packetsLeft > 0 else { return .init() }
    let read = try file.readPackets(
      from: Int64(nextPacket), count: min(max(1, requested), packetsAtOnce, packetsLeft),
      into: packet,
      capacity: packet.count, descriptions: descriptions)
    nextPacket += read.packets
    return read
  }
}
