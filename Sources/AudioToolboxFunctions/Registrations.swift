// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// The name of the notification that a component was registered, which has no object. It is posted
/// on a thread of the library.
public nonisolated(unsafe) let kAudioComponentRegistrationsChangedNotification: CFString =
  "kAudioComponentRegistrationsChangedNotification" as NSString

/// Tells the program that a component was registered, on another thread: the component may be
/// registered while a plug-in is loaded.
package func postRegistrationsChanged() {
  DispatchQueue.global().async {
    let name = Notification.Name("\(kAudioComponentRegistrationsChangedNotification)")
    NotificationCenter.default.post(name: name, object: nil)
  }
}
