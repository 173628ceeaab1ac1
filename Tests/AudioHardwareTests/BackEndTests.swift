// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

@Suite("Back ends, as programs see them")
struct BackEndTests {
  private func backEnds(_ name: String?) -> [[String: Any]] {
    AUDevicesCopyBackEnds(name as CFString?).takeRetainedValue()
      .compactMap { $0 as? [String: Any] }
  }

  @Test("are all listed, with devices or with a reason")
  func all() throws {
    let backEnds = backEnds(nil)
    let names = backEnds.compactMap { $0[kAUBackEndNameKey] as? String }
    #expect(names.count == backEnds.count)
    #expect(Set(names).isSuperset(of: ["jack", "pipewire", "pulse", "alsa", "file", "null"]))
    for backEnd in backEnds {
      let devices = try #require(backEnd[kAUBackEndDevicesKey] as? [[String: Any]])
      let reason = backEnd[kAUBackEndReasonKey] as? String
      #expect(reason == nil || devices.isEmpty, "\(backEnd)")
    }
  }

  @Test("describe their devices")
  func devices() throws {
    let null = try #require(backEnds("null").first)
    let device = try #require((null[kAUBackEndDevicesKey] as? [[String: Any]])?.first)
    #expect(device[kAUDeviceUIDKey] as? String == "null")
    #expect((device[kAUDeviceOutputChannelsKey] as? Int ?? 0) > 0)
    let rate = try #require(device[kAUDeviceSampleRateKey] as? Double)
    let lowest = try #require(device[kAUDeviceLowestSampleRateKey] as? Double)
    let highest = try #require(device[kAUDeviceHighestSampleRateKey] as? Double)
    #expect(lowest <= rate && rate <= highest)
    let cycle = try #require(device[kAUDeviceCycleFramesKey] as? Int)
    #expect((1...Int(kAUDevicesMaximumCycleFrames)).contains(cycle))
    // No server manages it.
    #expect((device[kAUDeviceServerSettingsKey] as? [String])?.isEmpty == true)
    #expect(device[kAUDeviceIsDefaultOutputKey] as? Bool == true)
    #expect(backEnds("theremin").isEmpty)
  }

  @Test("agree with the library on the longest cycle")
  func longestCycle() {
    #expect(Int(kAUDevicesMaximumCycleFrames) == DeviceEnvironment.cycleFramesLimits.upperBound)
  }

  @Test("get the program's preferences, except those that no device can have")
  func preferences() throws {
    let machine = SwitchedMachine()
    try machine.use {
      #expect(AUDevicesSetPreferences(44_100, 256) == noErr)
      #expect(AUDevicesSetPreferences(.nan, 0) == kAudio_ParamError)
      #expect(AUDevicesSetPreferences(-1, 0) == kAudio_ParamError)
      #expect(AUDevicesSetPreferences(0, 65_537) == kAudio_ParamError)
      let set = machine.preferences.all
      #expect(set.sampleRate == 44_100 && set.cycleFrames == 256)
      #expect(AUDevicesSetPreferences(0, 0) == noErr)
      let cleared = machine.preferences.all
      #expect(cleared.sampleRate == nil && cleared.cycleFrames == nil)
    }
  }

  @Test("forget a listener once for each time it was added")
  func listeners() {
    let call: AUDevicesListenerProc = { _ in }
    let data = UnsafeMutableRawPointer(bitPattern: 8)
    #expect(AUDevicesRemoveListener(call, data) == kAudio_ParamError)
    #expect(AUDevicesAddListener(call, data) == noErr)
    #expect(AUDevicesAddListener(call, data) == noErr)
    #expect(AUDevicesRemoveListener(call, nil) == kAudio_ParamError)
    #expect(AUDevicesRemoveListener(call, data) == noErr)
    #expect(AUDevicesRemoveListener(call, data) == noErr)
    #expect(AUDevicesRemoveListener(call, data) == kAudio_ParamError)
  }

  @Test("call a listener when a device comes or goes, and not after it was removed")
  func changes() throws {
    final class Counter: Sendable { let count = Atomic(0) }
    let counter = Counter()
    let data = Unmanaged.passUnretained(counter).toOpaque()
    let call: AUDevicesListenerProc = { data in
      guard let data else { return }
      Unmanaged<Counter>.fromOpaque(data).takeUnretainedValue().count
        .wrappingAdd(1, ordering: .relaxed)
    }
    let machine = SwitchedMachine()
    try machine.use {
      #expect(AUDevicesAddListener(call, data) == noErr)
      // The back end may be observed a moment later.
      let isCalled = wait {
        machine.plug([])
        return counter.count.load(ordering: .relaxed) > 0
      }
      #expect(isCalled)
      #expect(AUDevicesRemoveListener(call, data) == noErr)
      let before = counter.count.load(ordering: .relaxed)
      machine.plug([])
      #expect(counter.count.load(ordering: .relaxed) == before)
    }
    withExtendedLifetime(counter) {}
  }

  @Test("choose the default device of the back end that the environment names")
  func chosen() throws {
    let machine = SwitchedMachine([SwitchedMachine.microphone, SwitchedMachine.loudspeaker])
    try machine.use {
      var uid: Unmanaged<CFString>?
      #expect(AUDevicesCopyChosenUID(&uid) == noErr)
      #expect(uid?.takeRetainedValue().description == SwitchedMachine.loudspeaker)
      machine.plug([])
      #expect(AUDevicesCopyChosenUID(&uid) == noErr)
      #expect(uid == nil)
    }
    DeviceContext(machine.environment("theremin")).use {
      var uid: Unmanaged<CFString>?
      #expect(AUDevicesCopyChosenUID(&uid) != noErr && uid == nil)
    }
  }
}
