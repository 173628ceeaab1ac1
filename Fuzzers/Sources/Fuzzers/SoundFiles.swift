// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// The bytes of a file, for the functions that read it, and the same bytes as a packet.
private final class Contents {
  let bytes: [UInt8]
  let memory: UnsafeMutableRawBufferPointer
  let packet = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 1)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    memory = .allocate(byteCount: max(1, bytes.count), alignment: 16)
    memory.copyBytes(from: bytes)
    packet.initialize(
      to: .init(
        mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(clamping: bytes.count)))
  }

  deinit {
    memory.deallocate()
    packet.deallocate()
  }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func of(_ pointer: UnsafeMutableRawPointer) -> Contents {
    Unmanaged<Contents>.fromOpaque(pointer).takeUnretainedValue()
  }
}

/// Reads from a file in memory, as its callback is asked to; returns the number of bytes that there are.
func copy(
  _ bytes: [UInt8], from position: Int64, _ count: UInt32, to buffer: UnsafeMutableRawPointer
) -> UInt32 {
  let begin = min(max(0, Int(position)), bytes.count)
  let part = bytes[begin...].prefix(Int(count))
  part.withUnsafeBytes { from in
    if let base = from.baseAddress { buffer.copyMemory(from: base, byteCount: from.count) }
  }
  return UInt32(part.count)
}

/// Opens a sound file, asks for its properties and packets, and decodes its beginning.
func readSoundFile(_ bytes: [UInt8]) {
  let contents = Contents(bytes)
  var made: AudioFileID?
  let status = AudioFileOpenWithCallbacks(
    contents.pointer,
    { context, position, count, buffer, actual in
      actual.pointee = copy(Contents.of(context).bytes, from: position, count, to: buffer)
      return noErr
    }, nil, { Int64(Contents.of($0).bytes.count) }, nil, 0, &made)
  guard status == noErr, let file = made else { return }
  defer { AudioFileClose(file) }
  readAll(file)
  decode(file)
  withExtendedLifetime(contents) {}
}

/// Asks for everything that a file says about itself, and reads its first packets.
func readAll(_ file: AudioFileID) {
  askProperties(file)
  askTexts(file)
  askMarkers(file)
  readPackets(file)
}

private func askProperties(_ file: AudioFileID) {
  let properties = [
    kAudioFilePropertyFileFormat, kAudioFilePropertyDataFormat, kAudioFilePropertyFormatList,
    kAudioFilePropertyMagicCookieData, kAudioFilePropertyAudioDataByteCount,
    kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyMaximumPacketSize,
    kAudioFilePropertyPacketSizeUpperBound, kAudioFilePropertyDataOffset,
    kAudioFilePropertyChannelLayout, kAudioFilePropertyEstimatedDuration, kAudioFilePropertyBitRate,
    kAudioFilePropertyID3Tag, kAudioFilePropertySourceBitDepth, kAudioFilePropertyChunkIDs,
    kAudioFilePropertyPacketTableInfo, kAudioFilePropertyIsOptimized,
    kAudioFilePropertyID3TagOffset,
    kAudioFilePropertyAudioTrackCount, kAudioFilePropertyReserveDuration,
  ]
  for property in properties {
    var (size, isWritable) = (UInt32(0), UInt32(0))
    guard AudioFileGetPropertyInfo(file, property, &size, &isWritable) == noErr else { continue }
    require(size < 1 << 28, "property \(property) of \(size) bytes")
    var value = [UInt8](repeating: 0, count: Int(size) + 16)
    _ = AudioFileGetProperty(file, property, &size, &value)
  }
}

/// The properties whose values are objects, which the caller releases.
private func askTexts(_ file: AudioFileID) {
  for property in [
    kAudioFilePropertyInfoDictionary, kAudioFilePropertyAlbumArtwork,
    kAudioFilePropertyDataFormatName,
  ] {
    var size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    var object: UnsafeRawPointer?
    if AudioFileGetProperty(file, property, &size, &object) == noErr { release(object) }
  }
}

private func release(_ object: UnsafeRawPointer?) {
  if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
}

