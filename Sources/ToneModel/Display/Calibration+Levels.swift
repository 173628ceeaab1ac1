// SPDX-License-Identifier: Apache-2.0

// Calibrations as people type them.

extension Calibration {
  /// A calibration by what a meter showed for a signal with a peak `level` in dBFS and an RMS
  /// relative to it.
  ///
  /// - Returns: nil for measurements that are none, or impossible.
  public init?(
    _ measured: WrittenLevel, at level: Double, rms: Double = LevelScale.sineRMS
  ) {
    guard let unit = measured.unit.calibrated, rms > 0 else { return nil }
    let value = LevelScale.measured(measured.value, measured.unit, rms: rms)
    let isPressure = unit == .soundPressure
    self.init(
      unit: unit, measured: value,
      at: isPressure ? level + Decibels.level(rms / LevelScale.sineRMS) : level)
  }

  /// Reads one measured point, "94dBSPL@-20" or "4dBu@-18dBrms": what a meter showed, and the level
  /// of a sine relative to full scale. Nil if the text is invalid.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let measured = WrittenLevel(parts[0]),
      let level = WrittenLevel(parts[1])?.level(LevelScale())
    else { return nil }
    self.init(measured, at: level)
  }
}

extension Calibration.Unit {
  /// The unit of levels that it measures.
  public var levelUnit: LevelUnit { self == .volts ? .volts : .soundPressure }
}
