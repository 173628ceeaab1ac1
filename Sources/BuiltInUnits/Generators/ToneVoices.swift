// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The channels of the tone generator: one oscillator each, and the smoothing of their settings.
///
/// Plain pointers: the creator deallocates them.
struct ToneVoices {
  /// The values of a slice that are not smoothed.
  struct Tone: BitwiseCopyable {
    var waveform: Waveform
    /// In Hz at the first frame, and its change per frame.
    var frequency: Double
    var frequencyStep: Double
    var seed: UInt64
    var hasSameNoise: Bool
    /// The bits of a sample, for the J-test.
    var sampleBits: Int

    @_noLocks
    init(
      waveform: Waveform = .sine, frequency: Double = 0, frequencyStep: Double = 0,
      seed: UInt64 = 1, hasSameNoise: Bool = false, sampleBits: Int = 24
    ) {
      self.sampleBits = sampleBits
      self.waveform = waveform
      self.frequency = frequency
      self.frequencyStep = frequencyStep
      self.seed = seed
      self.hasSameNoise = hasSameNoise
    }
  }

  /// The time in seconds over which an immediate change is smoothed.
  private static let smoothingTime = 0.005
  /// The longest run in frames during a crossfade, or with a modulated frequency.
  private static var runFrames: Int { @_noLocks get { 512 } }

  private let memory = OwnedMemory()
  private let oscillators: UnsafeMutablePointer<ToneOscillator>
  private let channelCount: Int
  /// Memory for the waveform that fades out.
  private let faded: UnsafeMutablePointer<Float>
  /// Memory for the frequency of each frame of a run, while it is modulated.
  private let frequencies: UnsafeMutablePointer<Double>
  private var tone = Tone()
  private var waveform = Waveform.sine
  private var oldWaveform = Waveform.sine
  private var crossfade: Crossfade
  private var isFresh = true
  /// Amplitude, duty in percent, phase and channel phase in degrees.
  private var settings: ParameterSmoother
  /// The modulation of amplitude and frequency.
  var modulation: ToneModulation

  /// [control thread]
  init(sampleRate: Double, channelCount: Int, noiseOrder: Int, preparesNoise: Bool) {
    self.channelCount = max(channelCount, 1)
    oscillators = memory.array(
      self.channelCount,
      of: ToneOscillator(
        sampleRate: sampleRate, noiseOrder: noiseOrder, preparesNoise: preparesNoise))
    faded = memory.array(Self.runFrames, of: 0)
    frequencies = memory.array(Self.runFrames, of: 0)
    let frames = Int((Self.smoothingTime * sampleRate).rounded())
    crossfade = Crossfade(length: frames)
    settings = ParameterSmoother(frames: frames, cycles: SIMD4(0, 0, 360, 360))
    modulation = ToneModulation(sampleRate: sampleRate, frames: frames)
    setSeeds()
  }

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() {
    memory.deallocate()
  }

  /// [render thread] Resets to phase zero and the start of the noise; the next values take effect
  /// immediately.
  @_noLocks
  mutating func reset() {
    for channel in 0..<channelCount { oscillators[channel].reset() }
    crossfade.finish()
    settings.reset()
    modulation.reset()
    isFresh = true
  }

  /// [render thread] Sets the values that apply from the next frame on.
  @_noLocks
  mutating func follow(_ tone: Tone, _ values: SIMD4<Float>, steps: SIMD4<Float>) {
    let hasOtherNoise =
      tone.seed != self.tone.seed || tone.hasSameNoise != self.tone.hasSameNoise
    self.tone = tone
    if hasOtherNoise { setSeeds() }
    settings.follow(values, steps: steps)
    if isFresh {
      if oscillators[0].isReady(for: tone.waveform) { waveform = tone.waveform }
      isFresh = false
    } else {
      beginCrossfade()
    }
  }

  /// Gives the first channel the noise of the seed itself, and the others noise that is unrelated
  /// to it and to the noise of other seeds.
  @_noLocks
  private func setSeeds() {
    for channel in 0..<channelCount {
      let distance: UInt64 = tone.hasSameNoise ? 0 : 0x1_0000
      oscillators[channel].setSeed(tone.seed &+ UInt64(clamping: channel) &* distance)
    }
  }

