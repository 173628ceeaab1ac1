// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The waveform of a tone.
public enum ToneWaveform: String, CaseIterable, Codable, Sendable {
  /// The waveforms that need nothing else: all but `file`.
  public static let allCases: [ToneWaveform] = [
    .sine, .square, .triangle, .saw, .whiteNoise, .pinkNoise, .maximumLengthSequence,
    .periodicPinkNoise, .jitterTest, .impulse, .constant,
  ]

  case sine, square, triangle, saw
  case whiteNoise = "white"
  case pinkNoise = "pink"
  case maximumLengthSequence = "mls"
  case periodicPinkNoise = "periodic-pink"
  case jitterTest = "jtest"
  case impulse
  case constant = "dc"
  /// The sound file of the tone, which repeats.
  case file

  /// The name for display.
  public var title: String {
    switch self {
    case .sine: "sine"
    case .square: "square"
    case .triangle: "triangle"
    case .saw: "saw"
    case .whiteNoise: "white noise"
    case .pinkNoise: "pink noise"
    case .maximumLengthSequence: "maximum-length sequence"
    case .periodicPinkNoise: "periodic pink noise"
    case .jitterTest: "J-test"
    case .impulse: "impulse"
    case .constant: "DC"
    case .file: "sound file"
    }
  }

  /// Whether it has a frequency.
  public var isPeriodic: Bool {
    switch self {
    case .sine, .square, .triangle, .saw, .impulse: true
    default: false
    }
  }

  /// Whether it has periods that begin at a rising zero crossing, as bursts need.
  public var crossesZero: Bool { isPeriodic && self != .impulse }

  /// Whether it is random noise, which can be limited to a band.
  public var isNoise: Bool { self == .whiteNoise || self == .pinkNoise }

  /// The next waveform; after the last comes the first.
  public var next: ToneWaveform { neighbour(1) }

  /// The previous waveform; before the first comes the last.
  public var previous: ToneWaveform { neighbour(Self.allCases.count - 1) }

  /// The value of `kToneGeneratorParam_Waveform`.
  var parameterValue: AudioUnitParameterValue {
    let waveform =
      switch self {
      case .sine: kToneGeneratorWaveform_Sine
      case .square: kToneGeneratorWaveform_Square
      case .triangle: kToneGeneratorWaveform_Triangle
      case .saw: kToneGeneratorWaveform_Saw
      case .whiteNoise: kToneGeneratorWaveform_WhiteNoise
      case .pinkNoise: kToneGeneratorWaveform_PinkNoise
      case .maximumLengthSequence: kToneGeneratorWaveform_MLS
      case .periodicPinkNoise: kToneGeneratorWaveform_PeriodicPinkNoise
      case .jitterTest: kToneGeneratorWaveform_JitterTest
      case .impulse: kToneGeneratorWaveform_Impulse
      // The unit makes the level, and the sound is multiplied by it.
      case .constant, .file: kToneGeneratorWaveform_Constant
      }
    return AudioUnitParameterValue(waveform)
  }

  private func neighbour(_ distance: Int) -> ToneWaveform {
    let all = Self.allCases
    guard let index = all.firstIndex(of: self) else {
      return distance == 1 ? all[0] : all[all.count - 1]
    }
    return all[(index + distance) % all.count]
  }
}
