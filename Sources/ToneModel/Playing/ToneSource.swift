// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import SignalProcessing
import Synchronization

/// A tone generator unit that sounds a tone from its first frame on, follows every change without a
/// click, and fades out when it is told to end.
///
/// Whoever pulls its output bus hears it: an output unit that is connected to it, or a caller of
/// `AudioUnitRender`. One thread at a time uses it, beside the one that renders.
public final class ToneSource {
  /// Seconds of a fade, and of a change of level, whose splatter stays 80 dB below the tone.
  public static let standardFade = 0.04
  /// The most frames that one render call may ask for.
  public static let maximumFrames = 4_096

  /// The unit, initialized.
  public let unit: AudioUnit
  /// In Hz.
  public let sampleRate: Double

  /// Of all sweeps and bands so far too: the render thread may still look at the one before the last.
  private let memory: OwnedMemory
  private let wishes: UnsafeMutablePointer<ToneWishes>
  /// The render half.
  let director: UnsafeMutablePointer<ToneDirector>
  private var currentTone: Tone
  /// Whether there has been a band.
  private var hasHadBand = false

  /// [control thread] Makes a unit that will sound `tone`.
  ///
  /// - Parameters:
  ///   - tone: What to begin with.
  ///   - sampleRate: Frames per second of the unit's output.
  ///   - channelCount: Channels of the unit's output; each gets the signal, ahead of that of the one
  ///     before it by the tone's phase.
  ///   - fade: Seconds of the fades and of a change of level; 0 for none.
  ///   - isMuted: Whether it begins, and stays, in silence.
  ///   - noise: Which noise it makes, from 1 on: sources of other numbers have nothing in common.
  /// - Throws: Which step failed, and why.
  public init(
    _ tone: Tone, sampleRate: Double, channelCount: Int = 1, fade: Double = standardFade,
    isMuted: Bool = false, noise: Int = 1
  ) throws(ToneError) {
    let unit = try Self.makeUnit(sampleRate, channelCount)
    self.unit = unit
    self.sampleRate = sampleRate
    currentTone = tone
    memory = OwnedMemory()
    wishes = memory.cell(ToneWishes(tone, isMuted: isMuted))
    self.isMuted = isMuted
    director = memory.cell(
      ToneDirector(
        unit, tone, wishes, sampleRate: sampleRate, fade: fade, channelCount: channelCount,
        maximumFrames: Self.maximumFrames))
    try begin(noise: noise)
  }

  deinit {
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    memory.deallocate()
  }

  /// What sounds, or is on its way to.
  ///
  /// A new frequency is reached within a few milliseconds, a new level within a fade; a new waveform
  /// after a fade to silence.
  public var tone: Tone {
    get { currentTone }
    set {
      guard newValue != currentTone else { return }
      // What a sweep does to the level counts from the level.
      let hasOtherSweep =
        newValue.sweep != currentTone.sweep
        || (newValue.sweep?.endLevel != nil && newValue.level != currentTone.level)
      let hasOtherBand =
        newValue.band != currentTone.band || newValue.waveform != currentTone.waveform
      currentTone = newValue
      wishes.pointee.set(newValue, isMuted: isMuted)
      if hasOtherSweep { publishSweep() }
      if hasOtherBand { publishBand() }
    }
  }

  /// Whether it is silent, after a fade.
  public var isMuted: Bool {
    didSet { wishes.pointee.set(currentTone, isMuted: isMuted) }
  }

  /// The frequency that it has come to, in Hz.
  public var reachedFrequency: Double {
    Double(bitPattern: wishes.pointee.reachedFrequency.load(ordering: .relaxed))
  }

  /// Frames rendered so far.
  public var frameCount: Int { wishes.pointee.frameCount.load(ordering: .relaxed) }

  /// Whether the tone has ended and what follows it is silence.
  public var isOver: Bool { wishes.pointee.isOver.load(ordering: .acquiring) }

  /// [any thread] Lets the tone fade out.
  public func close() { wishes.pointee.isClosed.store(true, ordering: .relaxed) }

  /// Lets the tone end before it has so many frames, the fade included; without a fade, exactly then.
  public func end(atFrame frame: Int) {
    wishes.pointee.endFrame.store(frame, ordering: .relaxed)
  }

  /// Frames of silence after which a device has surely played the end of the tone.
  public func wait(silentFrames: Int) {
    wishes.pointee.silentFrames.store(silentFrames, ordering: .relaxed)
  }

  /// The largest sample since the last call, linear.
  public func takePeak() -> Double {
    Double(Float(bitPattern: wishes.pointee.peak.exchange(0, ordering: .relaxed)))
  }

  private func publishSweep() {
    guard let sweep = currentTone.sweep else {
      return wishes.pointee.sweep.store(nil, ordering: .releasing)
    }
    let stepTime = Double(ToneDirector.stepFrames(sampleRate)) / sampleRate
    let plan = memory.cell(SweepPlan(sweep, level: currentTone.level, stepTime: stepTime))
    wishes.pointee.sweep.store(UnsafePointer(plan), ordering: .releasing)
  }

  private func publishBand() {
    let isNeeded = currentTone.band != nil && !currentTone.waveform.isPeriodic
    guard isNeeded || hasHadBand else { return }
    let plan = memory.cell(
      BandPlan(currentTone.band, currentTone.waveform, sampleRate: sampleRate))
    hasHadBand = true
    wishes.pointee.band.store(UnsafePointer(plan), ordering: .releasing)
  }

  private func begin(noise: Int) throws(ToneError) {
    let tone = currentTone
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
    ]
    publishSweep()
    publishBand()
    for (parameter, value) in values {
      try ToneError.check(set(parameter, value), "Can't set the tone")
    }
    try ToneError.check(
      AudioUnitAddRenderNotify(unit, directTone, director), "Can't follow the tone's rendering")
    try ToneError.check(AudioUnitInitialize(unit), "Can't initialize the tone generator")
  }

  private func set(_ parameter: AudioUnitParameterID, _ value: Double) -> OSStatus {
    AudioUnitSetParameter(unit, parameter, kAudioUnitScope_Global, 0, Float(value), 0)
  }
}

extension ToneSource {
  /// A tone generator with the format of the source, not yet initialized.
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
      var frames = UInt32(maximumFrames)
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

/// Called before and after each render of the tone generator. [render thread]
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
