// SPDX-License-Identifier: Apache-2.0

/// A unit of levels, as people type and read it.
public enum LevelUnit: String, CaseIterable, Codable, Sendable {
  /// The peak in decibels, relative to full scale.
  case peak = "dBFS"
  /// The RMS in decibels, relative to full scale: a sine whose peak is full scale has -3.01 dB.
  case rms = "dB RMS"
  /// Decibels of sound pressure, relative to 20 µPa.
  case soundPressure = "dB SPL"
  /// The RMS of the sound pressure.
  case pascals = "Pa"
  /// The peak of the voltage.
  case volts = "V"
  /// The RMS of the voltage.
  case rmsVolts = "Vrms"
  /// The RMS of the voltage in decibels, relative to 0.7746 V, which are a milliwatt at 600 ohms.
  case dBu
  /// The RMS of the voltage in decibels, relative to 1 V.
  case dBV

  /// What has to be calibrated for it; nil: nothing.
  public var calibrated: Calibration.Unit? {
    switch self {
    case .peak, .rms: nil
    case .soundPressure, .pascals: .soundPressure
    case .volts, .rmsVolts, .dBu, .dBV: .volts
    }
  }

  /// Whether its numbers are decibels.
  public var isLogarithmic: Bool {
    switch self {
    case .pascals, .volts, .rmsVolts: false
    default: true
    }
  }

  /// The endings of typed levels, in lower case and without spaces, with their factor; those that
  /// end in another one come first.
  static let endings: [(ending: String, unit: LevelUnit, factor: Double)] = [
    ("dbspl", .soundPressure, 1), ("dbrms", .rms, 1), ("dbfs", .peak, 1), ("dbu", .dBu, 1),
    ("dbv", .dBV, 1), ("db", .peak, 1), ("mvrms", .rmsVolts, 1e-3), ("vrms", .rmsVolts, 1),
    ("mv", .volts, 1e-3), ("v", .volts, 1), ("mpa", .pascals, 1e-3), ("pa", .pascals, 1),
  ]
}

/// Converts the peak level of a signal to other units, and back.
public struct LevelScale: Equatable, Sendable {
  /// Of a sine, relative to its peak.
  public static let sineRMS = 0.5.squareRoot()
  private static let referencePressure = 20e-6
  /// The voltage of 0 dBu: a milliwatt at 600 ohms.
  private static let referenceVoltage = 0.6.squareRoot()

  /// What was measured outside; nil: nothing.
  public var calibration: Calibration?
  /// The RMS of the signal, relative to its peak level (`Tone.rmsRatio`).
  public var rms: Double

  /// A scale, by default for sines.
  public init(_ calibration: Calibration? = nil, rms: Double = sineRMS) {
    self.calibration = calibration
    self.rms = rms
  }

  /// Levels of the RMS relative to those of the peak, in decibels.
  private var rmsDecibels: Double { Decibels.level(rms) }

  /// The value of a peak level in dBFS; nil if the unit is not calibrated.
  public func value(of level: Double, in unit: LevelUnit) -> Double? {
    switch unit {
    case .peak: return level
    case .rms: return level + rmsDecibels
    default: break
    }
    guard let calibration, calibration.unit == unit.calibrated else { return nil }
    // The point of a calibration is that of a sine.
    let pressure = calibration.value(of: level + Decibels.level(rms / Self.sineRMS))
    let voltage = calibration.value(of: level)
    return switch unit {
    case .peak, .rms: nil
    case .soundPressure: pressure
    case .pascals: Self.referencePressure * Decibels.ratio(pressure)
    case .volts: voltage
    case .rmsVolts: voltage * rms
    case .dBu: Decibels.level(voltage * rms / Self.referenceVoltage)
    case .dBV: Decibels.level(voltage * rms)
    }
  }

  /// The peak level in dBFS of a value; nil if the unit is not calibrated, minus infinity for
  /// nothing.
  public func level(of value: Double, in unit: LevelUnit) -> Double? {
    switch unit {
    case .peak: return value
    case .rms: return value - rmsDecibels
    default: break
    }
    guard let calibration, calibration.unit == unit.calibrated else { return nil }
    let measured = Self.measured(value, unit, rms: rms)
    let level = calibration.level(of: measured)
    return unit.calibrated == .volts ? level : level - Decibels.level(rms / Self.sineRMS)
  }

  /// A value in the unit of calibrations: decibels of sound pressure, or peak volts.
  static func measured(_ value: Double, _ unit: LevelUnit, rms: Double) -> Double {
    switch unit {
    case .peak, .rms, .soundPressure, .volts: value
    case .pascals:
      value > 0 ? Decibels.level(value / referencePressure) : -Double.infinity
    case .rmsVolts: value / rms
    case .dBu: Decibels.ratio(value) * referenceVoltage / rms
    case .dBV: Decibels.ratio(value) / rms
    }
  }
}
