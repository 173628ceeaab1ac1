// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import SignalProcessing

/// A call in a simulated room: talkers by espeak-ng, and an echo path by image sources.
///
/// The far talker speaks from 0 to 12 s and from 17 to 34 s, the near talker from 12 to 24 s and
/// from 34 s on; at 24 s the echo path changes. Talkers are at -26 dBFS.
struct VoiceCall {
  static let seconds = 42

  /// The simulated conditions.
  struct Setup {
    var name: String
    var rate = 16_000.0
    /// Seconds until the first echo.
    var delay = 0.05
    var isDelayKnown = true
    /// The reverberation time (60 dB) of the room, in seconds.
    var decay = 0.4
    /// The level of the echo relative to the near talker, in decibels.
    var echoGain = 0.0
    /// The level of noise relative to the talkers, in decibels.
    var noise: Double?
    /// The delay after the change; nil: the echo path changes instead.
    var nextDelay: Double?
    /// The level from which on the loudspeaker clips, softly.
    var clipping: Double?
  }

  let setup: Setup
  /// The loudspeaker signal, the microphone signal, and the near talker's part of it.
  let far: [Float]
  let microphone: [Float]
  let near: [Float]

  /// - Throws: If espeak-ng is missing.
  init(_ setup: Setup, in folder: URL) throws {
    self.setup = setup
    let rate = setup.rate
    let count = Self.seconds * Int(rate)
    func during(_ times: [ClosedRange<Double>], _ samples: [Float]) -> [Float] {
      (0..<count).map { frame in
        let time = Double(frame) / rate
        return times.contains { $0.contains(time) } ? samples[frame % samples.count] : 0
      }
    }
    far = during(
      [0...12, 17...34], try Self.say(Self.farWords, "en-us", "40", "160", rate, folder))
    let near = during(
      [12...24, 34...42], try Self.say(Self.nearWords, "en-gb+f2", "60", "150", rate, folder))
    self.near = near
    let responses = [
      SimulatedRoom(source: [1.5, 1.2, 1], microphone: [2.1, 1.9, 1.1], seed: 1),
      SimulatedRoom(source: [3.6, 2.9, 1.4], microphone: [2.3, 1.6, 1.1], seed: 2),
    ].map { $0.response(sampleRate: rate, decay: setup.decay) }
    var played = far
    if let level = setup.clipping {
      for frame in played.indices {
        played[frame] = Float(level * tanh(Double(played[frame]) / level))
      }
    }
    let second = (delay: setup.nextDelay ?? setup.delay, room: setup.nextDelay == nil ? 1 : 0)
    var echoes: [[Float]] = []
    for (delay, room) in [(setup.delay, 0), second] {
      let late = [Float](repeating: 0, count: Int(delay * rate)) + played
      echoes.append(SimulatedRoom.convolve(late, responses[room], count: count))
    }
    let gain = Float(pow(10, setup.echoGain / 20))
    var random = Xoshiro256(seed: 5)
    let noise = setup.noise.map { 0.05 * pow(10, $0 / 20) * 3.0.squareRoot() } ?? 0
    microphone = (0..<count).map { frame in
      let echo = echoes[Double(frame) / rate < 24 ? 0 : 1][frame]
      let hiss = noise == 0 ? 0 : Float(Double.random(in: -noise...noise, using: &random))
      return gain * echo + near[frame] + hiss
    }
  }

  private static let farWords =
    "The quick brown fox jumps over the lazy dog. Every morning the train leaves at half past "
    + "seven, and I sit by the window to read. It rained all night and the river rose by more "
    + "than a metre before dawn. Please call me back when you have found the documents that we "
    + "talked about last week."
  private static let nearWords =
    "I would rather walk to the market than wait for a bus in this weather. Could you bring two "
    + "bottles of water, some bread and a little cheese? The meeting starts at nine, so let us "
    + "prepare the slides tonight."

  private static func say(
    _ words: String, _ voice: String, _ pitch: String, _ speed: String, _ rate: Double,
    _ folder: URL
  ) throws -> [Float] {
    let file = folder.appendingPathComponent("\(voice).wav")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "espeak-ng", "-v", voice, "-p", pitch, "-s", speed, "-w", file.path, words,
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Missing(name: "espeak-ng") }
    let samples = try read(file, rate: rate)
    let power = samples.reduce(0) { $0 + Double($1 * $1) } / Double(max(samples.count, 1))
    return samples.map { $0 * Float(0.05 / power.squareRoot()) }
  }

  struct Missing: Error { let name: String }

  /// The samples of a mono file, converted to another rate.
  private static func read(_ file: URL, rate: Double) throws -> [Float] {
    var opened: ExtAudioFileRef?
    guard ExtAudioFileOpenURL(file as CFURL, &opened) == noErr, let opened else {
      throw Missing(name: file.path)
    }
    defer { ExtAudioFileDispose(opened) }
    var format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: 4, mFramesPerPacket: 1,
      mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32, mReserved: 0)
    ExtAudioFileSetProperty(
      opened, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: format)),
      &format)
    var samples: [Float] = []
    while true {
      var piece = [Float](repeating: 0, count: 8_192)
      var frames = UInt32(piece.count)
      let status = piece.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        return ExtAudioFileRead(opened, &frames, &list)
      }
      guard status == noErr else { throw Missing(name: file.path) }
      if frames == 0 { return samples }
      samples += piece.prefix(Int(frames))
    }
  }
}
