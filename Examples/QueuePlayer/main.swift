// SPDX-License-Identifier: Apache-2.0
// Plays a sound file with an audio queue: QueuePlayer FILE [VOLUME]
import AVFoundation
import ExampleSupport

run("QueuePlayer FILE [VOLUME]") { arguments in
  let volume = try arguments.number("VOLUME", in: 0...1, default: 1)
  _ = try activateSession(.playback)
  let player = try Player(arguments.text("FILE"))
  try player.start(volume: Float(volume))
  // The queue's callbacks run on this run loop.
  while player.isRunning {
    CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, false)
  }
}
