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

    @_noLocks
    init(
      waveform: Waveform = .sine, frequency: Double = 0, frequencyStep: Double = 0,
      seed: UInt64 = 1, hasSameNoise: Bool = false
    ) {
      self.waveform = waveform
      self.frequency = frequency
      self.frequencyStep = frequencyStep
      self.seed = seed
      self.hasSameNoise = hasSameNoise
    }
  }

  /// The time in seconds over which an immediate change is smoothed.
  private static let smoothingTime = 0.005
  /// The longest run in frames during a crossfade.
  private static var runFrames: Int { @_noLocks get { 512 } }

  private let memory = OwnedMemory()
  private let oscillators: UnsafeMutablePointer<ToneOscillator>
  private let channelCount: Int
  /// Memory for the waveform that fades out.
  private let faded: UnsafeMutablePointer<Float>
  private var tone = Tone()
  private var waveform = Waveform.sine
  private var oldWaveform = Waveform.sine
  private var crossfade: Crossfade
  private var isFresh = true
  /// Amplitude, duty in percent, phase and channel phase in degrees.
  private var settings: ParameterSmoother

  /// [control thread]
  init(sampleRate: Double, channelCount: Int) {
    self.channelCount = max(channelCount, 1)
    oscillators = memory.array(self.channelCount, of: ToneOscillator(sampleRate: sampleRate))
    faded = memory.array(Self.runFrames, of: 0)
    let frames = Int((Self.smoothingTime * sampleRate).rounded())
    crossfade = Crossfade(length: frames)
    settings = ParameterSmoother(frames: frames, cycles: SIMD4(0, 0, 360, 360))
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
      waveform = tone.waveform
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
  /// its end.
  @_noLocks
  private mutating func beginCrossfade() {
    guard tone.waveform != waveform, !crossfade.isRunning else { return }
    (oldWaveform, waveform) = (waveform, tone.waveform)
    crossfade.begin()
  }

  /// [render thread] Fills a slice.
  @_noLocks
  mutating func render(_ output: Slice) {
    var done = 0
    while done < output.frameCount {
      var run = settings.run(of: output.frameCount - done)
      if crossfade.isRunning { run = min(min(run, crossfade.framesRemaining), Self.runFrames) }
      render(output, from: done, run)
      settings.advance(by: run)
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
    let isTone = waveform.isPeriodic && (oldWaveform.isPeriodic || !crossfade.isRunning)
    let isInPhase = settings.values[3] == 0 && settings.steps[3] == 0
    let areEqual = isInPhase && (isTone || tone.hasSameNoise)
    var channel = 1
    while channel < output.channelCount {
      if areEqual {
        Samples.copy(output[0] + start, to: output[channel] + start, count: count)
        oscillators[channel].phase = oscillators[0].phase
        if !isTone { oscillators[channel] = oscillators[0] }
      } else {
        fill(output[channel] + start, count, channel: channel)
      }
      channel += 1
    }
  }

  @_noLocks
  private func fill(_ samples: UnsafeMutablePointer<Float>, _ count: Int, channel: Int) {
    let start = oscillators[channel].phase
    fill(samples, count, channel, waveform)
    guard crossfade.isRunning else { return }
    oscillators[channel].phase = start
    fill(faded, count, channel, oldWaveform)
    crossfade.mix(from: faded, to: samples, into: samples, count: count)
  }

  /// Renders one channel of one waveform.
  @_noLocks
  private func fill(
    _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channel: Int, _ waveform: Waveform
  ) {
    let (values, steps) = (settings.values, settings.steps)
    let shift = Double(channel)
    oscillators[channel].render(
      into: samples, count: count, waveform: waveform, frequency: tone.frequency,
      frequencyStep: tone.frequencyStep, amplitude: values[0], amplitudeStep: steps[0],
      duty: values[1] / 100, dutyStep: steps[1] / 100,
      phaseOffset: (Double(values[2]) + shift * Double(values[3])) / 360,
      phaseOffsetStep: (Double(steps[2]) + shift * Double(steps[3])) / 360)
  }
}
