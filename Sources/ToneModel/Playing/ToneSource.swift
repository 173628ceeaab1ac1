// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// A tone generator unit that plays a tone from its first frame, follows changes without clicks,
/// and fades out at its end.
///
/// Its output bus is pulled by a connected output unit or by a caller of `AudioUnitRender`. One
/// control thread at a time uses it, besides the render thread.
public final class ToneSource {
  /// The duration of a fade and of a change of level, in seconds; its splatter stays 80 dB below
  /// the tone.
  public static let standardFade = 0.04
  /// The most frames per render call.
  public static let maximumFrames = 4_096

  /// The unit, initialized.
  public let unit: AudioUnit
  /// In Hz.
  public let sampleRate: Double

  /// Also owns all earlier plans of sweeps and bands, which the render thread may still read.
  private let memory: OwnedMemory
  private let shared: UnsafeMutablePointer<SharedToneState>
  /// The render half.
  let director: UnsafeMutablePointer<ToneDirector>
  private var currentTone: Tone
  /// The current tone with its frequency at the line to which it is locked.
  private var soundingTone: Tone
  /// The sounds of files that the render thread may still read, the newest last.
  private var sounds: [SoundLoop] = []
  private let channelCount: Int
  /// Whether there has been a band.
  private var hasHadBand = false

  /// [control thread] Makes a unit that plays `tone`.
  ///
  /// - Parameters:
  ///   - tone: The initial tone.
  ///   - sampleRate: Frames per second of the unit's output.
  ///   - channelCount: Channels of the unit's output; each one's signal leads the previous one's by
  ///     the tone's phase.
  ///   - fade: The duration of fades and of changes of level, in seconds; 0 for none.
  ///   - isMuted: Whether it is silent at first.
  ///   - noise: The seed of the noise, from 1; the noise of different seeds is uncorrelated.
  /// - Throws: The step that failed, with the reason.
  public init(
    _ tone: Tone, sampleRate: Double, channelCount: Int = 1, fade: Double = standardFade,
    isMuted: Bool = false, noise: Int = 1
  ) throws(ToneError) {
    let unit = try Self.makeUnit(sampleRate, channelCount)
    self.unit = unit
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    currentTone = tone
    let tone = tone.locked(sampleRate: sampleRate)
    soundingTone = tone
    memory = OwnedMemory()
    shared = memory.cell(SharedToneState(tone, isMuted: isMuted))
    self.isMuted = isMuted
    director = memory.cell(
      ToneDirector(
        unit, tone, shared, sampleRate: sampleRate, fade: fade, channelCount: channelCount,
        maximumFrames: Self.maximumFrames))
    try begin(noise: noise)
  }

  deinit {
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    memory.deallocate()
  }

  /// The tone that it plays or is moving to.
  ///
  /// A new frequency is reached within a few milliseconds, a new level within a fade, and a new
  /// waveform after a fade to silence.
  public var tone: Tone {
    get { currentTone }
    set {
      guard newValue != currentTone else { return }
      // The gain of a sweep is relative to the level.
      let hasOtherSweep =
        newValue.sweep != currentTone.sweep || newValue.lineFrames != currentTone.lineFrames
        || (newValue.sweep?.endLevel != nil && newValue.level != currentTone.level)
      let hasOtherTiming = newValue.timing != currentTone.timing
      let hasOtherBand =
        newValue.band != currentTone.band || newValue.waveform != currentTone.waveform
      let hasOtherModulation =
        newValue.amplitudeModulation != currentTone.amplitudeModulation
        || newValue.frequencyModulation != currentTone.frequencyModulation
      let hasOtherSound =
        newValue.sound != currentTone.sound
        || (newValue.waveform == .file) != (currentTone.waveform == .file)
      currentTone = newValue
      soundingTone = newValue.locked(sampleRate: sampleRate)
      // A sound is there before the waveform that plays it, and as long as that.
      if hasOtherSound, newValue.waveform == .file { publish(loop(of: newValue)) }
      shared.pointee.set(soundingTone, isMuted: isMuted)
      if hasOtherSound, newValue.waveform != .file { publish(nil) }
      // The unit itself fades these.
      if hasOtherModulation { for (parameter, value) in modulation { _ = set(parameter, value) } }
      if hasOtherSweep { publishSweep() }
      if hasOtherBand { publishBand() }
      if hasOtherTiming { publishTiming() }
    }
  }

