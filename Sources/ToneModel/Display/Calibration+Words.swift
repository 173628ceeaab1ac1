// SPDX-License-Identifier: Apache-2.0
import PlainText

/// A level as it is typed: "-20", "-20dBFS", "74dBSPL", "1.23V", "250mV".
public enum WrittenLevel: Equatable, Sendable, CustomStringConvertible {
  /// Relative to full scale.
  case fullScale(Double)
  /// What is measured outside.
  case measured(Double, Calibration.Unit)

  /// Reads a text; nil when it is no level.
  public init?(_ text: String) {
    let plain = text.filter { !$0.isWhitespace }.lowercased()
    for (ending, unit, factor) in [
      ("dbspl", Calibration.Unit.soundPressure, 1.0), ("mv", .volts, 1e-3), ("v", .volts, 1),
    ] where plain.hasSuffix(ending) {
      guard let value = Quantity.number.value(of: String(plain.dropLast(ending.count))) else {
        return nil
      }
      self = .measured(value * factor, unit)
      return
    }
    guard let level = Quantity.decibels.value(of: text) else { return nil }
    self = .fullScale(level)
  }

  /// What it is in dBFS; nil where it is measured outside and nobody has calibrated that.
  public func level(_ calibration: Calibration?) -> Double? {
    switch self {
    case .fullScale(let level): return level
    case .measured(let value, let unit):
      guard let calibration, calibration.unit == unit else { return nil }
      return calibration.level(of: value)
    }
  }

  /// As it is typed.
  public var description: String {
    switch self {
    case .fullScale(let level): Self.plain(level)
    case .measured(let value, let unit): "\(Self.plain(value)) \(unit.rawValue)"
    }
  }

  /// A number without a fraction that says nothing.
  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
  }
}

extension Calibration {
  /// Reads one measured point: what was measured, and at which level in dBFS: "94dBSPL@-20",
  /// "1.23V@0". Nil when it is none.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, case .measured(let value, let unit) = WrittenLevel(parts[0]),
      let level = Quantity.decibels.value(of: parts[1])
    else { return nil }
    self.init(unit: unit, measured: value, at: level)
  }

  /// The level in dBFS that measures so much; minus infinity for no volts.
  public func level(of value: Double) -> Double {
    switch unit {
    case .soundPressure: value - fullScale
    case .volts: value > 0 ? Decibels.level(value / fullScale) : -.infinity
    }
  }

  /// What the window and the terminal keep; nil when nobody has measured anything.
  public static var kept: Calibration? { WindowState.load()?.calibration }
}

extension ToneModel {
  /// Takes a calibration, and keeps it for the window, the terminal and `au tone`; nil forgets it.
  public func calibrate(_ calibration: Calibration?) throws(ToneError) {
    self.calibration = calibration
    let kept = WindowState.load()
    guard kept?.calibration != calibration else { return }
    var state = kept ?? WindowState(self)
    state.calibration = calibration
    try state.save()
  }
}
