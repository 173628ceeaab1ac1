// SPDX-License-Identifier: Apache-2.0
import CoreAudio

/// A unit that has the value of a parameter. Callbacks of the program, where there are any, replace
/// it.
protocol ParameterImplementor: AnyObject, Sendable {
  /// [any thread] The value in the unit; nil if the unit does not have the parameter any more.
  func value(of parameter: AUParameter) -> AUValue?
  /// [any thread] Carries out a change or gesture; false if the unit refuses it.
  func apply(_ event: ParameterEvent, to parameter: AUParameter) -> Bool
  /// [control thread] The text of a value; nil if the unit has none.
  func text(of value: AUValue, _ parameter: AUParameter) -> String?
  /// [control thread] The value of a text; nil if the unit does not know it.
  func value(of text: String, _ parameter: AUParameter) -> AUValue?
  /// [control thread] The name in at most this many characters; nil if the unit has none.
  func name(of parameter: AUParameter, length: Int) -> String?
  /// [control thread] The parameter, or a group that it is in, has this many observers more.
  func observersChanged(by count: Int)
}
