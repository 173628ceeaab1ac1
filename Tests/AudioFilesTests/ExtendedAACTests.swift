// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("HE-AAC")
struct ExtendedAACTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private static let types = [kAudioFileAAC_ADTSType, kAudioFileM4AType, kAudioFileCAFType]

  private func checkFormat(
    _ format: AudioStreamBasicDescription, isStereo: Bool, _ name: Comment? = nil
  ) {
    let id = isStereo ? kAudioFormatMPEG4AAC_HE_V2 : kAudioFormatMPEG4AAC_HE
    #expect(format.mFormatID == id, name)
    #expect((format.mSampleRate, format.mFramesPerPacket) == (44_100, 2_048), name)
    #expect(format.mChannelsPerFrame == (isStereo ? 2 : 1), name)
    let core = AACLayers.formats(of: format).last
    #expect(core?.mFormatID == kAudioFormatMPEG4AAC, name)
    #expect((core?.mSampleRate, core?.mFramesPerPacket) == (22_050, 1_024), name)
    #expect(core?.mChannelsPerFrame == 1, name)
  }

  /// Reads a file of HE-AAC, and compares its length with that of the core.
  private func check(_ bytes: [UInt8], _ type: AudioFileTypeID, isStereo: Bool) throws {
    let file = try Containers.open(MemoryStore(bytes))
    checkFormat(file.format, isStereo: isStereo)
    let layout = try #require(file.layout)
    #expect(
      file.layoutTag(of: file.format)
        == (isStereo ? kAudioChannelLayoutTag_Stereo : kAudioChannelLayoutTag_Mono))
    #expect(!layout.isEmpty)
    let core =
      type == kAudioFileAAC_ADTSType ? file.packetCount * 1_024 : ExtendedAAC.coreFrameCount
    #expect(file.frameCount == 2 * core)
    #expect(file.packetFrameCount == file.packetCount * 2_048)
    let path = folder.path("he")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let sound = try Recording.read(path)
    #expect(sound.count == 2 * core * (isStereo ? 2 : 1))
    #expect(sound.contains { abs($0) > 0.3 })
    // As a stream, however its bytes are split.
    for size in [100, 5_000, 1 << 20] {
      let log = try StreamLog()
      try log.parse(bytes, { size })
      #expect(log.packetCount == file.packetCount)
      let format = try log.value(kAudioFileStreamProperty_DataFormat).withUnsafeBytes {
        $0.loadUnaligned(as: AudioStreamBasicDescription.self)
      }
      checkFormat(format, isStereo: isStereo, "in pieces of \(size)")
      let items = try log.value(kAudioFileStreamProperty_FormatList).count
      #expect(items == 2 * MemoryLayout<AudioFormatListItem>.stride)
    }
  }

  @Test("is found in packets though no header announces it", arguments: types, [false, true])
  func implicit(type: AudioFileTypeID, isStereo: Bool) throws {
    // Parametric stereo may begin in any packet, so that decoders make two channels in any case.
    try check(try ExtendedAAC(isStereo: isStereo).file(type), type, isStereo: true)
  }

  @Test(
    "in CAF whose description is that of the core, is what the cookie announces",
    arguments: [[0x2B, 0x8A, 0x08, 0x00], [0x13, 0x88, 0x56, 0xE5, 0xA0]] as [[UInt8]])
  func announced(config: [UInt8]) throws {
    let bytes = try ExtendedAAC(config: config).file(kAudioFileCAFType)
    #expect(bytes[28..<32].elementsEqual("aac ".utf8))
    try check(bytes, kAudioFileCAFType, isStereo: false)
  }

  /// A CAF file that describes plain AAC, but at the rate and with the packets of HE-AAC. Its packet
  /// table counts frames of the output.
  private func describedAtOutputRate(_ made: ExtendedAAC) throws -> [UInt8] {
    var bytes = try made.file(kAudioFileCAFType)
    func put(_ position: Int, _ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.bigEndian) { field in
        bytes.replaceSubrange(position..<position + field.count, with: field)
      }
    }
    put(20, (44_100.0).bitPattern)
    put(40, UInt32(2_048))
    let info = try #require(try Containers.open(MemoryStore(bytes)).packetInfo)
    let table = try #require(
      (0..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("pakt".utf8) })
    put(table + 12 + 8, Int64(2 * info.validFrames))
    put(table + 12 + 16, Int32(2 * info.primingFrames))
    put(table + 12 + 20, Int32(2 * info.remainderFrames))
    return bytes
  }

  @Test("in CAF that describes plain AAC at the rate of the output, is HE-AAC")
  func describedAsPlain() throws {
    try check(try describedAtOutputRate(ExtendedAAC()), kAudioFileCAFType, isStereo: true)
  }

  @Test("is plain AAC where CAF describes the rate of an output that the packets do not have")
  func describedWithoutExtension() throws {
    let bytes = try describedAtOutputRate(ExtendedAAC(firstPacket: .max))
    let file = try Containers.open(MemoryStore(bytes))
    #expect(file.format.mFormatID == kAudioFormatMPEG4AAC)
    #expect((file.format.mSampleRate, file.format.mFramesPerPacket) == (22_050, 1_024))
    #expect(file.frameCount == ExtendedAAC.coreFrameCount)
  }

  @Test("that begins behind the first packets without notice is its core", arguments: types)
  func late(type: AudioFileTypeID) throws {
    let bytes = try ExtendedAAC(firstPacket: 3).file(type)
    let file = try Containers.open(MemoryStore(bytes))
    #expect(file.format.mFormatID == kAudioFormatMPEG4AAC)
    #expect(file.format.mSampleRate == 22_050)
    let path = folder.path("late")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try Recording.read(path).count == file.frameCount)
  }
}
