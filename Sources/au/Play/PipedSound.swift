// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import SignalProcessing
import Synchronization

/// A sound file that comes through a pipe, played while it comes: parsed and decoded on its own
/// thread, two seconds ahead of what is heard.
final class PipedSound: @unchecked Sendable {  // the parser is the thread's from `start` on
  /// What the first bytes turned out to be.
  enum Beginning {
    case sound(PipedSound)
    /// A file that can only be read when all of it is there; these bytes of it have been read.
    case wholeFile([UInt8])
  }

  /// The most frames that the decoder makes at once.
  private static let chunk = 4_096

  private(set) var format = AudioStreamBasicDescription()
  let ring: UnsafeMutablePointer<PipedFrames>
  private let descriptor: Int32
  private var parser: AudioFileStreamID?
  private var converter: AudioConverterRef?
  private var cookie: [UInt8] = []
  private var table = AudioFilePacketTableInfo()
  private var isReady = false
  private var hasEnded = false
  private var packets: [Packet] = []
  private var next = 0
  /// How often the decoder asked for packets.
  private var supplyCount = 0
  /// The packet that the decoder has, which stays until it asks for the next.
  private var given = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  private let description = UnsafeMutablePointer.cell(AudioStreamPacketDescription())

  private struct Packet {
    var bytes: [UInt8]
    var description: AudioStreamPacketDescription?
  }

  /// [control thread] Reads until it is known what comes.
  static func begin(_ descriptor: Int32) throws(Failure) -> Beginning {
    let sound = PipedSound(descriptor)
    guard sound.parser != nil else { return .wholeFile([]) }
    var bytes: [UInt8] = []
    while !sound.isReady || sound.packets.isEmpty {
      guard let more = sound.readMore(), !more.isEmpty else { return .wholeFile(bytes) }
      bytes += more
      guard sound.parse(more) == noErr else { return .wholeFile(bytes) }
    }
    guard sound.prepare() else { return .wholeFile(bytes) }
    return .sound(sound)
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    ring = .cell(PipedFrames())
    AudioFileStreamOpen(
      Unmanaged.passUnretained(self).toOpaque(),
      { context, stream, id, _ in PipedSound.of(context).learn(id, stream) },
      { context, size, count, data, descriptions in
        PipedSound.of(context).receive(size, count, data, descriptions)
      }, 0, &parser)
  }

