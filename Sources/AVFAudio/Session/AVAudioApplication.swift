// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioToolbox

/// Settings of the whole program.
open class AVAudioApplication: NSObject, @unchecked Sendable {  // it has no state of its own
  /// Whether recording is permitted.
  public enum recordPermission: Int, Sendable {
    /// The user has not been asked.
    case undetermined = 0x756e_6474  // 'undt'
    /// The user does not permit it.
    case denied = 0x6465_6e79  // 'deny'
    /// The user permits it.
    case granted = 0x6772_6e74  // 'grnt'
  }

  private static let one = AVAudioApplication()

  /// The application of the process.
  open class var shared: AVAudioApplication { one }

  override init() { super.init() }

  // MARK: Muting

  /// The input has been muted or unmuted; the user information has the new state.
  public static let inputMuteStateChangeNotification = Notification.Name(
    "AVAudioApplicationInputMuteStateChangeNotification")

  /// The key of a Boolean: whether the input is muted.
  public static let muteStateKey = "AVAudioApplicationMuteStateKey"

  /// Whether the program gets silence from all devices, instead of what they capture.
  open var isInputMuted: Bool { InputMute.isOn }

  /// Mutes or unmutes what the program captures, from the next cycle on: engines, recorders, queues and
  /// units. Posts `inputMuteStateChangeNotification` if that changes.
  open func setInputMuted(_ muted: Bool) throws {
    guard InputMute.exchange(muted) != muted else { return }
    NotificationCenter.default.post(
      name: Self.inputMuteStateChangeNotification, object: self,
      userInfo: [Self.muteStateKey: muted])
  }

  // MARK: Permission

  /// This system has no permission prompt: recording is granted.
  open var recordPermission: AVAudioApplication.recordPermission { .granted }

  /// Reports immediately, on a separate thread, that recording is permitted.
  open class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {
    DispatchQueue.global().async { response(true) }
  }

  /// As above, for `async` code.
  @discardableResult
  open class func requestRecordPermission() async -> Bool { true }
}