/// Markers and regions; the caller releases their names.
private func askMarkers(_ file: AudioFileID) {
  for property in [kAudioFilePropertyMarkerList, kAudioFilePropertyRegionList] {
    var (size, isWritable) = (UInt32(0), UInt32(0))
    guard AudioFileGetPropertyInfo(file, property, &size, &isWritable) == noErr else { continue }
    require(size < 1 << 28, "property \(property) of \(size) bytes")
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size) + 16, alignment: 16)
    defer { memory.deallocate() }
    guard AudioFileGetProperty(file, property, &size, memory) == noErr, size >= 8 else { continue }
    let count = Int(memory.load(fromByteOffset: 4, as: UInt32.self))
    var place = memory + 8
    func releaseMarkers(_ count: Int) {
      for _ in 0..<count {
        release(place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self))
        place += MemoryLayout<AudioFileMarker>.size
      }
    }
    if property == kAudioFilePropertyMarkerList {
      releaseMarkers(count)
    } else {
      for _ in 0..<count {
        release(place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self))
        let markerCount = Int(place.load(fromByteOffset: 20, as: UInt32.self))
        place += 24
        releaseMarkers(markerCount)
      }
    }
    require(place == memory + Int(size), "a list of \(size) bytes with \(place - memory)")
  }
}

private func readPackets(_ file: AudioFileID) {
  var (size, limit) = (UInt32(4), UInt32(0))
  guard AudioFileGetProperty(file, kAudioFilePropertyPacketSizeUpperBound, &size, &limit) == noErr,
    limit > 0, limit < 1 << 20
  else { return }
  var position = Int64(0)
  for _ in 0..<20 {
    var (byteCount, packetCount) = (limit * 4, UInt32(4))
    var packets = [AudioStreamPacketDescription](repeating: .init(), count: 4)
    var bytes = [UInt8](repeating: 0, count: Int(byteCount))
    guard
      AudioFileReadPacketData(
        file, false, &byteCount, &packets, position, &packetCount, &bytes) == noErr, packetCount > 0
    else { return }
    require(
      byteCount <= limit * 4 && packetCount <= 4, "\(byteCount) bytes, \(packetCount) packets")
    position += Int64(packetCount)
  }
}

private func decode(_ file: AudioFileID) {
  var made: ExtAudioFileRef?
  guard ExtAudioFileWrapAudioFileID(file, false, &made) == noErr, let reader = made else { return }
  defer { ExtAudioFileDispose(reader) }
  var client = AudioStreamBasicDescription(
    mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked,
    mBytesPerPacket: 8, mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2,
    mBitsPerChannel: 32, mReserved: 0)
  guard
    ExtAudioFileSetProperty(
      reader, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: client)),
      &client) == noErr
  else { return }
  var samples = [Float](repeating: 0, count: 2 * 4_096)
  for _ in 0..<8 {
    var count = UInt32(4_096)
    let status = samples.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
      return ExtAudioFileRead(reader, &count, &list)
    }
    guard status == noErr, count > 0 else { return }
    require(count <= 4_096, "\(count) frames")
  }
}

/// Parses a stream in pieces of the size that the first byte says.
func readSoundStream(_ bytes: [UInt8]) {
  var made: AudioFileStreamID?
  let status = AudioFileStreamOpen(
    nil,
    { _, stream, property, _ in
      var (size, isWritable) = (UInt32(0), DarwinBoolean(false))
      guard AudioFileStreamGetPropertyInfo(stream, property, &size, &isWritable) == noErr else {
        return
      }
      require(size < 1 << 28, "property \(property) of \(size) bytes")
      var value = [UInt8](repeating: 0, count: Int(size) + 16)
      _ = AudioFileStreamGetProperty(stream, property, &size, &value)
    },
    { _, byteCount, packetCount, data, packets in
      for index in 0..<Int(packetCount) {
        guard let packet = packets?[index] else { break }
        let end = packet.mStartOffset + Int64(packet.mDataByteSize)
        require(
          packet.mStartOffset >= 0 && end <= Int64(byteCount), "packet to \(end) of \(byteCount)")
      }
      // Every byte must be there.
      require(
        UnsafeRawBufferPointer(start: data, count: Int(byteCount)).reduce(0) { $0 ^ $1 } >= 0,
        "bytes")
    }, 0, &made)
  guard status == noErr, let stream = made else { return }
  defer { AudioFileStreamClose(stream) }
  let piece = max(1, Int(bytes.first ?? 1) * 8)
  var position = 1
  while position < bytes.count {
    let part = bytes[position..<min(bytes.count, position + piece)]
    let status = part.withUnsafeBytes {
      AudioFileStreamParseBytes(stream, UInt32($0.count), $0.baseAddress, [])
    }
    guard status == noErr else { return }
    position += piece
  }
  _ = AudioFileStreamParseBytes(stream, 0, nil, [])
}