  /// Whether it is silent, after a fade.
  public var isMuted: Bool {
    didSet { shared.pointee.set(soundingTone, isMuted: isMuted) }
  }

  /// The current frequency during a change or sweep, in Hz.
  public var reachedFrequency: Double {
    Double(bitPattern: shared.pointee.reachedFrequency.load(ordering: .relaxed))
  }

  /// Frames rendered so far.
  public var frameCount: Int { shared.pointee.frameCount.load(ordering: .relaxed) }

  /// Whether the tone has ended and only silence follows.
  public var isOver: Bool { shared.pointee.isOver.load(ordering: .acquiring) }

  /// [any thread] Fades the tone out.
  public func close() { shared.pointee.isClosed.store(true, ordering: .relaxed) }

  /// Ends the tone before a frame, the fade included; without a fade, exactly at the frame.
  public func end(atFrame frame: Int) {
    shared.pointee.endFrame.store(frame, ordering: .relaxed)
  }

  /// Sets the frames of silence after which a device has certainly played the end of the tone.
  public func wait(silentFrames: Int) {
    shared.pointee.silentFrames.store(silentFrames, ordering: .relaxed)
  }

  /// Returns the largest sample since the last call, linear.
  public func readAndResetPeak() -> Double {
    Double(Float(bitPattern: shared.pointee.peak.exchange(0, ordering: .relaxed)))
  }

  private func publishSweep() {
    guard let sweep = currentTone.sweep else {
      return shared.pointee.sweep.store(nil, ordering: .releasing)
    }
    let stepTime = Double(ToneDirector.stepFrames(sampleRate)) / sampleRate
    let plan = memory.cell(
      SweepPlan(currentTone, sweep, sampleRate: sampleRate, stepTime: stepTime, memory))
    shared.pointee.sweep.store(UnsafePointer(plan), ordering: .releasing)
  }

  private func publishTiming() {
    let plan = memory.cell(TimingPlan(currentTone.timing, sampleRate: sampleRate))
    shared.pointee.timing.store(UnsafePointer(plan), ordering: .releasing)
  }

  /// The sound of a tone; one that cannot be read any more is silent, because nothing else may sound.
  private func loop(of tone: Tone) -> SoundLoop {
    (try? makeLoop(of: tone)) ?? SoundLoop(channelCount: channelCount)
  }

