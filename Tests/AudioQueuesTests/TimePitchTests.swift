// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("The time pitch of a queue")
struct TimePitchTests {
  enum Algorithm: Int, CaseIterable, Sendable {
    case spectral, timeDomain, varispeed, zeroLatency

    var code: UInt32 {
      switch self {
      case .spectral: UInt32(kAudioQueueTimePitchAlgorithm_Spectral)
      case .timeDomain: UInt32(kAudioQueueTimePitchAlgorithm_TimeDomain)
      case .varispeed: UInt32(kAudioQueueTimePitchAlgorithm_Varispeed)
      case .zeroLatency: UInt32(kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency)
      }
    }
  }

  /// A queue with time pitch, which renders to memory.
  private func player(_ algorithm: Algorithm, isOffline: Bool = true) throws -> TestPlayer {
    let player = try TestPlayer(floatFormat())
    try #require(player.set(kAudioQueueProperty_EnableTimePitch, UInt32(1)) == noErr)
    try #require(player.set(kAudioQueueProperty_TimePitchAlgorithm, algorithm.code) == noErr)
    if isOffline {
      var format = floatFormat()
      try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    }
    return player
  }

  /// Enqueues a sound in buffers, and renders all of it; `between` is called before each slice.
  private func play(
    _ sound: [Float], on player: TestPlayer, slice: Int = 1_000,
    between: (Int) -> Void = { _ in }
  ) throws -> [Float] {
    for start in stride(from: 0, to: sound.count, by: 10_000) {
      try player.enqueue(Array(sound[start..<min(start + 10_000, sound.count)]))
    }
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    try #require(AudioQueueStop(player.queue, false) == noErr)
    return try player.renderAll(slice: UInt32(slice), between: between)
  }

  private func cents(_ frequency: Double, over other: Double) -> Double {
    1_200 * log2(frequency / other)
  }

  private func frequency(_ samples: [Float], _ range: Range<Int>, near: Double) -> Double {
    Signal(Array(samples[range])).tone(near: near).frequency
  }

  private let tone = Signal.sine(1_000, amplitude: 0.5, count: 96_000).floats

