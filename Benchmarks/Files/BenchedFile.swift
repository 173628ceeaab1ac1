// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// A file of some kind that is written and read by this library.
struct BenchedFile: Sendable {
  let kind: FileKind
  let url: URL

  /// Writes the sound; nil, with a remark, if the library of its codec is missing.
  init?(_ kind: FileKind, _ url: URL, _ sound: BenchedSound) {
    (self.kind, self.url) = (kind, url)
    guard write(to: url, sound) else {
      Report.note("\(kind.name): not written here: the library of its codec is missing")
      return nil
    }
  }

  private static func setClient(_ file: ExtAudioFileRef) {
    let bytes = UInt32(4 * BenchedSound.channels)
    var format = AudioStreamBasicDescription(
      mSampleRate: BenchedSound.rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: bytes,
      mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: UInt32(BenchedSound.channels), mBitsPerChannel: 32, mReserved: 0)
    ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &format)
  }

  private static func list(_ memory: UnsafeMutablePointer<Float>, _ frames: Int) -> AudioBufferList
  {
    AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: UInt32(BenchedSound.channels),
        mDataByteSize: UInt32(frames * 4 * BenchedSound.channels), mData: memory))
  }

  /// Writes a sound to a file of this kind; false if that fails.
  func write(to url: URL, _ sound: BenchedSound) -> Bool {
    var format = kind.description
    var made: ExtAudioFileRef?
    guard
      ExtAudioFileCreateWithURL(url as CFURL, kind.type, &format, nil, 1, &made) == noErr,
      let file = made
    else { return false }
    Self.setClient(file)
    let isWritten = sound.forEachPiece { memory, frames in
      var list = Self.list(memory, frames)
      return ExtAudioFileWrite(file, UInt32(frames), &list) == noErr
    }
    return ExtAudioFileDispose(file) == noErr && isWritten
  }

  /// Reads the whole file in pieces of some frames.
  func read(into room: UnsafeMutablePointer<Float>, frames: Int) {
    var opened: ExtAudioFileRef?
    guard ExtAudioFileOpenURL(url as CFURL, &opened) == noErr, let file = opened else {
      fail("\(url.path) cannot be opened")
    }
    Self.setClient(file)
    while true {
      var list = Self.list(room, frames)
      var count = UInt32(frames)
      guard ExtAudioFileRead(file, &count, &list) == noErr, count > 0 else { break }
    }
    ExtAudioFileDispose(file)
  }

  /// Reads the bytes of the file in pieces, by the system call alone.
  func readBytes(into room: UnsafeMutablePointer<Float>, count: Int) {
    let descriptor = open(url.path, O_RDONLY)
    while Glibc.read(descriptor, room, count) > 0 {}
    close(descriptor)
  }
}
