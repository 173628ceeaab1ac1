// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// Changes found by renders are reported to listeners on the notifier's thread. The notifier knows
// no units: the first unit gives it a mailbox to empty.
extension NativeUnit {
  /// Where render threads leave their messages; the notifier empties it.
  static let mailbox: PropertyMailbox = {
    let mailbox = PropertyMailbox.allocate()
    Notifier.shared.addMailbox { while let message = mailbox.next() { deliver(message) } }
    return mailbox
  }()

  /// [notifier] Calls the listeners of a property that changed, if its unit is still there.
  private static func deliver(_ message: PropertyMailbox.Message) {
    guard let handle = AudioUnit(bitPattern: message.handle),
      let unit = Handles.units.enter(handle)
    else { return }
    defer { Handles.units.leave(handle) }
    (unit.takeUnretainedValue() as? NativeUnit)?.notifyListeners(
      PropertyAddress(message.property, kAudioUnitScope_Global, 0))
  }
}
