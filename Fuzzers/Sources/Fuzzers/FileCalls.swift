// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// The bytes of a file that grows, but not beyond a limit, as on a full disk.
private final class Storage {
  static let limit = 1 << 18
  var bytes: [UInt8] = []

  static func of(_ pointer: UnsafeMutableRawPointer) -> Storage {
    Unmanaged<Storage>.fromOpaque(pointer).takeUnretainedValue()
  }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  func resize(to count: Int) -> OSStatus {
    guard count >= 0, count <= Self.limit else { return OSStatus(kAudio_FilePermissionError) }
    if count < bytes.count {
      bytes.removeLast(bytes.count - count)
    } else {
      bytes += [UInt8](repeating: 0, count: count - bytes.count)
    }
    return noErr
  }
}

private let read: AudioFile_ReadProc = { context, position, count, buffer, actual in
  actual.pointee = copy(Storage.of(context).bytes, from: position, count, to: buffer)
  return noErr
}

private let write: AudioFile_WriteProc = { context, position, count, buffer, actual in
  let storage = Storage.of(context)
  actual.pointee = 0
  let end = Int(position) + Int(count)
  if end > storage.bytes.count {
    let status = storage.resize(to: end)
    guard status == noErr else { return status }
  }
  storage.bytes.withUnsafeMutableBytes { memory in
    memory[Int(position)..<end].copyBytes(
      from: UnsafeRawBufferPointer(start: buffer, count: Int(count)))
  }
  actual.pointee = count
  return noErr
}

private let formats:
  [(type: AudioFileTypeID, format: AudioFormatID, frames: UInt32, bytes: UInt32)] = [
    (kAudioFileWAVEType, kAudioFormatLinearPCM, 1, 4),
    (kAudioFileRF64Type, kAudioFormatLinearPCM, 1, 4),
    (kAudioFileWave64Type, kAudioFormatLinearPCM, 1, 4),
    (kAudioFileWAVEType, kAudioFormatULaw, 1, 2),
    (kAudioFileAIFFType, kAudioFormatLinearPCM, 1, 4),
    (kAudioFileAIFCType, kAudioFormatAppleIMA4, 64, 68),
    (kAudioFileCAFType, kAudioFormatLinearPCM, 1, 4),
    (kAudioFileCAFType, kAudioFormatMPEG4AAC, 1_024, 0),
    (kAudioFileCAFType, kAudioFormatOpus, 960, 0),
    (kAudioFileNextType, kAudioFormatLinearPCM, 1, 4),
    (kAudioFileM4AType, kAudioFormatMPEG4AAC, 1_024, 0),
    (kAudioFileM4AType, kAudioFormatAppleLossless, 4_096, 0),
    (kAudioFileAAC_ADTSType, kAudioFormatMPEG4AAC, 1_024, 0),
    (kAudioFileMP3Type, kAudioFormatMPEGLayer3, 1_152, 0),
    (kAudioFileFLACType, kAudioFormatFLAC, 4_096, 0), (kAudioFileOggType, kAudioFormatOpus, 960, 0),
  ]

/// Creates a file, calls functions of it in any order with any arguments, and reads it again.
func callFiles(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let storage = Storage()
  let kind = choices.one(of: formats)
  let isLinear = kind.format == kAudioFormatLinearPCM
  let isBigEndian = ![kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileWave64Type].contains(
    kind.type)
  var format = AudioStreamBasicDescription(
    mSampleRate: choices.one(of: [44_100, 48_000, 8_000, 96_000]), mFormatID: kind.format,
    mFormatFlags: isLinear
      ? kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0) : 0,
    mBytesPerPacket: kind.bytes, mFramesPerPacket: kind.frames,
    mBytesPerFrame: kind.frames == 1 ? kind.bytes : 0, mChannelsPerFrame: 2,
    mBitsPerChannel: isLinear ? 16 : kind.format == kAudioFormatULaw ? 8 : 0, mReserved: 0)
  var made: AudioFileID?
  let created = AudioFileInitializeWithCallbacks(
    storage.pointer, read, write, { Int64(Storage.of($0).bytes.count) },
    { Storage.of($0).resize(to: Int(clamping: $1)) }, kind.type, &format, [], &made)
  guard created == noErr, let file = made else { return }
  call(file, &choices)
  let isClosed = AudioFileClose(file) == noErr
  var again: AudioFileID?
  let opened = AudioFileOpenWithCallbacks(
    storage.pointer, read, write, { Int64(Storage.of($0).bytes.count) },
    { Storage.of($0).resize(to: Int(clamping: $1)) }, kind.type, &again)
  guard opened == noErr, let again else { return }
  if isClosed { call(again, &choices) }
  AudioFileClose(again)
  withExtendedLifetime(storage) {}
}

