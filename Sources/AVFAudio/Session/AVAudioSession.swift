// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

/// The audio session of a program: how it uses sound, and its preferences for devices.
///
/// Preferences apply to units that are started later. The granted values are read from
/// `sampleRate`, `ioBufferDuration` and similar properties, before and after activation. Errors
/// have the domain `NSOSStatusErrorDomain`, a code of `AVAudioSession.ErrorCode`, and a description
/// that says what was expected. [control thread]
open class AVAudioSession: NSObject, @unchecked Sendable {  // it has no state of its own
  let session: Session

  init(_ session: Session) { self.session = session }

  private static let shared: AVAudioSession = {
    let shared = AVAudioSession(.shared)
    shared.post(to: .default)
    return shared
  }()

  /// The session of the process.
  open class func sharedInstance() -> AVAudioSession { shared }

  // MARK: Category and mode

  /// The available categories; those that use an input only if there is one.
  open var availableCategories: [Category] {
    let hasInput = session.isInputAvailable
    return SessionCategory.allCases.filter {
      $0 != .audioProcessing && (hasInput || !$0.usesInput)
    }
  }

  /// Sets the category, without options.
  open func setCategory(_ category: Category) throws {
    try run { () throws(AudioError) in try session.set(category) }
  }

  /// Sets the category and its options.
  open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    try run { () throws(AudioError) in
      try session.set(category, options: options)
    }
  }

  /// Sets the category, the mode and the options.
  open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    try run { () throws(AudioError) in
      try session.set(category, mode: mode, options: options)
    }
  }

  /// Sets the category, the mode, the policy and the options.
  open func setCategory(
    _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
  ) throws {
    try run { () throws(AudioError) in
      try session.set(category, mode: mode, options: options, policy: policy)
    }
  }

  /// The category; `.soloAmbient` until another is set.
  open var category: Category { session.setup.category }

  /// The options that were set, and those that these and the mode imply.
  open var categoryOptions: CategoryOptions { session.setup.effectiveOptions }

  /// The policy.
  open var routeSharingPolicy: RouteSharingPolicy { session.setup.policy }

  /// The modes allowed in the category.
  open var availableModes: [Mode] { SessionSetup.modes(of: session.setup.category) }

  /// Sets the mode.
  open func setMode(_ mode: Mode) throws {
    try run { () throws(AudioError) in try session.set(mode: mode) }
  }

  /// The mode.
  open var mode: Mode { session.setup.mode }

  // MARK: Activation

  /// Activates or deactivates the session. While audio units run, deactivating throws
  /// `ErrorCode.isBusy`.
  open func setActive(_ active: Bool) throws { try setActive(active, options: []) }

  /// Activates or deactivates the session. When this program falls silent, the sound server lets
  /// other programs continue, with and without the option.
  open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    try run { () throws(AudioError) in
      guard options.isSubset(of: .notifyOthersOnDeactivation) else {
        throw .invalidArgument.because("0x\(String(options.rawValue, radix: 16)): no such option")
      }
      if active { try session.activate() } else { try session.deactivate() }
    }
  }

  /// Activates the session and reports the result on a separate thread.
  open func activate(
    options: ActivationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    DispatchQueue.global().async {
      do {
        try self.setActive(true)
        completionHandler(true, nil)
      } catch { completionHandler(false, error) }
    }
  }

  // MARK: Permission

  /// This system has no permission prompt: recording is granted.
  open var recordPermission: RecordPermission { .granted }

  /// Reports immediately, on a separate thread, that recording is permitted.
  open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.global().async { response(true) }
  }

  // MARK: Other programs

  /// Whether another program plays.
  open var isOtherAudioPlaying: Bool { session.isOtherAudioPlaying }

  /// Whether less important sound should be silent because another program plays.
  open var secondaryAudioShouldBeSilencedHint: Bool { session.isOtherAudioPlaying }

  // MARK: Errors

  /// Runs a call and converts its failure to an `NSError`.
  func run<Result>(_ body: () throws(AudioError) -> Result) throws -> Result {
    do throws(AudioError) { return try body() } catch { throw NSError(error) }
  }
}
