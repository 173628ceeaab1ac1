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

/// The name of the notification that the process of a plug-in has ended. It is posted on a thread of the
/// library; its user information has the `AudioUnit` itself under "audioUnit" (not an `NSValue`, which has no
/// pointers here), and its object is the unit's `AUAudioUnit`, if there is one.
///
/// The unit lives on, without the sound of the plug-in: it passes its input on if it is an effect. Its next
/// initialization starts another process.
public nonisolated(unsafe) let kAudioComponentInstanceInvalidationNotification: CFString =
  "kAudioComponentInstanceInvalidationNotification" as NSString

/// The object for a unit in that notification; set by the target that has such objects.
package nonisolated(unsafe) var objectOfUnit: @Sendable (AudioUnit) -> AnyObject? = { _ in nil }

/// [thread of the library] Tells the program that the process of a plug-in has ended.
func postInvalidation(of unit: AudioUnit) {
  let name = Notification.Name("\(kAudioComponentInstanceInvalidationNotification)")
  NotificationCenter.default.post(
    name: name, object: objectOfUnit(unit),
    userInfo: ["audioUnit": unit])
}
