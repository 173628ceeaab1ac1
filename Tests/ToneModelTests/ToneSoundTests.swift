// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
@testable import ToneModel

@Suite("Sound files as signals")
struct ToneSoundTests {
  /// Ten periods of 1 kHz, which continue where they begin.
  private func tenPeriods(rate: Double, amplitude: Double = 0.3) -> Signal {
    .sine(1_000, amplitude: amplitude, sampleRate: rate, count: Int(rate / 100))
  }

  private func tone(_ path: String, level: Double = -6) throws -> Tone {
    var tone = Tone(level: level, waveform: .file)
    tone.sound = try ToneSound(path: path)
    return tone
  }

  private func played(
    _ channels: [Signal], level: Double = -6, fade: Double = 0, frames: Int = 24_000,
    slice: Int = 512, _ change: (inout Tone) -> Void = { _ in }
  ) throws -> Signal {
    try withSoundFile(channels) { path in
      var tone = try tone(path, level: level)
      change(&tone)
      let offline = try OfflineTone(tone, fade: fade, slice: slice)
      offline.render(frames)
      return offline.signal
    }
  }

  /// The channels of a mix.
  private func mixed(_ tone: Tone, channelCount: Int, frames: Int = 4_800) throws -> [Signal] {
    let mix = try ToneMix([tone], sampleRate: 48_000, channelCount: channelCount, fade: 0)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * frames)
    let list = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    defer {
      memory.deallocate()
      list.deallocate()
    }
    for channel in 0..<channelCount { (list + channel).initialize(to: memory + channel * frames) }
    mix.render(frames, list)
    return (0..<channelCount).map { channel in
      Signal(Array(UnsafeBufferPointer(start: memory + channel * frames, count: frames)))
    }
  }

  @Test(
    "repeats without a click, also at another rate, with its peak at the level",
    arguments: [48_000.0, 44_100, 96_000, 8_000])
  func loop(rate: Double) throws {
    let signal = try played([tenPeriods(rate: rate)])
    #expect(signal.distortionAndNoise(at: 1_000) < -110)
    #expect(abs(decibels(signal.tone(at: 1_000).amplitude) + 6) < 0.001)
  }

  @Test("at its own rate, its samples are only scaled", arguments: [1, 333, 1_024])
  func exact(slice: Int) throws {
    let samples = (0..<700).map { frame in Double((frame * 7_919) % 1_009) / 2_018 - 0.25 }
    let peak = samples.map(abs).max() ?? 0
    let signal = try played([Signal(samples)], level: -12, frames: 3_000, slice: slice)
    let gain = pow(10, -12.0 / 20) / peak
    for frame in 0..<3_000 {
      #expect(abs(signal.samples[frame] - samples[frame % 700] * gain) < 1e-7)
    }
  }

  @Test("a period that is no whole number of frames is converted several times")
  func periods() {
    #expect(SoundLoop.periods(480, from: 48_000, to: 96_000) == (480, 960))
    #expect(SoundLoop.periods(441, from: 44_100, to: 48_000) == (441, 480))
    #expect(SoundLoop.periods(100, from: 44_100, to: 48_000) == (14_700, 16_000))
    // A long one is not: half a frame in ten minutes.
    #expect(SoundLoop.periods(26_460_001, from: 44_100, to: 48_000) == (26_460_001, 28_800_001))
    #expect(SoundLoop.periods(1, from: 192_000.5, to: 1_000) == (1, 1))
  }

  @Test("the level may be the RMS of the loudest channel")
  func level() throws {
    let quiet = Signal(Array(repeating: [0.1, -0.1], count: 240).flatMap { $0 })
    try withSoundFile([tenPeriods(rate: 48_000, amplitude: 0.5), quiet]) { path in
      var tone = try tone(path)
      #expect(abs(tone.rmsRatio() - 0.5.squareRoot()) < 1e-6)
      let scale = LevelScale(rms: tone.rmsRatio())
      tone.level = try #require(scale.level(of: -23, in: .rms))
      let channels = try mixed(tone, channelCount: 2)
      #expect(abs(decibels(channels[0].rms) + 23) < 0.001)
      #expect(abs(decibels(channels[1].rms) + 23 - decibels(0.2 * 2.0.squareRoot())) < 0.001)
    }
  }

  @Test("channels of the output get those of the file in order, and a single one their mean")
  func channels() throws {
    let ones = [0.1, 0.2, 0.4].map { Signal([Double](repeating: $0, count: 100)) }
    try withSoundFile(ones) { path in
      var tone = try tone(path, level: 0)
      func heights(_ count: Int) throws -> [Double] {
        try mixed(tone, channelCount: count).map { ($0.samples[50] * 1e6).rounded() / 1e6 }
      }
      #expect(try heights(3) == [0.25, 0.5, 1])
      #expect(try heights(1) == [0.583_333])
      tone.channels = [2]
      #expect(try heights(4) == [0, 0.5, 0, 0])
      tone.channels = []
      tone.side = .right
      #expect(try heights(2) == [0, 0.5])
    }
    // The only channel of a file is on all.
    try withSoundFile([ones[0]]) { path in
      let tone = try tone(path, level: 0)
      #expect(try mixed(tone, channelCount: 2).map { $0.samples[50] } == [1, 1])
    }
  }

  @Test("begins at its first frame after a delay and with each repetition", arguments: [64, 500])
  func timing(slice: Int) throws {
    let ramp = Signal((1...4_000).map { Double($0) / 4_000 })
    let signal = try played([ramp], level: 0, frames: 12_000, slice: slice) {
      $0.timing = ToneTiming(delay: 0.05, duration: 0.025, pause: 0.025, count: 2)
    }
    #expect(signal[0..<2_400].peak == 0 && signal[3_600..<4_800].peak == 0)
    for start in [2_400, 4_800] {
      for frame in [0, 1, 600, 1_199] {
        #expect(abs(signal.samples[start + frame] - Double(frame + 1) / 4_000) < 1e-6)
      }
    }
  }

  @Test("takes the place of another waveform, and leaves it, without a click")
  func changes() throws {
    try withSoundFile([tenPeriods(rate: 48_000)]) { path in
      let offline = try OfflineTone(Tone(frequency: 1_000, level: -6))
      offline.render(seconds: 0.2)
      offline.source.tone = try tone(path)
      offline.render(seconds: 0.3)
      let middle = offline.signal.count
      offline.source.tone = Tone(frequency: 1_000, level: -6, waveform: .constant)
      offline.render(seconds: 0.3)
      let last = offline.signal.count
      offline.source.tone = Tone(frequency: 1_000, level: -6)
      offline.render(seconds: 0.3)
      #expect(offline.signal.largestBend(frequency: 1_000, amplitude: 0.502) < 1.1)
      #expect(offline.signal[(middle - 4_800)..<middle].distortionAndNoise(at: 1_000) < -110)
      let constant = offline.signal[(last - 2_400)..<last]
      #expect(abs(constant.samples[0] - pow(10, -6.0 / 20)) < 1e-6)
      #expect(offline.signal.dropping(last + 9_600).distortionAndNoise(at: 1_000) < -110)
    }
  }

  @Test("samples that are no numbers are silent")
  func odd() throws {
    var samples = [Double](repeating: 0.5, count: 100)
    (samples[10], samples[20], samples[30]) = (.nan, .infinity, -.infinity)
    let signal = try played([Signal(samples)], level: 0, frames: 200)
    for frame in 0..<200 {
      #expect(signal.samples[frame] == ([10, 20, 30].contains(frame % 100) ? 0 : 1))
    }
  }

  @Test("a file that cannot be played is refused with the reason, and the tone stays")
  func mistakes() throws {
    func refusal(_ path: String) -> String {
      let model = ToneModel()
      do { try model.play(file: path) } catch {
        #expect(model.tones == [Tone()])
        return error.description
      }
      return ""
    }
    #expect(refusal("/nowhere/at-all.wav").contains("at-all.wav"))
    let text = NSTemporaryDirectory() + "\(UUID().uuidString).wav"
    try Data("no sound".utf8).write(to: URL(fileURLWithPath: text))
    defer { try? FileManager.default.removeItem(atPath: text) }
    #expect(refusal(text).hasPrefix("Can't read “"))
    try withSoundFile([Signal([Double](repeating: 0, count: 10))]) { path in
      #expect(refusal(path).hasSuffix("is silent: it has no level"))
    }
    try withSoundFile([Signal([] as [Double])]) { path in
      #expect(refusal(path).hasSuffix("has no samples"))
    }
  }

  @Test("a preset whose file is gone is refused, and does not play")
  func gone() throws {
    let tone: Tone = try withSoundFile([tenPeriods(rate: 48_000)]) { try self.tone($0) }
    let model = ToneModel()
    #expect(throws: ToneError.self) { try model.replaceTones([tone]) }
    #expect(model.tones == [Tone()])
    #expect(throws: ToneError.self) { try ToneMix([tone], sampleRate: 48_000) }
  }

  @Test("is stored by its path, and read again")
  func stored() throws {
    try withSoundFile([tenPeriods(rate: 48_000)]) { path in
      let tone = try tone(path)
      let data = try JSONEncoder().encode(tone)
      #expect(try JSONDecoder().decode(Tone.self, from: data) == tone)
      let model = ToneModel()
      try model.play(file: path)
      #expect(WindowState(model).tone.sound == tone.sound)
      var state = WindowState(model)
      state.file = "/nowhere.wav"
      #expect(state.tone.waveform == .sine && state.tone.sound == nil)
      model.waveform = .square
      #expect(model.tone.sound == nil && WindowState(model).file == nil)
    }
  }
}
