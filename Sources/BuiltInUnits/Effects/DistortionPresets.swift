// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore

/// The factory presets of the distortion. Programs expect their numbers and names; their values are
/// our own.
enum DistortionPresets {
  private typealias Key = Distortion.Parameter

  static let all: [FactoryPreset] = [
    preset(0, "Drums Bit Brush", crush: (55, 70, 60), bend: (1, 1, 0.5, 30), clip: -2, mix: 60),
    preset(1, "Drums Buffer Beats", echo: (125, 1.2, 50), crush: (30, 40, 40), clip: -3, mix: 60),
    preset(2, "Drums LoFi", crush: (45, 60, 80), bend: (0.9, 0.5, 1, 40), clip: 0, mix: 75),
    preset(
      3, "Broken Speaker", echo: (4, 2, 30), crush: (20, 50, 30), bend: (0.6, 6, 10, 70),
      clip: 4, mix: 60),
    preset(
      4, "Cellphone Concert", echo: (60, 2.5, 25), crush: (50, 45, 90), bend: (1, 0, 8, 50),
      clip: 6, mix: 90),
    preset(5, "Decimated 1", crush: (40, 0, 100), clip: -3, mix: 50),
    preset(6, "Decimated 2", crush: (60, 20, 100), clip: -3, mix: 60),
    preset(7, "Decimated 3", crush: (75, 40, 100), clip: -3, mix: 75),
    preset(8, "Decimated 4", crush: (90, 60, 100), clip: -3, mix: 100),
    preset(
      9, "Distorted Funk", echo: (10, 3, 20), bend: (1, 4, 6, 60), ring: (4, 7, 50, 15),
      clip: 3, mix: 60),
    preset(10, "Distorted Cubed", bend: (0.3, 0, 20, 100), clip: 6, mix: 70),
    preset(11, "Distorted Squared", bend: (0.3, 20, 0, 100), clip: 6, mix: 70),
    preset(12, "Echo 1", echo: (250, 0.7, 45), clip: -3, mix: 50),
    preset(13, "Echo 2", echo: (375, 0.4, 55), clip: -3, mix: 60),
    preset(14, "Echo Tight 1", echo: (30, 0.6, 45), clip: -3, mix: 50),
    preset(15, "Echo Tight 2", echo: (60, 0.3, 55), clip: -3, mix: 60),
    preset(
      16, "Everything Is Broken", echo: (90, 0.5, 50), crush: (65, 65, 70), bend: (0.5, 8, 12, 70),
      ring: (180, 710, 50, 40), clip: 8, mix: 90),
    preset(
      17, "Alien Chatter", echo: (40, 1, 35), ring: (330, 1500, 40, 85), clip: 0, mix: 85),
    preset(
      18, "Cosmic Interference", echo: (120, 0.8, 40), crush: (50, 30, 50),
      ring: (1100, 3700, 60, 70), clip: 0, mix: 70),
    preset(19, "Golden Pi", echo: (31.4, 1, 30), ring: (314, 508, 62, 60), clip: 0, mix: 60),
    preset(
      20, "Radio Tower", crush: (45, 40, 80), bend: (1, 3, 9, 70), ring: (50, 60, 50, 20),
      clip: 8, mix: 90),
    preset(21, "Waves", echo: (8, 0.5, 50), ring: (1.5, 3.1, 50, 80), clip: -2, mix: 70),
  ]

  /// One preset. `echo`: delay, decay, mix. `crush`: decimation, rounding, mix. `bend`: the three
  /// terms and the mix of the polynomial. `ring`: both frequencies, balance and mix of the ring
  /// modulator. A part that is omitted is off.
  private static func preset(
    _ number: Int32, _ name: String, echo: (Float, Float, Float) = (0.1, 50, 0),
    crush: (Float, Float, Float) = (0, 0, 0),
    bend: (Float, Float, Float, Float) = (1, 0, 0, 0),
    ring: (Float, Float, Float, Float) = (100, 100, 50, 0), clip: Float, mix: Float
  ) -> FactoryPreset {
    let values: [(Key, Float)] = [
      (.delay, echo.0), (.decay, echo.1), (.delayMix, echo.2),
      (.decimation, crush.0), (.rounding, crush.1), (.decimationMix, crush.2),
      (.linearTerm, bend.0), (.squaredTerm, bend.1), (.cubicTerm, bend.2),
      (.polynomialMix, bend.3),
      (.ringModFrequency1, ring.0), (.ringModFrequency2, ring.1), (.ringModBalance, ring.2),
      (.ringModMix, ring.3), (.softClipGain, clip), (.finalMix, mix),
    ]
    return FactoryPreset(
      number, name,
      Dictionary(uniqueKeysWithValues: values.map { ($0.0.rawValue, $0.1) }))
  }
}
