// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import SignalProcessing
import Synchronization

/// Effects in series, between a source and the output.
public final class ToneEffects {
  /// The source of the first effect.
  public enum Source {
    case callback(AURenderCallbackStruct)
    case unit(AudioUnit)
  }

  /// The units, initialized, in order.
  private var units: [AudioUnit] = []
  private let peak: UnsafeMutablePointer<Atomic<UInt32>>

  /// [control thread] Makes the units and connects each to the one before it.
  ///
  /// - Parameters:
  ///   - effects: At least one.
  ///   - source: The source of the first effect.
  ///   - sampleRate: Frames per second of all effects.
  ///   - channelCount: The channels of all effects.
  ///   - isOffline: Whether nobody waits for the sound in real time: plug-ins then take their time, and a render fails
  ///     if the process of one ends.
  /// - Throws: If an effect or parameter does not exist, with the ones that do.
  public init(
    _ effects: [UnitSpec], after source: Source, sampleRate: Double,
    channelCount: Int, isOffline: Bool = FrameLimit.isNeeded
  ) throws(ToneError) {
    peak = .cell(Atomic(0))
    do throws(ToneError) {
      try Self.check(effects)
      for effect in effects {
        let unit = try Self.make(effect, sampleRate, channelCount, isOffline: isOffline)
        units.append(unit)
        Self.limitTruePeaks(of: unit)
        try effect.apply(to: unit)
      }
      for (index, unit) in units.enumerated() {
        if index > 0 {
          try Self.connect(units[index - 1], to: unit, effects[index].name)
        } else {
          switch source {
          case .unit(let source): try Self.connect(source, to: unit, effects[0].name)
          case .callback(var callback):
            try setProperty(
              unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, &callback,
              "Can't connect the tone to \(effects[0].name)")
          }
        }
        try ToneError.check(AudioUnitInitialize(unit), "Can't initialize \(effects[index].name)")
      }
      if let last {
        try ToneError.check(
          AudioUnitAddRenderNotify(last, measureEffects, peak), "Can't observe the effects")
      }
    } catch {
      release()
      throw error
    }
  }

  deinit {
    release()
    peak.endCell()
  }

  /// Returns the largest sample since the last call, linear.
  public func readAndResetPeak() -> Double {
    Double(Float(bitPattern: peak.pointee.exchange(0, ordering: .relaxed)))
  }

  /// Their latency in seconds.
  public var latency: Double { sum(kAudioUnitProperty_Latency) }

  /// Their tail in seconds.
  public var tail: Double { sum(kAudioUnitProperty_TailTime) }

  private func sum(_ seconds: AudioUnitPropertyID) -> Double {
    units.reduce(0) { $0 + ($1.value(seconds, over: 0.0) ?? 0) }
  }

  /// Frames that they make of each frame of their input; nil if one of them, of a plug-in, converts
  /// formats in its own way.
  public var outputPerInput: Double? {
    units.reduce(1 as Double?) { ratio, unit in
      ratio.flatMap { ratio in unit.outputPerInput.map { ratio * $0 } }
    }
  }

  /// The last unit.
  public var last: AudioUnit? { units.last }

  /// [control thread] Connects the last unit to an input bus.
  func connect(to unit: AudioUnit) throws(ToneError) {
    if let last { try Self.connect(last, to: unit, "the output") }
  }

  private func release() {
    for unit in units.reversed() {
      AudioUnitUninitialize(unit)
      AudioComponentInstanceDispose(unit)
    }
    units = []
  }

  /// Makes a limiter limit true peaks, which its settings can override.
  private static func limitTruePeaks(of unit: AudioUnit) {
    var description = AudioComponentDescription()
    AudioComponentGetDescription(AudioComponentInstanceGetComponent(unit), &description)
    guard description.componentType == kAudioUnitType_Effect,
      description.componentSubType == kAudioUnitSubType_PeakLimiter,
      description.componentManufacturer == kAudioUnitManufacturer_Apple
    else { return }
    AudioUnitSetParameter(unit, kLimiterParam_TruePeak, kAudioUnitScope_Global, 0, 1, 0)
  }

