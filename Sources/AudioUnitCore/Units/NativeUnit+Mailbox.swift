// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// The notifier's thread reports changes found by renders to listeners. The notifier is independent
// of units: the first unit adds a mailbox to it.
extension NativeUnit {
  /// The queue for messages from render threads to the notifier.
  static let mailbox: PropertyMailbox = {
    let mailbox = PropertyMailbox.allocate()
    Notifier.shared.addMailbox { while let message = mailbox.next() { deliver(message) } }
    return mailbox
  }()

  /// [notifier] Calls the listeners of a property that changed, if its unit still exists.
  private static func deliver(_ message: PropertyMailbox.Message) {
    guard let handle = AudioUnit(bitPattern: message.handle),
      let unit = Handles.units.enter(handle)
    else { return }
    defer { Handles.units.leave(handle) }
    (unit.takeUnretainedValue() as? NativeUnit)?.notifyListeners(
      PropertyAddress(message.property, kAudioUnitScope_Global, 0))
  }
}
