// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Synchronization

/// The render half of a tone: moves the parameters of the tone generator to their targets, slowly
/// enough not to click.
///
/// It is called before and after each render of the unit, on the render thread. Parameters move in
/// steps of a third of a millisecond; each step is one ramp event.
struct ToneDirector: ~Copyable {
  /// The duration of a change of frequency, in seconds.
  static let glide = 0.006

  private let shared: UnsafePointer<SharedToneState>
  private let unit: AudioUnit
  /// Frames per step: few enough that the corners of the S curve stay below -95 dB.
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
  private var sound = SoundPosition()

  /// Frames rendered before this part.
  private var position = 0
  /// The first frame of the final silence; nil while the tone sounds.
  private var silentFrom: Int?
  /// The frame at which the noise filter has decayed.
  private var soundsUntil = 0

  private let events: UnsafeMutablePointer<AudioUnitParameterEvent>
  private let eventCapacity: Int
  private var eventCount = 0

  /// [control thread] Controls `unit`, which renders at most `maximumFrames` at a time.
  ///
  /// The parameters of the unit are those of the tone, except the amplitude, which is zero.
  init(
    _ unit: AudioUnit, _ tone: Tone, _ shared: UnsafePointer<SharedToneState>, sampleRate: Double,
    fade: Double, channelCount: Int, maximumFrames: Int
  ) {
    self.unit = unit
    self.shared = shared
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
    // A step has at most a waveform, an amplitude, two parts of a frequency, a duty and two phases.
    eventCapacity = 7 * (maximumFrames / stepFrames + 2)
    events = .allocate(capacity: eventCapacity)
    events.initialize(repeating: AudioUnitParameterEvent(), count: eventCapacity)
  }

  deinit { events.deallocate() }

  /// The frames per step at a sample rate. Fewer would exceed the library's event queue.
  static func stepFrames(_ sampleRate: Double) -> Int {
    max(4, Int((sampleRate / 3_000).rounded()))
  }

  /// The number of steps in a time.
  static func steps(_ seconds: Double, _ sampleRate: Double, _ stepFrames: Int) -> Int {
    Int((seconds * sampleRate / Double(stepFrames)).rounded(.up))
  }

