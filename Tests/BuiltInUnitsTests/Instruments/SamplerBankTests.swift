// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@testable import BuiltInUnits

@Suite("Banks of a sampler", .enabled(if: InstrumentHost.isAvailable))
struct SamplerBankTests {
  private static let bank = (try? BankFile.defaultPath()) ?? ""

  @Test("are loaded with the older property too, and from URLs that are not retained")
  func olderProperty() throws {
    func sound(_ load: (AudioUnit) -> OSStatus) throws -> [Double] {
      let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
      #expect(load(sampler.unit) == noErr)
      try sampler.send(0x90, 40, 100)
      return try sampler.render(4_800).samples
    }
    let path = URL(fileURLWithPath: Self.bank)
    let older = try sound { unit in
      var data = AUSamplerBankPresetData(
        bankURL: Unmanaged.passUnretained(path as CFURL),
        bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB), bankLSB: UInt8(kAUSampler_DefaultBankLSB),
        presetID: 56, reserved: 0)
      return AudioUnitSetProperty(
        unit, kAUSamplerProperty_LoadPresetFromBank, kAudioUnitScope_Global, 0, &data,
        UInt32(MemoryLayout.size(ofValue: data)))
    }
    let newer = try sound { unit in
      var data = AUSamplerInstrumentData(
        fileURL: .passUnretained(path as CFURL), instrumentType: UInt8(kInstrumentType_SF2Preset),
        bankMSB: UInt8(kAUSampler_DefaultMelodicBankMSB), bankLSB: UInt8(kAUSampler_DefaultBankLSB),
        presetID: 56)
      return AudioUnitSetProperty(
        unit, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &data,
        UInt32(MemoryLayout.size(ofValue: data)))
    }
    #expect(areAlike(older, newer) && older.contains { $0 != 0 })
  }

  @Test("that do not exist are refused with a reason")
  func missingBank() throws {
    let sampler = try InstrumentHost(kAudioUnitSubType_Sampler)
    var data = AUSamplerInstrumentData(
      fileURL: .passUnretained(URL(fileURLWithPath: "/nowhere/it.sf2") as CFURL),
      instrumentType: UInt8(kInstrumentType_SF2Preset), bankMSB: 0, bankLSB: 0, presetID: 0)
    let status = AudioUnitSetProperty(
      sampler.unit, kAUSamplerProperty_LoadInstrument, kAudioUnitScope_Global, 0, &data,
      UInt32(MemoryLayout.size(ofValue: data)))
    #expect(status == kAudioUnitErr_InvalidFile)
    let reason = try #require(AUDiagnosticsCopyLastExplanation()).takeRetainedValue()
    #expect("\(reason)".hasSuffix("/nowhere/it.sf2: cannot be opened: No such file or directory"))
  }
}