  deinit {
    if let parser { AudioFileStreamClose(parser) }
    if let converter { AudioConverterDispose(converter) }
    ring.endCell()
    given.deallocate()
    description.endCell()
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> PipedSound {
    Unmanaged<PipedSound>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Parsing

  /// Bytes that have come; empty at the end, nil after an error.
  private func readMore() -> [UInt8]? {
    while true {
      let bytes = [UInt8](unsafeUninitializedCapacity: 16_384) { memory, count in
        count = max(0, read(descriptor, memory.baseAddress, memory.count))
      }
      if bytes.isEmpty, errno == EINTR { continue }
      return bytes
    }
  }

  private func parse(_ bytes: [UInt8]) -> OSStatus {
    guard let parser else { return kAudio_ParamError }
    return AudioFileStreamParseBytes(parser, UInt32(bytes.count), bytes, [])
  }

  private func learn(_ id: AudioFileStreamPropertyID, _ stream: AudioFileStreamID) {
    guard id == kAudioFileStreamProperty_ReadyToProducePackets else { return }
    var size = UInt32(MemoryLayout.size(ofValue: format))
    let status = AudioFileStreamGetProperty(
      stream, kAudioFileStreamProperty_DataFormat, &size, &format)
    size = UInt32(MemoryLayout.size(ofValue: table))
    AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_PacketTableInfo, &size, &table)
    size = 0
    AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &size, nil)
    cookie = [UInt8](repeating: 0, count: Int(size))
    if size > 0 {
      AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_MagicCookieData, &size, &cookie)
    }
    isReady = status == noErr
  }

  private func receive(
    _ size: UInt32, _ count: UInt32, _ data: UnsafeRawPointer,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) {
    let bytes = UnsafeRawBufferPointer(start: data, count: Int(size))
    guard let descriptions else {
      packets.append(Packet(bytes: Array(bytes)))
      return
    }
    for index in 0..<Int(count) {
      var description = descriptions[index]
      let start = Int(description.mStartOffset)
      description.mStartOffset = 0
      packets.append(
        Packet(
          bytes: Array(bytes[start..<start + Int(description.mDataByteSize)]),
          description: description))
    }
  }

  // MARK: Decoding

  private func prepare() -> Bool {
    let channels = format.mChannelsPerFrame
    var planar = AudioStreamBasicDescription(
      mSampleRate: format.mSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: channels,
      mBitsPerChannel: 32, mReserved: 0)
    var source = format
    guard AudioConverterNew(&source, &planar, &converter) == noErr, let converter else {
      return false
    }
    if !cookie.isEmpty {
      AudioConverterSetProperty(
        converter, kAudioConverterDecompressionMagicCookie, UInt32(cookie.count), cookie)
    }
    // What the encoder added is left out here, where the file says how much that is.
    var none = AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)
    AudioConverterSetProperty(
      converter, kAudioConverterPrimeInfo, UInt32(MemoryLayout.size(ofValue: none)), &none)
    ring.pointee.lay(channels: Int(channels), capacity: Int(format.mSampleRate * 2) + Self.chunk)
    return true
  }

  /// [control thread] Decodes from now on, on a thread that ends with the pipe or with `stop`.
  func start() {
    let thread = Thread { [self] in decodeAll() }
    thread.name = "au-pipe"
    thread.start()
  }

  /// [control thread] Nothing more is decoded; the thread ends when the next bytes come.
  func stop() { ring.pointee.isStopped.store(true, ordering: .releasing) }

  private func decodeAll() {
    guard let converter else { return }
    let channels = Int(format.mChannelsPerFrame)
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    defer { free(list.unsafeMutablePointer) }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * Self.chunk)
    defer { memory.deallocate() }
    var (leading, left) = (Int(table.mPrimingFrames), Int.max)
    if table.mNumberValidFrames > 0 { left = Int(table.mNumberValidFrames) }
    while left > 0, !ring.pointee.isStopped.load(ordering: .acquiring) {
      for channel in 0..<channels {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(Self.chunk * 4),
          mData: memory + channel * Self.chunk)
      }
      var count = UInt32(Self.chunk)
      let before = supplyCount
      let status = AudioConverterFillComplexBuffer(
        converter,
        { _, count, data, descriptions, context in
          guard let context else { return kAudio_ParamError }
          PipedSound.of(context).supply(count, data, descriptions)
          return noErr
        }, Unmanaged.passUnretained(self).toOpaque(), &count, list.unsafeMutablePointer, nil)
      // A packet that is damaged is left out.
      if count == 0, status == noErr || supplyCount == before { break }
      let skipped = min(leading, Int(count))
      leading -= skipped
      let frames = min(Int(count) - skipped, left)
      left -= frames
      ring.pointee.write(memory + skipped, stride: Self.chunk, count: frames)
    }
    ring.pointee.hasEnded.store(true, ordering: .releasing)
  }

  /// Gives the decoder the next packets; none at the end.
  private func supply(
    _ count: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) {
    supplyCount += 1
    while next >= packets.count, !hasEnded {
      (packets, next) = ([], 0)
      let bytes = readMore() ?? []
      hasEnded = bytes.isEmpty
      // An empty parse says that no more bytes come.
      if parse(bytes) != noErr { hasEnded = true }
    }
    guard next < packets.count else {
      count.pointee = 0
      return
    }
    let packet = packets[next]
    next += 1
    if packet.bytes.count > given.count {
      given.deallocate()
      given = .allocate(byteCount: 2 * packet.bytes.count, alignment: 16)
    }
    given.copyBytes(from: packet.bytes)
    data.pointee.mBuffers.mData = given.baseAddress
    data.pointee.mBuffers.mDataByteSize = UInt32(packet.bytes.count)
    count.pointee = UInt32(packet.bytes.count / max(1, Int(format.mBytesPerPacket)))
    if let described = packet.description {
      description.initialize(to: described)
      count.pointee = 1
      descriptions?.pointee = description
    }
  }
}
