// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// Two render callbacks, a mixer and an output: the first callback feeds the mixer by way of an
/// equaliser, the second without.
///
///     callback 0 ── AUiPodEQ ──┐
///                              ├── MultiChannelMixer ── RemoteIO
///     callback 1 ──────────────┘
final class EqualizedMix {
  private static let sampleRate = 48_000.0

  private let equalizer: AudioUnit
  private let mixer: AudioUnit
  private let output: AudioUnit
  private let tones: UnsafeMutablePointer<Tone>

  /// What a render callback reads and moves on; only that callback touches it.
  fileprivate struct Tone {
    let step: Double
    /// In radians, below a whole turn.
    var theta = 0.0
  }

  /// A failed call: which one, and what it gave.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Makes the units and connects them; nothing sounds yet.
  init(frequencies: [Double]) throws {
    equalizer = try Self.makeUnit(kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ)
    mixer = try Self.makeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    output = try Self.makeUnit(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    tones = .allocate(capacity: frequencies.count)
    for (index, frequency) in frequencies.enumerated() {
      (tones + index).initialize(to: Tone(step: 2 * .pi * frequency / Self.sampleRate))
    }

    // Whoever is fed by a callback is told the format of its samples.
    var inputs = UInt32(2)
    try Self.set(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &inputs)
    var format = AudioStreamBasicDescription(
      mSampleRate: Self.sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
      mBitsPerChannel: 32, mReserved: 0)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try Self.set(equalizer, kAudioUnitProperty_StreamFormat, scope, 0, &format)
    }
    try Self.set(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &format)
    var rate = Self.sampleRate
    try Self.set(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, &rate)

    for (unit, bus, index) in [(equalizer, UInt32(0), 0), (mixer, 1, 1)] {
      var callback = AURenderCallbackStruct(
        inputProc: renderTone, inputProcRefCon: tones + index)
      try Self.set(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, bus, &callback)
    }
    try connect(equalizer, to: mixer, bus: 0)
    try connect(mixer, to: output, bus: 0)
    for unit in [equalizer, mixer, output] {
      try Self.check(AudioUnitInitialize(unit), "AudioUnitInitialize")
    }
  }

  deinit {
    for unit in [output, mixer, equalizer] {
      AudioUnitUninitialize(unit)
      AudioComponentInstanceDispose(unit)
    }
    tones.deallocate()
  }

  /// The names of the equaliser's presets.
  var presets: [String] {
    factoryPresets.map { preset in
      preset.presetName.map { String(describing: $0.takeUnretainedValue()) } ?? ""
    }
  }

  /// Chooses a preset by name, also while it plays.
  func choose(_ name: String) throws {
    guard let index = presets.firstIndex(of: name) else {
      throw Failure(description: "there is no preset \(name)")
    }
    var preset = factoryPresets[index]
    try Self.set(
      equalizer, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset)
  }

  /// Plays.
  func start() throws { try Self.check(AudioOutputUnitStart(output), "AudioOutputUnitStart") }

  /// Stops; the callbacks have returned for the last time.
  func stop() throws { try Self.check(AudioOutputUnitStop(output), "AudioOutputUnitStop") }

  /// An array of pointers to presets, which belong to the unit.
  private var factoryPresets: [AUPreset] {
    var list: Unmanaged<CFArray>?
    var size = UInt32(MemoryLayout.size(ofValue: list))
    let status = AudioUnitGetProperty(
      equalizer, kAudioUnitProperty_FactoryPresets, kAudioUnitScope_Global, 0, &list, &size)
    guard status == noErr, let array = list?.takeRetainedValue() else { return [] }
    return (0..<CFArrayGetCount(array)).compactMap {
      CFArrayGetValueAtIndex(array, $0)?.assumingMemoryBound(to: AUPreset.self).pointee
    }
  }

  private func connect(_ source: AudioUnit, to unit: AudioUnit, bus: UInt32) throws {
    var connection = AudioUnitConnection(
      sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: bus)
    try Self.set(
      unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, bus, &connection)
  }

  private static func set<Value: BitwiseCopyable>(
    _ unit: AudioUnit, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ bus: UInt32,
    _ value: inout Value
  ) throws {
    let size = UInt32(MemoryLayout<Value>.size)
    try check(
      AudioUnitSetProperty(unit, property, scope, bus, &value, size), "AudioUnitSetProperty")
  }

  private static func makeUnit(_ type: OSType, _ subType: OSType) throws -> AudioUnit {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var instance: AudioUnit?
    if let component = AudioComponentFindNext(nil, &description) {
      try check(AudioComponentInstanceNew(component, &instance), "AudioComponentInstanceNew")
    }
    guard let instance else { throw Failure(description: "there is no such unit") }
    return instance
  }

  private static func check(_ status: OSStatus, _ call: String) throws {
    if status != noErr { throw Failure(description: "\(call) failed with \(status)") }
  }
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
