// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// The render half of a tone: leads the parameters of the tone generator to what is wished, so
/// slowly that nothing clicks.
///
/// It is called before and after each render of the unit, on the thread that renders. Time goes in
/// steps of a third of a millisecond; each step of a parameter that moves is one ramp event.
struct ToneDirector: ~Copyable {
  /// Seconds that a change of frequency takes.
  static let glide = 0.006

  private let wishes: UnsafePointer<ToneWishes>
  private let unit: AudioUnit
  /// Frames of a step: short enough that the corners of an S lie below -95 dB.
  private let stepFrames: Int

  private var amplitude: SmoothedValue
  private var frequency: SmoothedValue
  private var dutyCycle: SmoothedValue
  private var phase: SmoothedValue
  private var startPhase: SmoothedValue
  private var sweep = SweepPosition()
  private var sweepGain: SweepGain
  private var waveform: Float
  private var gate: BurstGate
  private var band: NoiseFilter

  /// Frames rendered before this slice.
  private var position = 0
  /// The first frame from which on the tone is silent; nil while it sounds.
  private var silentFrom: Int?
  /// The frame at which a filter has stopped ringing since the last that was not silent.
  private var soundsUntil = 0

  private let events: UnsafeMutablePointer<AudioUnitParameterEvent>
  private let eventCapacity: Int
  private var eventCount = 0

  /// [control thread] Leads `unit`, which renders at most `maximumFrames` at a time.
  ///
  /// The parameters of the unit are those of the tone, but for the amplitude, which is zero.
  init(
    _ unit: AudioUnit, _ tone: Tone, _ wishes: UnsafePointer<ToneWishes>, sampleRate: Double,
    fade: Double, channelCount: Int, maximumFrames: Int
  ) {
    self.unit = unit
    self.wishes = wishes
    let stepFrames = Self.stepFrames(sampleRate)
    self.stepFrames = stepFrames
    amplitude = SmoothedValue(0, stepCount: Self.steps(fade, sampleRate, stepFrames))
    let glideSteps = Self.steps(Self.glide, sampleRate, stepFrames)
    frequency = SmoothedValue(tone.firstFrequency, stepCount: glideSteps)
    dutyCycle = SmoothedValue(tone.dutyCycle, stepCount: glideSteps)
    phase = SmoothedValue(tone.phase, stepCount: glideSteps)
    startPhase = SmoothedValue(tone.startPhase, stepCount: glideSteps)
    sweepGain = SweepGain(
      glideSteps: glideSteps, stepFrames: stepFrames, maximumFrames: maximumFrames)
    waveform = tone.waveform.parameterValue
    gate = BurstGate(channelCount: channelCount)
    band = NoiseFilter(channelCount: channelCount, sampleRate: sampleRate)
    // Of a step at most a waveform, an amplitude, the two parts of a frequency, a duty and two phases.
    eventCapacity = 7 * (maximumFrames / stepFrames + 2)
    events = .allocate(capacity: eventCapacity)
    events.initialize(repeating: AudioUnitParameterEvent(), count: eventCapacity)
  }

  deinit { events.deallocate() }

  /// Frames of a step at a sample rate. Fewer would be more events than the library keeps.
  static func stepFrames(_ sampleRate: Double) -> Int {
    max(4, Int((sampleRate / 3_000).rounded()))
  }

  /// How many steps so many seconds are.
  static func steps(_ seconds: Double, _ sampleRate: Double, _ stepFrames: Int) -> Int {
    Int((seconds * sampleRate / Double(stepFrames)).rounded(.up))
  }

  /// [render thread] Schedules what changes within the next `frames` frames.
  @_noLocks
  mutating func willRender(_ frames: Int) {
    eventCount = 0
    // Steps lie on their own grid, so that a tone is the same however it is cut into slices.
    var offset = (stepFrames - position % stepFrames) % stepFrames
    while offset < frames {
      stepAmplitude(at: offset)
      stepFrequency(at: offset)
      sweepGain.add(sweep.gain, jumps: amplitude.rests(at: 0))
      stepShape(at: offset)
      offset += stepFrames
    }
    if eventCount > 0 { schedule(unit, events, eventCount) }
  }

