// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioValues

extension NodeUnit {
  /// A matrix mixer that mixes the channels of a format to stereo, at the same rate: by the
  /// coefficients of ITU-R BS.775, without scaling down. Channels without positions have none: then
  /// the first two stay.
  static func mixdown(from format: AVAudioFormat) -> NodeUnit {
    let unit = NodeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    let (global, input, output) = (
      kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output
    )
    unit.set(kAudioUnitProperty_ElementCount, input, 0, 1 as UInt32)
    unit.set(kAudioUnitProperty_ElementCount, output, 0, 1 as UInt32)
    _ = unit.setFormat(format, input, 0)
    _ = unit.setFormat(.standard(format.sampleRate, 2), output, 0)
    let volume = AudioUnitParameterID(kMatrixMixerParam_Volume)
    unit.set(parameter: volume, global, 0xFFFF_FFFF, 1)
    for channel in 0..<2 as Range<UInt32> { unit.set(parameter: volume, output, channel, 1) }
    let gains = mixdownGains(from: format)
    for channel in 0..<format.channelCount {
      unit.set(parameter: volume, input, channel, 1)
      for side in 0..<2 as Range<UInt32> {
        unit.set(
          parameter: volume, global, channel << 16 | side, gains[Int(2 * channel + side)])
      }
    }
    return unit
  }

  /// The gain of each channel left and right, channel by channel.
  private static func mixdownGains(from format: AVAudioFormat) -> [Float] {
    let count = Int(format.channelCount)
    var gains = [Float](repeating: 0, count: 2 * count)
    if let layout = format.channelLayout,
      let stereo = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)
    {
      var layouts = (UnsafeRawPointer(layout.layout), UnsafeRawPointer(stereo.layout))
      var size = UInt32(clamping: gains.count * MemoryLayout<Float>.size)
      withExtendedLifetime((layout, stereo)) {
        _ = AudioFormatGetProperty(
          kAudioFormatProperty_MatrixMixMap, UInt32(MemoryLayout.size(ofValue: layouts)),
          &layouts, &size, &gains)
      }
    }
    if gains.allSatisfy({ $0 == 0 }) {
      for channel in 0..<min(count, 2) { gains[2 * channel + channel] = 1 }
    }
    return gains
  }
}
