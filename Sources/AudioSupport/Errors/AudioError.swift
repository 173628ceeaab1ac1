// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CRealTime
import PlainText

/// A failure as the C API reports it, with an explanation of what was wrong.
///
/// The corresponding C type is `OSStatus`; each static member is named after its C constant.
public struct AudioError: Error, Equatable, Sendable {
  /// The code that the C function returns.
  public let status: OSStatus
  /// Which unit, bus, format or value was wrong, and what would have been right; may be empty.
  public private(set) var explanation = ""

  /// A failure with a code from elsewhere, such as a host's callback or a foreign unit.
  public init(status: OSStatus) { self.status = status }

  /// The same failure with a reason.
  ///
  /// Inside a render call the reason is left out, because composing it would allocate.
  public func because(_ explanation: @autoclosure () -> String) -> Self {
    guard rt_current().pointee.depth == 0 else { return self }
    var error = self
    error.explanation = explanation()
    return error
  }

  /// The same failure, with `subject` before its reason: "output unit #3: …".
  public func of(_ subject: String) -> Self {
    because(explanation.isEmpty ? subject : "\(subject): \(explanation)")
  }

  /// The code by its name, and the reason.
  package var text: String { text(from: "") }

  /// As above, for a failure of the function `call`, to whose family the code belongs.
  func text(from call: String) -> String {
    let name = StatusName.text(status, from: call)
    let reason = knownReason(from: call)
    return reason.isEmpty ? name : "\(name): \(reason)"
  }

  /// Why it failed, for people who did not write the call; if no reason is known, the meaning of
  /// the code, or the code itself.
  package var reason: String { reason(from: "") }

  /// As above, for a failure of the function `call`.
  func reason(from call: String) -> String {
    let reason = knownReason(from: call)
    return reason.isEmpty ? StatusName.text(status, from: call) : reason
  }

  private func knownReason(from call: String) -> String {
    explanation.isEmpty
      ? StatusName.of(status, from: call)?.meaning ?? "" : Excerpt.of(explanation)
  }

  /// A failure without a reason yet; each is named after its C constant.
  public static var invalidProperty: Self { Self(status: kAudioUnitErr_InvalidProperty) }
  public static var invalidParameter: Self { Self(status: kAudioUnitErr_InvalidParameter) }
  public static var invalidElement: Self { Self(status: kAudioUnitErr_InvalidElement) }
  public static var noConnection: Self { Self(status: kAudioUnitErr_NoConnection) }
  public static var failedInitialization: Self { Self(status: kAudioUnitErr_FailedInitialization) }
  public static var formatNotSupported: Self { Self(status: kAudioUnitErr_FormatNotSupported) }
  public static var uninitialized: Self { Self(status: kAudioUnitErr_Uninitialized) }
  public static var invalidScope: Self { Self(status: kAudioUnitErr_InvalidScope) }
  public static var propertyNotWritable: Self { Self(status: kAudioUnitErr_PropertyNotWritable) }
  public static var invalidPropertyValue: Self { Self(status: kAudioUnitErr_InvalidPropertyValue) }
  public static var propertyNotInUse: Self { Self(status: kAudioUnitErr_PropertyNotInUse) }
  public static var initialized: Self { Self(status: kAudioUnitErr_Initialized) }
  public static var invalidFile: Self { Self(status: kAudioUnitErr_InvalidFile) }
  public static var invalidFilePath: Self { Self(status: kAudioUnitErr_InvalidFilePath) }
  public static var unimplemented: Self { Self(status: kAudio_UnimplementedError) }
  public static var invalidArgument: Self { Self(status: kAudio_ParamError) }
  public static var outOfMemory: Self { Self(status: kAudio_MemFullError) }
  public static var fileNotFound: Self { Self(status: kAudio_FileNotFoundError) }
  public static var filePermission: Self { Self(status: kAudio_FilePermissionError) }

  /// Another thread is rendering or changing the unit.
  public static var cannotDoInCurrentContext: Self {
    Self(status: kAudioUnitErr_CannotDoInCurrentContext)
  }

  /// A parameter value that is NaN or infinite.
  public static var invalidParameterValue: Self {
    Self(status: kAudioUnitErr_InvalidParameterValue)
  }

  /// An instance that has been disposed of.
  public static var instanceInvalidated: Self {
    Self(status: kAudioComponentErr_InstanceInvalidated)
  }

  /// A component with the same codes is already registered.
  public static var duplicateDescription: Self {
    Self(status: kAudioComponentErr_DuplicateDescription)
  }
}