  private static func connect(_ source: AudioUnit, to unit: AudioUnit, _ name: String)
    throws(ToneError)
  {
    var connection = AudioUnitConnection(
      sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: 0)
    try setProperty(
      unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, &connection,
      "Can't connect the effects to \(name)")
  }
}

extension ToneEffects {
  /// [control thread] Refuses units that cannot process sound, before anything is opened.
  ///
  /// - Throws: If there is no such unit, or if it has no input or output for sound.
  public static func check(_ effects: [UnitSpec]) throws(ToneError) {
    for effect in effects {
      let kind =
        switch try effect.component().description.componentType {
        case kAudioUnitType_MusicDevice: "an instrument: it plays notes and has no input for sound"
        case kAudioUnitType_Generator: "a generator: it makes sound itself and has no input"
        case kAudioUnitType_Output: "an output unit: it plays to a device, and passes nothing on"
        default: ""
        }
      guard kind.isEmpty else {
        throw ToneError(
          "\(effect.name) is \(kind). Name an effect instead, such as lowpass or rvb2,preset=plate: "
            + "`au list effect` shows all of them")
      }
    }
  }

  private static func make(
    _ effect: UnitSpec, _ sampleRate: Double, _ channelCount: Int, isOffline: Bool
  ) throws(ToneError) -> AudioUnit {
    let component = try effect.component()
    let unit = try component.makeInstance("Can't make \(effect.name)")
    do throws(ToneError) {
      var format = floatFormat(sampleRate: sampleRate, channelCount: channelCount)
      var frames = UInt32(clamping: ToneSource.maximumFrames)
      try setProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, &frames,
        "\(effect.name) can't render \(frames) frames at once")
      let channels = channelCount == 1 ? "1 channel" : "\(channelCount) channels"
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        try setProperty(
          unit, kAudioUnitProperty_StreamFormat, scope, &format,
          "\(effect.name) can't have \(channels) at \(sampleRate.plainText) Hz")
      }
      if isOffline, component.description.componentManufacturer != kAudioUnitManufacturer_Apple {
        // Not every unit has it; those that have threads or processes wait for them.
        var isOffline: UInt32 = 1
        AudioUnitSetProperty(
          unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &isOffline, 4)
      }
      return unit
    } catch {
      AudioComponentInstanceDispose(unit)
      throw error
    }
  }
}

/// The render notify of the last effect. [render thread]
private func measureEffects(
  peak: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard flags.pointee.contains(.unitRenderAction_PostRender),
    let buffers = UnsafeMutableAudioBufferListPointer(data)
  else { return noErr }
  let peak = peak.assumingMemoryBound(to: Atomic<UInt32>.self)
  var largest = Float(bitPattern: peak.pointee.load(ordering: .relaxed))
  for buffer in buffers {
    guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
    for frame in 0..<Int(frameCount) { largest = max(largest, abs(samples[frame])) }
  }
  peak.pointee.store(largest.bitPattern, ordering: .relaxed)
  return noErr
}

extension AudioUnit {
  /// Frames that a unit makes of each frame of its input; nil if that is not known.
  fileprivate var outputPerInput: Double? {
    var description = AudioComponentDescription()
    AudioComponentGetDescription(AudioComponentInstanceGetComponent(self), &description)
    guard description.componentType == kAudioUnitType_FormatConverter else { return 1 }
    guard description.componentManufacturer == kAudioUnitManufacturer_Apple else { return nil }
    switch description.componentSubType {
    case kAudioUnitSubType_NewTimePitch: return parameter(kNewTimePitchParam_Rate).map { 1 / $0 }
    case kAudioUnitSubType_Varispeed: return parameter(kVarispeedParam_PlaybackRate).map { 1 / $0 }
    case kAudioUnitSubType_TimePitch, kAudioUnitSubType_AUiPodTime,
      kAudioUnitSubType_AUiPodTimeOther:
      return parameter(kTimePitchParam_Rate).map { 1 / $0 }
    default: return 1
    }
  }

  /// The value of a parameter, if it is positive.
  private func parameter(_ id: AudioUnitParameterID) -> Double? {
    var value: Float = 0
    guard AudioUnitGetParameter(self, id, kAudioUnitScope_Global, 0, &value) == noErr, value > 0
    else { return nil }
    return Double(value)
  }
}
