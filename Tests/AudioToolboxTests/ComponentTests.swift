// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Testing

@Suite("Components")
struct ComponentTests {
  private func description(
    _ type: OSType = 0, _ subType: OSType = 0, _ manufacturer: OSType = 0, flags: UInt32 = 0,
    mask: UInt32 = 0
  ) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
      componentFlags: flags, componentFlagsMask: mask)
  }

  private func all(_ query: AudioComponentDescription) -> [AudioComponent] {
    var (query, found) = (query, [AudioComponent]())
    while let next = AudioComponentFindNext(found.last, &query) { found.append(next) }
    return found
  }

  @Test("a description has five fields in twenty bytes, zero at first")
  func layout() {
    let empty = AudioComponentDescription()
    #expect(MemoryLayout.size(ofValue: empty) == 20)
    #expect(
      [
        empty.componentType, empty.componentSubType, empty.componentManufacturer,
        empty.componentFlags, empty.componentFlagsMask,
      ] == [0, 0, 0, 0, 0])
  }

  @Test("the codes of an output unit find it alone")
  func findByCodes() {
    let subTypes = [
      kAudioUnitSubType_RemoteIO, kAudioUnitSubType_DefaultOutput, kAudioUnitSubType_SystemOutput,
      kAudioUnitSubType_HALOutput, kAudioUnitSubType_GenericOutput,
    ]
    for subType in subTypes {
      let query = description(kAudioUnitType_Output, subType, kAudioUnitManufacturer_Apple)
      #expect(all(query).count == 1)
    }
    #expect(all(description(kAudioUnitType_Output)).count >= subTypes.count)
  }

  @Test("the generators play files, slices and tones")
  func generators() {
    let codes = Set(
      all(description(kAudioUnitType_Generator)).map { component in
        var found = AudioComponentDescription()
        AudioComponentGetDescription(component, &found)
        return found.componentSubType
      })
    #expect(
      codes.isSuperset(of: [
        kAudioUnitSubType_AudioFilePlayer, kAudioUnitSubType_ScheduledSoundPlayer,
        kAudioUnitSubType_ToneGenerator,
      ]))
  }

  @Test("a component that does not exist is not found")
  func notFound() {
    #expect(all(description(kAudioUnitType_Output, 0x6E6F_6E65)).isEmpty)
    #expect(all(description(0, 0, 0x6E6F_6E65)).isEmpty)
    var query = description(0x6E6F_6E65)
    #expect(AudioComponentCount(&query) == 0)
  }

  @Test("zeros are wildcards: the search finds each counted component once")
  func walk() {
    var any = description()
    let found = all(any)
    #expect(found.count >= 6)
    #expect(Set(found).count == found.count)
    // Tests that run concurrently may register more.
    #expect(Int(AudioComponentCount(&any)) >= found.count)
    var generators = description(kAudioUnitType_Generator)
    #expect(all(generators).count <= Int(AudioComponentCount(&generators)))
  }

  @Test("the search continues after the given component")
  func continuation() {
    var any = description()
    let found = all(any)
    for (one, next) in zip(found, found.dropFirst()) {
      #expect(AudioComponentFindNext(one, &any) == next)
    }
    let foreign = unsafeBitCast(found.count + 0x1000, to: AudioComponent.self)
    #expect(AudioComponentFindNext(foreign, &any) == nil)
  }

  @Test("flags are compared only where the mask is set")
  func flags() {
    let output = kAudioUnitType_Output
    #expect(!all(description(output, flags: 0, mask: 0xFF)).isEmpty)
    #expect(all(description(output, flags: 1, mask: 1)).isEmpty)
    #expect(
      !all(description(output, flags: 1, mask: 0)).isEmpty, "without a mask they are ignored")
  }

  @Test("a component reports its description, name and version")
  func details() throws {
    let query = description(
      kAudioUnitType_Output, kAudioUnitSubType_GenericOutput, kAudioUnitManufacturer_Apple)
    let component = try #require(all(query).first)
    var (found, version, name) = (description(), UInt32(0), Unmanaged<CFString>?.none)
    #expect(AudioComponentGetDescription(component, &found) == noErr)
    #expect(found.componentType == query.componentType)
    #expect(found.componentSubType == query.componentSubType)
    #expect(found.componentManufacturer == query.componentManufacturer)
    #expect(found.componentFlags == 0 && found.componentFlagsMask == 0)
    #expect(AudioComponentGetVersion(component, &version) == noErr && version >= 0x0001_0000)
    #expect(AudioComponentCopyName(component, &name) == noErr)
    #expect(name?.takeRetainedValue() == "Apple: GenericOutput")
  }

  @Test("an instance reports its component and its functions")
  func instance() throws {
    let instance = try Instance(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    var found = description()
    let component = AudioComponentInstanceGetComponent(instance.unit)
    #expect(AudioComponentGetDescription(component, &found) == noErr)
    #expect(found.componentSubType == kAudioUnitSubType_GenericOutput)
    for selector in [
      kAudioUnitInitializeSelect, kAudioUnitRenderSelect, kAudioUnitSetParameterSelect,
      kAudioOutputUnitStartSelect,
    ] {
      #expect(AudioComponentInstanceCanDo(instance.unit, Int16(selector)))
    }
    #expect(!AudioComponentInstanceCanDo(instance.unit, 0x7000))
    #expect(!AudioComponentInstanceCanDo(instance.unit, -1))
  }

  @Test("an instance can be created asynchronously")
  func instantiate() async throws {
    let component = try #require(all(description(kAudioUnitType_Generator)).first)
    let (number, status) = await withCheckedContinuation { continuation in
      AudioComponentInstantiate(component, []) { instance, status in
        continuation.resume(returning: (UInt(bitPattern: instance), status))
      }
    }
    #expect(status == noErr)
    let unit = try #require(AudioUnit(bitPattern: number))
    #expect(AudioComponentInstanceDispose(unit) == noErr)
  }

  /// A null pointer of a type that is not optional.
  private func null<Pointer>(_ type: Pointer.Type) -> Pointer {
    unsafeBitCast(UInt(0), to: type)
  }

  @Test("null is an argument error everywhere")
  func nulls() throws {
    var (details, version, name) = (description(), UInt32(7), Unmanaged<CFString>?.none)
    var instance: AudioComponentInstance?
    let none = null(AudioComponent.self)
    let component = try #require(all(description(kAudioUnitType_Generator)).first)
    typealias Description = UnsafeMutablePointer<AudioComponentDescription>
    typealias InstancePointer = UnsafeMutablePointer<AudioComponentInstance?>
    let statuses = [
      AudioComponentGetDescription(none, &details),
      AudioComponentGetDescription(component, null(Description.self)),
      AudioComponentGetVersion(none, &version),
      AudioComponentGetVersion(component, null(UnsafeMutablePointer<UInt32>.self)),
      AudioComponentCopyName(none, &name), AudioComponentInstanceNew(none, &instance),
      AudioComponentInstanceNew(component, null(InstancePointer.self)),
      AudioComponentInstanceDispose(null(AudioComponentInstance.self)),
    ]
    #expect(statuses == Array(repeating: kAudio_ParamError, count: statuses.count))
    #expect(instance == nil && version == 7)
    let noDescription = null(UnsafePointer<AudioComponentDescription>.self)
    #expect(AudioComponentFindNext(nil, noDescription) == nil)
    #expect(AudioComponentCount(noDescription) == 0)
    let found = AudioComponentInstanceGetComponent(null(AudioComponentInstance.self))
    #expect(UInt(bitPattern: found) == 0)
    var query = description(1, 2, 3)
    let refused = AudioComponentRegister(
      &query, NSString("None"), 1, null(AudioComponentFactoryFunction.self))
    #expect(UInt(bitPattern: refused) == 0)
  }
}
