// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Foundation

extension FormatStorage {
  /// The bits of the source in the flags of lossless formats.
  private static let losslessBits: [(flag: AudioFormatFlags, bits: Int)] = [
    (AudioFormatFlags(kAppleLosslessFormatFlag_16BitSourceData), 16),
    (AudioFormatFlags(kAppleLosslessFormatFlag_20BitSourceData), 20),
    (AudioFormatFlags(kAppleLosslessFormatFlag_24BitSourceData), 24),
    (AudioFormatFlags(kAppleLosslessFormatFlag_32BitSourceData), 32),
  ]

  private static func isLossless(_ format: AudioFormatID) -> Bool {
    format == kAudioFormatAppleLossless || format == kAudioFormatFLAC
  }

  /// The format that settings describe.
  convenience init(_ settings: [String: Any]) throws(AudioError) {
    let values = SettingValues(settings)
    let format = try values.wholeNumber(AVFormatIDKey, in: 0...Int(UInt32.max))
    let layout = try values.layout()
    let channels =
      settings[AVNumberOfChannelsKey] == nil && layout != nil
      ? Int(layout?.channelCount ?? 0)
      : try values.wholeNumber(AVNumberOfChannelsKey, in: 0...FormatLimits.channelCount)
    let sampleRate = try values.number(AVSampleRateKey)
    guard format == Int(kAudioFormatLinearPCM) else {
      var fields = AudioStreamBasicDescription()
      fields.mSampleRate = sampleRate
      fields.mFormatID = AudioFormatID(format)
      fields.mChannelsPerFrame = UInt32(channels)
      if Self.isLossless(fields.mFormatID) {
        let bits = try values.wholeNumber(AVEncoderBitDepthHintKey, in: 8...32, default: 0)
        fields.mFormatFlags = Self.losslessBits.first { bits > 0 && bits <= $0.bits }?.flag ?? 0
      }
      try self.init(fields, layout: layout)
      return
    }
    let isFloat = try values.flag(AVLinearPCMIsFloatKey)
    let bits = try values.wholeNumber(
      AVLinearPCMBitDepthKey, in: 8...32, default: isFloat ? 32 : 16)
    guard !isFloat || bits == 32 else {
      throw .formatNotSupported.because("float samples of settings have 32 bits, not \(bits)")
    }
    var flags = isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
    if try values.flag(AVLinearPCMIsBigEndianKey) { flags |= kAudioFormatFlagIsBigEndian }
    if try values.flag(AVLinearPCMIsNonInterleaved) { flags |= kAudioFormatFlagIsNonInterleaved }
    flags |= bits % 8 == 0 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh
    try self.init(
      linear: flags, bits: UInt32(bits), sampleRate: sampleRate, channels: UInt32(channels),
      layout: layout)
  }

  /// The settings that describe the format.
  var settings: [String: Any] {
    let fields = description.pointee
    var settings: [String: Any] = [
      AVFormatIDKey: NSNumber(value: fields.mFormatID),
      AVSampleRateKey: NSNumber(value: fields.mSampleRate),
      AVNumberOfChannelsKey: NSNumber(value: fields.mChannelsPerFrame),
    ]
    if let linear {
      settings[AVLinearPCMBitDepthKey] = NSNumber(value: linear.bitsPerChannel)
      settings[AVLinearPCMIsFloatKey] = NSNumber(value: linear.isFloat)
      settings[AVLinearPCMIsBigEndianKey] = NSNumber(value: linear.isBigEndian)
      settings[AVLinearPCMIsNonInterleaved] = NSNumber(value: !linear.isInterleaved)
    }
    if Self.isLossless(fields.mFormatID),
      let bits = Self.losslessBits.first(where: { $0.flag == fields.mFormatFlags })?.bits
    {
      settings[AVEncoderBitDepthHintKey] = NSNumber(value: bits)
    }
    if let layout { settings[AVChannelLayoutKey] = Data(layout.bytes) }
    return settings
  }
}
