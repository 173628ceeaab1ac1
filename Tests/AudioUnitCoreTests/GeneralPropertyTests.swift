// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

/// The expectations for one property.
struct PropertyRow: CustomTestStringConvertible, Sendable {
  var id: AudioUnitPropertyID
  var size: UInt32
  /// A scope that has the property.
  var scope: AudioUnitScope
  var isWritable: Bool
  /// A scope that does not have it; nil if all have.
  var wrongScope: AudioUnitScope?
  /// Whether element 9 of a bus is refused.
  var checksElement = true

  init(
    _ id: AudioUnitPropertyID, _ size: UInt32, _ scope: AudioUnitScope, writable: Bool,
    notOn wrongScope: AudioUnitScope?, checksElement: Bool = true
  ) {
    (self.id, self.size, self.scope, self.wrongScope) = (id, size, scope, wrongScope)
    (isWritable, self.checksElement) = (writable, checksElement)
  }

  var testDescription: String { "property \(id)" }

  static let (global, input, output) = (
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output
  )

  /// The properties that every effect has.
  static let general: [PropertyRow] = [
    .init(kAudioUnitProperty_ClassInfo, 8, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_MakeConnection, 16, input, writable: true, notOn: output),
    .init(kAudioUnitProperty_SampleRate, 8, input, writable: true, notOn: 3),
    .init(kAudioUnitProperty_ParameterList, 4, global, writable: false, notOn: 3),
    .init(
      kAudioUnitProperty_ParameterInfo, 104, global, writable: false, notOn: 3,
      checksElement: false),
    .init(kAudioUnitProperty_CPULoad, 4, global, writable: false, notOn: output),
    .init(kAudioUnitProperty_StreamFormat, 40, output, writable: true, notOn: 3),
    .init(kAudioUnitProperty_ElementCount, 4, input, writable: false, notOn: 3),
    .init(kAudioUnitProperty_Latency, 8, global, writable: false, notOn: input),
    .init(kAudioUnitProperty_MaximumFramesPerSlice, 4, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_SetExternalBuffer, 16, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_TailTime, 8, global, writable: false, notOn: input),
    .init(kAudioUnitProperty_BypassEffect, 4, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_LastRenderError, 4, global, writable: false, notOn: input),
    .init(kAudioUnitProperty_SetRenderCallback, 16, input, writable: true, notOn: output),
    .init(kAudioUnitProperty_ContextName, 8, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_RenderQuality, 4, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_CurrentPreset, 16, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_InPlaceProcessing, 4, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_ElementName, 8, input, writable: true, notOn: 3),
    // It may query a parameter's value, which has an element.
    .init(
      kAudioUnitProperty_ParameterStringFromValue, 24, global, writable: false, notOn: 3,
      checksElement: false),
    .init(kAudioUnitProperty_ParameterIDName, 16, global, writable: false, notOn: 3),
    .init(kAudioUnitProperty_PresentPreset, 16, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_OfflineRender, 4, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_ParameterValueFromString, 24, global, writable: false, notOn: 3),
    .init(kAudioUnitProperty_AUHostIdentifier, 16, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_ClassInfoFromDocument, 8, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_ShouldAllocateBuffer, 4, input, writable: true, notOn: global),
    .init(kAudioUnitProperty_NickName, 8, global, writable: true, notOn: input),
    .init(kAudioUnitProperty_ParametersForOverview, 24, global, writable: false, notOn: input),
    .init(kAudioUnitProperty_LastRenderSampleTime, 8, global, writable: false, notOn: input),
  ]
}

