// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

/// The functions of AudioFile.h, as programs call them.
@Suite("Calls of audio files")
struct AudioFileCallTests {
  /// A file in memory, accessed through callbacks.
  private final class Bytes {
    var all: [UInt8] = []
    var isFull = false
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func of(_ context: UnsafeMutableRawPointer) -> Bytes {
      Unmanaged<Bytes>.fromOpaque(context).takeUnretainedValue()
    }

    static let read: AudioFile_ReadProc = { context, position, requested, memory, count in
      let bytes = of(context)
      // Returns fewer bytes than requested, so that the library has to read again.
      let available = max(0, min(Int(requested), bytes.all.count - Int(position), 1_000))
      for index in 0..<available {
        memory.storeBytes(of: bytes.all[Int(position) + index], toByteOffset: index, as: UInt8.self)
      }
      count.pointee = UInt32(available)
      return noErr
    }

    static let write: AudioFile_WriteProc = { context, position, requested, memory, count in
      let bytes = of(context)
      guard !bytes.isFull else { return -34 }
      let part = UnsafeRawBufferPointer(start: memory, count: min(Int(requested), 700))
      let end = Int(position) + part.count
      if end > bytes.all.count { bytes.all += [UInt8](repeating: 0, count: end - bytes.all.count) }
      bytes.all.replaceSubrange(Int(position)..<end, with: part)
      count.pointee = UInt32(part.count)
      return noErr
    }

    static let size: AudioFile_GetSizeProc = { Int64(of($0).all.count) }

    static let setSize: AudioFile_SetSizeProc = { context, size in
      let bytes = of(context)
      let more = max(0, Int(size) - bytes.all.count)
      bytes.all = Array((bytes.all + [UInt8](repeating: 0, count: more)).prefix(Int(size)))
      return noErr
    }
  }

  private static let format = AudioStreamBasicDescription(
    mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
    mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16, mReserved: 0)

  private static let types: [AudioFileTypeID] = [
    kAudioFileWAVEType, kAudioFileCAFType, kAudioFileRF64Type, kAudioFileWave64Type,
  ]

