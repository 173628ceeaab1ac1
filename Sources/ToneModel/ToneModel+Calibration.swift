// SPDX-License-Identifier: Apache-2.0

// The calibration of a model, and where it is stored.

extension ToneModel {
  /// Sets a calibration and the unit in which levels are shown, by default that of the calibration,
  /// and stores both for the window, the terminal and `au tone`; nil removes it.
  public func calibrate(
    _ calibration: Calibration?, shownIn unit: LevelUnit? = nil
  ) throws(ToneError) {
    self.calibration = calibration
    shownUnit = unit ?? calibration?.unit.levelUnit
    let stored = WindowState.load()
    guard stored?.calibration != calibration || stored?.levelUnit != shownUnit else { return }
    var state = stored ?? WindowState(self)
    state.calibration = calibration
    state.levelUnit = shownUnit
    try state.save()
  }

  /// Sets the calibration that a view has stored, and the unit in which it showed levels.
  public func restoreCalibration(_ state: WindowState?) {
    calibration = state?.calibration
    let unit = state?.levelUnit
    guard let unit, unit.calibrated == nil || unit.calibrated == calibration?.unit else { return }
    shownUnit = unit
  }

  /// The scale of the selected tone's level, with the calibration.
  public var levelScale: LevelScale {
    LevelScale(calibration, rms: tone.rmsRatio(sampleRate: device?.sampleRate ?? 48_000))
  }
}

extension Calibration {
  /// The stored calibration of the window and the terminal; nil if there is none.
  public static var stored: Calibration? { WindowState.load()?.calibration }
}
