// SPDX-License-Identifier: Apache-2.0
// Plays a sound file through effects: EnginePlayer FILE [SPEED] [REVERB]
//
// SPEED is from 0.5 to 2 and leaves the pitch as it is, REVERB a percentage.
import AVFoundation
import ExampleSupport

run("EnginePlayer FILE [SPEED] [REVERB]") { arguments in
  let file = try AVAudioFile(forReading: URL(fileURLWithPath: arguments.text("FILE")))
  _ = try activateSession(.playback)
  let engine = AVAudioEngine()
  let player = AVAudioPlayerNode()

  let speed = AVAudioUnitTimePitch()
  speed.rate = Float(try arguments.number("SPEED", in: 0.5...2, default: 1))

  let warmth = AVAudioUnitEQ(numberOfBands: 1)
  warmth.bands[0].filterType = .highShelf
  warmth.bands[0].frequency = 6_000
  warmth.bands[0].gain = -3
  warmth.bands[0].bypass = false

  let room = AVAudioUnitReverb()
  room.loadFactoryPreset(.largeHall)
  room.wetDryMix = Float(try arguments.number("REVERB", in: 0...100, default: 25))

  // A chain: each node feeds the next one, and the last one the mixer before the output.
  let chain = [player, speed, warmth, room]
  for node in chain { engine.attach(node) }
  for (node, next) in zip(chain, chain.dropFirst()) {
    try engine.connectNode(node, to: next, format: file.processingFormat)
  }
  try engine.connectNode(room, to: engine.mainMixerNode, format: file.processingFormat)

  let played = DispatchSemaphore(value: 0)
  try engine.start()
  player.scheduleFile(file, at: nil, completionCallbackType: .dataPlayedBack) { _ in
    played.signal()
  }
  try player.playAudio()
  played.wait()
  // The speed and the room sound on for a while.
  wait(seconds: 2)
  engine.stop()
}