private func call(_ file: AudioFileID, _ choices: inout Choices) {
  for _ in 0..<16 where !choices.isEmpty {
    let position = Int64(
      choices.number(below: 8) == 7
        ? Int(Int32(bitPattern: choices.word())) : choices.number(below: 64))
    switch choices.number(below: 11) {
    case 0, 1, 2: writePackets(file, position, &choices)
    case 3:
      let data = choices.next(choices.number(below: 200))
      var count = UInt32(data.count)
      _ = AudioFileWriteBytes(file, false, position, &count, data)
    case 4:
      var count = UInt32(choices.number(below: 200))
      var memory = [UInt8](repeating: 0, count: 256)
      _ = AudioFileReadBytes(file, false, position, &count, &memory)
    case 5:
      let data = choices.next(choices.number(below: 100))
      _ = AudioFileSetUserData(
        file, userData(&choices), UInt32(choices.number(below: 3)), UInt32(data.count), data)
    case 6: _ = AudioFileRemoveUserData(file, userData(&choices), UInt32(choices.number(below: 3)))
    case 7:
      // Not the properties whose values have addresses.
      let property = choices.one(of: [
        kAudioFilePropertyMagicCookieData, kAudioFilePropertyPacketTableInfo,
        kAudioFilePropertyChannelLayout, kAudioFilePropertyDeferSizeUpdates,
        kAudioFilePropertyReserveDuration, kAudioFilePropertyID3Tag, kAudioFilePropertyDataFormat,
        kAudioFilePropertyUseAudioTrack,
      ])
      let value = choices.next(choices.number(below: 80))
      _ = AudioFileSetProperty(file, property, UInt32(value.count), value)
    case 8: setTexts(file, &choices)
    case 9: _ = AudioFileOptimize(file)
    default: readAll(file)
    }
  }
}

private func userData(_ choices: inout Choices) -> UInt32 {
  choices.one(of: [0x6162_6364, 0x6269_7074, 0x736d_706c, 0x6375_6520, 0x4d41_524b, choices.word()])
}

private func writePackets(_ file: AudioFileID, _ position: Int64, _ choices: inout Choices) {
  var count = UInt32(choices.number(below: 5))
  var packets: [AudioStreamPacketDescription] = []
  var offset = 0
  for _ in 0..<count {
    let size = choices.number(below: 40)
    packets.append(
      .init(
        mStartOffset: Int64(offset), mVariableFramesInPacket: UInt32(choices.byte()) * 8,
        mDataByteSize: UInt32(size)))
    offset += size
  }
  var data = choices.next(offset)
  // Every byte that the descriptions name must be there.
  data += [UInt8](repeating: 0x55, count: 400 - data.count)
  _ = AudioFileWritePackets(
    file, false, UInt32(max(offset, 4 * Int(count))), choices.number(below: 4) == 0 ? nil : packets,
    position, &count, data)
}

private func setTexts(_ file: AudioFileID, _ choices: inout Choices) {
  let keys = ["title", "artist", "tempo", "genre", "track number", "year", "comments", "x"]
  let text = String(decoding: choices.next(choices.number(below: 24)), as: UTF8.self)
  var dictionary = [choices.one(of: keys): text] as NSDictionary as CFDictionary
  _ = AudioFileSetProperty(
    file, kAudioFilePropertyInfoDictionary, UInt32(MemoryLayout<CFDictionary>.size), &dictionary)
}
