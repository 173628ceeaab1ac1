// SPDX-License-Identifier: Apache-2.0

@testable import AudioUnitCore
import AudioToolbox
import Testing

@Suite("The life cycle of a unit")
struct LifeCycleTests {
  @Test("initializing twice and uninitializing twice change nothing", arguments: TestUnit.allCases)
  func twice(unit: TestUnit) throws {
    let host = try Host(unit)
    if unit == .decimator {
      #expect(host.setFormat(kAudioUnitScope_Output, rate: 22_050) == noErr)
    }
    #expect(host.uninitialize() == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.uninitialize() == noErr)
    #expect(host.uninitialize() == noErr)
  }

  @Test("a unit that is not initialized does not render")
  func uninitialized() throws {
    let host = try Host(.counter)
    #expect(host.render(8).status == kAudioUnitErr_Uninitialized)
    #expect(host.initialize() == noErr)
    #expect(host.render(8).status == noErr)
    #expect(host.uninitialize() == noErr)
    #expect(host.render(8).status == kAudioUnitErr_Uninitialized)
  }

  @Test("an effect needs as many channels out as in")
  func effectChannels() throws {
    let host = try Host(.echo)
    #expect(host.setFormat(kAudioUnitScope_Input, channels: 1) == noErr)
    #expect(host.initialize() == kAudioUnitErr_FormatNotSupported)
    #expect(host.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
    #expect(host.initialize() == noErr)
  }

  @Test("an effect needs the same rate out as in")
  func effectRates() throws {
    let host = try Host(.echo)
    #expect(host.setFormat(kAudioUnitScope_Input, rate: 48_000) == noErr)
    #expect(host.initialize() == kAudioUnitErr_FormatNotSupported)
  }

  @Test("a bus that would need more than a gibibyte is refused")
  func hugeBuffers() throws {
    let host = try Host(.echo)
    #expect(host.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(1_048_576)) == noErr)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      #expect(host.setFormat(scope, channels: 1024) == noErr)
    }
    #expect(host.initialize() == kAudio_MemFullError)
  }

  @Test("changes of what is fixed while initialized are refused with their own codes")
  func fixed() throws {
    let host = try Host(.sums)
    #expect(host.initialize() == noErr)
    let size = kAudioUnitProperty_MaximumFramesPerSlice
    #expect(host.set(size, UInt32(512)) == kAudioUnitErr_Initialized)
    #expect(
      host.set(kAudioUnitProperty_ElementCount, UInt32(3), kAudioUnitScope_Input)
        == kAudioUnitErr_Initialized)
    #expect(
      host.set(kAudioUnitProperty_ShouldAllocateBuffer, UInt32(0), kAudioUnitScope_Input)
        == kAudioUnitErr_Initialized)
    #expect(
      host.setFormat(kAudioUnitScope_Input, rate: 48_000) == kAudioUnitErr_PropertyNotWritable)
    #expect(
      host.set(kAudioUnitProperty_SampleRate, 48_000.0, kAudioUnitScope_Output)
        == kAudioUnitErr_PropertyNotWritable)
    #expect(host.setFormat(kAudioUnitScope_Input) == noErr, "the current format")
    #expect(host.uninitialize() == noErr)
    #expect(host.setFormat(kAudioUnitScope_Input, rate: 48_000) == noErr)
    #expect(host.set(size, UInt32(512)) == noErr)
  }

  @Test("memory that is not available is detected before it is allocated")
  func memory() {
    #expect(UnitMemory.isAvailable(1 << 20) && UnitMemory.isAvailable(64 << 20))
    #expect(!UnitMemory.isAvailable(1 << 55))
  }

  @Test("parameters, callbacks, bypass, names and state can be set while initialized")
  func free() throws {
    let host = try Host(.echo)
    #expect(host.initialize() == noErr)
    #expect(host.feed(.constant(1)) == noErr)
    #expect(host.setParameter(0, 0.5) == noErr)
    #expect(host.set(kAudioUnitProperty_BypassEffect, UInt32(1)) == noErr)
    #expect(host.set(kAudioUnitProperty_RenderQuality, UInt32(0)) == noErr)
    let name = NSString("Echo chamber")
    #expect(host.set(kAudioUnitProperty_ContextName, Unmanaged.passUnretained(name)) == noErr)
    let state = try host.get(kAudioUnitProperty_ClassInfo, as: Unmanaged<CFDictionary>.self)
      .takeRetainedValue()
    #expect(host.set(kAudioUnitProperty_ClassInfo, Unmanaged.passUnretained(state)) == noErr)
    withExtendedLifetime((name, state)) {}
  }

  @Test("reset makes a unit sound like a new one, and keeps its parameters")
  func reset() throws {
    let host = try Host(.echo)
    #expect(host.feed(.signal { $0 == 0 ? 1 : 0 }) == noErr)
    #expect(host.setParameter(0, 0.5) == noErr)
    #expect(host.initialize() == noErr)
    let first = host.render(8)[0]
    #expect(first == [0.5, 0, 0, 0, 0.25, 0, 0, 0])
    _ = host.render(2, at: 0)
    #expect(host.reset() == noErr)
    #expect(host.render(8)[0] == first, "the second impulse is cleared")
    #expect(try host.parameter(0) == 0.5)
  }

  @Test("reset is allowed before initializing, and checks scope and element")
  func resetArguments() throws {
    let host = try Host(.echo)
    #expect(host.reset() == noErr)
    #expect(AudioUnitReset(host.unit, kAudioUnitScope_Input, 0) == noErr)
    #expect(AudioUnitReset(host.unit, kAudioUnitScope_Input, 1) == kAudioUnitErr_InvalidElement)
    #expect(AudioUnitReset(host.unit, 77, 0) == kAudioUnitErr_InvalidScope)
  }

  @Test("initializing again clears the signal history")
  func again() throws {
    let host = try Host(.counter)
    for _ in 0..<2 {
      #expect(host.initialize() == noErr)
      #expect(host.render(4, at: 0)[0] == [1, 2, 3, 4])
      #expect(host.uninitialize() == noErr)
    }
  }

  @Test("two instances are independent")
  func independent() throws {
    let (one, other) = (try Host(.values), try Host(.values))
    #expect(one.setFormat(kAudioUnitScope_Output, rate: 96_000, channels: 1) == noErr)
    #expect(one.setParameter(0, 0.75) == noErr)
    let format = try other.get(
      kAudioUnitProperty_StreamFormat, as: AudioStreamBasicDescription.self,
      kAudioUnitScope_Output)
    #expect(format.mSampleRate == 44_100 && format.mChannelsPerFrame == 2)
    #expect(try other.parameter(0) == 0.5)
  }
}