  /// [render thread] Looks at what was rendered.
  @_noLocks
  mutating func didRender(_ frames: Int, _ data: UnsafeMutablePointer<AudioBufferList>) {
    // Acquired, so that what the plan holds is there.
    band.apply(
      wishes.pointee.band.load(ordering: .acquiring), waveform: waveform, at: position, to: data,
      frames)
    sweepGain.apply(to: data, frames, at: position)
    if amplitude.stepCount == 0 { cut(data, frames) }
    gate.apply(wishes.pointee.burst.load(ordering: .relaxed), to: data, frames)
    wishes.pointee.peak.max(peak(of: data, frames).bitPattern, ordering: .relaxed)
    pass(frames)
  }

  /// Without a fade the tone ends between two frames, where the unit would take some milliseconds.
  @_noLocks
  private func cut(_ data: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) {
    let endFrame = wishes.pointee.endFrame.load(ordering: .relaxed)
    guard endFrame < position + frames else { return }
    silence(data, from: max(endFrame - position, 0), to: frames)
  }

  /// [render thread] Whether the tone is silent, and shall stay so.
  @_noLocks
  func isIdle() -> Bool {
    let isOpen = isOpen(at: position, wishes.pointee.endFrame.load(ordering: .relaxed))
    return amplitude.rests(at: 0) && position >= soundsUntil
      && (!isOpen || wishes.pointee.amplitude.load(ordering: .relaxed) == 0)
  }

  /// [render thread] Lets frames pass without a sound.
  @_noLocks
  mutating func skip(_ frames: Int) {
    let endFrame = wishes.pointee.endFrame.load(ordering: .relaxed)
    if silentFrom == nil, !isOpen(at: position, endFrame) { silentFrom = position }
    pass(frames)
  }

  @_noLocks
  private mutating func pass(_ frames: Int) {
    if !amplitude.rests(at: 0) { soundsUntil = position + frames + band.ringFrames }
    position += frames
    wishes.pointee.frameCount.store(position, ordering: .relaxed)
    wishes.pointee.reachedFrequency.store(frequency.value.bitPattern, ordering: .relaxed)
    // A stop at once cuts off what a device holds: the tone is over when silence has followed it.
    if let silentFrom,
      position >= silentFrom + wishes.pointee.silentFrames.load(ordering: .relaxed)
    {
      wishes.pointee.isOver.store(true, ordering: .releasing)
    }
  }

  @_noLocks
  private mutating func stepAmplitude(at offset: Int) {
    let frame = position + offset
    let wishedWaveform = Float(bitPattern: wishes.pointee.waveform.load(ordering: .relaxed))
    if waveform != wishedWaveform, amplitude.rests(at: 0) {
      waveform = wishedWaveform
      addImmediate(kToneGeneratorParam_Waveform, waveform, at: offset)
    }
    let endFrame = wishes.pointee.endFrame.load(ordering: .relaxed)
    let isOpen = isOpen(at: frame, endFrame)
    // Waveforms change in silence: their values at one phase differ.
    let sounds = isOpen && waveform == wishedWaveform
    let wished = sounds ? Double(bitPattern: wishes.pointee.amplitude.load(ordering: .relaxed)) : 0
    if !amplitude.rests(at: wished) {
      let from = amplitude.value
      amplitude.step(to: wished)
      if amplitude.stepCount == 0 {
        addImmediate(kToneGeneratorParam_Amplitude, Float(wished), at: offset)
      } else {
        addRamp(kToneGeneratorParam_Amplitude, Float(from), Float(amplitude.value), at: offset)
      }
    }
    if amplitude.stepCount == 0, isOpen, endFrame < frame + stepFrames {
      addImmediate(kToneGeneratorParam_Amplitude, 0, at: endFrame - position)
    }
    if !isOpen, silentFrom == nil, amplitude.rests(at: 0) {
      silentFrom = frame + stepFrames + band.ringFrames
    }
  }

