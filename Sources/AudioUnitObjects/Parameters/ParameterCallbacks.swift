// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

// What a program passes to the nodes of a parameter tree to follow changes.

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
