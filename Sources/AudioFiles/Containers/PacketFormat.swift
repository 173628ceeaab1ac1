// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Checks and completes packet formats for new files.
enum PacketFormat {
  /// Fills in the fields that a program left open; throws when a kind of file cannot hold the
  /// format.
  static func check(
    _ format: AudioStreamBasicDescription, _ kind: FileKind, _ name: String, maximumChannels: Int
  ) throws(AudioError) -> AudioStreamBasicDescription {
    func refuse(_ reason: String) -> AudioError {
      .unsupportedDataFormat.because("\(name): \(StreamFormat.describe(format)): \(reason)")
    }
    guard kind.formats.contains(format.mFormatID) else {
      throw refuse("\(kind.name) cannot hold it, or cannot be written")
    }
    guard (1...maximumChannels).contains(Int(format.mChannelsPerFrame)) else {
      throw refuse("\(kind.name) holds 1 to \(maximumChannels) channels")
    }
    guard format.mSampleRate.isFinite, format.mSampleRate > 0, format.mSampleRate < 3e6 else {
      throw refuse("the sample rate must be above 0 and below 3,000,000 Hz")
    }
    var made = format
    made.mReserved = 0
    let channels = format.mChannelsPerFrame
    func constant(_ bytes: UInt32, _ frames: UInt32) {
      made.mBytesPerPacket = bytes
      made.mFramesPerPacket = frames
      made.mBytesPerFrame = frames == 1 ? bytes : 0
      made.mBitsPerChannel = frames == 1 ? 8 : 0
      made.mFormatFlags = 0
    }
    switch format.mFormatID {
    case kAudioFormatLinearPCM:
      if channels == 1 { made.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved }
      guard made.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 else {
        throw refuse("sound in files is interleaved")
      }
      let pcm: StreamFormat
      do throws(AudioError) { pcm = try StreamFormat(made) } catch {
        throw .unsupportedDataFormat.because("\(name): \(error.explanation)")
      }
      guard pcm.fractionBits == 0 else { throw refuse("files hold no fixed point") }
      if pcm.bitsPerChannel == pcm.bytesPerSample * 8 {
        made.mFormatFlags |= kAudioFormatFlagIsPacked
        made.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh
      }
      if pcm.bytesPerSample == 1 { made.mFormatFlags &= ~kAudioFormatFlagIsBigEndian }
    case kAudioFormatULaw, kAudioFormatALaw: constant(channels, 1)
    case kAudioFormatAppleIMA4: constant(34 * channels, 64)
    case kAudioFormatMicrosoftGSM: constant(65, 320)
    case kAudioFormatDVIIntelIMA:
      let isGiven = format.mBytesPerPacket > 4 * channels
      let bytes = isGiven ? min(format.mBytesPerPacket, .max / 2) : 512 * channels
      constant(bytes, (bytes - 4 * channels) * 2 / channels + 1)
    case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
      kAudioFormatMPEGLayer3, kAudioFormatAppleLossless, kAudioFormatOpus:
      // Fields that can be derived may be missing.
      if made.mFramesPerPacket == 0 {
        made = CompressedFormat.of(format.mFormatID)?.complete(made) ?? made
      }
    case kAudioFormatMPEGLayer2: made.mFramesPerPacket = 1_152
    default: break
    }
    guard made.mBytesPerPacket <= Limits.packetBytes, made.mFramesPerPacket <= Limits.packetFrames
    else {
      throw refuse(
        "packets of \(made.mBytesPerPacket) bytes, \(made.mFramesPerPacket) frames: the most are "
          + "\(Limits.packetBytes) bytes, \(Limits.packetFrames) frames")
    }
    return made
  }
}