  /// Whether the tone goes on through the step at `frame`.
  @_noLocks
  private func isOpen(at frame: Int, _ endFrame: Int) -> Bool {
    if wishes.pointee.isClosed.load(ordering: .relaxed) { return false }
    if endFrame == Int.max { return true }
    // Without a fade the end is exact; else it begins with the last step from which it is in time.
    if amplitude.stepCount == 0 { return frame < endFrame }
    return frame + (amplitude.stepCount + 1) * stepFrames <= endFrame
  }

  @_noLocks
  private mutating func stepFrequency(at offset: Int) {
    let wished = wishedFrequency()
    guard !frequency.rests(at: wished) else { return }
    let from = frequency.value
    if amplitude.rests(at: 0) { frequency.jump(to: wished) } else { frequency.step(to: wished) }
    if frequency.rests(at: wished) {
      addFrequency(at: offset)
    } else {
      addRamp(kToneGeneratorParam_Frequency, Float(from), Float(frequency.value), at: offset)
    }
  }

  @_noLocks
  private mutating func wishedFrequency() -> Double {
    // Acquired, so that what the plan holds is there.
    if let plan = wishes.pointee.sweep.load(ordering: .acquiring) { return sweep.next(plan) }
    sweep.clear()
    return Double(bitPattern: wishes.pointee.frequency.load(ordering: .relaxed))
  }

  @_noLocks
  private mutating func stepShape(at offset: Int) {
    let wishedDuty = Double(bitPattern: wishes.pointee.dutyCycle.load(ordering: .relaxed))
    if !dutyCycle.rests(at: wishedDuty) {
      let from = dutyCycle.value
      dutyCycle.step(to: wishedDuty)
      addRamp(kToneGeneratorParam_DutyCycle, Float(from), Float(dutyCycle.value), at: offset)
    }
    let wishedStart = Double(bitPattern: wishes.pointee.startPhase.load(ordering: .relaxed))
    if !startPhase.rests(at: wishedStart) {
      let from = startPhase.value
      startPhase.step(to: wishedStart)
      addRamp(kToneGeneratorParam_Phase, Float(from), Float(startPhase.value), at: offset)
    }
    let wishedPhase = Double(bitPattern: wishes.pointee.phase.load(ordering: .relaxed))
    if !phase.rests(at: wishedPhase) {
      let from = phase.value
      phase.step(to: wishedPhase)
      addRamp(kToneGeneratorParam_ChannelPhase, Float(from), Float(phase.value), at: offset)
    }
  }

  /// Float32 holds seven digits of a frequency; the fine part brings the rest.
  @_noLocks
  private mutating func addFrequency(at offset: Int) {
    let coarse = Float(frequency.value)
    let fine = Float(frequency.value - Double(coarse))
    addImmediate(kToneGeneratorParam_Frequency, coarse, at: offset)
    addImmediate(kToneGeneratorParam_FineFrequency, fine, at: offset)
  }

  @_noLocks
  private mutating func addImmediate(
    _ parameter: AudioUnitParameterID, _ value: Float, at offset: Int
  ) {
    var event = event(parameter, .parameterEvent_Immediate)
    event.eventValues.immediate.bufferOffset = UInt32(truncatingIfNeeded: offset)
    event.eventValues.immediate.value = value
    add(event)
  }

  @_noLocks
  private mutating func addRamp(
    _ parameter: AudioUnitParameterID, _ from: Float, _ to: Float, at offset: Int
  ) {
    var event = event(parameter, .parameterEvent_Ramped)
    event.eventValues.ramp.startBufferOffset = Int32(truncatingIfNeeded: offset)
    event.eventValues.ramp.durationInFrames = UInt32(truncatingIfNeeded: stepFrames)
    event.eventValues.ramp.startValue = from
    event.eventValues.ramp.endValue = to
    add(event)
  }

  @_noLocks
  private func event(
    _ parameter: AudioUnitParameterID, _ type: AUParameterEventType
  ) -> AudioUnitParameterEvent {
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Global
    event.parameter = parameter
    event.eventType = type
    return event
  }

  @_noLocks
  private mutating func add(_ event: AudioUnitParameterEvent) {
    guard eventCount < eventCapacity else { return }
    events[eventCount] = event
    eventCount += 1
  }
}
