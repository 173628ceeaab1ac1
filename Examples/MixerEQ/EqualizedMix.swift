// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// Two render callbacks, a mixer and an output in a graph, with an equaliser on one branch.
///
///     callback 0 ──────────────┐
///                              ├── AUMultiChannelMixer ── AURemoteIO
///     callback 1 ── AUiPodEQ ──┘
final class EqualizedMix {
  private let graph: AUGraph
  private let equalizer: AudioUnit
  private let mixer: AudioUnit
  private let tones: UnsafeMutablePointer<Tone>

  /// The state of a render callback, which only that callback uses.
  fileprivate struct Tone {
    let step: Double
    /// In radians, below 2π.
    var theta = 0.0
  }

  /// Builds the graph without starting it. Tone 0 goes to the mixer, tone 1 through the equaliser.
  init(frequencies: (Double, Double), sampleRate: Double) throws {
    graph = try makeGraph()
    let output = try addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    let mixing = try addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    let equalizing = try addNode(graph, kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ)
    try check(AUGraphOpen(graph))
    mixer = try unit(graph, mixing)
    equalizer = try unit(graph, equalizing)
    tones = .allocate(capacity: 2)
    for (index, frequency) in [frequencies.0, frequencies.1].enumerated() {
      (tones + index).initialize(to: Tone(step: 2 * .pi * frequency / sampleRate))
    }

    // The equaliser needs the full format on both sides. The mixer's bus with a callback needs the
    // format of its samples; the other bus gets that of its connection. For the mixer's output only
    // the rate is set.
    let format = floatFormat(sampleRate: sampleRate, channels: 1)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try setProperty(equalizer, kAudioUnitProperty_StreamFormat, scope, 0, format)
    }
    try setProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(2))
    try setProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, format)
    try setProperty(
      mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, sampleRate)
    // A device may request up to this many frames at once.
    for unit in [mixer, equalizer] {
      try setProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, UInt32(4_096))
    }

    for (index, node) in [mixing, equalizing].enumerated() {
      var callback = AURenderCallbackStruct(
        inputProc: renderTone, inputProcRefCon: tones + index)
      try check(AUGraphSetNodeInputCallback(graph, node, 0, &callback))
    }
    try check(AUGraphConnectNodeInput(graph, equalizing, 0, mixing, 1))
    try check(AUGraphConnectNodeInput(graph, mixing, 0, output, 0))
    try check(AUGraphInitialize(graph))
  }

  deinit {
    DisposeAUGraph(graph)
    tones.deallocate()
  }

  /// The presets of the equaliser, which belong to the unit.
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

  /// Selects a preset by its name, even during playback.
  func choose(_ name: String) throws {
    guard let preset = try presets.first(where: { $0.name == name }) else {
      throw UsageFailure("PRESET is \"\(name)\": expected a preset; MixerEQ alone lists them")
    }
    try setProperty(
      equalizer, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, preset)
  }

  /// The controls of the mixer's bus for tone 0, which can be set during playback.
  var controls: [Control] {
    get throws { try Control.all(of: mixer, kAudioUnitScope_Input, 0) }
  }

  /// A control of one of the mixer's buses.
  func control(_ parameter: AudioUnitParameterID, _ bus: UInt32) throws -> Control {
    try Control(mixer, parameter, kAudioUnitScope_Input, bus)
  }

  /// Plays.
  func start() throws { try check(AUGraphStart(graph)) }

  /// Stops; no callback runs afterwards.
  func stop() throws { try check(AUGraphStop(graph)) }
}

extension AUPreset {
  /// Its name as a Swift string.
  var name: String { presetName.map { String(describing: $0.takeUnretainedValue()) } ?? "" }
}

/// Called on the audio thread for the next frames of a tone. It is a global function, outside every
/// actor, because the audio thread belongs to none.
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