/// Makes a converter between two formats that the bytes state, and converts the rest of them.
func convert(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  func format() -> AudioStreamBasicDescription {
    let formats = [
      kAudioFormatLinearPCM, kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw,
      kAudioFormatAppleIMA4,
      kAudioFormatMPEG4AAC, kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatAppleLossless,
    ]
    let rates = [8_000, 44_100, 48_000, 96_000, 11_025.5, 0, -1, .infinity]
    let channels = UInt32(choices.number(below: 10))
    let bits = UInt32([8, 16, 24, 32, 64, 20][choices.number(below: 6)])
    let frameBytes = bits / 8 * channels
    var format = AudioStreamBasicDescription(
      mSampleRate: rates[choices.number(below: rates.count)],
      mFormatID: formats[choices.number(below: formats.count)],
      mFormatFlags: AudioFormatFlags(choices.byte()), mBytesPerPacket: frameBytes,
      mFramesPerPacket: 1,
      mBytesPerFrame: frameBytes, mChannelsPerFrame: channels, mBitsPerChannel: bits, mReserved: 0)
    if choices.number(below: 16) == 0 { format.mBytesPerFrame = choices.word() }
    if format.mFormatID != kAudioFormatLinearPCM {
      var size = UInt32(MemoryLayout.size(ofValue: format))
      (format.mBytesPerFrame, format.mBitsPerChannel, format.mBytesPerPacket) = (0, 0, 0)
      format.mFramesPerPacket = 0
      _ = AudioFormatGetProperty(kAudioFormatProperty_FormatInfo, 0, nil, &size, &format)
    }
    return format
  }
  var (source, target) = (format(), format())
  var made: AudioConverterRef?
  guard AudioConverterNew(&source, &target, &made) == noErr, let converter = made else { return }
  defer { AudioConverterDispose(converter) }
  if source.mFormatID != kAudioFormatLinearPCM {
    let cookie = choices.next(choices.number(below: 80))
    _ = AudioConverterSetProperty(
      converter, kAudioConverterDecompressionMagicCookie, UInt32(cookie.count), cookie)
  }
  let input = Contents(withFrameSums(choices.rest()))
  let byteCount = Int(max(target.mBytesPerPacket, 4_096)) * 4
  guard byteCount < 1 << 18 else { return }
  for _ in 0..<4 {
    var packetCount = UInt32(clamping: byteCount / Int(max(1, target.mBytesPerPacket)))
    var output = [UInt8](repeating: 0, count: byteCount)
    var packets = [AudioStreamPacketDescription](repeating: .init(), count: byteCount)
    let status = output.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: target.mChannelsPerFrame, mDataByteSize: UInt32(memory.count),
          mData: memory.baseAddress))
      return AudioConverterFillComplexBuffer(
        converter, { _, count, list, packets, context in feed(context, count, list, packets) },
        input.pointer, &packetCount, &list, &packets)
    }
    guard status == noErr, packetCount > 0 else { return }
  }
}

/// Supplies the whole input as one packet, or as frames, whose number may not fit.
private func feed(
  _ context: UnsafeMutableRawPointer?, _ count: UnsafeMutablePointer<UInt32>,
  _ list: UnsafeMutablePointer<AudioBufferList>,
  _ packets: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
) -> OSStatus {
  guard let context else { return -1 }
  let input = Contents.of(context)
  list.pointee.mBuffers.mData = input.memory.baseAddress
  list.pointee.mBuffers.mDataByteSize = UInt32(clamping: input.bytes.count)
  packets?.pointee = input.packet
  count.pointee = packets == nil ? min(count.pointee, 64) : 1
  return noErr
}
