// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
import CAllocationProbe
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Instruments as units", .enabled(if: InstrumentHost.isAvailable))
struct InstrumentUnitTests {
  private static let bank = (try? BankFile.defaultPath()) ?? ""

  private func url(_ path: String) -> CFURL { NSURL(fileURLWithPath: path) as CFURL }

  /// The status of setting a property to an object.
  private func set(_ id: AudioUnitPropertyID, _ object: AnyObject, _ host: InstrumentHost)
    -> OSStatus
  {
    host.host.unit.setting(id, to: Unmanaged.passUnretained(object).toOpaque())
  }

  @Test("refuse invalid events, notes and messages with the documented errors")
  func arguments() throws {
    let idle = try InstrumentHost(initializes: false)
    let synth = try InstrumentHost()
    typealias Row = (status: UInt32, first: UInt32, second: UInt32, result: OSStatus)
    let rows: [Row] = [
      (0x90, 60, 100, noErr), (0x9f, 127, 127, noErr), (0x7f, 60, 100, kAudio_ParamError),
      (0x100, 60, 100, kAudio_ParamError), (0x90, 128, 100, kAudio_ParamError),
      (0x90, 60, 128, kAudio_ParamError), (0xf0, 0, 0, kAudio_ParamError),
      (0xf8, 0, 0, noErr), (0xfe, 0, 0, noErr), (0xff, 0, 0, noErr),
    ]
    for row in rows {
      #expect(
        MusicDeviceMIDIEvent(synth.unit, row.status, row.first, row.second, 0) == row.result)
    }
    #expect(MusicDeviceMIDIEvent(idle.unit, 0x90, 60, 100, 0) == kAudioUnitErr_Uninitialized)
    for message in [[0xf0, 0x7e, 0x7f, 9, 1, 0xf7], [0xf0, 0x41, 1, 0xf7]] as [[UInt8]] {
      #expect(MusicDeviceSysEx(synth.unit, message, UInt32(message.count)) == noErr)
      #expect(
        MusicDeviceSysEx(idle.unit, message, UInt32(message.count)) == kAudioUnitErr_Uninitialized)
    }
    for message in [[0xf0, 0x7e], [0x90, 60, 100], [0xf0, 0x80, 0xf7], []] as [[UInt8]] {
      #expect(MusicDeviceSysEx(synth.unit, message, UInt32(message.count)) == kAudio_ParamError)
    }
    var note: NoteInstanceID = 0
    func start(_ unit: AudioUnit, group: UInt32 = 0, count: UInt32 = 2, pitch: Float = 60)
      -> OSStatus
    {
      var parameters = MusicDeviceNoteParams()
      (parameters.argCount, parameters.mPitch, parameters.mVelocity) = (count, pitch, 100)
      let group = MusicDeviceGroupID(group)
      return MusicDeviceStartNote(
        unit, MusicDeviceInstrumentID(kMusicNoteEvent_UseGroupInstrument), group, &note, 0,
        &parameters)
    }
    #expect(start(synth.unit) == noErr && note != 0)
    #expect(MusicDeviceStopNote(synth.unit, 0, note, 0) == noErr)
    #expect(MusicDeviceStopNote(synth.unit, 16, note, 0) == kAudioUnitErr_InvalidElement)
    #expect(start(synth.unit, group: 16) == kAudioUnitErr_InvalidElement)
    #expect(start(synth.unit, count: 3) == kAudio_ParamError)
    #expect(start(synth.unit, pitch: -1) == kAudio_ParamError)
    #expect(start(synth.unit, pitch: .nan) == kAudio_ParamError)
    #expect(start(idle.unit) == kAudioUnitErr_Uninitialized)
    #expect(MusicDevicePrepareInstrument(synth.unit, 0) == noErr)
    #expect(MusicDeviceReleaseInstrument(synth.unit, 0) == noErr)
    #expect(MusicDevicePrepareInstrument(synth.unit, 0x7f_7f7f) == kAudioUnitErr_IllegalInstrument)
    let effect = try HostedUnit(kAudioUnitSubType_Delay, type: kAudioUnitType_Effect)
    #expect(MusicDeviceMIDIEvent(effect.handle, 0x90, 60, 100, 0) == kAudio_UnimplementedError)
    #expect(MusicDevicePrepareInstrument(effect.handle, 0) == kAudio_UnimplementedError)
  }

  @Test("refuse events while the queue is full, and accept them again after a render")
  func full() throws {
    let synth = try InstrumentHost()
    var accepted = 0
    while MusicDeviceMIDIEvent(synth.unit, 0xb0, 1, 1, 0) == noErr, accepted < 100_000 {
      accepted += 1
    }
    #expect(accepted == 2_048)
    #expect(
      MusicDeviceMIDIEvent(synth.unit, 0xb0, 1, 1, 0) == kAudioUnitErr_CannotDoInCurrentContext)
    _ = try synth.render(64)
    try synth.send(0x90, 60, 100)
    #expect(try synth.render(4_800).peak > 0)
  }

  @Test("drop the notes before a reset, but not those after it")
  func reset() throws {
    let synth = try InstrumentHost(dry: false)
    try synth.send(0x90, 60, 100)
    _ = try synth.render(4_800)
    try synth.send(0x90, 64, 100)
    try check(AudioUnitReset(synth.unit, kAudioUnitScope_Global, 0))
    #expect(try synth.render(4_800).peak == 0)
    try check(AudioUnitReset(synth.unit, kAudioUnitScope_Global, 0))
    try synth.send(0x90, 60, 100)
    #expect(try synth.render(4_800).peak > 0)
  }

  @Test("do not use the heap while they are played", arguments: InstrumentHost.kinds)
  func heap(subType: OSType) throws {
    let synth = try InstrumentHost(subType, dry: false)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, flags, operations) = (AudioTimeStamp(), AudioUnitRenderActionFlags(), Int64(0))
    stamp.mFlags = .sampleTimeValid
    let unit = synth.unit
    let controllers: [UInt32] = [1, 7, 10, 64, 91, 120, 121, 123]
    var sendOperations: Int64 = 0
    for round in 0..<200 as Range<UInt32> {
      for channel in 0..<2 {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      }
      let controller = controllers[Int(round % 8)]
      var before = heap_operations()
      var index: UInt32 = 0
      while index < 8 {
        let channel = (round + index) % 16
        let key = 20 + (round * 7 + index * 11) % 90
        _ = MusicDeviceMIDIEvent(unit, 0x90 | channel, key, 100, index * 61)
        _ = MusicDeviceMIDIEvent(unit, 0xe0 | channel, 0, round % 128, 100)
        index += 1
      }
      _ = MusicDeviceMIDIEvent(unit, 0xb0 | round % 16, controller, 64, 9)
      _ = MusicDeviceMIDIEvent(unit, 0xc0 | round % 16, 0, 0, 0)
      _ = MusicDeviceMIDIEvent(unit, 0x80 | round % 16, 20 + (round * 7) % 90, 0, 400)
      if round % 50 == 49 { _ = MusicDeviceMIDIEvent(unit, 0xff, 0, 0, 0) }
      if round > 1 { sendOperations += heap_operations() - before }
      before = heap_operations()
      let status = AudioUnitRender(unit, &flags, &stamp, 0, 512, list.unsafeMutablePointer)
      // The first rounds allocate a thread's caches.
      if round > 1 { operations += heap_operations() - before }
      #expect(status == noErr)
      stamp.mSampleTime += 512
    }
    #expect(sendOperations == 0)
    #expect(operations == 0)
  }

  @Test("refuse extreme sample rates", arguments: [0.001, 1, 999, 4e6, 9e8])
  func rates(rate: Double) throws {
    let synth = try InstrumentHost(initializes: false)
    var format = try synth.host.unit.get(
      kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription(), kAudioUnitScope_Output)
    format.mSampleRate = rate
    #expect(
      synth.host.unit.setting(kAudioUnitProperty_StreamFormat, to: format, kAudioUnitScope_Output)
        == kAudioUnitErr_FormatNotSupported)
    #expect(AudioUnitInitialize(synth.unit) == noErr)
  }

  @Test("list the instruments of their bank by number and name")
  func instruments() throws {
    let synth = try InstrumentHost(initializes: false)
    let count = try synth.host.unit.get(kMusicDeviceProperty_InstrumentCount, as: UInt32(0))
    #expect(count > 16)
    var numbers: Set<UInt32> = []
    for index in 0..<count {
      let id = try synth.host.unit.get(
        kMusicDeviceProperty_InstrumentNumber, as: UInt32(0), kAudioUnitScope_Global, index)
      numbers.insert(id)
      var name = [CChar](repeating: 1, count: 256)
      var size = UInt32(256)
      try check(
        AudioUnitGetProperty(
          synth.unit, kMusicDeviceProperty_InstrumentName, kAudioUnitScope_Global, id, &name, &size)
      )
      #expect(size > 1 && name[Int(size) - 1] == 0)
    }
    #expect(numbers.count == Int(count) && numbers.contains(0))
    var id: UInt32 = 0
    var size = UInt32(4)
    #expect(
      AudioUnitGetProperty(
        synth.unit, kMusicDeviceProperty_InstrumentNumber, kAudioUnitScope_Global, count, &id, &size
      )
        == kAudioUnitErr_InvalidElement)
  }

  @Test("load another bank while they play, and refuse invalid files")
  func banks() throws {
    let synth = try InstrumentHost()
    try synth.send(0x90, 60, 100)
    #expect(try synth.render(4_800).peak > 0)
    #expect(
      set(kMusicDeviceProperty_SoundBankURL, url("/etc/passwd"), synth) == kAudioUnitErr_InvalidFile
    )
    #expect(try synth.render(480).peak > 0)
    #expect(set(kMusicDeviceProperty_SoundBankURL, url(Self.bank), synth) == noErr)
    _ = try synth.render(480)
    #expect(try synth.render(480).peak == 0)
    try synth.send(0x90, 60, 100)
    #expect(try synth.render(4_800).peak > 0)
    let idle = try InstrumentHost(initializes: false)
    #expect(
      set(kMusicDeviceProperty_SoundBankURL, url("/nowhere.sf2"), idle) == kAudioUnitErr_InvalidFile
    )
  }

  @Test("MIDISynth selects only programs that were preloaded")
  func preload() throws {
    let synth = try InstrumentHost(kAudioUnitSubType_MIDISynth)
    func sound() throws -> [Double] {
      try check(AudioUnitReset(synth.unit, kAudioUnitScope_Global, 0))
      try synth.send(0x90, 60, 100)
      return try synth.render(4_800).samples
    }
    let piano = try sound()
    #expect(MusicDeviceMIDIEvent(synth.unit, 0xc0, 56, 0, 0) == kAudioUnitErr_IllegalInstrument)
    #expect(areAlike(try sound(), piano))
    try synth.host.unit.set(kAUMIDISynthProperty_EnablePreload, to: UInt32(1))
    try synth.send(0xc0, 56)
    #expect(areAlike(try sound(), piano))
    try synth.host.unit.set(kAUMIDISynthProperty_EnablePreload, to: UInt32(0))
    try synth.send(0xc0, 56)
    #expect(!areAlike(try sound(), piano))
  }

  @Test("save and restore bank, programs and instruments", arguments: InstrumentHost.kinds)
  func state(subType: OSType) throws {
    let synth = try InstrumentHost(subType, dry: false)
    if subType == kAudioUnitSubType_Sampler {
      try load(synth, kInstrumentType_SF2Preset, Self.bank, preset: 56)
    } else {
      if subType == kAudioUnitSubType_MIDISynth {
        try synth.host.unit.set(kAUMIDISynthProperty_EnablePreload, to: UInt32(1))
        try synth.send(0xc0, 56)
        try synth.host.unit.set(kAUMIDISynthProperty_EnablePreload, to: UInt32(0))
      }
      #expect(set(kMusicDeviceProperty_SoundBankURL, url(Self.bank), synth) == noErr)
      try synth.send(0xc0, 56)
    }
    var list: Unmanaged<CFPropertyList>?
    var size = UInt32(MemoryLayout.size(ofValue: list))
    try check(
      AudioUnitGetProperty(
        synth.unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, &size))
    let other = try InstrumentHost(subType, dry: false)
    try check(
      AudioUnitSetProperty(
        other.unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, size))
    list?.release()
    try synth.send(0x90, 60, 100)
    try other.send(0x90, 60, 100)
    let output = try synth.render(4_800).samples
    #expect(output.contains { $0 != 0 })
    #expect(try other.render(4_800).samples == output)
  }

  private func load(
    _ synth: InstrumentHost, _ type: Int, _ path: String,
    msb: Int = kAUSampler_DefaultMelodicBankMSB,
    preset: UInt8 = 0
  ) throws {
    let file = url(path)
    try check(
      synth.host.unit.setting(
        kAUSamplerProperty_LoadInstrument,
        to: AUSamplerInstrumentData(
          fileURL: .passUnretained(file), instrumentType: UInt8(type), bankMSB: UInt8(msb),
          bankLSB: UInt8(kAUSampler_DefaultBankLSB), presetID: preset)))
  }

  @Test("Sampler plays one instrument of a bank, melodic or drums, on all channels")
  func sampler() throws {
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    func sound(_ host: InstrumentHost, _ channel: UInt32) throws -> [Double] {
      try check(AudioUnitReset(host.unit, kAudioUnitScope_Global, 0))
      try host.send(0x90 | channel, 40, 100)
      return try host.render(4_800).samples
    }
    try load(sampler, kInstrumentType_SF2Preset, Self.bank, preset: 56)
    let trumpet = try sound(sampler, 0)
    try sampler.send(0xc0, 0)
    let drummer = try sound(sampler, 9)
    #expect(areAlike(try sound(sampler, 0), trumpet) && areAlike(drummer, trumpet))
    try load(
      sampler, kInstrumentType_SF2Preset, Self.bank, msb: kAUSampler_DefaultPercussionBankMSB)
    let drum = try sound(sampler, 0)
    #expect(!areAlike(drum, trumpet) && drum.contains { $0 != 0 })
    let bank = url(Self.bank)
    let none = AUSamplerInstrumentData(
      fileURL: .passUnretained(bank), instrumentType: 1, bankMSB: 77, bankLSB: 0,
      presetID: 3)
    #expect(
      sampler.host.unit.setting(kAUSamplerProperty_LoadInstrument, to: none)
        == kAudioUnitErr_IllegalInstrument)
    #expect(areAlike(try sound(sampler, 0), drum))
    defer { withExtendedLifetime(bank) {} }
    var strange = none
    strange.instrumentType = 9
    #expect(
      sampler.host.unit.setting(kAUSamplerProperty_LoadInstrument, to: strange)
        == kAudioUnitErr_InstrumentTypeNotFound)
  }

  @Test("Sampler plays sound files at their keys")
  func files() throws {
    let folder = NSTemporaryDirectory() + "sampler-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func make(_ name: String, _ frequency: Double) throws -> String {
      let path = "\(folder)/\(name).wav"
      var format = AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1,
        mBitsPerChannel: 16, mReserved: 0)
      var file: AudioFileID?
      try check(
        AudioFileCreateWithURL(url(path), kAudioFileWAVEType, &format, .eraseFile, &file))
      let sine = Signal.sine(frequency, amplitude: 0.5, sampleRate: 48_000, count: 96_000)
      let samples = sine.samples.map { Int16($0 * 32_767) }
      var size = UInt32(2 * samples.count)
      try check(AudioFileWriteBytes(try #require(file), false, 0, &size, samples))
      AudioFileClose(try #require(file))
      return path
    }
    let low = try make("tone-A3", 220)
    let high = try make("tone-A4", 440)
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    #expect(
      set(kAUSamplerProperty_LoadAudioFiles, [url(low), url(high)] as NSArray, sampler) == noErr)
    for (key, expected) in [
      (57, 220), (59, 220 * pow(2, 2 / 12.0)), (69, 440), (72, 440 * pow(2, 3 / 12.0)),
    ]
      as [(UInt32, Double)]
    {
      try check(AudioUnitReset(sampler.unit, kAudioUnitScope_Global, 0))
      try sampler.send(0x90, key, 127)
      let output = try sampler.render(40_000).dropping(8_000)
      #expect(abs(cents(frequency(output, near: expected), from: expected)) < 3)
      #expect(output.peak > 0.05)
    }
    #expect(
      set(kAUSamplerProperty_LoadAudioFiles, [url("/nowhere.wav")] as NSArray, sampler) != noErr)
    #expect(
      set(kAUSamplerProperty_LoadAudioFiles, [] as NSArray, sampler)
        == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test(
    "Sampler reads keys from the ends of file names",
    arguments: [
      ("piano-C4", 60), ("a4", 69), ("Gong C#3", 49), ("x_Bb-1", 10), ("bass", nil), ("take7", nil),
      ("loud4", nil), ("G9", 127), ("A9", nil),
    ] as [(String, Int?)])
  func names(name: String, key: Int?) { #expect(SampleBank.key(in: name) == key) }
}

@Suite("Instruments without a bank")
struct MissingBankTests {
  @Test("can be made, and report at initialisation what is missing and which package has it")
  func missing() async throws {
    guard (try? BankFile.findLibrary()) != nil else {
      let synth = try InstrumentHost(initializes: false)
      #expect(AudioUnitInitialize(synth.unit) == kAudioUnitErr_FailedInitialization)
      let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue()
      #expect("\(text.map { "\($0)" } ?? "")".contains("libfluidsynth3"))
      return
    }
    // In a process of its own, because other tests look for the bank at the same time.
    await #expect(processExitsWith: .success) {
      setenv("AUDIOTOOLBOX_BANK", "/nowhere/bank.sf2", 1)
      #expect(throws: AudioError.self) {
        try SynthRack.make(.system, sampleRate: 48_000, members: 1)
      }
    }
  }
}
