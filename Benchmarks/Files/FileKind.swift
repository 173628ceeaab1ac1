// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A file type with a data format.
struct FileKind: Sendable {
  let name: String
  let ending: String
  let type: AudioFileTypeID
  let format: AudioFormatID
  /// For linear PCM, the bits, negative for floating point; for lossless formats, their flags.
  let bits: Int
  /// The format in libsndfile's numbers; nil where it cannot write it.
  var soundLibraryFormat: Int32?

  var isLossless: Bool { format == kAudioFormatLinearPCM || format == kAudioFormatFLAC }

  var description: AudioStreamBasicDescription {
    var made = AudioStreamBasicDescription()
    made.mSampleRate = BenchedSound.rate
    made.mFormatID = format
    made.mChannelsPerFrame = UInt32(BenchedSound.channels)
    guard format == kAudioFormatLinearPCM else {
      made.mFormatFlags = UInt32(bits)
      return made
    }
    made.mBitsPerChannel = UInt32(abs(bits))
    made.mBytesPerFrame = UInt32(abs(bits) / 8 * BenchedSound.channels)
    made.mBytesPerPacket = made.mBytesPerFrame
    made.mFramesPerPacket = 1
    made.mFormatFlags =
      kAudioFormatFlagIsPacked
      | (bits < 0 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
    return made
  }

  static let all: [FileKind] = [
    FileKind(
      name: "WAV, 16 bits", ending: "wav", type: kAudioFileWAVEType, format: kAudioFormatLinearPCM,
      bits: 16, soundLibraryFormat: 0x01_0002),
    FileKind(
      name: "WAV, 24 bits", ending: "wav", type: kAudioFileWAVEType, format: kAudioFormatLinearPCM,
      bits: 24, soundLibraryFormat: 0x01_0003),
    FileKind(
      name: "WAV, Float32", ending: "wav", type: kAudioFileWAVEType, format: kAudioFormatLinearPCM,
      bits: -32, soundLibraryFormat: 0x01_0006),
    FileKind(
      name: "FLAC, 16 bits", ending: "flac", type: kAudioFileFLACType, format: kAudioFormatFLAC,
      bits: 1, soundLibraryFormat: 0x17_0002),
    FileKind(
      name: "AAC in M4A", ending: "m4a", type: kAudioFileM4AType, format: kAudioFormatMPEG4AAC,
      bits: 0),
    FileKind(
      name: "Opus in Ogg", ending: "opus", type: kAudioFileOggType, format: kAudioFormatOpus,
      bits: 0, soundLibraryFormat: 0x20_0064),
    FileKind(
      name: "Vorbis in Ogg", ending: "ogg", type: kAudioFileOggType, format: 0x766F_7262,
      bits: 0, soundLibraryFormat: 0x20_0060),
    FileKind(
      name: "MP3", ending: "mp3", type: kAudioFileMP3Type, format: kAudioFormatMPEGLayer3, bits: 0,
      soundLibraryFormat: 0x23_0082),
  ]
}
