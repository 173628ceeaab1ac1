// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// A short sound in memory, and the node that plays it.
struct Pad {
  let format: AVAudioFormat
  /// The signs of a pattern at which it sounds.
  let signs: String
  let player = AVAudioPlayerNode()
  private let sound: AVAudioPCMBuffer

  /// A tone that decays within a tenth of a second.
  init(_ signs: String, _ frequency: Double, _ sampleRate: Double) throws {
    self.signs = signs
    let count = Int(sampleRate / 10)
    format = try some(AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 1))
    sound = try some(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(count)))
    let samples = try some(sound.floatChannelData)[0]
    for frame in 0..<count {
      let time = Double(frame) / format.sampleRate
      samples[frame] = Float(sin(2 * .pi * frequency * time) * exp(-40 * time))
    }
    sound.frameLength = AVAudioFrameCount(count)
  }

  /// Plays the sound at a frame after the start of the player.
  func schedule(at frame: AVAudioFramePosition) {
    let time = AVAudioTime(sampleTime: frame, atRate: format.sampleRate)
    player.scheduleBuffer(sound, at: time)
  }
}
