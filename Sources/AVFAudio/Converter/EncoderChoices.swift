// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// What an encoder offers, as numbers from which a program chooses one.
enum EncoderChoices {
  /// Those of the tables of MPEG audio, and multiples for more channels.
  static let usualBitRates: [Double] = [
    8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 288, 320, 352,
    384,
    416, 448, 512, 576, 640, 768, 896, 1_024, 1_280, 1_536, 1_792, 2_048,
  ].map { 1_000 * $0 }

  /// The sample rates of devices and files.
  static let usualSampleRates: [Double] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    176_400, 192_000, 352_800, 384_000, 705_600, 768_000,
  ]

  /// The ends of ranges, and the usual values in them, in rising order.
  static func numbers(in ranges: [AudioValueRange], _ usual: [Double]) -> [NSNumber] {
    let values = ranges.flatMap { range in
      [range.mMinimum, range.mMaximum]
        + usual.filter { $0 >= range.mMinimum && $0 <= range.mMaximum }
    }
    return Set(values).sorted().map { NSNumber(value: $0) }
  }
}

/// The strategies of bit rates, with their constants of AudioCodec.h.
enum BitRateStrategy {
  private static let all: [(name: String, code: UInt32)] = [
    (AVAudioBitRateStrategy_Constant, UInt32(kAudioCodecBitRateControlMode_Constant)),
    (AVAudioBitRateStrategy_LongTermAverage, UInt32(kAudioCodecBitRateControlMode_LongTermAverage)),
    (
      AVAudioBitRateStrategy_VariableConstrained,
      UInt32(kAudioCodecBitRateControlMode_VariableConstrained)
    ),
    (AVAudioBitRateStrategy_Variable, UInt32(kAudioCodecBitRateControlMode_Variable)),
  ]

  /// The name of a constant; nil for unknown ones.
  static func name(of code: UInt32) -> String? { all.first { $0.code == code }?.name }

  /// The constant of a name that begins with `AVAudioBitRateStrategy`; nil for unknown ones.
  static func code(of name: String) -> UInt32? { all.first { $0.name == name }?.code }
}
