// SPDX-License-Identifier: Apache-2.0
// Makes units on the main thread and waits for each with a semaphore: with callbacks, and with tasks that
// do not run on the main actor.
// Prints main thread
// Prints object, callback: AUDelay
// Prints node, callback: AUDelay
// Prints object, task: AUDelay
// Prints node, task: AUDelay
// Prints no component: an error

import AVFoundation

let delay = AudioComponentDescription(
  componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
  componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)

/// Blocks the thread until a unit is made.
func wait(_ title: String, for make: (@escaping @Sendable (String?) -> Void) -> Void) {
  let made = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var name: String?
  make {
    name = $0
    made.signal()
  }
  if made.wait(timeout: .now() + 30) == .timedOut { name = "nothing in 30 seconds" }
  print("\(title): \(name ?? "an error")")
}

print(Thread.isMainThread ? "main thread" : "another thread")
wait("object, callback") { done in
  AUAudioUnit.instantiate(with: delay, options: []) { unit, _ in done(unit?.audioUnitName) }
}
wait("node, callback") { done in
  AVAudioUnit.instantiate(with: delay, options: []) { unit, _ in done(unit?.name) }
}
wait("object, task") { done in
  Task.detached { done(try? await AUAudioUnit.instantiate(with: delay).audioUnitName) }
}
wait("node, task") { done in
  Task.detached { done(try? await AVAudioUnit.instantiate(with: delay).name) }
}
wait("no component") { done in
  var unknown = delay
  unknown.componentSubType = 0x6e6f_6e65
  AUAudioUnit.instantiate(with: unknown, options: []) { unit, _ in done(unit?.audioUnitName) }
}
