// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

/// Most slices have the same gains as the previous one, and are rendered by a shortcut. The sound
/// must not differ.
@Suite("Mixer with unchanged slices")
struct MixerRepetitionTests {
  private static let volume = AudioUnitParameterID(kMultiChannelMixerParam_Volume)
  private static let enable = AudioUnitParameterID(kMultiChannelMixerParam_Enable)
  private static let pan = AudioUnitParameterID(kMultiChannelMixerParam_Pan)

  /// A mixer of three inputs: a callback, a mixer with a callback, and nothing.
  private final class Rig: @unchecked Sendable {
    /// The behaviour of the first callback.
    enum Manner: Int { case fills, passesOn, promisesSilence, fails, sets }

    let mixer: MixerHost
    let source: MixerHost
    private let manner = Atomic(0)
    private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 1_024)

    /// Makes the mixers. With render notifies they use no shortcut.
    init(isNotified: Bool = false) throws {
      (mixer, source) = (try MixerHost(inputs: 3), try MixerHost(inputs: 1))
      try source.feed(0) { Rig.sample(2 + $0, $1) }
      try source.initialize()
      let callback = HostCallback { [unowned self] in fill($0) }
      for bus in 0..<3 {
        try mixer.unit.setFormat(
          .linear(48_000, channels: 2), kAudioUnitScope_Input, AudioUnitElement(bus))
      }
      try mixer.unit.setCallback(callback)
      try mixer.unit.connect(source.unit, to: 1)
      try mixer.initialize()
      guard isNotified else { return }
      for unit in [mixer.unit, source.unit] { try unit.addNotify(HostCallback()) }
    }

    deinit { memory.deallocate() }

    static func sample(_ channel: Int, _ frame: Int) -> Float {
      Float((frame * 37 + channel * 11) % 201 - 100) / 256
    }

    func set(_ manner: Manner) { self.manner.store(manner.rawValue, ordering: .relaxed) }

    private func fill(_ moment: CallbackArguments) -> OSStatus {
      switch Manner(rawValue: manner.load(ordering: .relaxed)) {
      case .passesOn:
        guard let buffers = moment.buffers else { return kAudio_ParamError }
        for channel in 0..<buffers.count {
          buffers[channel].mData = UnsafeMutableRawPointer(memory + 512 * channel)
        }
        moment.fill(Self.sample)
      case .promisesSilence: moment.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      case .fails: return kAudioUnitErr_NoConnection
      case .sets:
        // Sets a different volume each time, for the frames of this render.
        let volume = Float(moment.position / 64 % 8) / 8
        moment.fill(Self.sample)
        for unit in [mixer, source] {
          let status = AudioUnitSetParameter(
            unit.unit.handle, MixerRepetitionTests.volume, kAudioUnitScope_Input, 0, volume, 0)
          guard status == noErr else { return status }
        }
      default: moment.fill(Self.sample)
      }
      return noErr
    }

    func render() throws -> [[Double]] {
      try mixer.render(1_536, slices: [64]).map(\.samples)
    }
  }

  @Test("sounds like one that renders every slice in full, whatever changes meanwhile")
  func equal() throws {
    let rigs = [try Rig(), try Rig(isNotified: true)]
    func both(_ change: (Rig) throws -> Void) throws {
      let rendered = try rigs.map { rig in
        try change(rig)
        return try rig.render()
      }
      for channel in 0..<2 {
        let differences = zip(rendered[0][channel], rendered[1][channel]).count { $0 != $1 }
        #expect(differences == 0)
        let sounding = rendered[0][channel].count { $0 != 0 }
        #expect(sounding > 1_000)
      }
    }
    try both { _ in }
    try both { try $0.mixer.set(Self.volume, 0.5) }
    try both { try $0.source.set(Self.volume, 0.25) }
    try both { try $0.source.set(Self.volume, 1) }
    try both { $0.set(.passesOn) }
    try both { try $0.mixer.set(Self.pan, -0.5, kAudioUnitScope_Input, 1) }
    try both { $0.set(.promisesSilence) }
    try both { $0.set(.sets) }
    try both { $0.set(.fills) }
    try both { try $0.source.set(Self.volume, 1) }
    try both { try $0.mixer.set(Self.enable, 0, kAudioUnitScope_Input, 1) }
    try both { try $0.mixer.set(Self.enable, 1, kAudioUnitScope_Input, 1) }
    try both { try $0.mixer.feed(2) { Rig.sample(4 + $0, $1) } }
    try both { try $0.mixer.schedule(Self.volume, from: 0, to: 1, at: 40, frames: 900) }
    try both { try $0.mixer.set(Self.volume, 0.75, kAudioUnitScope_Output) }
    try both {
      try $0.mixer.unit.set(
        kAudioUnitProperty_MakeConnection,
        to: AudioUnitConnection(
          sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 1), kAudioUnitScope_Input, 1
      )
    }
    try both { try check(AudioUnitReset($0.mixer.unit.handle, kAudioUnitScope_Global, 0)) }
  }

  @Test("returns the error of its source, and continues with the next slice")
  func failure() throws {
    let rig = try Rig()
    _ = try rig.render()
    rig.set(.fails)
    #expect(throws: (any Error).self) { try rig.render() }
    rig.set(.fills)
    let rendered = try rig.render()
    // The callback counts the frames of the failed call, but the second source was not pulled for
    // it.
    #expect(
      rendered[0][100] == Double(Rig.sample(0, 1_700) + Rig.sample(2, 1_636)))
  }

  @Test("is not rendered twice for the same time")
  func oneTime() throws {
    let rig = try Rig()
    _ = try rig.render()
    let callback = HostCallback()
    try rig.mixer.unit.setCallback(callback)
    let other = try MixerHost(inputs: 2)
    try other.unit.connect(rig.mixer.unit, to: 0)
    try other.unit.connect(rig.mixer.unit, to: 1)
    try other.initialize()
    _ = try other.render(640, slices: [64])
    #expect(callback.count == 10)
  }
}
