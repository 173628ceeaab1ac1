// SPDX-License-Identifier: Apache-2.0
import AVFAudio

/// An engine of 32 players, 8 equalisers and 3 mixers in offline rendering. The first players go through
/// an equaliser each; all loop the same second of noise.
final class PlayingEngine {
  static let sampleRate = 44_100.0
  static let playerCount = 32
  static let effectCount = 8
  static let volume: Float = 0.03

  let engine = AVAudioEngine()
  /// What the players play.
  let sound: AVAudioPCMBuffer
  private let output: AVAudioPCMBuffer

  init() throws {
    guard
      let format = AVAudioFormat(standardFormatWithSampleRate: Self.sampleRate, channels: 2),
      let output = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)
    else { fail("no format") }
    self.output = output
    sound = try Self.noise(format, AVAudioFrameCount(Self.sampleRate))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    let mixers = [AVAudioMixerNode(), AVAudioMixerNode()]
    for mixer in mixers {
      engine.attach(mixer)
      engine.connect(mixer, to: engine.mainMixerNode, format: format)
    }
    let players = (0..<Self.playerCount).map { number in
      let player = AVAudioPlayerNode()
      engine.attach(player)
      player.volume = Self.volume
      connect(player, number < Self.effectCount, to: mixers[number % 2], format)
      return player
    }
    try engine.start()
    for player in players {
      player.scheduleBuffer(sound, at: nil, options: .loops)
      player.play()
    }
  }

  private func connect(
    _ player: AVAudioPlayerNode, _ isFiltered: Bool, to mixer: AVAudioMixerNode,
    _ format: AVAudioFormat
  ) {
    guard isFiltered else { return engine.connect(player, to: mixer, format: format) }
    let equaliser = AVAudioUnitEQ(numberOfBands: 1)
    let band = equaliser.bands[0]
    (band.filterType, band.frequency, band.gain, band.bypass) = (.parametric, 1_000, 6, false)
    engine.attach(equaliser)
    engine.connect(player, to: equaliser, format: format)
    engine.connect(equaliser, to: mixer, format: format)
  }

  /// A buffer of noise that is the same each time.
  static func noise(
    _ format: AVAudioFormat, _ frames: AVAudioFrameCount
  ) throws -> AVAudioPCMBuffer {
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames),
      let channels = buffer.floatChannelData
    else { fail("no buffer") }
    buffer.frameLength = frames
    for channel in 0..<Int(format.channelCount) {
      for frame in 0..<Int(frames) {
        channels[channel][frame] = Float(frame * 7 % 441) / 441 - 0.499
      }
    }
    return buffer
  }

  /// What was rendered last, left.
  var samples: UnsafePointer<Float> {
    guard let channels = output.floatChannelData else { fail("no samples") }
    return UnsafePointer(channels[0])
  }

  /// Renders the next frames.
  func render(_ frames: UInt32) {
    do { try engine.renderOffline(frames, to: output) } catch { fail("\(error)") }
  }
}
