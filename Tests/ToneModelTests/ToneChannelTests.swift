// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing
import ToneModel

@Suite("Tones on channels of their own")
struct ToneChannelTests {
  private func render(
    _ mix: ToneMix, _ frameCount: Int, slice: Int = 512
  ) -> [Signal] {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: mix.channelCount * frameCount)
    let places = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(
      capacity: mix.channelCount)
    defer {
      samples.deallocate()
      places.deallocate()
    }
    samples.initialize(repeating: .nan, count: mix.channelCount * frameCount)
    var done = 0
    while done < frameCount {
      let count = min(slice, frameCount - done)
      for channel in 0..<mix.channelCount {
        (places + channel).initialize(to: samples + channel * frameCount + done)
      }
      mix.render(count, places)
      done += count
    }
    return (0..<mix.channelCount).map { channel in
      Signal(
        Array(UnsafeBufferPointer(start: samples + channel * frameCount, count: frameCount)))
    }
  }

  private func tone(_ frequency: Double, on channels: [Int]) -> Tone {
    var tone = Tone(frequency: frequency, level: -20)
    tone.channels = channels
    return tone
  }

  @Test("each of six channels has its tone and nothing else")
  func six() throws {
    let tones = [tone(1_000, on: [1, 3]), tone(1_500, on: [2]), tone(100, on: [4])]
    let mix = try ToneMix(tones, sampleRate: 48_000, channelCount: 6, fade: 0)
    let signals = render(mix, 48_000, slice: 700)
    for (channel, frequency) in [(0, 1_000.0), (1, 1_500), (2, 1_000), (3, 100)] {
      #expect(abs(signals[channel].tone(at: frequency).amplitude - 0.1) < 1e-6)
      #expect(signals[channel].distortionAndNoise(at: frequency) < -130)
    }
    #expect(signals[4].peak == 0 && signals[5].peak == 0)
    #expect(abs(mix.readAndResetPeak() - 0.1) < 1e-6)
  }

  @Test("a tone without channels plays on the first two, also with more")
  func sides() throws {
    let mix = try ToneMix([Tone(level: -20)], sampleRate: 48_000, channelCount: 4, fade: 0)
    let peaks = render(mix, 4_800).map(\.peak)
    #expect(peaks[0] > 0.09 && peaks[1] > 0.09 && peaks[2] == 0 && peaks[3] == 0)
  }

  @Test("a tone moves to another channel without a click")
  func moves() throws {
    let mix = try ToneMix([tone(500, on: [1])], sampleRate: 48_000, channelCount: 3)
    _ = render(mix, 24_000)
    mix.tones[0].channels = [3]
    let signals = render(mix, 24_000)
    #expect(signals[0].dropping(4_000).peak == 0 && signals[2].dropping(4_000).peak > 0.09)
    for signal in [signals[0], signals[2]] {
      #expect(signal.largestBend(frequency: 500, amplitude: 0.1) < 1.2)
    }
  }

  @Test("channels are named as in WAV files, or numbered")
  func names() {
    #expect(ToneChannels.numbers("L+R") == [1, 2])
    #expect(ToneChannels.numbers("lfe") == [4])
    #expect(ToneChannels.numbers("12+ch3+3") == [3, 12])
    for text in ["", "+", "L+", "0", "65", "-1", "Q", "L R", "999999999999999999999"] {
      #expect(ToneChannels.numbers(text) == nil)
    }
    #expect(ToneChannels.text([1, 3, 12]) == "L+C+12")
  }

  @Test("channels and all else of a tone are stored in a preset")
  func stored() throws {
    var tone = tone(440, on: [3, 4])
    tone.lineFrames = 65_536
    tone.amplitudeModulation = AmplitudeModulation(frequency: 5, depth: 50)
    tone.frequencyModulation = FrequencyModulation(frequency: 5, deviation: 50)
    tone.waveform = .maximumLengthSequence
    tone.noiseOrder = 18
    tone.sampleBits = 16
    tone.sweep = ToneSweep(steps: 31)
    let data = try JSONEncoder().encode(tone)
    #expect(try JSONDecoder().decode(Tone.self, from: data) == tone)
    let odd =
      #"{"frequency": 440, "channels": [-1, 2], "lineFrames": 0, "noiseOrder": 99, "#
      + #""sampleBits": -5}"#
    let read = try JSONDecoder().decode(Tone.self, from: Data(odd.utf8))
    #expect(read.channels == [2] && read.lineFrames == nil)
    #expect(read.noiseOrder == 20 && read.sampleBits == 8)
  }
}
