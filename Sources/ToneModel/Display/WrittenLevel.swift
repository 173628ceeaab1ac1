// SPDX-License-Identifier: Apache-2.0
import PlainText

/// A level as written: "-20", "-20dBFS", "74dBSPL", "1.23V", "250mV".
public enum WrittenLevel: Equatable, Sendable, CustomStringConvertible {
  /// Relative to full scale.
  case fullScale(Double)
  /// As measured outside: sound pressure or voltage.
  case measured(Double, Calibration.Unit)

  /// Reads a text; nil if it is not a level.
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

  /// The level in dBFS; nil if it is a measured value and there is no calibration for its unit.
  public func level(_ calibration: Calibration?) -> Double? {
    switch self {
    case .fullScale(let level): return level
    case .measured(let value, let unit):
      guard let calibration, calibration.unit == unit else { return nil }
      return calibration.level(of: value)
    }
  }

  /// The text form.
  public var description: String {
    switch self {
    case .fullScale(let level): Self.plain(level)
    case .measured(let value, let unit): "\(Self.plain(value)) \(unit.rawValue)"
    }
  }

  /// A number without an empty fraction.
  private static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
  }
}

extension Calibration {
  /// Reads one measured point, "94dBSPL@-20" or "1.23V@0": the measurement and its level in dBFS.
  /// Nil if the text is invalid.
  public init?(_ text: String) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, case .measured(let value, let unit) = WrittenLevel(parts[0]),
      let level = Quantity.decibels.value(of: parts[1])
    else { return nil }
    self.init(unit: unit, measured: value, at: level)
  }

  /// The level in dBFS that measures as `value`; minus infinity for zero volts.
  public func level(of value: Double) -> Double {
    switch unit {
    case .soundPressure: value - fullScale
    case .volts: value > 0 ? Decibels.level(value / fullScale) : -.infinity
    }
  }

  /// The stored calibration of the window and the terminal; nil if there is none.
  public static var stored: Calibration? { WindowState.load()?.calibration }
}

extension ToneModel {
  /// Sets a calibration, and stores it for the window, the terminal and `au tone`; nil removes it.
  public func calibrate(_ calibration: Calibration?) throws(ToneError) {
    self.calibration = calibration
    let stored = WindowState.load()
    guard stored?.calibration != calibration else { return }
    var state = stored ?? WindowState(self)
    state.calibration = calibration
    try state.save()
  }
}
