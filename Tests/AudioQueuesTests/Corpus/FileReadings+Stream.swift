// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

extension FileReadings {
  /// What a stream makes of the bytes of a file.
  enum Streamed {
    case sound(PacketSound)
    /// The stream cannot be read any further.
    case refused(OSStatus)

    var sound: PacketSound? { if case .sound(let sound) = self { sound } else { nil } }
    var refusal: OSStatus? { if case .refused(let status) = self { status } else { nil } }
  }

  /// Passes the file to AudioFileStream in pieces of `size` bytes. `type` is the expected type, or 0.
  func stream(_ type: AudioFileTypeID, pieces size: Int) throws -> Streamed {
    let log = StreamedSound()
    var opened: AudioFileStreamID?
    let status = AudioFileStreamOpen(
      Unmanaged.passUnretained(log).toOpaque(),
      { context, stream, id, _ in
        Unmanaged<StreamedSound>.fromOpaque(context).takeUnretainedValue().note(id, stream)
      },
      { context, size, count, bytes, descriptions in
        Unmanaged<StreamedSound>.fromOpaque(context).takeUnretainedValue().sound.add(
          UnsafeRawBufferPointer(start: bytes, count: Int(size)),
          UnsafeBufferPointer(start: descriptions, count: descriptions == nil ? 0 : Int(count)))
      }, type, &opened)
    guard status == noErr, let stream = opened else { return .refused(status) }
    defer { AudioFileStreamClose(stream) }
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for start in stride(from: 0, to: bytes.count, by: size) {
      let part = Array(bytes[start..<min(bytes.count, start + size)])
      let status = AudioFileStreamParseBytes(stream, UInt32(part.count), part, [])
      guard status == noErr else { return .refused(status) }
    }
    // No bytes mark the end.
    let end = AudioFileStreamParseBytes(stream, 0, nil, [])
    return end == noErr ? .sound(log.sound) : .refused(end)
  }
}

/// Collects what a stream reports.
private final class StreamedSound {
  var sound = PacketSound()

  func note(_ id: AudioFileStreamPropertyID, _ stream: AudioFileStreamID) {
    switch id {
    case kAudioFileStreamProperty_DataFormat:
      sound.format = value(id, of: stream, AudioStreamBasicDescription()) ?? .init()
    case kAudioFileStreamProperty_PacketTableInfo:
      sound.table = value(id, of: stream, AudioFilePacketTableInfo())
    case kAudioFileStreamProperty_AudioDataPacketCount:
      sound.statedPackets = value(id, of: stream, UInt64(0)).map { Int(clamping: $0) }
    case kAudioFileStreamProperty_MagicCookieData:
      var size = UInt32(0)
      AudioFileStreamGetPropertyInfo(stream, id, &size, nil)
      sound.cookie = [UInt8](repeating: 0, count: Int(size))
      AudioFileStreamGetProperty(stream, id, &size, &sound.cookie)
    default: break
    }
  }

  private func value<Value: BitwiseCopyable>(
    _ id: AudioFileStreamPropertyID, of stream: AudioFileStreamID, _ initial: Value
  ) -> Value? {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    return AudioFileStreamGetProperty(stream, id, &size, &value) == noErr ? value : nil
  }
}
