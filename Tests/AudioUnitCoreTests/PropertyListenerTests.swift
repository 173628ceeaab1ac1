// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Synchronization
import Testing

@Suite("Property listeners")
struct PropertyListenerTests {
  private let size = kAudioUnitProperty_MaximumFramesPerSlice

  @Test("are called inside the setting call, on its thread, with the address of the property")
  func synchronous() throws {
    let (host, watch) = (try Host(.sums), PropertyWatch())
    #expect(watch.watch(host, kAudioUnitProperty_StreamFormat) == noErr)
    let scope = kAudioUnitScope_Input
    #expect(host.setFormat(scope, 1, channels: 1) == noErr)
    #expect(
      watch.notices == [.init(host.unit, kAudioUnitProperty_StreamFormat, scope, 1)],
      "with this thread's number")
  }

  @Test("are not notified of failures, of other properties, or of unchanged values")
  func quiet() throws {
    let (host, watch) = (try Host(.echo), PropertyWatch())
    #expect(watch.watch(host, size) == noErr)
    #expect(watch.watch(host, kAudioUnitProperty_StreamFormat) == noErr)
    #expect(host.set(size, UInt32(0)) == kAudioUnitErr_InvalidPropertyValue)
    #expect(host.set(kAudioUnitProperty_RenderQuality, UInt32(1)) == noErr)
    #expect(host.set(size, UInt32(1156)) == noErr)
    #expect(host.setFormat(kAudioUnitScope_Input) == noErr)
    #expect(watch.count == 0)
    #expect(host.set(size, UInt32(1157)) == noErr)
    #expect(watch.count == 1)
  }

  @Test("are called as often as they were added, and one call removes all equal ones")
  func duplicates() throws {
    let (host, watch) = (try Host(.echo), PropertyWatch())
    for _ in 0..<3 { #expect(watch.watch(host, size) == noErr) }
    #expect(host.set(size, UInt32(1)) == noErr)
    #expect(watch.count == 3)
    #expect(
      AudioUnitRemovePropertyListenerWithUserData(
        host.unit, size, PropertyWatch.function, watch.context) == noErr)
    #expect(host.set(size, UInt32(2)) == noErr)
    #expect(watch.count == 3)
  }

  @Test("are removed by function and user data together")
  func exactTriple() throws {
    let (host, one, other) = (try Host(.echo), PropertyWatch(), PropertyWatch())
    #expect(one.watch(host, size) == noErr)
    #expect(other.watch(host, size) == noErr)
    let remove = AudioUnitRemovePropertyListenerWithUserData
    #expect(remove(host.unit, size, PropertyWatch.otherFunction, one.context) == noErr)
    #expect(
      remove(host.unit, kAudioUnitProperty_RenderQuality, PropertyWatch.function, one.context)
        == noErr)
    #expect(remove(host.unit, size, PropertyWatch.function, one.context) == noErr)
    #expect(host.set(size, UInt32(2)) == noErr)
    #expect(one.count == 0 && other.count == 1)
  }

  @Test("are removed by function alone with the old call")
  func anyUserData() throws {
    let (host, one, other) = (try Host(.echo), PropertyWatch(), PropertyWatch())
    #expect(one.watch(host, size) == noErr)
    #expect(other.watch(host, size) == noErr)
    #expect(AudioUnitRemovePropertyListener(host.unit, size, PropertyWatch.function) == noErr)
    #expect(host.set(size, UInt32(2)) == noErr)
    #expect(one.count == 0 && other.count == 0)
  }

  @Test("may set properties, and remove themselves")
  func reentrant() throws {
    let host = try Host(.echo)
    #expect(AudioUnitAddPropertyListener(host.unit, size, oneTimeListener, nil) == noErr)
    #expect(host.set(size, UInt32(2)) == noErr)
    #expect(try host.get(kAudioUnitProperty_RenderQuality, as: UInt32.self) == 5)
    #expect(host.set(kAudioUnitProperty_RenderQuality, UInt32(6)) == noErr)
    #expect(host.set(size, UInt32(3)) == noErr)
    #expect(try host.get(kAudioUnitProperty_RenderQuality, as: UInt32.self) == 6)
  }

  @Test("a null function is an argument error")
  func null() throws {
    let host = try Host(.echo)
    let null = fromBits(0, AudioUnitPropertyListenerProc.self)
    #expect(AudioUnitAddPropertyListener(host.unit, size, null, nil) == kAudio_ParamError)
    #expect(AudioUnitRemovePropertyListener(host.unit, size, null) == kAudio_ParamError)
  }

  @Test("are notified on another thread of the first render error since the last reading")
  func renderError() throws {
    let (host, watch) = (try Host(.echo), PropertyWatch())
    let id = kAudioUnitProperty_LastRenderError
    #expect(watch.watch(host, id) == noErr)
    #expect(host.initialize() == noErr)
    for notice in 1...2 {
      // A notification is lost if a thousand are waiting, as other tests may cause: retry.
      for _ in 0..<100 where watch.count < notice {
        _ = try host.get(id, as: OSStatus.self)
        for _ in 0..<10 { #expect(host.render(4).status == kAudioUnitErr_NoConnection) }
        watch.waitFor(notice, seconds: 1)
      }
      #expect(watch.count == notice)
      #expect(watch.notices.last?.thread != pthread_self())
      #expect(try host.get(id, as: OSStatus.self) == kAudioUnitErr_NoConnection)
    }
  }

  @Test("are notified that the sample rate, and the ranges with it, have changed")
  func sampleRate() throws {
    let (host, watch) = (try Host(.values), PropertyWatch())
    for id in [
      kAudioUnitProperty_ParameterList, kAudioUnitProperty_SampleRate,
      kAudioUnitProperty_StreamFormat,
    ] {
      #expect(watch.watch(host, id) == noErr)
    }
    #expect(host.setFormat(kAudioUnitScope_Output, rate: 48_000) == noErr)
    #expect(
      Set(watch.notices.map(\.id)) == [
        kAudioUnitProperty_ParameterList, kAudioUnitProperty_SampleRate,
        kAudioUnitProperty_StreamFormat,
      ])
    let before = watch.count
    #expect(host.setFormat(kAudioUnitScope_Output, rate: 48_000, channels: 1) == noErr)
    #expect(watch.notices[before...].map(\.id) == [kAudioUnitProperty_StreamFormat])
  }
}

/// Removes itself and sets another property.
private func oneTimeListener(
  _: UnsafeMutableRawPointer, unit: AudioUnit, id: AudioUnitPropertyID, _: AudioUnitScope,
  _: AudioUnitElement
) {
  var quality: UInt32 = 5
  _ = AudioUnitRemovePropertyListener(unit, id, oneTimeListener)
  _ = AudioUnitSetProperty(
    unit, kAudioUnitProperty_RenderQuality, kAudioUnitScope_Global, 0, &quality, 4)
}
