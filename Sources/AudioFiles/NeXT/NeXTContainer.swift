// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The files of NeXT and Sun: a header of six numbers, a text, then the sound up to the end.
package final class NeXTContainer: Container {
  private var writtenByteCount = 0

  private static let codes: [(code: UInt32, id: AudioFormatID, bits: UInt32, isFloat: Bool)] = [
    (1, kAudioFormatULaw, 8, false), (2, kAudioFormatLinearPCM, 8, false),
    (3, kAudioFormatLinearPCM, 16, false), (4, kAudioFormatLinearPCM, 24, false),
    (5, kAudioFormatLinearPCM, 32, false), (6, kAudioFormatLinearPCM, 32, true),
    (7, kAudioFormatLinearPCM, 64, true), (27, kAudioFormatALaw, 8, false),
  ]

  package init(reading store: any ByteStore) throws(AudioError) {
    super.init(store, try FileKind.of(kAudioFileNextType), AudioStreamBasicDescription())
    let fields = ByteFields(try store.bytes(at: 0, 24), isBigEndian: true)
    guard fields.count == 24 else {
      throw damaged("ends after \(fields.count) bytes, within its header")
    }
    guard fields.code(0) == ".snd" else {
      throw damaged("begins with \(fields.code(0).quoted), not with '.snd': not a NeXT/Sun file")
    }
    let (offset, size, code) = (fields.uint32(4), fields.uint32(8), fields.uint32(12))
    let (rate, channels) = (fields.uint32(16), fields.uint32(20))
    let fileByteCount = try store.byteCount()
    guard offset >= 24, offset <= fileByteCount else {
      throw damaged("declares that its sound begins at byte \(offset) of \(fileByteCount)")
    }
    guard (1...65_535).contains(channels), rate > 0, rate < 3_000_000 else {
      throw damaged("is not plausible: \(channels) channels at \(rate) Hz")
    }
    guard let coding = Self.codes.first(where: { $0.code == code }) else {
      throw .unsupportedDataFormat.because(
        "\(store.name): has format \(code); supported are 1 to 7 and 27: mu-law, integers, floats, "
          + "A-law")
    }
    format.mSampleRate = Double(rate)
    format.mFormatID = coding.id
    format.mChannelsPerFrame = channels
    format.mBitsPerChannel = coding.bits
    format.mBytesPerFrame = coding.bits / 8 * channels
    format.mBytesPerPacket = format.mBytesPerFrame
    format.mFramesPerPacket = 1
    if coding.id == kAudioFormatLinearPCM {
      format.mFormatFlags =
        kAudioFormatFlagIsPacked | (coding.bits > 8 ? kAudioFormatFlagIsBigEndian : 0)
        | (coding.isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    }
    dataOffset = Int(offset)
    let room = fileByteCount - dataOffset
    isUnclosed =
      size == .max || size == 0 && room > 0 || size > room && UnknownSize.isMeant(Int(size))
    declaredDataByteCount = isUnclosed ? room : Int(size)
    headerInfo.byteCount = isUnclosed ? nil : declaredDataByteCount
    dataByteCount = min(room, declaredDataByteCount)
    dataByteCount -= dataByteCount % Int(format.mBytesPerPacket)
    writtenByteCount = dataByteCount
    layout = WaveLayout.layout(0, channelCount: Int(channels))
  }

  override var contentEnd: Int? { isUnclosed ? nil : dataOffset + declaredDataByteCount }

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription,
    expecting packets: Int?
  ) throws(AudioError) {
    let made = try PacketFormat.check(format, kind, store.name, maximumChannels: 65_535)
    super.init(store, kind, made)
    let flags = made.mFormatFlags
    let isFloat = flags & kAudioFormatFlagIsFloat != 0
    let isBig = flags & kAudioFormatFlagIsBigEndian != 0 || made.mBitsPerChannel == 8
    let isSigned = isFloat || flags & kAudioFormatFlagIsSignedInteger != 0
    let isPCM = made.mFormatID == kAudioFormatLinearPCM
    let coding = Self.codes.first {
      $0.id == made.mFormatID && $0.bits == made.mBitsPerChannel && $0.isFloat == isFloat
    }
    guard let coding, !isPCM || isBig && isSigned,
      made.mBytesPerFrame == coding.bits / 8 * made.mChannelsPerFrame,
      let rate = UInt32(exactly: made.mSampleRate)
    else {
      throw .unsupportedDataFormat.because(
        "\(store.name): \(StreamFormat.describe(made)): a NeXT/Sun file holds big-endian signed "
          + "integers and floats at a whole number of Hz")
    }
    var builder = ByteBuilder(isBigEndian: true)
    builder.code(".snd")
    builder.number(UInt32(32))
    builder.number(store.isSeekable ? 0 : UInt32.max)
    builder.number(coding.code)
    builder.number(rate)
    builder.number(made.mChannelsPerFrame)
    builder.zeros(8)
    dataOffset = 32
    try store.write(builder.bytes, at: 0)
    if store.isSeekable { try store.resize(to: 32) }
  }

  package override func writeData(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(AudioError) {
    guard store.isWritable else {
      throw .filePermissions.because("\(store.name): is open for reading only")
    }
    guard (0..<1 << 60).contains(offset) else {
      throw .filePosition.because("\(store.name): byte \(offset) is outside the sound")
    }
    try store.write(bytes, at: dataOffset + offset)
    dataByteCount = max(dataByteCount, offset + bytes.count)
    declaredDataByteCount = dataByteCount
    if !defersSizes || dataByteCount - writtenByteCount > 65_536 { try flush() }
  }

  package override func flush() throws(AudioError) {
    guard store.isWritable, store.isSeekable, writtenByteCount != dataByteCount else { return }
    var builder = ByteBuilder(isBigEndian: true)
    // A size of more than 32 bits is written as unknown.
    builder.number(UInt32(exactly: dataByteCount) ?? .max)
    try store.write(builder.bytes, at: 8)
    writtenByteCount = dataByteCount
  }
}
