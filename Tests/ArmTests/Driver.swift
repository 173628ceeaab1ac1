// SPDX-License-Identifier: Apache-2.0
// Sounds that the signal processing makes of the same noise on each processor; compiled into the module.

private let frames = 48_000

/// The number of sounds.
@_cdecl("sound_count")
public func soundCount() -> Int32 { Int32(sounds.count) }

/// The hash of the samples of a sound.
@_cdecl("sound_hash")
public func soundHash(_ index: Int32) -> UInt64 {
  let stage = Stage()
  sounds[Int(index)](stage)
  return stage.hash
}

private let sounds: [(Stage) -> Void] = [
  { $0.resample(44_100, 48_000, .normal) },
  { $0.resample(44_100, 48_000, .mastering) },
  { $0.resample(96_000, 44_100, .high) },
  { $0.resample(48_000, 16_000, .high) },
  { $0.oscillate(.sine) },
  { $0.oscillate(.square) },
  { $0.oscillate(.saw) },
  { $0.oscillate(.triangle) },
  { $0.oscillate(.whiteNoise) },
  { $0.oscillate(.pinkNoise) },
  { $0.oscillate(.maximumLengthSequence) },
  { $0.oscillate(.periodicPinkNoise) },
  { $0.oscillate(.jitterTest) },
  { $0.modulate(.sine) },
  { $0.modulate(.saw) },
  { $0.reverberate() },
  { $0.filter() },
  { $0.limit() },
  { $0.stretch(rate: 0.8, cents: 0) },
  { $0.stretch(rate: 1.3, cents: 400) },
  { $0.stretchInTime(rate: 0.7) },
]

/// Two channels of noise, and two for the result.
private final class Stage {
  let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 2)
  let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
  /// FNV-1a over the bits of the samples.
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {
    var state: UInt64 = 0x139_408D_CBBF_7A44
    for channel in 0..<2 {
      let noise = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
      for frame in 0..<2 * frames {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        noise[frame] = Float(Int64(bitPattern: state) >> 40) / 16_777_216
      }
      inputs[channel] = UnsafePointer(noise)
      outputs[channel] = .allocate(capacity: 2 * frames)
      outputs[channel].initialize(repeating: 0, count: 2 * frames)
    }
  }

  private func take(_ count: Int) {
    for channel in 0..<2 {
      for frame in 0..<count {
        hash = (hash ^ UInt64(outputs[channel][frame].bitPattern)) &* 0x100_0000_01B3
      }
    }
  }

  func resample(_ from: Double, _ to: Double, _ quality: SampleRateConverter.Quality) {
    var converter = SampleRateConverter(
      inputRate: from, outputRate: to, channelCount: 2, quality: quality)
    let count = Int(Double(frames) * to / from) - 100
    converter.process(input: inputs, inputFrames: frames, output: outputs, outputFrames: count)
    take(count)
  }

  func oscillate(_ waveform: Waveform) {
    var oscillator = ToneOscillator(sampleRate: 48_000)
    oscillator.render(
      into: outputs[0], count: frames, waveform: waveform, frequency: 997.3, frequencyStep: 0.01,
      amplitude: 0.5)
    take(frames)
  }

  /// A tone whose frequency is modulated, and then its amplitude, by sines.
  func modulate(_ waveform: Waveform) {
    let frequencies = UnsafeMutablePointer<Double>.allocate(capacity: frames)
    defer { frequencies.deallocate() }
    var (oscillator, modulator) = (
      ToneOscillator(sampleRate: 48_000), ToneOscillator(sampleRate: 48_000)
    )
    modulator.render(
      into: outputs[1], count: frames, waveform: .sine, frequency: 31, amplitude: 0.9)
    for frame in 0..<frames { frequencies[frame] = 997.3 + 500 * Double(outputs[1][frame]) }
    oscillator.render(
      into: outputs[0], count: frames, waveform: waveform, frequencies: frequencies, amplitude: 0.5)
    for frame in 0..<frames { outputs[0][frame] *= 1 + outputs[1][frame] }
    take(frames)
  }

  func reverberate() {
    var room = LateReverberation(longest: 1, sampleRate: 48_000)
    room.set(LateReverberation.Settings())
    room.render(inputs[0], inputs[1], into: outputs[0], outputs[1], count: frames)
    take(frames)
  }

  /// Three sections, of which one moves.
  func filter() {
    let design = FilterDesign(sampleRate: 48_000)
    let cascade = FilterCascade.allocate(sectionCount: 3, channelCount: 2, sampleRate: 48_000)
    cascade.begin(0, at: design.bell(1_000, q: 0.7, decibels: 6))
    cascade.begin(1, at: design.bell(5_000, q: 2, decibels: -9))
    cascade.begin(2, at: design.bell(100, q: 1, decibels: 3))
    var done = 0
    while done < frames {
      let count = min(FilterCascade.maximumFrames, frames - done)
      if done == 4_096 {
        cascade.follow(1, to: design.bell(2_000, q: 1, decibels: 3), within: count)
      }
      for channel in 0..<2 {
        let samples = cascade.samples(channel)
        for frame in 0..<count { samples[frame] = Double(inputs[channel][done + frame]) }
      }
      cascade.run(count)
      for channel in 0..<2 {
        let samples = cascade.samples(channel)
        for frame in 0..<count { outputs[channel][done + frame] = Float(samples[frame]) }
      }
      done += count
    }
    take(frames)
  }

  func limit() {
    var limiter = LookAheadLimiter(
      sampleRate: 48_000, channelCount: 2, maximumFrames: 512, lookAhead: 0.012,
      limitsTruePeaks: true)
    limiter.set(attackTime: 0.012, decayTime: 0.024, gain: 12)
    for start in stride(from: 0, to: frames - 512, by: 512) {
      limiter.begin(512)
      for channel in 0..<2 {
        let samples = outputs[channel] + start
        for frame in 0..<512 { samples[frame] = inputs[channel][start + frame] }
        limiter.measure(samples, channel: channel)
      }
      limiter.computeGains()
      for channel in 0..<2 { limiter.applyGains(outputs[channel] + start, channel: channel) }
    }
    take(frames)
  }

  func stretch(rate: Float, cents: Float) {
    var stretcher = SpectralStretcher(channelCount: 2, sampleRate: 48_000, maximumFrames: 512)
    var position = 0
    for start in stride(from: 0, to: frames / 2, by: 512) {
      let needed = stretcher.prepare(
        512, rate: rate, rateSlope: 0, cents: cents, centsSlope: 0)
      guard position + needed <= 2 * frames else { break }
      withInputs(at: position) { stretcher.consume($0, frames: needed) }
      position += needed
      stretcher.render(to: outputs, offset: start, frames: 512)
    }
    take(frames / 2)
  }

  func stretchInTime(rate: Float) {
    var stretcher = TimeDomainStretcher(channelCount: 2, sampleRate: 48_000, maximumFrames: 512)
    var position = 0
    for start in stride(from: 0, to: frames / 2, by: 512) {
      let needed = stretcher.prepare(512, rate: rate, slope: 0)
      guard position + needed <= 2 * frames else { break }
      withInputs(at: position) { stretcher.consume($0, frames: needed) }
      position += needed
      stretcher.render(to: outputs, offset: start, frames: 512)
    }
    take(frames / 2)
  }

  private func withInputs(at frame: Int, _ body: (UnsafePointer<UnsafePointer<Float>>) -> Void) {
    let moved = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 2)
    defer { moved.deallocate() }
    for channel in 0..<2 { moved[channel] = inputs[channel] + frame }
    body(moved)
  }
}