  /// [render thread] Schedules the changes within the next `frames` frames.
  @_noLocks
  mutating func willRender(_ frames: Int) {
    eventCount = 0
    // The grid of steps is fixed, so that the sound does not depend on the size of the parts.
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

  /// [render thread] Processes and measures the rendered part.
  @_noLocks
  mutating func didRender(_ frames: Int, _ data: UnsafeMutablePointer<AudioBufferList>) {
    // Acquired, so that the contents of the plan are visible.
    // Without a fade, sounds begin exactly, and not with a step.
    sound.apply(to: data, frames, at: position, amplitude.stepCount == 0 ? timing() : nil)
    shared.pointee.adoptedSound.store(sound.plan, ordering: .releasing)
    band.apply(
      shared.pointee.band.load(ordering: .acquiring), waveform: waveform, at: position, to: data,
      frames)
    sweepGain.apply(to: data, frames, at: position)
    if amplitude.stepCount == 0 {
      cut(data, frames)
      if let timing = timing() { timing.pointee.cut(data, frames, at: position) }
    }
    gate.apply(shared.pointee.burst.load(ordering: .relaxed), to: data, frames)
    shared.pointee.peak.max(peak(of: data, frames).bitPattern, ordering: .relaxed)
    pass(frames)
  }

  /// Without a fade the tone ends between two frames; the unit itself would need some milliseconds.
  @_noLocks
  private func cut(_ data: UnsafeMutablePointer<AudioBufferList>, _ frames: Int) {
    let endFrame = shared.pointee.endFrame.load(ordering: .relaxed)
    guard endFrame < position + frames else { return }
    silence(data, from: max(endFrame - position, 0), to: frames)
  }

  /// [render thread] Whether the tone is silent and stays silent for some frames.
  @_noLocks
  func isIdle(for frames: Int) -> Bool {
    guard amplitude.rests(at: 0), position >= soundsUntil else { return false }
    if shared.pointee.amplitude.load(ordering: .relaxed) == 0 { return true }
    if let timing = timing(), timing.pointee.silenceLeft(at: position) >= frames { return true }
    return !isOpen(at: position, shared.pointee.endFrame.load(ordering: .relaxed))
  }

  /// The timing; nil if there is none.
  @_noLocks
  private func timing() -> UnsafePointer<TimingPlan>? {
    // Acquired, so that the contents of the plan are visible.
    shared.pointee.timing.load(ordering: .acquiring)
  }

  /// Whether the tone sounds through the step at `frame`, apart from its end.
  @_noLocks
  private func isInTime(at frame: Int) -> Bool {
    guard let timing = timing() else { return true }
    // Without a fade, the pauses are cut out to the frame.
    if amplitude.stepCount == 0 { return timing.pointee.silenceLeft(at: frame) != Int.max }
    let left = timing.pointee.framesLeft(at: frame)
    // Sounds that are shorter than two fades rise for half of their time.
    return left > min((amplitude.stepCount + 1) * stepFrames, timing.pointee.length / 2)
  }

  /// [render thread] Advances by frames of silence.
  @_noLocks
  mutating func skip(_ frames: Int) {
    let endFrame = shared.pointee.endFrame.load(ordering: .relaxed)
    if silentFrom == nil, !isOpen(at: position, endFrame) { silentFrom = position }
    pass(frames)
  }

  @_noLocks
  private mutating func pass(_ frames: Int) {
    if !amplitude.rests(at: 0) { soundsUntil = position + frames + band.ringFrames }
    position += frames
    shared.pointee.frameCount.store(position, ordering: .relaxed)
    shared.pointee.reachedFrequency.store(frequency.value.bitPattern, ordering: .relaxed)
    // Stopping a device discards its buffered frames, so the tone is over only after enough
    // silence.
    if let silentFrom,
      position >= silentFrom + shared.pointee.silentFrames.load(ordering: .relaxed)
    {
      shared.pointee.isOver.store(true, ordering: .releasing)
    }
  }

  @_noLocks
  private mutating func stepAmplitude(at offset: Int) {
    let frame = position + offset
    let targetWaveform = Float(bitPattern: shared.pointee.waveform.load(ordering: .relaxed))
    if waveform != targetWaveform, amplitude.rests(at: 0) {
      waveform = targetWaveform
      addImmediate(kToneGeneratorParam_Waveform, waveform, at: offset)
    }
    // Acquired, so that the contents of the plan are visible.
    let targetSound = shared.pointee.sound.load(ordering: .acquiring)
    if sound.plan != targetSound, amplitude.rests(at: 0) {
      sound.begin(targetSound, at: frame)
    }
    let endFrame = shared.pointee.endFrame.load(ordering: .relaxed)
    let isOpen = isOpen(at: frame, endFrame)
    if isOpen, silentFrom != nil { reopen() }
    // Waveforms change in silence, because their values at one phase differ.
    let isReady = waveform == targetWaveform && sound.plan == targetSound
    let sounds = isOpen && isReady && isInTime(at: frame)
    let target = sounds ? Double(bitPattern: shared.pointee.amplitude.load(ordering: .relaxed)) : 0
    if !amplitude.rests(at: target) {
      if sound.plan != nil, amplitude.rests(at: 0) { sound.begin(sound.plan, at: frame) }
      let from = amplitude.value
      amplitude.step(to: target)
      if amplitude.stepCount == 0 {
        addImmediate(kToneGeneratorParam_Amplitude, Float(target), at: offset)
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

  /// A tone that was over sounds again, because its timing has changed.
  @_noLocks
  private mutating func reopen() {
    silentFrom = nil
    shared.pointee.isOver.store(false, ordering: .releasing)
  }

  /// Whether the tone continues through the step at `frame`.
  @_noLocks
  private func isOpen(at frame: Int, _ endFrame: Int) -> Bool {
    if shared.pointee.isClosed.load(ordering: .relaxed) { return false }
    if let timing = timing(), timing.pointee.silenceLeft(at: frame) == Int.max { return false }
    if endFrame == Int.max { return true }
    // Without a fade the end is exact; otherwise the fade begins at the last step that ends in
    // time.
    if amplitude.stepCount == 0 { return frame < endFrame }
    return frame + (amplitude.stepCount + 1) * stepFrames <= endFrame
  }

  @_noLocks
  private mutating func stepFrequency(at offset: Int) {
    let target = targetFrequency()
    guard !frequency.rests(at: target) else { return }
    let from = frequency.value
    if amplitude.rests(at: 0) { frequency.jump(to: target) } else { frequency.step(to: target) }
    if frequency.rests(at: target) {
      addFrequency(at: offset)
    } else {
      addRamp(kToneGeneratorParam_Frequency, Float(from), Float(frequency.value), at: offset)
    }
  }

  @_noLocks
  private mutating func targetFrequency() -> Double {
    // Acquired, so that the contents of the plan are visible.
    if let plan = shared.pointee.sweep.load(ordering: .acquiring) { return sweep.next(plan) }
    sweep.clear()
    return Double(bitPattern: shared.pointee.frequency.load(ordering: .relaxed))
  }

  @_noLocks
  private mutating func stepShape(at offset: Int) {
    let targetDuty = Double(bitPattern: shared.pointee.dutyCycle.load(ordering: .relaxed))
    if !dutyCycle.rests(at: targetDuty) {
      let from = dutyCycle.value
      dutyCycle.step(to: targetDuty)
      addRamp(kToneGeneratorParam_DutyCycle, Float(from), Float(dutyCycle.value), at: offset)
    }
    let targetStart = Double(bitPattern: shared.pointee.startPhase.load(ordering: .relaxed))
    if !startPhase.rests(at: targetStart) {
      let from = startPhase.value
      startPhase.step(to: targetStart)
      addRamp(kToneGeneratorParam_Phase, Float(from), Float(startPhase.value), at: offset)
    }
    let targetPhase = Double(bitPattern: shared.pointee.phase.load(ordering: .relaxed))
    if !phase.rests(at: targetPhase) {
      let from = phase.value
      phase.step(to: targetPhase)
      addRamp(kToneGeneratorParam_ChannelPhase, Float(from), Float(phase.value), at: offset)
    }
  }

  /// Float32 has seven digits of a frequency; the fine parameter adds the rest.
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
