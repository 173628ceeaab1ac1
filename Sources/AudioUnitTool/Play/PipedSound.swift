// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Foundation
import SignalProcessing
import Synchronization

/// A sound file that arrives through a pipe and is played meanwhile: parsed and decoded on its own
/// thread, two seconds ahead of the playback.
final class PipedSound: @unchecked Sendable {  // only the thread uses the parser after `start`
  /// The result of reading the first bytes.
  enum OpenResult {
    case sound(PipedSound)
    /// A file that can only be read when it is complete; these are the bytes read so far.
    case wholeFile([UInt8])
  }

  /// The most frames that the decoder makes per call.
  private static let decodedFrames = 4_096

  /// The format of the file.
  private(set) var format = AudioStreamBasicDescription()
  let ring: UnsafeMutablePointer<PipedFrames>
  /// The first bytes, which were read by `begin`; empty after the start.
  private(set) var bytes: [UInt8] = []
  private let descriptor: Int32
  private var parser: AudioFileStreamID?
  private var converter: AudioConverterRef?
  private var part = Part()
  /// The next part, whose first packet has not arrived.
  private var nextPart: Part?
  /// The frames that are played, counted over all parts; set before the start.
  var played = 0..<Int.max
  /// The frames decoded so far.
  private var decoded = 0
  private var isReady = false
  /// Whether another sound may follow.
  private var isOgg = false
  private var hasEnded = false
  private var packets: [Packet] = []
  private var next = 0
  /// How often the decoder has requested packets.
  private var supplyCount = 0
  /// The bytes of the decoder's current packet, which must stay until it requests the next.
  private var packetMemory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 65_536, alignment: 16)
  private let description = UnsafeMutablePointer.cell(AudioStreamPacketDescription())

  private struct Packet {
    var bytes: [UInt8]
    var description: AudioStreamPacketDescription?
    /// The part that begins with this packet.
    var part: Part?
  }

  /// What a decoder needs for one of several sounds that follow each other, as in Ogg.
  private struct Part {
    var cookie: [UInt8] = []
    /// Which frames are sound, if the header says that.
    var table: AudioFilePacketTableInfo?
  }

  /// [control thread] Reads until the file type and the first packet are known.
  static func begin(_ descriptor: Int32) throws(Failure) -> OpenResult {
    let sound = PipedSound(descriptor)
    guard sound.parser != nil else { return .wholeFile([]) }
    var bytes: [UInt8] = []
    while !sound.isReady || sound.packets.isEmpty {
      guard let more = sound.readMore(), !more.isEmpty else { return .wholeFile(bytes) }
      bytes += more
      guard sound.parse(more) == noErr else { return .wholeFile(bytes) }
    }
    sound.bytes = bytes
    guard sound.prepare() else { return .wholeFile(bytes) }
    return .sound(sound)
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    ring = .cell(PipedFrames())
    AudioFileStreamOpen(
      Unmanaged.passUnretained(self).toOpaque(),
      { context, stream, id, _ in PipedSound.of(context).readProperty(id, stream) },
      { context, size, count, data, descriptions in
        PipedSound.of(context).receive(size, count, data, descriptions)
      }, 0, &parser)
  }

  deinit {
    if let parser { AudioFileStreamClose(parser) }
    if let converter { AudioConverterDispose(converter) }
    ring.endCell()
    packetMemory.deallocate()
    description.endCell()
  }

  private static func of(_ context: UnsafeMutableRawPointer) -> PipedSound {
    Unmanaged<PipedSound>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Parsing

  /// The next bytes; empty at the end and after an error.
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
    return AudioFileStreamParseBytes(parser, UInt32(clamping: bytes.count), bytes, [])
  }

  private func readProperty(_ id: AudioFileStreamPropertyID, _ stream: AudioFileStreamID) {
    switch id {
    case kAudioFileStreamProperty_ReadyToProducePackets:
      var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
      let status = AudioFileStreamGetProperty(
        stream, kAudioFileStreamProperty_DataFormat, &size, &format)
      part = Self.part(stream)
      var type = AudioFileTypeID(0)
      size = UInt32(clamping: MemoryLayout.size(ofValue: type))
      AudioFileStreamGetProperty(stream, kAudioFileStreamProperty_FileFormat, &size, &type)
      isOgg = type == kAudioFileOggType
      isReady = status == noErr
    case kAudioFileStreamProperty_MagicCookieData, kAudioFileStreamProperty_PacketTableInfo:
      guard isReady else { break }
      // Reported once more: another sound begins in Ogg, or the length in the first frame of MPEG
      // audio was wrong.
      if isOgg { nextPart = Self.part(stream) } else { part = Self.part(stream) }
    default: break
    }
  }

  private static func part(_ stream: AudioFileStreamID) -> Part {
    var part = Part()
    var table = AudioFilePacketTableInfo()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: table))
    let status = AudioFileStreamGetProperty(
      stream, kAudioFileStreamProperty_PacketTableInfo, &size, &table)
    if status == noErr { part.table = table }
    size = 0
    AudioFileStreamGetPropertyInfo(stream, kAudioFileStreamProperty_MagicCookieData, &size, nil)
    part.cookie = [UInt8](repeating: 0, count: Int(size))
    if size > 0 {
      AudioFileStreamGetProperty(
        stream, kAudioFileStreamProperty_MagicCookieData, &size, &part.cookie)
    }
    return part
  }

  private func receive(
    _ size: UInt32, _ count: UInt32, _ data: UnsafeRawPointer,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) {
    let bytes = UnsafeRawBufferPointer(start: data, count: Int(size))
    let first = packets.count
    defer {
      if let nextPart, packets.count > first {
        packets[first].part = nextPart
        self.nextPart = nil
      }
    }
    guard let descriptions else {
      packets.append(Packet(bytes: Array(bytes)))
      return
    }
    for index in 0..<Int(count) {
      var description = descriptions[index]
      let start = Outside(description.mStartOffset)
      let end = start + Outside(description.mDataByteSize)
      guard let start = start.count, let end = end.upTo(bytes.count) else { continue }
      description.mStartOffset = 0
      packets.append(Packet(bytes: Array(bytes[start..<end]), description: description))
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
    setCookie(converter)
    if part.table != nil {
      // `decodePart` removes what the table counts. Without one, as in Ogg, the converter takes the
      // beginning from the cookie and the end from the last packet.
      var none = AudioConverterPrimeInfo(leadingFrames: 0, trailingFrames: 0)
      AudioConverterSetProperty(
        converter, kAudioConverterPrimeInfo, UInt32(clamping: MemoryLayout.size(ofValue: none)),
        &none)
    }
    // Two seconds, unless so many channels have so high a rate that they would take gigabytes.
    let seconds = min(Int(saturating: format.mSampleRate * 2), (1 << 26) / Int(max(1, channels)))
    ring.pointee.allocate(channels: Int(channels), capacity: seconds + Self.decodedFrames)
    return true
  }

  private func setCookie(_ converter: AudioConverterRef) {
    guard !part.cookie.isEmpty else { return }
    AudioConverterSetProperty(
      converter, kAudioConverterDecompressionMagicCookie, UInt32(clamping: part.cookie.count),
      part.cookie)
  }

  /// [control thread] Starts decoding, on a thread that ends with the pipe or after `stop`.
  func start() {
    bytes = []
    let thread = Thread { [self] in decodeAll() }
    thread.name = "au-pipe"
    thread.start()
  }

  /// [control thread] Stops decoding; the thread ends when the next bytes arrive.
  func stop() { ring.pointee.isStopped.store(true, ordering: .releasing) }

  private func decodeAll() {
    guard let converter else { return }
    let channels = Int(format.mChannelsPerFrame)
    let list = AudioBufferList.allocate(maximumBuffers: channels)
    defer { free(list.unsafeMutablePointer) }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: channels * Self.decodedFrames)
    defer { memory.deallocate() }
    repeat {
      decodePart(converter, list, memory)
    } while decoded < played.upperBound && beginPart(converter)
    ring.pointee.hasEnded.store(true, ordering: .releasing)
  }

  private func decodePart(
    _ converter: AudioConverterRef, _ list: UnsafeMutableAudioBufferListPointer,
    _ memory: UnsafeMutablePointer<Float>
  ) {
    let channels = list.count
    var (leading, written) = (Int(part.table?.mPrimingFrames ?? 0), 0)
    while decoded < played.upperBound, framesLeft(after: written, wanted: 1) > 0,
      !ring.pointee.isStopped.load(ordering: .acquiring)
    {
      for channel in 0..<channels {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(clamping: Self.decodedFrames * 4),
          mData: memory + channel * Self.decodedFrames)
      }
      var count = UInt32(clamping: Self.decodedFrames)
      let before = supplyCount
      let status = AudioConverterFillComplexBuffer(
        converter,
        { _, count, data, descriptions, context in
          guard let context else { return kAudio_ParamError }
          PipedSound.of(context).supply(count, data, descriptions)
          return noErr
        }, Unmanaged.passUnretained(self).toOpaque(), &count, list.unsafeMutablePointer, nil)
      // A damaged packet is skipped.
      if count == 0, status == noErr || supplyCount == before { break }
      let skipped = min(leading, Int(count))
      leading -= skipped
      let made = Int(count) - skipped
      let frames = min(made, framesLeft(after: written, wanted: made))
      written += frames
      let range = played.clamped(to: decoded..<decoded + frames)
      ring.pointee.write(
        memory + skipped + range.lowerBound - decoded, stride: Self.decodedFrames,
        count: range.count)
      decoded += frames
    }
  }

  /// The frames that are left after `written` ones, if `wanted` are there. What the first frame of MPEG
  /// audio states is certain only when no packet follows: then more is read.
  private func framesLeft(after written: Int, wanted: Int) -> Int {
    while true {
      guard let valid = part.table?.mNumberValidFrames, valid > 0 else { return .max }
      let left = max(0, Int(valid) - written)
      guard left < wanted, format.mFormatID == kAudioFormatMPEGLayer3, !hasEnded else {
        return left
      }
      readBytes()
    }
  }

  /// Goes to the next part; false when there is none.
  private func beginPart(_ converter: AudioConverterRef) -> Bool {
    while isOgg, !ring.pointee.isStopped.load(ordering: .acquiring) {
      readPackets()
      guard next < packets.count else { return false }
      guard let part = packets[next].part else {
        // What is left of the last part is no sound.
        next += 1
        continue
      }
      packets[next].part = nil
      self.part = part
      setCookie(converter)
      return AudioConverterReset(converter) == noErr
    }
    return false
  }

  /// Reads until there is a packet, or the end.
  private func readPackets() {
    while next >= packets.count, !hasEnded {
      (packets, next) = ([], 0)
      readBytes()
    }
  }

  /// Reads the next bytes, and adds their packets.
  private func readBytes() {
    let bytes = readMore() ?? []
    hasEnded = bytes.isEmpty
    // Parsing no bytes tells the parser that the file has ended.
    if parse(bytes) != noErr { hasEnded = true }
  }

  /// Passes the next packets to the decoder; none at the end of a part.
  private func supply(
    _ count: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
  ) {
    supplyCount += 1
    readPackets()
    guard next < packets.count, packets[next].part == nil else {
      count.pointee = 0
      return
    }
    let packet = packets[next]
    next += 1
    if packet.bytes.count > packetMemory.count {
      packetMemory.deallocate()
      packetMemory = .allocate(byteCount: 2 * packet.bytes.count, alignment: 16)
    }
    packetMemory.copyBytes(from: packet.bytes)
    data.pointee.mBuffers.mData = packetMemory.baseAddress
    data.pointee.mBuffers.mDataByteSize = UInt32(clamping: packet.bytes.count)
    count.pointee = UInt32(clamping: packet.bytes.count / max(1, Int(format.mBytesPerPacket)))
    if let described = packet.description {
      description.initialize(to: described)
      count.pointee = 1
      descriptions?.pointee = description
    }
  }
}
