// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Synchronization
import Testing

@Suite("AVAudioUnitComponentManager")
struct ComponentManagerTests {
  private let manager = AVAudioUnitComponentManager.shared()

  private func description(
    _ type: OSType = 0, _ subType: OSType = 0, _ manufacturer: OSType = 0
  ) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
      componentFlags: 0, componentFlagsMask: 0)
  }

  private func component(_ type: OSType, _ subType: OSType) throws -> AVAudioUnitComponent {
    let found = manager.components(
      matching: description(type, subType, kAudioUnitManufacturer_Apple))
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test("zero is a wildcard")
  func wildcards() {
    var any = description()
    #expect(manager.components(matching: any).count <= Int(AudioComponentCount(&any)))
    let effects = manager.components(matching: description(kAudioUnitType_Effect))
    #expect(effects.count > 10)
    #expect(
      effects.allSatisfy { $0.audioComponentDescription.componentType == kAudioUnitType_Effect })
    #expect(Set(effects).count == effects.count)
    #expect(manager.components(matching: description(0x6e6f_6e65)).isEmpty)
  }

  @Test("a component has the names, version and description of the C functions")
  func details() throws {
    let delay = try component(kAudioUnitType_Effect, kAudioUnitSubType_Delay)
    #expect(delay.name == "AUDelay")
    #expect(delay.manufacturerName == AVAudioUnitManufacturerNameApple)
    #expect(delay.typeName == AVAudioUnitTypeEffect)
    #expect(delay.localizedTypeName == "Effect")
    #expect(delay.version == 0x0001_0000)
    #expect(delay.versionString == "1.0.0")
    #expect(delay.audioComponentDescription.componentSubType == kAudioUnitSubType_Delay)
    var query = delay.audioComponentDescription
    #expect(AudioComponentFindNext(nil, &query) == delay.audioComponent)
    #expect(!delay.hasMIDIInput && !delay.hasMIDIOutput && !delay.hasCustomView)
    #expect(!delay.isSandboxSafe)
    #expect(try component(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler).hasMIDIInput)
  }

  @Test(
    "the types have names",
    arguments: [
      (kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, "Output"),
      (kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler, "Music Device"),
      (kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed, "Format Converter"),
      (kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer, "Mixer"),
      (kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer, "Generator"),
    ] as [(OSType, OSType, String)])
  func typeNames(type: OSType, subType: OSType, name: String) throws {
    #expect(try component(type, subType).typeName == name)
  }

  @Test("a block chooses components, and ends the search")
  func block() {
    let all = manager.components(matching: description())
    let mixers = manager.components { component, _ in component.typeName == AVAudioUnitTypeMixer }
    #expect(!mixers.isEmpty && mixers.allSatisfy { $0.typeName == "Mixer" })
    var calls = 0
    let two = manager.components { _, stop in
      calls += 1
      stop.pointee = ObjCBool(calls == 2)
      return true
    }
    #expect(calls == 2)
    #expect(two == Array(all.prefix(2)))
  }

  @Test("a predicate chooses components")
  func predicate() {
    let predicate = NSPredicate { component, _ in
      (component as? AVAudioUnitComponent)?.name == "AUReverb2"
    }
    #expect(manager.components(matching: predicate).map(\.name) == ["AUReverb2"])
  }

  @Test(
    "the channels that a unit supports", arguments: [(1, 1, true), (2, 2, true), (1, 2, false)])
  func effectChannels(inputs: Int, outputs: Int, isSupported: Bool) throws {
    let delay = try component(kAudioUnitType_Effect, kAudioUnitSubType_Delay)
    #expect(
      delay.supportsNumberInputChannels(inputs, outputChannels: outputs) == isSupported)
  }

  @Test("an instrument has outputs only, a mixer to eight channels from any")
  func otherChannels() throws {
    let sampler = try component(kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler)
    #expect(sampler.supportsNumberInputChannels(0, outputChannels: 2))
    #expect(!sampler.supportsNumberInputChannels(2, outputChannels: 2))
    #expect(!sampler.supportsNumberInputChannels(0, outputChannels: 1))
    let spatial = try component(kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer)
    #expect(spatial.supportsNumberInputChannels(1, outputChannels: 8))
    #expect(!spatial.supportsNumberInputChannels(1, outputChannels: 9))
    #expect(!spatial.supportsNumberInputChannels(-1, outputChannels: 2))
    #expect(!spatial.supportsNumberInputChannels(0, outputChannels: 0))
  }

  @Test("tags are kept for every object of a component, and a change is notified")
  func tags() throws {
    let unit = try component(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay)
    let posted = Mutex(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .AVAudioUnitComponentTagsDidChange, object: unit, queue: nil
    ) { _ in posted.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    #expect(unit.userTagNames.isEmpty)
    unit.userTagNames = ["latency", "alignment"]
    unit.userTagNames = ["latency", "alignment"]
    let other = try component(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay)
    #expect(other !== unit && other == unit)
    #expect(other.allTagNames == ["latency", "alignment"])
    #expect(manager.tagNames == ["alignment", "latency"])
    unit.userTagNames = []
    #expect(manager.tagNames.isEmpty && manager.standardLocalizedTagNames.isEmpty)
    #expect(posted.withLock { $0 } == 2)
  }

  @Test("a registration is notified, with the shared manager as the object")
  func registrations() async throws {
    let name = AVAudioUnitComponentManager.registrationsChangedNotification
    var description = description(kAudioUnitType_Effect, 0x7465_7374, 0x7465_7374)
    let isFound = Mutex(false)
    let observer = NotificationCenter.default.addObserver(
      forName: name, object: manager, queue: nil
    ) { _ in
      let query = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: 0x7465_7374,
        componentManufacturer: 0x7465_7374, componentFlags: 0, componentFlagsMask: 0)
      let names = AVAudioUnitComponentManager.shared().components(matching: query).map(\.name)
      if names == ["Late"] { isFound.withLock { $0 = true } }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    AudioComponentRegister(&description, "Tests: Late" as NSString, 0x0002_0103) { _ in nil }
    for _ in 0..<2_000 where !isFound.withLock({ $0 }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(isFound.withLock { $0 })
    let late = try #require(manager.components(matching: description).first)
    #expect(late.manufacturerName == "Tests" && late.versionString == "2.1.3")
    #expect(!late.supportsNumberInputChannels(1, outputChannels: 1), "it makes no instances")
  }
}
