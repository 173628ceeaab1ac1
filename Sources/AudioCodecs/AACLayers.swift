// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The layers of HE-AAC: a core of AAC-LC at half the rate, which any decoder plays, and one or two
/// extensions of it.
public enum AACLayers {
  /// The formats in which packets of a format can be decoded, the best first.
  public static func formats(of format: AudioStreamBasicDescription)
    -> [AudioStreamBasicDescription]
  {
    guard [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(format.mFormatID) else {
      return [format]
    }
    var core = format
    core.mFormatID = kAudioFormatMPEG4AAC
    core.mFormatFlags = 0
    core.mSampleRate = format.mSampleRate / 2
    core.mFramesPerPacket = format.mFramesPerPacket / 2
    if format.mFormatID == kAudioFormatMPEG4AAC_HE_V2 { core.mChannelsPerFrame = 1 }
    return [format, core]
  }

  /// The same with channel layouts, as programs get them.
  public static func list(
    of format: AudioStreamBasicDescription,
    layout: (AudioStreamBasicDescription) -> AudioChannelLayoutTag
  ) -> [AudioFormatListItem] {
    let formats = formats(of: format)
    return [AudioFormatListItem](unsafeUninitializedCapacity: formats.count) { items, count in
      // The bytes between two items have a value, too: programs compare whole lists.
      UnsafeMutableRawBufferPointer(items).initializeMemory(as: UInt8.self, repeating: 0)
      for (index, format) in formats.enumerated() {
        items[index].mASBD = format
        items[index].mChannelLayoutTag = layout(format)
      }
      count = formats.count
    }
  }

  /// A format of AAC or HE-AAC with the numbers of a configuration.
  public static func format(
    _ given: AudioStreamBasicDescription, _ config: AudioSpecificConfig
  ) -> AudioStreamBasicDescription {
    var format = given
    let isCore = given.mFormatID == kAudioFormatMPEG4AAC
    let channels = isCore ? config.coreChannelCount : config.channelCount
    let frames = config.framesPerPacket / (isCore && config.isExtended ? 2 : 1)
    format.mSampleRate = isCore ? config.coreRate : config.rate
    if channels > 0 { format.mChannelsPerFrame = UInt32(clamping: channels) }
    format.mFramesPerPacket = UInt32(clamping: frames)
    return format
  }

  /// The core's rates at which encoders use the extensions: an output of at most 48 kHz.
  private static let coreRates = 8_000.0...24_000

  /// Whether packets may have an extension of which their configuration says nothing.
  public static func canBeExtended(
    _ format: AudioStreamBasicDescription, config: [UInt8]
  ) -> Bool {
    guard format.mFormatID == kAudioFormatMPEG4AAC, coreRates.contains(format.mSampleRate),
      (1...2).contains(format.mChannelsPerFrame), let core = AudioSpecificConfig(config)
    else { return false }
    return !core.isExtended && core.object == 2
  }

  /// [control thread] The format of packets whose configuration says nothing of an extension, found
  /// by decoding the first of them; nil when they are plain AAC, or cannot be decoded here.
  public static func extended(
    _ format: AudioStreamBasicDescription, config: [UInt8], packets: [[UInt8]]
  ) -> AudioStreamBasicDescription? {
    guard canBeExtended(format, config: config) else { return nil }
    let found = LibAVCodec.outputFormat(
      ["aac"], setup: config, rate: format.mSampleRate, channels: Int(format.mChannelsPerFrame),
      packets: packets)
    guard let found, found.rate == 2 * format.mSampleRate else { return nil }
    var made = format
    let isStereo = format.mChannelsPerFrame == 1 && found.channels == 2
    made.mFormatID = isStereo ? kAudioFormatMPEG4AAC_HE_V2 : kAudioFormatMPEG4AAC_HE
    made.mFormatFlags = 0
    made.mSampleRate = found.rate
    made.mFramesPerPacket = 2 * format.mFramesPerPacket
    made.mChannelsPerFrame = isStereo ? 2 : format.mChannelsPerFrame
    return made
  }
}
