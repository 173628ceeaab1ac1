// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

@Suite("Reading and setting a property")
struct PropertyCallTests {
  private let size = kAudioUnitProperty_MaximumFramesPerSlice

  private func get(
    _ host: Host, _ id: AudioUnitPropertyID, _ data: UnsafeMutableRawPointer?,
    _ size: inout UInt32
  ) -> OSStatus {
    // In C the data may be null.
    let data = unsafeBitCast(data, to: UnsafeMutableRawPointer.self)
    return AudioUnitGetProperty(host.unit, id, kAudioUnitScope_Global, 0, data, &size)
  }

  @Test("reading without memory returns the size")
  func sizeQuery() throws {
    let host = try Host(.echo)
    var count: UInt32 = 0
    #expect(get(host, size, nil, &count) == noErr)
    #expect(count == 4)
  }

  @Test("memory that is too small gets the first bytes, and the size remains")
  func truncated() throws {
    let host = try Host(.echo)
    var (bytes, count): ([UInt8], UInt32) = ([9, 9, 9, 9], 2)
    #expect(get(host, size, &bytes, &count) == noErr)
    #expect(bytes == [UInt8(1156 & 0xFF), UInt8(1156 >> 8), 9, 9])
    #expect(count == 2)
  }

  @Test("memory that is larger than needed is written only in part, and the size shows it")
  func larger() throws {
    let host = try Host(.echo)
    var (bytes, count): ([UInt8], UInt32) = ([9, 9, 9, 9, 9, 9], 6)
    #expect(get(host, size, &bytes, &count) == noErr)
    #expect(bytes[4...] == [9, 9])
    #expect(count == 4)
  }

  @Test("a size that claims more memory than there is does no harm")
  func exaggerated() throws {
    let host = try Host(.echo)
    var (value, count) = (UInt32(0), UInt32.max)
    #expect(get(host, size, &value, &count) == noErr)
    #expect(value == 1156 && count == 4)
  }

  @Test("a size of zero, or a null size, is an argument error")
  func noRoom() throws {
    let host = try Host(.echo)
    var (value, count) = (UInt32(7), UInt32(0))
    #expect(get(host, size, &value, &count) == kAudio_ParamError)
    #expect(value == 7 && count == 0)
    let null = fromBits(0, UnsafeMutablePointer<UInt32>.self)
    #expect(
      AudioUnitGetProperty(host.unit, size, kAudioUnitScope_Global, 0, &value, null)
        == kAudio_ParamError)
  }

  @Test("a failure leaves the size and the memory as they were")
  func failure() throws {
    let host = try Host(.echo)
    var (value, count) = (UInt32(7), UInt32(4))
    #expect(get(host, 61_234, &value, &count) == kAudioUnitErr_InvalidProperty)
    #expect(value == 7 && count == 4)
    let format = kAudioUnitProperty_StreamFormat
    #expect(
      AudioUnitGetProperty(host.unit, format, 77, 0, &value, &count) == kAudioUnitErr_InvalidScope)
    #expect(
      AudioUnitGetProperty(host.unit, format, kAudioUnitScope_Input, 99, &value, &count)
        == kAudioUnitErr_InvalidElement)
    #expect(value == 7 && count == 4)
    let none = fromBits(0, AudioUnit.self)
    #expect(AudioUnitGetProperty(none, size, kAudioUnitScope_Global, 0, &value, &count) != noErr)
    #expect(count == 4)
  }

  @Test("size and writability are written even if the call fails")
  func infoOnFailure() throws {
    let host = try Host(.echo)
    var (count, writable) = (UInt32(5), true)
    #expect(
      AudioUnitGetPropertyInfo(host.unit, 61_234, 0, 0, &count, &writable)
        == kAudioUnitErr_InvalidProperty)
    #expect(count == 0 && !writable)
    #expect(AudioUnitGetPropertyInfo(host.unit, size, 0, 0, nil, nil) == noErr)
  }

  @Test("data without a size, or a size without data, is an argument error")
  func halfRemoval() throws {
    let host = try Host(.echo)
    var value = UInt32(512)
    let set = { AudioUnitSetProperty(host.unit, self.size, kAudioUnitScope_Global, 0, $0, $1) }
    #expect(set(nil, 4) == kAudio_ParamError)
    #expect(set(&value, 0) == kAudio_ParamError)
  }

  @Test("only optional values can be removed")
  func removal() throws {
    let host = try Host(.echo)
    #expect(host.remove(size) == kAudioUnitErr_InvalidPropertyValue)
    for id in [
      kAudioUnitProperty_ContextName, kAudioUnitProperty_NickName, kAudioUnitProperty_ElementName,
    ] {
      #expect(host.remove(id) == noErr, "property \(id)")
    }
    #expect(host.remove(kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output) == noErr)
  }

  /// Number of bytes given, expected status.
  @Test(
    "a value of another size is refused",
    arguments: [
      (kAudioUnitProperty_MaximumFramesPerSlice, 0, 3, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_MaximumFramesPerSlice, 0, 8, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_SampleRate, 1, 4, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_StreamFormat, 1, 32, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_MakeConnection, 1, 12, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_SetRenderCallback, 1, 8, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_SetRenderCallback, 1, 24, noErr),
      (kAudioUnitProperty_PresentPreset, 0, 4, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_ContextName, 0, 4, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_BypassEffect, 0, 1, kAudioUnitErr_InvalidPropertyValue),
      (kAudioUnitProperty_AudioChannelLayout, 2, 8, kAudioUnitErr_InvalidPropertyValue),
    ] as [(AudioUnitPropertyID, AudioUnitScope, Int, OSStatus)])
  func wrongSize(
    id: AudioUnitPropertyID, scope: AudioUnitScope, count: Int, expected: OSStatus
  ) throws {
    let host = try Host(.echo)
    // 512 would be valid for each of the numbers.
    let bytes = [UInt64](repeating: 512, count: 8)
    #expect(AudioUnitSetProperty(host.unit, id, scope, 0, bytes, UInt32(count)) == expected)
  }

  @Test(
    "read-only properties cannot be set",
    arguments: [
      kAudioUnitProperty_Latency, kAudioUnitProperty_TailTime, kAudioUnitProperty_CPULoad,
      kAudioUnitProperty_LastRenderError, kAudioUnitProperty_ParameterList,
      kAudioUnitProperty_ParameterInfo, kAudioUnitProperty_LastRenderSampleTime,
    ])
  func readOnly(id: AudioUnitPropertyID) throws {
    let host = try Host(.echo)
    #expect(try host.info(id).isWritable == false)
    #expect(host.set(id, UInt64(0)) == kAudioUnitErr_PropertyNotWritable)
  }

  @Test(
    "write-only properties cannot be read",
    arguments: [
      (kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input),
      (kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input),
      (kAudioUnitProperty_SetExternalBuffer, kAudioUnitScope_Global),
      (kAudioUnitProperty_AUHostIdentifier, kAudioUnitScope_Global),
    ])
  func writeOnly(id: AudioUnitPropertyID, scope: AudioUnitScope) throws {
    let host = try Host(.echo)
    #expect(try host.info(id, scope) == (16, true))
    #expect(host.statusOfGetting(id, scope) == kAudioUnitErr_InvalidProperty)
  }
}
