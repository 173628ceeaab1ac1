// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioUnit of any component")
struct InstantiationTests {
  private func description(_ type: OSType, _ subType: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  @Test("the class follows from the type")
  func classes() async throws {
    func made(_ type: OSType, _ subType: OSType) async throws -> AVAudioUnit {
      try await AVAudioUnit.instantiate(with: description(type, subType))
    }
    #expect(
      try await made(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter) is AVAudioUnitEffect)
    #expect(
      try await made(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)
        is AVAudioUnitTimeEffect)
    #expect(
      try await made(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer)
        is AVAudioUnitGenerator)
    #expect(
      try await made(kAudioUnitType_MusicDevice, kAudioUnitSubType_DLSSynth)
        is AVAudioUnitMIDIInstrument)
    let mixer = try await made(kAudioUnitType_Mixer, kAudioUnitSubType_StereoMixer)
    #expect(type(of: mixer) == AVAudioUnit.self && mixer.name == "AUMixer")
  }

  @Test("a component that does not exist, and an output unit, are errors")
  func refused() async throws {
    for missing in [
      description(kAudioUnitType_Effect, 0x6e6f_6e65),
      description(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput),
    ] {
      let error = await #expect(throws: NSError.self) {
        _ = try await AVAudioUnit.instantiate(with: missing)
      }
      #expect(error?.localizedDescription.isEmpty == false)
    }
  }

  @Test("the block is called while its caller waits")
  @MainActor
  func waiting() throws {
    final class Result: @unchecked Sendable { var unit: AVAudioUnit? }
    let (done, result) = (DispatchSemaphore(value: 0), Result())
    AVAudioUnit.instantiate(
      with: description(kAudioUnitType_Effect, kAudioUnitSubType_Delay), options: []
    ) { unit, _ in
      result.unit = unit
      done.signal()
    }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(result.unit?.name == "AUDelay")
  }

  /// A subclass, as programs write them.
  private final class LowPass: AVAudioUnitEffect, @unchecked Sendable {
    convenience init(cutoff: Float) {
      self.init(
        audioComponentDescription: AudioComponentDescription(
          componentType: kAudioUnitType_Effect,
          componentSubType: kAudioUnitSubType_LowPassFilter,
          componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
          componentFlagsMask: 0))
      AudioUnitSetParameter(
        audioUnit, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, cutoff, 0)
    }
  }

  @Test("a subclass of an effect plays as its unit does")
  func subclass() throws {
    let offline = try Offline()
    try offline.play(through: LowPass(cutoff: 400))
    let unit = try ReferenceUnit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter)
    unit.set(kLowPassParam_CutoffFrequency, to: 400)
    #expect(try offline.render(3_000) == (try unit.render(3_000)))
  }

  @Test("a state that a unit has saved can be loaded; other files are refused")
  func presets() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("presets-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let saved = AVAudioUnitDelay()
    saved.feedback = 12
    var state: Unmanaged<AnyObject>?
    var size = UInt32(MemoryLayout.size(ofValue: state))
    try #require(
      AudioUnitGetProperty(
        saved.audioUnit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &state, &size)
        == noErr)
    let file = folder.appendingPathComponent("delay.aupreset")
    let object = try #require(state?.takeRetainedValue())
    try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
      .write(to: file)
    let loaded = AVAudioUnitDelay()
    try loaded.loadPreset(at: file)
    #expect(loaded.feedback == 12)
    let text = folder.appendingPathComponent("text.aupreset")
    try Data("nothing".utf8).write(to: text)
    #expect(throws: NSError.self) { try loaded.loadPreset(at: text) }
    #expect(throws: NSError.self) {
      try loaded.loadPreset(at: folder.appendingPathComponent("missing.aupreset"))
    }
    #expect(throws: NSError.self) { try AVAudioUnitReverb().loadPreset(at: file) }
    #expect(loaded.feedback == 12)
  }
}