  private static let sound = (0..<8_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

  private func create(_ bytes: Bytes, _ type: AudioFileTypeID) throws -> AudioFileID {
    var format = Self.format
    var file: AudioFileID?
    let status = AudioFileInitializeWithCallbacks(
      bytes.pointer, Bytes.read, Bytes.write, Bytes.size, Bytes.setSize, type, &format, [], &file)
    #expect(status == noErr)
    return try #require(file)
  }

  private func open(_ bytes: Bytes, writable: Bool = false) throws -> AudioFileID {
    var file: AudioFileID?
    let status = AudioFileOpenWithCallbacks(
      bytes.pointer, Bytes.read, writable ? Bytes.write : nil, Bytes.size,
      writable ? Bytes.setSize : nil, 0, &file)
    #expect(status == noErr)
    return try #require(file)
  }

  /// A file with sound, accessed through callbacks.
  private func filled(_ type: AudioFileTypeID) throws -> Bytes {
    let bytes = Bytes()
    let file = try create(bytes, type)
    var count = UInt32(Self.sound.count)
    #expect(AudioFileWriteBytes(file, false, 0, &count, Self.sound) == noErr && count == 8_000)
    #expect(AudioFileClose(file) == noErr)
    return bytes
  }

  private func value<Value>(
    _ file: AudioFileID, _ id: AudioFilePropertyID, _ empty: Value
  ) -> Value {
    var value = empty
    var size = UInt32(MemoryLayout<Value>.size)
    withUnsafeMutableBytes(of: &value) { memory in
      guard let start = memory.baseAddress else { return }
      #expect(AudioFileGetProperty(file, id, &size, start) == noErr)
    }
    #expect(Int(size) == MemoryLayout<Value>.size)
    return value
  }

  @Test("read back what the callbacks wrote, at any position and size", arguments: types)
  func callbacks(type: AudioFileTypeID) throws {
    let bytes = try filled(type)
    let file = try open(bytes)
    var back = [UInt8](repeating: 0, count: 9_000)
    var count: UInt32 = 3_001
    #expect(AudioFileReadBytes(file, false, 17, &count, &back) == noErr)
    #expect(count == 3_001 && Array(back.prefix(3_001)) == Array(Self.sound[17..<3_018]))
    count = 9_000
    #expect(AudioFileReadBytes(file, false, 7_990, &count, &back) == kAudioFileEndOfFileError)
    #expect(count == 10 && Array(back.prefix(10)) == Array(Self.sound[7_990...]))
    #expect(AudioFileWriteBytes(file, false, 0, &count, back) == kAudioFilePermissionsError)
    #expect(AudioFileClose(file) == noErr)
    #expect(AudioFileReadBytes(file, false, 0, &count, &back) != noErr)
  }

  @Test("return the errors of a program's callbacks")
  func failingCallbacks() throws {
    let bytes = Bytes()
    let file = try create(bytes, kAudioFileWAVEType)
    bytes.isFull = true
    var count: UInt32 = 100
    #expect(AudioFileWriteBytes(file, false, 0, &count, Self.sound) == -34)
    #expect(AudioFileClose(file) != 1)
  }

  @Test("read and write packets, and report their number", arguments: types)
  func packets(type: AudioFileTypeID) throws {
    let bytes = Bytes()
    let file = try create(bytes, type)
    var count: UInt32 = 500
    #expect(AudioFileWritePackets(file, false, 2_000, nil, 0, &count, Self.sound) == noErr)
    #expect(count == 500)
    // The packet count exceeds the byte count.
    #expect(AudioFileWritePackets(file, false, 400, nil, 500, &count, Self.sound) == noErr)
    #expect(count == 100)
    #expect(
      AudioFileWritePackets(file, false, 4, nil, 601, &count, Self.sound)
        == kAudioFileInvalidPacketOffsetError)
    #expect(AudioFileClose(file) == noErr)
    let copy = try open(bytes)
    #expect(value(copy, kAudioFilePropertyAudioDataPacketCount, UInt64(0)) == 600)
    #expect(value(copy, kAudioFilePropertyAudioDataByteCount, UInt64(0)) == 2_400)
    #expect(value(copy, kAudioFilePropertyFileFormat, UInt32(0)) == type)
    #expect(value(copy, kAudioFilePropertyMaximumPacketSize, UInt32(0)) == 4)
    #expect(value(copy, kAudioFilePropertyEstimatedDuration, Double(0)) == 600.0 / 48_000)
    #expect(value(copy, kAudioFilePropertyBitRate, UInt32(0)) == 1_536_000)
    #expect(value(copy, kAudioFilePropertySourceBitDepth, Int32(0)) == 16)
    var back = [UInt8](repeating: 0, count: 4_000)
    var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 10)
    var size: UInt32 = 39
    count = 1_000
    // As many whole packets as fit.
    #expect(
      AudioFileReadPacketData(copy, false, &size, &descriptions, 3, &count, &back) == noErr)
    #expect(size == 36 && count == 9 && Array(back.prefix(36)) == Array(Self.sound[12..<48]))
    #expect(descriptions[8].mStartOffset == 32 && descriptions[8].mDataByteSize == 4)
    count = 20
    #expect(AudioFileReadPackets(copy, false, &size, nil, 590, &count, &back) == noErr)
    #expect(count == 10 && size == 40)
    count = 20
    size = 4_000
    #expect(
      AudioFileReadPacketData(copy, false, &size, nil, 600, &count, &back)
        == kAudioFileEndOfFileError)
    #expect(count == 0)
    #expect(AudioFileClose(copy) == noErr)
  }

  @Test("store a program's own chunks", arguments: types)
  func userData(type: AudioFileTypeID) throws {
    let bytes = try filled(type)
    let code: UInt32 = 0x6162_6364
    let file = try open(bytes, writable: true)
    #expect(AudioFileSetUserData(file, code, 0, 5, [1, 2, 3, 4, 5] as [UInt8]) == noErr)
    #expect(AudioFileSetUserData(file, code, 1, 1, [9] as [UInt8]) == noErr)
    #expect(AudioFileSetUserData(file, code, 3, 1, [9] as [UInt8]) != noErr)
    var count: UInt32 = 0
    #expect(AudioFileCountUserData(file, code, &count) == noErr && count == 2)
    #expect(AudioFileRemoveUserData(file, code, 1) == noErr)
    #expect(AudioFileOptimize(file) == noErr)
    #expect(value(file, kAudioFilePropertyIsOptimized, UInt32(0)) == 1)
    #expect(AudioFileClose(file) == noErr)

    let copy = try open(bytes)
    #expect(AudioFileCountUserData(copy, code, &count) == noErr && count == 1)
    var (size, size64) = (UInt32(0), UInt64(0))
    #expect(AudioFileGetUserDataSize(copy, code, 0, &size) == noErr && size == 5)
    #expect(AudioFileGetUserDataSize64(copy, code, 0, &size64) == noErr && size64 == 5)
    #expect(AudioFileGetUserDataSize(copy, code, 1, &size) != noErr)
    var data = [UInt8](repeating: 0, count: 8)
    size = 8
    #expect(AudioFileGetUserData(copy, code, 0, &size, &data) == noErr)
    #expect(size == 5 && data.prefix(5) == [1, 2, 3, 4, 5])
    size = 2
    #expect(AudioFileGetUserDataAtOffset(copy, code, 0, 3, &size, &data) == noErr)
    #expect(size == 2 && data.prefix(2) == [4, 5])
    #expect(AudioFileRemoveUserData(copy, code, 0) == kAudioFilePermissionsError)
    var back = [UInt8](repeating: 0, count: 8_000)
    size = 8_000
    #expect(AudioFileReadBytes(copy, false, 0, &size, &back) == noErr && back == Self.sound)
    #expect(AudioFileClose(copy) == noErr)
  }

  @Test(
    "store texts, markers and regions",
    arguments: [kAudioFileWAVEType, kAudioFileCAFType, kAudioFileRF64Type])
  func texts(type: AudioFileTypeID) throws {
    let bytes = try filled(type)
    let file = try open(bytes, writable: true)
    let info: NSDictionary = ["title": "A tone", "artist": "Zoë"]
    var address = UInt(bitPattern: Unmanaged.passUnretained(info).toOpaque())
    withExtendedLifetime(info) {
      #expect(AudioFileSetProperty(file, kAudioFilePropertyInfoDictionary, 8, &address) == noErr)
    }
    let name = NSString(string: "here")
    var list = AudioFileMarkerList()
    list.mNumberMarkers = 1
    list.mMarkers.mFramePosition = 123
    list.mMarkers.mMarkerID = 7
    withUnsafeMutableBytes(of: &list) { memory in
      memory.storeBytes(
        of: UInt(bitPattern: Unmanaged.passUnretained(name).toOpaque()), toByteOffset: 16,
        as: UInt.self)
    }
    withExtendedLifetime(name) {
      #expect(AudioFileSetProperty(file, kAudioFilePropertyMarkerList, 48, &list) == noErr)
      #expect(
        AudioFileSetProperty(file, kAudioFilePropertyMarkerList, 47, &list)
          == kAudioFileBadPropertySizeError)
    }
    var regions = AudioFileRegionList()
    regions.mNumberRegions = 1
    regions.mRegions.mRegionID = 3
    regions.mRegions.mFlags = [.loopEnable, .playForward]
    regions.mRegions.mNumberMarkers = 0
    let hasRegions =
      AudioFileSetProperty(file, kAudioFilePropertyRegionList, 32, &regions) == noErr
    #expect(AudioFileClose(file) == noErr)

    let copy = try open(bytes)
    let found = value(copy, kAudioFilePropertyInfoDictionary, UInt(0))
    let dictionary = Unmanaged<NSDictionary>.fromOpaque(
      try #require(UnsafeRawPointer(bitPattern: found))
    ).takeRetainedValue()
    #expect(dictionary["title"] as? String == "A tone" && dictionary["artist"] as? String == "Zoë")
    #expect(dictionary["approximate duration in seconds"] as? String == "0.042")
    let copiedMarkers = value(copy, kAudioFilePropertyMarkerList, AudioFileMarkerList())
    #expect(copiedMarkers.mNumberMarkers == 1 && copiedMarkers.mMarkers.mFramePosition == 123)
    withUnsafeBytes(of: copiedMarkers) { memory in
      let address = memory.load(fromByteOffset: 16, as: UInt.self)
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
      #expect(Unmanaged<NSString>.fromOpaque(pointer).takeRetainedValue() == "here")
    }
    var size: UInt32 = 0
    var isWritable: UInt32 = 9
    #expect(
      AudioFileGetPropertyInfo(copy, kAudioFilePropertyRegionList, &size, &isWritable) == noErr)
    #expect(isWritable == 0 && (size > 8 || !hasRegions || type != kAudioFileCAFType))
    #expect(
      AudioFileSetProperty(copy, kAudioFilePropertyInfoDictionary, 8, &address)
        == kAudioFilePermissionsError)
    #expect(AudioFileClose(copy) == noErr)
  }

  @Test("translate between frames, packets and bytes, and list their chunks")
  func translations() throws {
    let bytes = try filled(kAudioFileWAVEType)
    let file = try open(bytes)
    var translation = AudioFramePacketTranslation(mFrame: 0, mPacket: 77, mFrameOffsetInPacket: 0)
    translation = value(file, kAudioFilePropertyPacketToFrame, translation)
    #expect(translation.mFrame == 77)
    var byteTranslation = AudioBytePacketTranslation()
    byteTranslation.mByte = 1_003
    byteTranslation = value(file, kAudioFilePropertyByteToPacket, byteTranslation)
    #expect(byteTranslation.mPacket == 250 && byteTranslation.mByteOffsetInPacket == 3)
    let offset = Int(value(file, kAudioFilePropertyDataOffset, Int64(0)))
    #expect(Array(bytes.all[offset..<offset + 8_000]) == Self.sound)
    var size: UInt32 = 0
    #expect(AudioFileGetPropertyInfo(file, kAudioFilePropertyChunkIDs, &size, nil) == noErr)
    var codes = [UInt32](repeating: 0, count: Int(size) / 4)
    #expect(AudioFileGetProperty(file, kAudioFilePropertyChunkIDs, &size, &codes) == noErr)
    #expect(codes.contains(0x666D_7420) && codes.contains(0x6461_7461))
    size = 3
    #expect(
      AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &size, &codes)
        == kAudioFileBadPropertySizeError)
    #expect(
      AudioFileGetProperty(file, 0x3F3F_3F3F, &size, &codes)
        == kAudioFileUnsupportedPropertyError)
    #expect(AudioFileClose(file) == noErr)
  }

  @Test("list the file types, and the formats that each can store")
  func globals() throws {
    var size: UInt32 = 0
    #expect(
      AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_ReadableTypes, 0, nil, &size) == noErr)
    var types = [UInt32](repeating: 0, count: Int(size) / 4)
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ReadableTypes, 0, nil, &size, &types) == noErr)
    #expect(types.contains(kAudioFileWAVEType) && types.contains(kAudioFileOggType))
    var type = kAudioFileCAFType
    #expect(
      AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_AvailableFormatIDs, 4, &type, &size) == noErr)
    var formats = [UInt32](repeating: 0, count: Int(size) / 4)
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AvailableFormatIDs, 4, &type, &size, &formats)
        == noErr)
    #expect(formats.contains(kAudioFormatMPEG4AAC) && formats.contains(kAudioFormatLinearPCM))
  }

  @Test("cut a list of global information to its whole entries, even to none; not an object")
  func cutGlobals() {
    var types = [UInt32](repeating: 0, count: 2)
    for (room, written) in [(7, 4), (3, 0), (0, 0)] as [(UInt32, UInt32)] {
      var size = room
      #expect(
        AudioFileGetGlobalInfo(kAudioFileGlobalInfo_WritableTypes, 0, nil, &size, &types) == noErr)
      #expect(size == written)
    }
    var size: UInt32 = 7
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_AllExtensions, 0, nil, &size, &types)
        == kAudioFileBadPropertySizeError)
    // The specifier is checked for the size, too.
    #expect(
      AudioFileGetGlobalInfoSize(kAudioFileGlobalInfo_ExtensionsForType, 0, nil, &size)
        == kAudioFileBadPropertySizeError)
    #expect(
      AudioFileGetGlobalInfoSize(0x3F3F_3F3F, 0, nil, &size)
        == kAudioFileUnsupportedPropertyError)
  }

  @Test("find the types of files by their names")
  func typesByName() {
    var name: Unmanaged<CFString>? = .passRetained("WAV" as CFString)
    defer { name?.release() }
    var types = [UInt32](repeating: 0, count: 8)
    var size: UInt32 = 32
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_TypesForExtension, 8, &name, &size, &types)
        == noErr)
    #expect(types.prefix(Int(size) / 4).contains(kAudioFileWAVEType))
    var extensions: Unmanaged<CFArray>?
    var type = kAudioFileAIFFType
    size = 8
    #expect(
      AudioFileGetGlobalInfo(kAudioFileGlobalInfo_ExtensionsForType, 4, &type, &size, &extensions)
        == noErr)
    let found = extensions?.takeRetainedValue() as? [String]
    #expect(found?.contains("aiff") == true && size == 8)
  }

  @Test("are created, refused and opened at paths, depending on their flags")
  func paths() throws {
    let path = NSTemporaryDirectory() + "calls-\(UUID().uuidString).wav"
    defer { unlink(path) }
    let url = URL(fileURLWithPath: path) as CFURL
    var format = Self.format
    var file: AudioFileID?
    #expect(
      AudioFileOpenURL(url, .readPermission, 0, &file) == kAudioFileFileNotFoundError
        || file == nil)
    #expect(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, [], &file) == noErr)
    #expect(AudioFileClose(try #require(file)) == noErr)
    // The file exists now.
    #expect(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, [], &file) != noErr)
    #expect(
      AudioFileCreateWithURL(
        url, kAudioFileWAVEType, &format, [.eraseFile, .dontPageAlignAudioData], &file) == noErr)
    let made = try #require(file)
    #expect(value(made, kAudioFilePropertyDataOffset, Int64(0)) < 100)
    #expect(AudioFileClose(made) == noErr)
    #expect(AudioFileClose(made) != noErr)
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()) as CFURL
    #expect(AudioFileOpenURL(folder, .readPermission, 0, &file) != noErr)
  }
}