  private func makeLoop(of tone: Tone) throws(ToneError) -> SoundLoop? {
    guard tone.waveform == .file, let sound = tone.sound else { return nil }
    return SoundLoop(
      try SoundSamples(path: sound.path), sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Has the render thread use a sound, and frees those that it does not read any more.
  private func publish(_ loop: SoundLoop?) {
    let last = shared.pointee.sound.load(ordering: .relaxed)
    if shared.pointee.adoptedSound.load(ordering: .acquiring) == last {
      sounds.removeAll { $0.plan != last }
    }
    if let loop { sounds.append(loop) }
    shared.pointee.sound.store(loop?.plan, ordering: .releasing)
  }

  private func publishBand() {
    let isNeeded = currentTone.band != nil && currentTone.waveform.isNoise
    guard isNeeded || hasHadBand else { return }
    let plan = memory.cell(
      BandPlan(currentTone.band, currentTone.waveform, sampleRate: sampleRate))
    hasHadBand = true
    shared.pointee.band.store(UnsafePointer(plan), ordering: .releasing)
  }

  /// The parameters of the modulation.
  private var modulation: [(AudioUnitParameterID, Double)] {
    let (am, fm) = (currentTone.amplitudeModulation, currentTone.frequencyModulation)
    var values: [(AudioUnitParameterID, Double)] = [
      (kToneGeneratorParam_AMDepth, am?.depth ?? 0),
      (kToneGeneratorParam_FMDeviation, fm?.deviation ?? 0),
    ]
    // While there is no modulation, its frequency stays, and it fades out.
    if let am { values.append((kToneGeneratorParam_AMFrequency, am.frequency)) }
    if let fm { values.append((kToneGeneratorParam_FMFrequency, fm.frequency)) }
    return values
  }

  private func begin(noise: Int) throws(ToneError) {
    let tone = soundingTone
    let coarse = Float(tone.firstFrequency)
    let values: [(AudioUnitParameterID, Double)] = [
      (kToneGeneratorParam_Frequency, Double(coarse)),
      (kToneGeneratorParam_FineFrequency, tone.firstFrequency - Double(coarse)),
      (kToneGeneratorParam_Amplitude, 0),
      (kToneGeneratorParam_Waveform, Double(tone.waveform.parameterValue)),
      (kToneGeneratorParam_DutyCycle, tone.dutyCycle),
      (kToneGeneratorParam_Phase, tone.startPhase),
      (kToneGeneratorParam_ChannelPhase, tone.phase),
      (kToneGeneratorParam_NoiseSeed, Double(noise)),
      (kToneGeneratorParam_SameNoise, tone.hasSameNoise ? 1 : 0),
      (kToneGeneratorParam_NoiseOrder, Double(tone.noiseOrder)),
      (kToneGeneratorParam_SampleBits, Double(tone.sampleBits)),
    ]
    if currentTone.waveform == .file {
      publish(try makeLoop(of: currentTone) ?? SoundLoop(channelCount: channelCount))
    }
    publishSweep()
    publishBand()
    if currentTone.timing != nil { publishTiming() }
    for (parameter, value) in values + modulation {
      try ToneError.check(set(parameter, value), "Can't set the tone")
    }
    try ToneError.check(
      AudioUnitAddRenderNotify(unit, directTone, director), "Can't observe the tone's rendering")
    try ToneError.check(AudioUnitInitialize(unit), "Can't initialize the tone generator")
  }

  private func set(_ parameter: AudioUnitParameterID, _ value: Double) -> OSStatus {
    AudioUnitSetParameter(unit, parameter, kAudioUnitScope_Global, 0, Float(value), 0)
  }
}

extension ToneSource {
  /// Makes a tone generator with the format of the source; it is not initialized yet.
  private static func makeUnit(
    _ sampleRate: Double, _ channelCount: Int
  ) throws(ToneError) -> AudioUnit {
    let unit = try makeInstance(
      kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator,
      kAudioUnitManufacturer_SwiftAudioToolbox, missing: "Can't find the tone generator")
    do throws(ToneError) {
      var format = floatFormat(sampleRate: sampleRate, channelCount: channelCount)
      try setProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, &format,
        "Can't have \(channelCount) channels at \(sampleRate.plainText) Hz")
      var frames = UInt32(clamping: maximumFrames)
      try setProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, &frames,
        "Can't render \(frames) frames at once")
      return unit
    } catch {
      AudioComponentInstanceDispose(unit)
      throw error
    }
  }
}

/// The render notify of the tone generator. [render thread]
private func directTone(
  director: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let director = director.assumingMemoryBound(to: ToneDirector.self)
  if flags.pointee.contains(.unitRenderAction_PreRender) {
    director.pointee.willRender(Int(frameCount))
  } else if flags.pointee.contains(.unitRenderAction_PostRender), let data {
    director.pointee.didRender(Int(frameCount), data)
  }
  return noErr
}
