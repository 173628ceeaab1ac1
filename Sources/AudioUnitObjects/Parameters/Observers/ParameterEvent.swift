// SPDX-License-Identifier: Apache-2.0
import CoreAudio

/// A change or gesture of a parameter.
struct ParameterEvent: BitwiseCopyable, Sendable {
  var value: AUValue
  /// On the machine's clock.
  var hostTime: UInt64
  var type: AUParameterAutomationEventType
  /// The bits of the token of the observer that is not notified; 0: none.
  var originator: UInt
}