  /// Begins a crossfade to another waveform. A waveform that is set during a crossfade waits for
  /// its end, and periodic noise until its tables are there.
  @_noLocks
  private mutating func beginCrossfade() {
    guard tone.waveform != waveform, !crossfade.isRunning,
      oscillators[0].isReady(for: tone.waveform)
    else { return }
    (oldWaveform, waveform) = (waveform, tone.waveform)
    crossfade.begin()
  }

  /// [render thread] Fills a slice.
  @_noLocks
  mutating func render(_ output: Slice) {
    var done = 0
    while done < output.frameCount {
      var run = modulation.run(of: settings.run(of: output.frameCount - done))
      if crossfade.isRunning { run = min(min(run, crossfade.framesRemaining), Self.runFrames) }
      if modulation.movesFrequency {
        run = min(run, Self.runFrames)
        modulation.findFrequencies(
          frequencies, run, around: tone.frequency, step: tone.frequencyStep)
      }
      render(output, from: done, run)
      settings.advance(by: run)
      modulation.advance(by: run)
      tone.frequency += tone.frequencyStep * Double(run)
      if crossfade.isRunning {
        crossfade.advance(by: run)
        beginCrossfade()
      }
      done += run
    }
  }

  /// Renders frames in which every setting changes linearly.
  @_noLocks
  private func render(_ output: Slice, from start: Int, _ count: Int) {
    fill(output[0] + start, count, channel: 0)
    let isRandom = waveform.isRandom || (oldWaveform.isRandom && crossfade.isRunning)
    let isInPhase = settings.values[3] == 0 && settings.steps[3] == 0
    let areEqual = isInPhase && (!isRandom || tone.hasSameNoise)
    var channel = 1
    while channel < output.channelCount {
      if areEqual {
        Samples.copy(output[0] + start, to: output[channel] + start, count: count)
        oscillators[channel].phase = oscillators[0].phase
        oscillators[channel].frame = oscillators[0].frame
        if isRandom { oscillators[channel] = oscillators[0] }
      } else {
        fill(output[channel] + start, count, channel: channel)
      }
      channel += 1
    }
  }

  @_noLocks
  private func fill(_ samples: UnsafeMutablePointer<Float>, _ count: Int, channel: Int) {
    let (phase, frame) = (oscillators[channel].phase, oscillators[channel].frame)
    fill(samples, count, channel, waveform)
    if crossfade.isRunning {
      (oscillators[channel].phase, oscillators[channel].frame) = (phase, frame)
      fill(faded, count, channel, oldWaveform)
      crossfade.mix(from: faded, to: samples, into: samples, count: count)
    }
    if modulation.movesAmplitude { modulation.apply(to: samples, count) }
  }

  /// Renders one channel of one waveform.
  @_noLocks
  private func fill(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channel: Int, _ waveform: Waveform
  ) {
    let (values, steps, shift) = (settings.values, settings.steps, Double(channel))
    let offset = (Double(values[2]) + shift * Double(values[3])) / 360
    let offsetStep = (Double(steps[2]) + shift * Double(steps[3])) / 360
    guard modulation.movesFrequency else {
      return oscillators[channel].render(
        into: samples, count: count, waveform: waveform, frequency: tone.frequency,
        frequencyStep: tone.frequencyStep, amplitude: values[0], amplitudeStep: steps[0],
        duty: values[1] / 100, dutyStep: steps[1] / 100, phaseOffset: offset,
        phaseOffsetStep: offsetStep, bits: tone.sampleBits)
    }
    oscillators[channel].render(
      into: samples, count: count, waveform: waveform, frequencies: frequencies,
      amplitude: values[0], amplitudeStep: steps[0], duty: values[1] / 100,
      dutyStep: steps[1] / 100, phaseOffset: offset, phaseOffsetStep: offsetStep,
      bits: tone.sampleBits)
  }
}
