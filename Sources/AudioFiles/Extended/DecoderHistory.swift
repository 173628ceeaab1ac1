// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// How the output of a decoder depends on the packets before: where it starts for a seek, so that
/// its output is the same as in continuous reading.
struct DecoderHistory {
  /// Packets to decode and drop before a position.
  private let roll: Int
  /// A decoder whose state never fades starts again at every multiple of so many packets, in
  /// continuous reading too; 0: it does not.
  private let segment: Int

  /// Opus frames at 48 kHz after which its energy prediction has faded.
  private static let opusFrames = 32 * 960
  /// Packets after which the decoder of AAC starts again: its noise is a sequence of random numbers
  /// that depends on all packets before. Six seconds at 44.1 kHz are decoded in a few milliseconds.
  private static let aacSegment = 256

  init(_ file: Container) {
    let format = file.format
    var segment = 0
    switch format.mFormatID {
    case kAudioFormatFLAC, kAudioFormatAppleLossless, kAudioFormatULaw, kAudioFormatALaw,
      kAudioFormatDVIIntelIMA, CompressedFormat.microsoftADPCM:
      roll = 0
    case kAudioFormatMPEGLayer3: roll = 10
    case kAudioFormatOpus:
      roll = max(32, (Self.opusFrames - 1) / max(120, Int(format.mFramesPerPacket)) + 1)
    // A packet's header has only nine of the sixteen bits of the sample before it.
    case kAudioFormatAppleIMA4: roll = 1 << 16
    // The long-term prediction fades.
    case kAudioFormatMicrosoftGSM, CompressedFormat.gsm: roll = 256
    // What the extensions need at first is in every tenth packet or so.
    case kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: roll = 32
    case kAudioFormatMPEG4AAC_LD, kAudioFormatMPEG4AAC_ELD: (roll, segment) = (8, Self.aacSegment)
    case kAudioFormatMPEG4AAC:
      roll = 2
      // Without extensions two packets are all that a packet depends on, but for the noise.
      let config = AudioSpecificConfig(MagicCookies.audioSpecificConfig(file.cookie))
      if config?.coreConfig != nil { segment = Self.aacSegment }
    default: roll = 2
    }
    self.segment = segment
  }

  /// The packet with which a decoder starts for the output of another.
  func start(for packet: Int) -> Int {
    max(0, (segment > 0 ? packet - packet % segment : packet) - roll)
  }

  /// The next packet at which a decoder starts again; nil when it does not.
  func restart(after packet: Int) -> Int? {
    segment > 0 ? (packet / segment + 1) * segment : nil
  }
}
