// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

// What a program passes to the nodes of a parameter tree.

/// Receives the address of a parameter, and its new value.
public typealias AUParameterObserver = (_ address: AUParameterAddress, _ value: AUValue) -> Void

/// Receives a number of changes.
public typealias AUParameterRecordingObserver = (
  _ numberOfEvents: Int, _ events: UnsafePointer<AURecordedParameterEvent>
) -> Void

/// Receives a number of changes and gestures.
public typealias AUParameterAutomationObserver = (
  _ numberEvents: Int, _ events: UnsafePointer<AUParameterAutomationEvent>
) -> Void

/// Takes a parameter's new value over into the unit.
public typealias AUImplementorValueObserver = (_ param: AUParameter, _ value: AUValue) -> Void

/// Returns a parameter's value in the unit.
public typealias AUImplementorValueProvider = (_ param: AUParameter) -> AUValue

/// Returns the text of a value; nil is the current value.
public typealias AUImplementorStringFromValueCallback = (
  _ param: AUParameter, _ value: UnsafePointer<AUValue>?
) -> String

/// Returns the value of a text.
public typealias AUImplementorValueFromStringCallback = (
  _ param: AUParameter, _ string: String
) -> AUValue

/// Returns the name of a node in at most this many characters.
public typealias AUImplementorDisplayNameWithLengthCallback = (
  _ node: AUParameterNode, _ desiredLength: Int
) -> String
