// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import CoreFoundation
import Foundation
import Testing

/// Arguments that no header allows but every program can pass: the call returns an error
/// immediately.
@Suite("Hostile arguments")
struct HostileArgumentTests {
  private func lowPass() throws -> Instance {
    try Instance(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter)
  }

  @Test("a structure that contains a null string is refused")
  func nullStrings() throws {
    let unit = try lowPass()
    // As large as the structure, and all zero.
    let host = (UInt(0), UInt(0))
    #expect(
      unit.set(kAudioUnitProperty_AUHostIdentifier, host) == kAudioUnitErr_InvalidPropertyValue)
    var question = (UInt(0), UInt(0), UInt(0))
    #expect(
      unit.get(kAudioUnitProperty_ParameterValueFromString, into: &question)
        == kAudioUnitErr_InvalidPropertyValue)
    var preset = AUPreset()
    preset.presetNumber = -1
    #expect(
      unit.set(kAudioUnitProperty_PresentPreset, preset) == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("an object of another type is refused where a string is expected")
  func wrongObjects() throws {
    let unit = try lowPass()
    let number = NSNumber(value: 7)
    let address = UInt(bitPattern: Unmanaged.passUnretained(number).toOpaque())
    withExtendedLifetime(number) {
      #expect(
        unit.set(kAudioUnitProperty_AUHostIdentifier, (address, UInt(1)))
          == kAudioUnitErr_InvalidPropertyValue)
      for id in [kAudioUnitProperty_NickName, kAudioUnitProperty_ContextName] {
        #expect(unit.set(id, address) == kAudioUnitErr_InvalidPropertyValue)
      }
      for id in [kAudioUnitProperty_ClassInfo, kAudioUnitProperty_ClassInfoFromDocument] {
        #expect(unit.set(id, address) == kAudioUnitErr_InvalidPropertyValue)
      }
    }
  }

  /// The state of `unit` with an additional value for `key`.
  private func state(_ unit: Instance, with value: AnyObject, _ key: AnyObject) throws
    -> CoreFoundation.CFMutableDictionary
  {
    var address: UnsafeRawPointer?
    #expect(unit.get(kAudioUnitProperty_ClassInfo, into: &address) == noErr)
    let info = try #require(address)
    let current = Unmanaged<CoreFoundation.CFDictionary>.fromOpaque(info).takeRetainedValue()
    let state = try #require(CFDictionaryCreateMutableCopy(nil, 0, current))
    CFDictionarySetValue(
      state, Unmanaged.passUnretained(key).toOpaque(), Unmanaged.passUnretained(value).toOpaque())
    return state
  }

  private func restore(_ unit: Instance, _ state: AnyObject) -> OSStatus {
    withExtendedLifetime(state) {
      unit.set(
        kAudioUnitProperty_ClassInfo,
        UInt(bitPattern: Unmanaged.passUnretained(state).toOpaque()))
    }
  }

  @Test("a state with a key that is not a string is refused, at any depth", arguments: 0..<4)
  func keys(kind: Int) throws {
    let unit = try lowPass()
    let key: AnyObject =
      [NSArray(), NSDictionary(), NSNumber(value: 1), NSData()][kind]
    let inner = NSDictionary(object: NSNumber(value: 1), forKey: "x" as NSString)
    #expect(
      restore(unit, try state(unit, with: inner, key)) == kAudioUnitErr_InvalidPropertyValue)
    let mutable = try #require(
      CFDictionaryCreateMutable(
        nil, 0, [kCFTypeDictionaryKeyCallBacks], [kCFTypeDictionaryValueCallBacks]))
    CFDictionarySetValue(
      mutable, Unmanaged.passUnretained(key).toOpaque(),
      Unmanaged.passUnretained(inner).toOpaque())
    #expect(
      restore(unit, try state(unit, with: mutable, "extra" as NSString))
        == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("a state that contains itself is refused")
  func cycle() throws {
    let unit = try lowPass()
    let array = try #require(CFArrayCreateMutable(nil, 0, [kCFTypeArrayCallBacks]))
    CFArrayAppendValue(array, Unmanaged.passUnretained(array).toOpaque())
    #expect(
      restore(unit, try state(unit, with: array, "extra" as NSString))
        == kAudioUnitErr_InvalidPropertyValue)
    CFArrayRemoveAllValues(array)
  }

  @Test("a run loop or mode of another type is refused, and no listener is created")
  func runLoops() throws {
    let number = NSNumber(value: 7)
    let address = UnsafeRawPointer(Unmanaged.passUnretained(number).toOpaque())
    var listener: AUParameterListenerRef?
    let create = _AUListenerCreate
    withExtendedLifetime(number) {
      #expect(create({ _, _, _, _ in }, nil, nil, address, 0, &listener) == kAudio_ParamError)
      #expect(create({ _, _, _, _ in }, nil, address, nil, 0, &listener) == kAudio_ParamError)
      #expect(listener == nil)
      #expect(
        _AUEventListenerCreate({ _, _, _, _, _ in }, nil, nil, address, 0, 0, &listener)
          == kAudio_ParamError)
    }
    #expect(listener == nil)
    #expect(create({ _, _, _, _ in }, nil, nil, nil, 0, &listener) == noErr)
    if let listener { #expect(AUListenerDispose(listener) == noErr) }
  }

  @Test("a size far beyond the property's is refused before the memory is read")
  func hugeSizes() throws {
    // This memory must not be read.
    let size = 1 << 30
    let memory = try #require(
      mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    defer { munmap(memory, size) }
    let output = try Instance(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    let mixer = try Instance(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    let matrix = try Instance(kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    let input = kAudioUnitScope_Input
    func status(_ unit: Instance, _ id: AudioUnitPropertyID, _ scope: AudioUnitScope) -> OSStatus {
      AudioUnitSetProperty(unit.unit, id, scope, 0, memory, UInt32(size))
    }
    let refused = kAudioUnitErr_InvalidPropertyValue
    #expect(status(output, kAudioOutputUnitProperty_ChannelMap, input) == refused)
    #expect(status(mixer, kAudioUnitProperty_MatrixLevels, input) == refused)
    #expect(status(matrix, kAudioUnitProperty_MatrixLevels, kAudioUnitScope_Global) == refused)
    #expect(status(mixer, kAudioUnitProperty_ElementCount, input) == refused)
  }

  @Test("a buffer list with memory for only some of its buffers is refused", arguments: [0, 1])
  func halfLists(empty: Int) throws {
    let unit = try Instance(kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator, tone)
    #expect(AudioUnitInitialize(unit.unit) == noErr)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var samples = [Float](repeating: 0, count: 64)
    samples.withUnsafeMutableBytes { bytes in
      for index in 0..<2 {
        list[index] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: 256, mData: index == empty ? nil : bytes.baseAddress)
      }
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      #expect(
        AudioUnitRender(unit.unit, nil, &stamp, 0, 64, list.unsafeMutablePointer)
          == kAudio_ParamError)
      #expect(list[empty].mData == nil && list[1 - empty].mData == bytes.baseAddress)
    }
  }

  private let tone = kAudioUnitManufacturer_SwiftAudioToolbox
}
