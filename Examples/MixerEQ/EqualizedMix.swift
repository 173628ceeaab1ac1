// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Two render callbacks, an equaliser for each, a mixer and an output, connected without a graph. The
/// first equaliser has curves to choose from, the second parameters to set.
///
///     callback 0 ── AUiPodEQ ────────┐
///                                    ├── AUMultiChannelMixer ── AURemoteIO
///     callback 1 ── AUParametricEQ ──┘
final class EqualizedMix {
  private static let sampleRate = 48_000.0

  private let equalizer: AudioUnit
  private let parametric: AudioUnit
  private let mixer: AudioUnit
  private let output: AudioUnit
  private let tones: UnsafeMutablePointer<Tone>

  /// What a render callback reads and moves on; only that callback touches it.
  fileprivate struct Tone {
    let step: Double
    /// In radians, below a whole turn.
    var theta = 0.0
  }

  /// Makes the units and connects them; nothing sounds yet.
  init(frequencies: (Double, Double)) throws {
    equalizer = try makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ)
    parametric = try makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_ParametricEQ)
    mixer = try makeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    output = try makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    tones = .allocate(capacity: 2)
    for (index, frequency) in [frequencies.0, frequencies.1].enumerated() {
      (tones + index).initialize(to: Tone(step: 2 * .pi * frequency / Self.sampleRate))
    }

    // Whoever is fed by a callback is told the format of its samples. Of the mixer only the output's
    // rate is set: its inputs take the formats of the connections.
    let format = floatFormat(sampleRate: Self.sampleRate, channels: 1)
    for (index, unit) in [equalizer, parametric].enumerated() {
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        try setProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, format)
      }
      try setProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
        AURenderCallbackStruct(inputProc: renderTone, inputProcRefCon: tones + index))
    }
    try setProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(2))
    try setProperty(
      mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, Self.sampleRate)
    try connect(equalizer, to: mixer, bus: 0)
    try connect(parametric, to: mixer, bus: 1)
    try connect(mixer, to: output, bus: 0)
    for unit in [equalizer, parametric, mixer, output] { try check(AudioUnitInitialize(unit)) }
  }

  deinit {
    for unit in [output, mixer, parametric, equalizer] {
      AudioUnitUninitialize(unit)
      AudioComponentInstanceDispose(unit)
    }
    tones.deallocate()
  }

  /// The curves of the first equaliser: pairs of a number and a name, which belong to the unit.
  var presets: [AUPreset] {
    get throws {
      var list: Unmanaged<CFArray>?
      var size = UInt32(MemoryLayout.size(ofValue: list))
      try check(
        AudioUnitGetProperty(
          equalizer, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, &list, &size))
      let array = try some(list).takeRetainedValue()
      return (0..<CFArrayGetCount(array)).compactMap {
        CFArrayGetValueAtIndex(array, $0)?.assumingMemoryBound(to: AUPreset.self).pointee
      }
    }
  }

  /// Chooses a curve by its name, also while it plays.
  func choose(_ name: String) throws {
    guard let preset = try presets.first(where: { $0.name == name }) else {
      throw UsageFailure("PRESET is \"\(name)\": expected a preset; MixerEQ alone lists them")
    }
    try setProperty(
      equalizer, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, preset)
  }

  /// The parameters of the second equaliser, which can be set while it plays.
  var controls: [Control] {
    get throws { try Control.all(of: parametric, kAudioUnitScope_Global, 0) }
  }

  /// Plays.
  func start() throws { try check(AudioOutputUnitStart(output)) }

  /// Stops; the callbacks have returned for the last time.
  func stop() throws { try check(AudioOutputUnitStop(output)) }

  private func connect(_ source: AudioUnit, to unit: AudioUnit, bus: UInt32) throws {
    try setProperty(
      unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, bus,
      AudioUnitConnection(sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: bus))
  }
}

extension AUPreset {
  /// Its name as a Swift string.
  var name: String { presetName.map { String(describing: $0.takeUnretainedValue()) } ?? "" }
}

/// Called on the audio thread for the next frames of a tone. It is a function of its own, outside of
/// every actor: a closure that belonged to the main actor would stop the program there.
private func renderTone(
  tone: UnsafeMutableRawPointer, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  time: UnsafePointer<AudioTimeStamp>, bus: UInt32, frameCount: UInt32,
  data: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  let tone = tone.assumingMemoryBound(to: EqualizedMix.Tone.self)
  guard let buffers = UnsafeMutableAudioBufferListPointer(data),
    let samples = buffers[0].mData?.assumingMemoryBound(to: Float.self)
  else { return noErr }
  for frame in 0..<Int(frameCount) {
    samples[frame] = 0.1 * Float(sin(tone.pointee.theta))
    tone.pointee.theta += tone.pointee.step
    if tone.pointee.theta >= 2 * .pi { tone.pointee.theta -= 2 * .pi }
  }
  return noErr
}
