// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio

/// What a node refers to: its parent, and the functions of the program. It never changes; a node
/// publishes another one.
final class NodeLinks: Publishable, @unchecked Sendable {
  /// The parts, for making links that differ in one of them.
  struct Parts {
    var parent: NodeCore?
    var implementor: (any ParameterImplementor)?
    var valueObserver: AUImplementorValueObserver?
    var valueProvider: AUImplementorValueProvider?
    var stringFromValue: AUImplementorStringFromValueCallback?
    var valueFromString: AUImplementorValueFromStringCallback?
    var displayName: AUImplementorDisplayNameWithLengthCallback?
  }

  let parts: Parts

  init(_ parts: Parts) { self.parts = parts }

  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Does nothing: the links end with their last reference.
  func deallocate() {}
}

/// A unit that has the values of a tree. The callbacks of the program, where there are any, replace
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
  func name(of node: AUParameterNode, length: Int) -> String?
}
