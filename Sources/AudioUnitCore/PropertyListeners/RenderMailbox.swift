// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// The way from render threads to the listeners of properties: the notifier's thread reports changes
/// found by renders. The notifier is independent of units: the first unit adds a mailbox to it.
enum RenderMailbox {
  /// The messages from render threads to the notifier. Its memory is never freed.
  nonisolated(unsafe) static let messages: UnsafeMutablePointer<MessageQueue<PropertyMessage>> = {
    let mailbox = UnsafeMutablePointer.cell(MessageQueue<PropertyMessage>(capacity: 1_024))
    nonisolated(unsafe) let messages = mailbox
    Notifier.shared.addMailbox { while let message = messages.pointee.pop() { deliver(message) } }
    return mailbox
  }()

  /// [notifier] Tells a unit which property changed, if the unit still exists.
  private static func deliver(_ message: PropertyMessage) {
    guard let handle = AudioUnit(bitPattern: message.handle),
      let unit = Handles.units.enter(handle)
    else { return }
    defer { Handles.units.leave(handle) }
    unit.takeUnretainedValue().renderChanged(message.property)
  }
}
