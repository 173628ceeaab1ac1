// SPDX-License-Identifier: Apache-2.0
// How players handle notifications of the session, in the spellings of several years.
// Prints categoryChange, from Virtual to Virtual \+ Virtual
// Prints permission true true
// Prints older names true

import AVFoundation
import Foundation

final class Player: @unchecked Sendable {
  private let notified = DispatchSemaphore(value: 0)

  func setupNotifications() {
    let center = NotificationCenter.default
    let session = AVAudioSession.sharedInstance()
    _ = center.addObserver(
      forName: AVAudioSession.interruptionNotification, object: session, queue: nil
    ) { [weak self] in self?.handleInterruption(notification: $0) }
    _ = center.addObserver(
      forName: NSNotification.Name.AVAudioSessionRouteChange, object: nil, queue: nil
    ) { [weak self] in self?.handleRouteChange(notification: $0) }
    _ = center.addObserver(
      forName: .AVAudioSessionMediaServicesWereReset, object: nil, queue: .main
    ) { _ in print("media services were reset") }
  }

  func handleInterruption(notification: Notification) {
    guard let userInfo = notification.userInfo,
      let typeValue = userInfo[AVAudioSessionInterruptionTypeKey] as? UInt,
      let type = AVAudioSession.InterruptionType(rawValue: typeValue)
    else { return }
    switch type {
    case .began: print("interruption began")
    case .ended:
      guard let optionsValue = userInfo[AVAudioSessionInterruptionOptionKey] as? UInt else {
        return
      }
      let options = AVAudioSession.InterruptionOptions(rawValue: optionsValue)
      if options.contains(.shouldResume) { print("interruption ended, playback should resume") }
    @unknown default: break
    }
  }

  func handleRouteChange(notification: Notification) {
    guard let userInfo = notification.userInfo,
      let reasonValue = userInfo[AVAudioSessionRouteChangeReasonKey] as? UInt,
      let reason = AVAudioSession.RouteChangeReason(rawValue: reasonValue)
    else { return }
    // Older code reads it as a number.
    let number = (userInfo[AVAudioSessionRouteChangeReasonKey] as? NSNumber)?.uintValue
    precondition(number == nil || number == reasonValue)
    guard
      let previous = userInfo[AVAudioSessionRouteChangePreviousRouteKey]
        as? AVAudioSessionRouteDescription
    else { return }
    func names(_ route: AVAudioSessionRouteDescription) -> String {
      (route.outputs + route.inputs).map { $0.portType.rawValue }.joined(separator: " + ")
    }
    switch reason {
    case .newDeviceAvailable:
      for output in AVAudioSession.sharedInstance().currentRoute.outputs
      where output.portType == AVAudioSession.Port.headphones {
        print("headphones connected")
      }
    case .oldDeviceUnavailable: print("stop: \(names(previous)) is gone")
    case .categoryChange:
      print(
        "categoryChange, from \(names(previous)) to "
          + names(AVAudioSession.sharedInstance().currentRoute))
      notified.signal()
    default: break
    }
  }

  func waitForNotification() { _ = notified.wait(timeout: .now() + 5) }
}

let player = Player()
player.setupNotifications()
let audioSession = AVAudioSession.sharedInstance()
do {
  try audioSession.setCategory(
    .playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetooth])
  try audioSession.setActive(true, options: .notifyOthersOnDeactivation)
} catch {
  fatalError("audioSession properties weren't set because of an error. \(error)")
}
player.waitForNotification()

let answered = DispatchSemaphore(value: 0)
AVAudioSession.sharedInstance().requestRecordPermission { granted in
  print("permission \(granted) \(AVAudioApplication.shared.recordPermission == .granted)")
  answered.signal()
}
answered.wait()

try audioSession.setCategory(AVAudioSessionCategoryPlayback, withOptions: .mixWithOthers)
try audioSession.setPreferredHardwareSampleRate(48_000)
let areAvailable =
  audioSession.category == AVAudioSession.Category(rawValue: "AVAudioSessionCategoryPlayback")
  && audioSession.currentHardwareSampleRate > 0 && audioSession.outputVolume >= 0
print("older names \(areAvailable)")
