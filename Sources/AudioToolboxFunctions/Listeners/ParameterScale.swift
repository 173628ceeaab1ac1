// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CoreAudio
import Foundation

/// The scale of a control for a parameter: its range, and the curve that maps positions to values.
struct ParameterScale {
  let range: ClosedRange<Double>
  let unit: AudioUnitParameterUnit
  private let curve: AudioUnitParameterOptions

  /// [control thread] Reads the scale of a parameter from its unit.
  init(of parameter: AudioUnitParameter) throws(AudioError) {
    guard let unit = Handles.units.enter(parameter.mAudioUnit) else { throw .staleUnit }
    defer { Handles.units.leave(parameter.mAudioUnit) }
    var info = AudioUnitParameterInfo()
    var size = UInt32(MemoryLayout<AudioUnitParameterInfo>.size)
    try unit.takeUnretainedValue().getProperty(
      PropertyAddress(
        kAudioUnitProperty_ParameterInfo, parameter.mScope, parameter.mParameterID),
      into: &info, size: &size)
    if info.flags.contains(.flag_CFNameRelease), let name = info.__cfNameString {
      Bridge.current.release(name)
    }
    guard info.minValue.isFinite, info.maxValue.isFinite, info.minValue <= info.maxValue else {
      throw .invalidParameter.because("parameter \(parameter.mParameterID) has no range")
    }
    self.init(
      Double(info.minValue)...Double(info.maxValue), info.unit,
      curve: AudioUnitParameterOptions(
        rawValue: info.flags.rawValue & AudioUnitParameterOptions.flag_DisplayMask.rawValue))
  }

  init(
    _ range: ClosedRange<Double>, _ unit: AudioUnitParameterUnit, curve: AudioUnitParameterOptions
  ) {
    self.range = range
    self.unit = unit
    // A logarithmic scale needs a range above zero.
    self.curve = curve == .flag_DisplayLogarithmic && range.lowerBound <= 0 ? [] : curve
  }

  /// The value at a position of the control, 0 to 1.
  func value(at position: Double) -> Double {
    let position = position.clamped(to: 0...1)
    let (low, high) = (range.lowerBound, range.upperBound)
    switch curve {
    case .flag_DisplayLogarithmic: return low * pow(high / low, position)
    case .flag_DisplaySquareRoot: return along(position * position)
    case .flag_DisplaySquared: return along(position.squareRoot())
    case .flag_DisplayCubed: return along(cbrt(position))
    case .flag_DisplayCubeRoot: return along(position * position * position)
    case .flag_DisplayExponential: return along(log1p(position * (M_E - 1)))
    default: return along(position)
    }
  }

  /// The position of the control, 0 to 1, for a value.
  func position(of value: Double) -> Double {
    let value = value.clamped(to: range)
    let (low, high) = (range.lowerBound, range.upperBound)
    guard low < high else { return 0 }
    let part = (value - low) / (high - low)
    switch curve {
    case .flag_DisplayLogarithmic: return log(value / low) / log(high / low)
    case .flag_DisplaySquareRoot: return part.squareRoot()
    case .flag_DisplaySquared: return part * part
    case .flag_DisplayCubed: return part * part * part
    case .flag_DisplayCubeRoot: return cbrt(part)
    case .flag_DisplayExponential: return expm1(part) / (M_E - 1)
    default: return part
    }
  }

  private func along(_ part: Double) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * part
  }

  /// A value as text with this many significant digits: of the value itself for a frequency, else
  /// of the largest value of the range, so that all values of a parameter have the same number of
  /// decimals. Digits before the point are only dropped from a value that has more of them.
  static func text(_ value: Double, digits: Int, scale: ParameterScale?) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return String(format: "%g", value) }
    let digits = min(max(digits, 1), 15)
    /// The decimals that give a number these digits; negative if it has more before the point.
    func decimals(_ size: Double) -> Int {
      digits - 1 - (size > 0 ? Int(log10(size).rounded(.down)) : 0)
    }
    let surplus = -decimals(abs(value))
    guard surplus > 0 else {
      var size = abs(value)
      if let scale, scale.unit != .hertz {
        size = max(abs(scale.range.lowerBound), abs(scale.range.upperBound))
      }
      return String(format: "%.*f", min(max(decimals(size), 0), 15), value)
    }
    let unit = pow(10, Double(surplus))
    return String(format: "%.0f", (value / unit).rounded() * unit)
  }
}

extension Double {
  /// The nearest number in a range; its lower bound for NaN.
  fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
    isNaN ? range.lowerBound : Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
