// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Converts levels in dBFS to sound pressure or volts, from one measured point.
public struct Calibration: Equatable, Codable, Sendable {
  /// The unit of the measurement.
  public enum Unit: String, CaseIterable, Codable, Sendable {
    /// Decibels of sound pressure, relative to 20 µPa.
    case soundPressure = "dB SPL"
    /// Volts, of the peak.
    case volts = "V"
  }

  public var unit: Unit
  /// The value of full scale, in the unit: decibels, or volts.
  public var fullScale: Double

  /// A calibration from one point: `measured` was read at `level` dBFS.
  ///
  /// - Returns: nil for impossible measurements: zero or negative volts, or NaN or infinity.
  public init?(unit: Unit, measured: Double, at level: Double) {
    guard measured.isFinite, level.isFinite, unit == .soundPressure || measured > 0 else {
      return nil
    }
    self.unit = unit
    switch unit {
    case .soundPressure: fullScale = measured - level
    case .volts: fullScale = measured / Decibels.ratio(level)
    }
  }

  /// The value of a level in dBFS, in the unit.
  public func value(of level: Double) -> Double {
    switch unit {
    case .soundPressure: fullScale + level
    case .volts: fullScale * Decibels.ratio(level)
    }
  }

  /// The level in dBFS that measures as `value`; minus infinity for zero volts.
  public func level(of value: Double) -> Double {
    switch unit {
    case .soundPressure: value - fullScale
    case .volts: value > 0 ? Decibels.level(value / fullScale) : -.infinity
    }
  }
}