  @Test(
    "outputs the number of frames that the rate determines, with the pitch within a cent",
    arguments: [Algorithm.spectral, .timeDomain, .zeroLatency], [0.5, 0.8, 1.25, 2] as [Float])
  func rate(algorithm: Algorithm, rate: Float) throws {
    let player = try player(algorithm)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, rate)
    let played = try play(tone, on: player)
    #expect(abs(played.count - Int(96_000 / rate)) <= 1)
    let found = frequency(played, played.count / 4..<played.count * 3 / 4, near: 1_000)
    #expect(abs(cents(found, over: 1_000)) < 1)
  }

  @Test("changes the pitch with the rate in varispeed")
  func varispeed() throws {
    let player = try player(.varispeed)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, 2)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, 1_200)
    let played = try play(tone, on: player)
    #expect(abs(played.count - 48_000) <= 1)
    #expect(abs(frequency(played, 10_000..<40_000, near: 2_000) - 2_000) < 0.01)
  }

  @Test("shifts the pitch without changing the length", arguments: [-1_200, 700, 1_200] as [Float])
  func pitch(cents: Float) throws {
    let player = try player(.spectral)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, cents)
    let played = try play(tone, on: player)
    #expect(abs(played.count - 96_000) <= 1)
    let expected = 1_000 * exp2(Double(cents) / 1_200)
    let found = frequency(played, 24_000..<72_000, near: expected)
    #expect(abs(self.cents(found, over: expected)) < 1)
  }

  @Test("changes rate and pitch at the first frame of the buffer with the events")
  func events() throws {
    let player = try player(.spectral)
    try player.enqueue(tone)
    var events = [
      AudioQueueParameterEvent(mID: kAudioQueueParam_PlayRate, mValue: 2),
      AudioQueueParameterEvent(mID: kAudioQueueParam_Pitch, mValue: 1_200),
    ]
    let second = try player.buffer(tone)
    try #require(
      AudioQueueEnqueueBufferWithParameters(
        player.queue, second, 0, nil, 0, 0, 2, &events, nil, nil) == noErr)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    try #require(AudioQueueStop(player.queue, false) == noErr)
    let played = try player.renderAll()
    // Two seconds at rate 1 and one at rate 2. Frames in the method at a change of pitch are
    // corrected.
    #expect(abs(played.count - 144_000) <= 2_000, "\(played.count)")
    #expect(abs(cents(frequency(played, 20_000..<90_000, near: 1_000), over: 1_000)) < 1)
    #expect(abs(cents(frequency(played, 105_000..<135_000, near: 2_000), over: 2_000)) < 1)
  }

  @Test("keeps its length while the program changes the pitch", arguments: [64, 1_000])
  func automation(slice: Int) throws {
    let player = try player(.spectral)
    let sound = Signal.sine(500, amplitude: 0.5, count: 480_000).floats
    var done = 0
    let played = try play(sound, on: player, slice: slice) { frames in
      // An octave up for three seconds, then back.
      if done < 48_000, frames >= 48_000 {
        AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, 1_200)
      } else if done < 192_000, frames >= 192_000 {
        AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, 0)
      }
      done = frames
    }
    #expect(abs(played.count - 480_000) <= 100, "\(played.count)")
    for (range, expected) in [
      (10_000..<40_000, 500.0), (60_000..<190_000, 1_000), (350_000..<470_000, 500),
    ] {
      // The pitch stays constant while the length is corrected.
      #expect(abs(cents(frequency(played, range, near: expected), over: expected)) < 1)
    }
  }

  @Test("passes the sound unchanged while it is bypassed", arguments: Algorithm.allCases)
  func bypass(algorithm: Algorithm) throws {
    let player = try player(algorithm)
    #expect(player.set(kAudioQueueProperty_TimePitchBypass, UInt32(1)) == noErr)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, 2)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, 700)
    let sound = noise(50_000)
    let played = try play(sound, on: player, slice: 777)
    #expect(played == sound)
  }

  @Test("is switched to bypass and back while it plays, without a click")
  func bypassing() throws {
    let player = try player(.spectral)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_Pitch, 1_200)
    var state = UInt32(0)
    let played = try play(tone, on: player, slice: 500) { frames in
      let expected: UInt32 = (30_000..<60_000).contains(frames) ? 1 : 0
      guard expected != state else { return }
      state = expected
      #expect(player.set(kAudioQueueProperty_TimePitchBypass, expected) == noErr)
    }
    #expect(abs(cents(frequency(played, 35_000..<58_000, near: 1_000), over: 1_000)) < 1)
    #expect(abs(cents(frequency(played, 70_000..<90_000, near: 2_000), over: 2_000)) < 1)
    // The tone at 2,000 Hz rises by 0.13 from sample to sample.
    let steepest = zip(played.dropFirst(), played).map { abs($0 - $1) }.max() ?? 1
    #expect(steepest < 0.2, "\(steepest)")
  }

  @Test("adds no delay: a transient is where the rate puts it", arguments: [1, 2] as [Float])
  func alignment(rate: Float) throws {
    var sound = [Float](repeating: 0, count: 48_000)
    for frame in 0..<2_000 {
      sound[24_000 + frame] = Float(sin(Double(frame) * 0.1) * exp(-Double(frame) / 300))
    }
    for algorithm in [Algorithm.spectral, .varispeed] {
      let player = try player(algorithm)
      AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, rate)
      let played = try play(sound, on: player)
      let begin = try #require(played.firstIndex { abs($0) > 0.2 })
      #expect(abs(begin - Int(24_000 / rate)) < 50, "\(algorithm): \(begin)")
    }
  }

  @Test("begins a buffer at its start time, after playing all earlier frames")
  func startTimes() throws {
    let player = try player(.timeDomain)
    AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, 2)
    try player.enqueue([Float](repeating: 0.5, count: 20_000))
    var start = AudioTimeStamp()
    start.mSampleTime = 30_000
    start.mFlags = .sampleTimeValid
    var actual = AudioTimeStamp()
    let second = try player.buffer([Float](repeating: -0.5, count: 20_000))
    try #require(
      AudioQueueEnqueueBufferWithParameters(
        player.queue, second, 0, nil, 0, 0, 0, nil, &start, &actual) == noErr)
    #expect(actual.mSampleTime == 30_000)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    try #require(AudioQueueStop(player.queue, false) == noErr)
    let played = try player.renderAll()
    #expect(played[..<8_500].allSatisfy { $0 == 0.5 })
    #expect(played[10_000..<30_000].allSatisfy { $0 == 0 })
    #expect(played[30_000..<38_500].allSatisfy { $0 == -0.5 })
    #expect(abs(played.count - 40_000) <= 1)
  }

  @Test("plays on a device at a rate and pitch that change while it plays")
  func device() throws {
    let tape = Tape()
    try onDevice(tape) {
      let player = try player(.spectral, isOffline: false)
      AudioQueueSetParameter(player.queue, kAudioQueueParam_PlayRate, 2)
      try player.enqueue(tone)
      var event = AudioQueueParameterEvent(mID: kAudioQueueParam_Pitch, mValue: -1_200)
      try #require(
        AudioQueueEnqueueBufferWithParameters(
          player.queue, try player.buffer(tone), 0, nil, 0, 0, 1, &event, nil, nil) == noErr)
      try player.playToEnd()
      #expect(
        try player.property(
          AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns), AUDiagnosticsXruns()
        ).mCount == 0)
    }
    let played = try tape.samples()[0].sounding
    #expect(abs(cents(frequency(played, 10_000..<40_000, near: 1_000), over: 1_000)) < 1)
    #expect(abs(cents(frequency(played, 60_000..<90_000, near: 500), over: 500)) < 1)
  }

  @Test("refuses unknown algorithms, and changes while it plays")
  func refusals() throws {
    let player = try player(.spectral)
    let id = kAudioQueueProperty_TimePitchAlgorithm
    #expect(player.set(id, UInt32(7)) == kAudioQueueErr_InvalidPropertyValue)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(player.set(id, Algorithm.varispeed.code) == kAudioQueueErr_InvalidRunState)
    #expect(
      player.set(kAudioQueueProperty_EnableTimePitch, UInt32(0)) == kAudioQueueErr_InvalidRunState)
  }
}
