// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

@Suite("Descriptions of properties")
struct PropertyDescriptionTests {
  private struct Description {
    var flags: UInt32 = 0
    var name = ""
    var type = ""

    func has(_ flag: Int) -> Bool { flags & UInt32(flag) != 0 }
  }

  /// All properties as they are described for a unit.
  private func all(of unit: AudioUnit?) -> [AudioUnitPropertyID: Description] {
    var found: [AudioUnitPropertyID: Description] = [:]
    for index in 0..<AUDiagnosticsGetPropertyCount() {
      var (id, description) = (AudioUnitPropertyID(0), Description())
      var (name, type): (Unmanaged<CFString>?, Unmanaged<CFString>?)
      let status = AUDiagnosticsCopyPropertyAtIndex(
        unit, index, &id, &description.flags, &name, &type)
      #expect(status == noErr)
      description.name = name?.takeRetainedValue().description ?? ""
      description.type = type?.takeRetainedValue().description ?? ""
      #expect(found[id] == nil, "\(id) twice")
      found[id] = description
    }
    return found
  }

  @Test("have the C names of the property and of its type")
  func names() throws {
    let host = try Host(.echo)
    let all = all(of: host.unit)
    let format = try #require(all[kAudioUnitProperty_StreamFormat])
    #expect(format.name == "kAudioUnitProperty_StreamFormat")
    #expect(format.type == "AudioStreamBasicDescription")
    let info = try #require(all[kAudioUnitProperty_ClassInfo])
    #expect(info.type == "CFPropertyListRef" || info.type == "CFDictionaryRef")
    #expect(all.values.allSatisfy { $0.name.hasPrefix("k") })
  }

  @Test("tell what a unit may have, and everything without a unit")
  func presence() throws {
    let host = try Host(.echo)
    let (ofEcho, ofAny) = (all(of: host.unit), all(of: nil))
    let mayExist = Int(kAUDiagnosticsPropertyFlag_MayExist)
    #expect(ofEcho[kAudioUnitProperty_StreamFormat]?.has(mayExist) == true)
    #expect(ofEcho[kAUNBandEQProperty_NumberOfBands]?.has(mayExist) == false)
    #expect(ofAny.values.allSatisfy { $0.has(mayExist) })
    #expect(ofAny.keys == ofEcho.keys)
  }

  @Test("tell how a property is addressed and read")
  func addressing() throws {
    let all = all(of: nil)
    let byParameter = Int(kAUDiagnosticsPropertyFlag_ElementIsParameter)
    let takesArgument = Int(kAUDiagnosticsPropertyFlag_ReadingTakesArgument)
    #expect(all[kAudioUnitProperty_ParameterInfo]?.has(byParameter) == true)
    #expect(all[kAudioUnitProperty_StreamFormat]?.has(byParameter) == false)
    #expect(all[kAudioUnitProperty_ParameterStringFromValue]?.has(takesArgument) == true)
    #expect(all[kAudioUnitProperty_ParameterInfo]?.has(takesArgument) == false)
  }

  @Test("refuse an index beyond the last, and a unit that does not exist")
  func refused() throws {
    var (id, flags) = (AudioUnitPropertyID(0), UInt32(0))
    var (name, type): (Unmanaged<CFString>?, Unmanaged<CFString>?)
    let count = AUDiagnosticsGetPropertyCount()
    #expect(count > 100)
    #expect(
      AUDiagnosticsCopyPropertyAtIndex(nil, count, &id, &flags, &name, &type) == kAudio_ParamError)
    let host = try Host(.echo)
    #expect(host.dispose() == noErr)
    let status = AUDiagnosticsCopyPropertyAtIndex(host.unit, 0, &id, &flags, &name, &type)
    #expect(status == kAudio_ParamError)
    #expect(name == nil && type == nil)
  }
}
