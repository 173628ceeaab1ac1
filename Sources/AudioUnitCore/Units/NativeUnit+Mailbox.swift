// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Reports that a global property of a unit changed while it rendered.
struct PropertyMessage: BitwiseCopyable {
  /// The unit's handle.
  let handle: UInt
  let property: AudioUnitPropertyID

  @_noLocks
  init(_ handle: UInt, _ property: AudioUnitPropertyID) {
    self.handle = handle
    self.property = property
  }
}

// The notifier's thread reports changes found by renders to listeners. The notifier is independent
// of units: the first unit adds a mailbox to it.
extension NativeUnit {
  /// The messages from render threads to the notifier. Its memory is never freed.
  nonisolated(unsafe) static let mailbox: UnsafeMutablePointer<MessageQueue<PropertyMessage>> = {
    let mailbox = UnsafeMutablePointer.cell(MessageQueue<PropertyMessage>(capacity: 1_024))
    nonisolated(unsafe) let messages = mailbox
    Notifier.shared.addMailbox { while let message = messages.pointee.pop() { deliver(message) } }
    return mailbox
  }()

  /// [notifier] Calls the listeners of a property that changed, if its unit still exists.
  private static func deliver(_ message: PropertyMessage) {
    guard let handle = AudioUnit(bitPattern: message.handle),
      let unit = Handles.units.enter(handle)
    else { return }
    defer { Handles.units.leave(handle) }
    (unit.takeUnretainedValue() as? NativeUnit)?.notifyListeners(
      PropertyAddress(message.property, kAudioUnitScope_Global, 0))
  }
}