@Suite("General properties")
struct GeneralPropertyTests {
  @Test("have the documented size, scope and writability", arguments: PropertyRow.general)
  func row(row: PropertyRow) throws {
    let host = try Host(.echo)
    #expect(try host.info(row.id, row.scope) == (row.size, row.isWritable))
    if let wrong = row.wrongScope {
      #expect(host.statusOfGetting(row.id, wrong) == kAudioUnitErr_InvalidScope)
      #expect(host.set(row.id, UInt64(0), wrong) == kAudioUnitErr_InvalidScope)
    }
    if row.checksElement, row.scope == kAudioUnitScope_Global {
      // It has one element, whatever its number.
      #expect(try host.info(row.id, row.scope, 9) == (row.size, row.isWritable))
      #expect(host.statusOfGetting(row.id, row.scope, 9) == host.statusOfGetting(row.id, row.scope))
    } else if row.checksElement {
      #expect(host.statusOfGetting(row.id, row.scope, 9) == kAudioUnitErr_InvalidElement)
      #expect(host.set(row.id, UInt64(0), row.scope, 9) == kAudioUnitErr_InvalidElement)
    }
  }

  @Test("that a unit does not have return an error")
  func unknown() throws {
    let generator = try Host(.counter)
    for id in [
      kAudioUnitProperty_MakeConnection, kAudioUnitProperty_SetRenderCallback,
      kAudioUnitProperty_TailTime, kAudioUnitProperty_FactoryPresets,
      kAudioUnitProperty_BypassEffect, 7, 59, 999, 2001,
    ] {
      #expect(generator.statusOfGetting(id) == kAudioUnitErr_InvalidProperty, "property \(id)")
    }
    #expect(
      try Host(.echo).statusOfGetting(kAudioUnitProperty_SupportedNumChannels)
        == kAudioUnitErr_InvalidProperty)
  }

  @Test(
    "the maximum slice is 1,156 frames unless the unit has another default",
    arguments: [(TestUnit.echo, 1156 as UInt32), (.sums, 1024)])
  func maximumFrames(unit: TestUnit, expected: UInt32) throws {
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    let host = try Host(unit)
    #expect(try host.get(id, as: UInt32.self) == expected)
    #expect(host.set(id, UInt32(4096)) == noErr)
    #expect(try host.get(id, as: UInt32.self) == 4096)
    #expect(host.set(id, UInt32(0)) == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("a slice of the maximum is rendered, one frame more is refused", arguments: [1156, 4096])
  func tooManyFrames(maximum: Int) throws {
    let host = try Host(.counter)
    #expect(host.set(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(maximum)) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(maximum).status == noErr)
    #expect(host.render(maximum + 1).status == kAudioUnitErr_TooManyFramesToProcess)
  }

  @Test("the number of elements can be read on every scope, even where there is none")
  func elementCounts() throws {
    let id = kAudioUnitProperty_ElementCount
    let counts = try [TestUnit.counter, .echo, .sums].map { unit in
      let host = try Host(unit)
      return try [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output].map {
        try host.get(id, as: UInt32.self, $0)
      }
    }
    #expect(counts == [[1, 0, 1], [1, 1, 1], [1, 2, 2]])
    let list = try Host(.counter).info(kAudioUnitProperty_ParameterList, kAudioUnitScope_Input)
    #expect(list.size == 0)
  }

  @Test("the number of a mixer's inputs can be changed, within its range")
  func changeElementCount() throws {
    let id = kAudioUnitProperty_ElementCount
    let host = try Host(.sums)
    #expect(try host.info(id, kAudioUnitScope_Input).isWritable)
    #expect(host.set(id, UInt32(8), kAudioUnitScope_Input) == noErr)
    #expect(
      host.statusOfGetting(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 7) == noErr)
    #expect(host.setParameter(0, 0.5, kAudioUnitScope_Input, 7) == noErr)
    #expect(host.set(id, UInt32(9), kAudioUnitScope_Input) == kAudioUnitErr_InvalidPropertyValue)
    #expect(host.set(id, UInt32(1), kAudioUnitScope_Input) == noErr)
    #expect(host.setParameter(0, 0.5, kAudioUnitScope_Input, 7) == kAudioUnitErr_InvalidElement)
    #expect(host.set(id, UInt32(3), kAudioUnitScope_Output) == kAudioUnitErr_PropertyNotWritable)
    #expect(host.set(id, UInt32(2), kAudioUnitScope_Global) == kAudioUnitErr_PropertyNotWritable)
    #expect(host.set(id, UInt32(2), kAudioUnitScope_Output) == noErr, "the current count")
  }

  @Test(
    "a name is not in use until it is set, and reads back unchanged",
    arguments: [kAudioUnitProperty_ContextName, kAudioUnitProperty_ElementName])
  func names(id: AudioUnitPropertyID) throws {
    let host = try Host(.echo)
    #expect(host.statusOfGetting(id) == kAudioUnitErr_PropertyNotInUse)
    let name = NSString("Känal 1")
    #expect(host.set(id, Unmanaged.passUnretained(name)) == noErr)
    let read = try host.get(id, as: Unmanaged<CFString>.self).takeRetainedValue()
    #expect(read.isEqual(to: name as String))
    #expect(host.remove(id) == noErr)
    #expect(host.statusOfGetting(id) == kAudioUnitErr_PropertyNotInUse)
    let number = NSNumber(value: 1)
    #expect(
      host.set(id, Unmanaged.passUnretained(number)) == kAudioUnitErr_InvalidPropertyValue)
    withExtendedLifetime((name, number)) {}
  }

  @Test("a nickname that is not set is null")
  func nickName() throws {
    let host = try Host(.echo)
    let id = kAudioUnitProperty_NickName
    #expect(try host.get(id, as: Unmanaged<CFString>?.self) == nil)
    let name = NSString("Nick")
    #expect(host.set(id, Unmanaged.passUnretained(name)) == noErr)
    let read = try host.get(id, as: Unmanaged<CFString>?.self)?.takeRetainedValue()
    #expect(read == name)
    #expect(host.set(id, Unmanaged<CFString>?.none) == noErr)
    #expect(try host.get(id, as: Unmanaged<CFString>?.self) == nil)
  }

  @Test("an element has its own name")
  func elementNames() throws {
    let host = try Host(.sums)
    let name = NSString("Drums")
    let id = kAudioUnitProperty_ElementName
    #expect(host.set(id, Unmanaged.passUnretained(name), kAudioUnitScope_Input, 1) == noErr)
    #expect(host.statusOfGetting(id, kAudioUnitScope_Input, 0) == kAudioUnitErr_PropertyNotInUse)
    let read = try host.get(id, as: Unmanaged<CFString>.self, kAudioUnitScope_Input, 1)
    #expect(read.takeRetainedValue() == name)
  }

  @Test("a channel layout must have as many channels as the format, and is removed with it")
  func channelLayout() throws {
    let host = try Host(.echo)
    let (id, scope) = (kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output)
    #expect(host.statusOfGetting(id, scope) == kAudioUnitErr_PropertyNotInUse)
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    #expect(host.set(id, layout, scope, size: 12) == noErr)
    #expect(try host.info(id, scope).size == 12)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
    #expect(host.set(id, layout, scope) == kAudioUnitErr_InvalidPropertyValue)
    // The header announces two descriptions, but there is only one.
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
    layout.mNumberChannelDescriptions = 2
    #expect(host.set(id, layout, scope) == kAudioUnitErr_InvalidPropertyValue)
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
    layout.mChannelBitmap = AudioChannelBitmap(rawValue: 3)
    #expect(host.set(id, layout, scope) == noErr)
    #expect(host.setFormat(scope, channels: 1) == noErr)
    #expect(host.statusOfGetting(id, scope) == kAudioUnitErr_PropertyNotInUse)
  }

  @Test("the host identifies itself with a string")
  func hostIdentifier() throws {
    let host = try Host(.echo)
    let name = NSString("Tests")
    let identifier = AUHostVersionIdentifier(
      hostName: Unmanaged.passUnretained(name), hostVersion: 1)
    #expect(host.set(kAudioUnitProperty_AUHostIdentifier, identifier) == noErr)
    withExtendedLifetime(name) {}
  }

  @Test("render quality goes from 0 to 127")
  func renderQuality() throws {
    let host = try Host(.echo)
    let id = kAudioUnitProperty_RenderQuality
    #expect(try host.get(id, as: UInt32.self) == 127)
    #expect(host.set(id, UInt32(0)) == noErr)
    #expect(try host.get(id, as: UInt32.self) == 0)
    #expect(host.set(id, UInt32(128)) == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test(
    "switches are off or on, with the documented default",
    arguments: [
      (kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0),
      (kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0),
      (kAudioUnitProperty_InPlaceProcessing, kAudioUnitScope_Global, 1),
      (kAudioUnitProperty_ShouldAllocateBuffer, kAudioUnitScope_Input, 1),
    ] as [(AudioUnitPropertyID, AudioUnitScope, UInt32)])
  func switches(id: AudioUnitPropertyID, scope: AudioUnitScope, first: UInt32) throws {
    let host = try Host(.echo)
    #expect(try host.get(id, as: UInt32.self, scope) == first)
    #expect(host.set(id, UInt32(17), scope) == noErr)
    #expect(try host.get(id, as: UInt32.self, scope) == 1)
    #expect(host.set(id, UInt32(0), scope) == noErr)
    #expect(try host.get(id, as: UInt32.self, scope) == 0)
  }

  @Test("latency, tail, load and channels are those of the kernel")
  func figures() throws {
    let host = try Host(.echo)
    #expect(try host.get(kAudioUnitProperty_Latency, as: Float64.self) == 0)
    let tail = try host.get(kAudioUnitProperty_TailTime, as: Float64.self)
    #expect(tail == 4 / 44_100.0)
    #expect(host.setParameter(0, 0) == noErr)
    #expect(try host.get(kAudioUnitProperty_TailTime, as: Float64.self) == 0, "with no gain")
    #expect((0...1).contains(try host.get(kAudioUnitProperty_CPULoad, as: Float32.self)))
    let channels = try Host(.sums).get(
      kAudioUnitProperty_SupportedNumChannels, as: AUChannelInfo.self)
    #expect(channels.inChannels == -1 && channels.outChannels == -2)
  }

  @Test("the time of the last render is far in the past until there is one")
  func lastRenderSampleTime() throws {
    let host = try Host(.counter)
    let id = kAudioUnitProperty_LastRenderSampleTime
    #expect(host.initialize() == noErr)
    #expect(try host.get(id, as: Float64.self) < -1e300)
    _ = host.render(16, at: 4800)
    #expect(try host.get(id, as: Float64.self) == 4800)
    #expect(host.uninitialize() == noErr)
    #expect(try host.get(id, as: Float64.self) < -1e300)
  }

  @Test("the first render error is kept until it is read")
  func lastRenderError() throws {
    let host = try Host(.counter)
    let id = kAudioUnitProperty_LastRenderError
    #expect(try host.get(id, as: OSStatus.self) == noErr)
    _ = host.render(8)
    #expect(host.initialize() == noErr)
    _ = host.render(8, bus: 7)
    _ = host.render(8)
    #expect(try host.get(id, as: OSStatus.self) == kAudioUnitErr_Uninitialized)
    #expect(try host.get(id, as: OSStatus.self) == noErr)
    _ = host.render(8, bus: 7)
    #expect(try host.get(id, as: OSStatus.self) == kAudioUnitErr_InvalidElement)
  }

  @Test("callbacks write into the external buffer")
  func externalBuffer() throws {
    let host = try Host(.echo)
    let count = 1156 * 4 * 2
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer { memory.deallocate() }
    let own = UInt(bitPattern: memory)..<UInt(bitPattern: memory + count)
    let callback = Callback { call in
      let inside = call.data.allSatisfy { own.contains(UInt(bitPattern: $0.mData)) }
      call.fill { _ in 1 }
      return inside ? noErr : -1
    }
    #expect(
      host.set(
        kAudioUnitProperty_SetExternalBuffer,
        AudioUnitExternalBuffer(buffer: memory, size: UInt32(count))) == noErr)
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(1156).status == noErr)
    #expect(
      host.set(
        kAudioUnitProperty_SetExternalBuffer,
        AudioUnitExternalBuffer(buffer: memory, size: UInt32(count))) == kAudioUnitErr_Initialized)
    #expect(host.uninitialize() == noErr)
  }
}
