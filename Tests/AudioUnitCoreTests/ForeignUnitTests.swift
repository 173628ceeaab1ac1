// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Testing

@Suite("Foreign units", .serialized)
struct ForeignUnitTests {
  /// Registers the plug-in under a subtype; null when it is refused.
  private func register(
    _ subType: String, type: OSType = kAudioUnitType_Effect, version: UInt32 = 0x0002_0304
  ) -> AudioComponent? {
    var description = AudioComponentDescription()
    description.componentType = type
    description.componentSubType = code(subType)
    description.componentManufacturer = code("frgn")
    let component = AudioComponentRegister(
      &description, NSString("Somebody: Multiplier"), version, ForeignPlugIn.factory)
    return UInt(bitPattern: component) == 0 ? nil : component
  }

  private func found(_ subType: String) -> AudioComponent? {
    var description = AudioComponentDescription()
    description.componentSubType = code(subType)
    return AudioComponentFindNext(nil, &description)
  }

  private func host(_ subType: String) throws -> Host {
    try Host(found(subType) ?? register(subType))
  }

  @Test("are found, described and named as they were registered")
  func registered() throws {
    let component = try #require(register("mul1"))
    #expect(found("mul1") == component)
    var (description, version) = (AudioComponentDescription(), UInt32(0))
    #expect(AudioComponentGetDescription(component, &description) == noErr)
    #expect(description.componentManufacturer == code("frgn"))
    #expect(AudioComponentGetVersion(component, &version) == noErr)
    #expect(version == 0x0002_0304)
    var name: Unmanaged<CFString>?
    #expect(AudioComponentCopyName(component, &name) == noErr)
    #expect(name?.takeRetainedValue() == "Somebody: Multiplier")
  }

  @Test("with codes that are already registered are refused, unless their version is higher")
  func duplicates() throws {
    let first = try #require(register("mul2"))
    #expect(register("mul2") == nil)
    #expect(register("mul2", version: 0x0002_0303) == nil)
    let explanation = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue().description
    #expect(explanation?.contains("-66752") == true)
    let second = try #require(register("mul2", version: 0x0002_0305))
    #expect(second != first && found("mul2") == second)
    #expect(try Host(first).initialize() == noErr, "the older one still makes instances")
    #expect(register("mul0", type: 0) == nil)
  }

  @Test("are opened once with their handle, and closed once")
  func openAndClose() throws {
    let component = try #require(register("mul3"))
    let before = ForeignPlugIn.openCount
    let host = try Host(component)
    #expect(ForeignPlugIn.openCount == before + 1)
    #expect(AudioComponentInstanceGetComponent(host.unit) == component)
    #expect(host.dispose() == noErr)
    #expect(ForeignPlugIn.openCount == before)
    #expect(host.initialize() == kAudio_ParamError)
  }

  @Test("that fail to open, or whose factory fails, give no instance")
  func failure() throws {
    let component = try #require(register("mul4"))
    ForeignPlugIn.refusesToOpen = true
    defer { ForeignPlugIn.refusesToOpen = false }
    var instance: AudioComponentInstance?
    #expect(AudioComponentInstanceNew(component, &instance) == -77)
    #expect(instance == nil)
    let none = try #require(register("none"))
    #expect(AudioComponentInstanceNew(none, &instance) == kAudioUnitErr_FailedInitialization)
  }

  @Test("can do what is in their table")
  func canDo() throws {
    let host = try host("mult")
    #expect(AudioComponentInstanceCanDo(host.unit, Int16(kAudioUnitRenderSelect)))
    #expect(!AudioComponentInstanceCanDo(host.unit, Int16(kAudioUnitProcessSelect)))
    #expect(AudioOutputUnitStart(host.unit) == kAudio_UnimplementedError)
    #expect(host.schedule(.immediate(0, 1, at: 0)) == kAudio_UnimplementedError)
    var stamp = timeStamp(0)
    let buffers = Buffers(channels: 1, frames: 1)
    #expect(
      AudioUnitProcess(host.unit, nil, &stamp, 1, buffers.list.unsafeMutablePointer)
        == kAudio_UnimplementedError)
  }

  @Test("handle their properties, parameters and listeners themselves")
  func calls() throws {
    let (host, watch) = (try host("mult"), PropertyWatch())
    let id = kAudioUnitProperty_RenderQuality
    #expect(watch.watch(host, id) == noErr)
    #expect(try host.info(id) == (4, true))
    #expect(host.set(id, UInt32(9)) == noErr)
    #expect(try host.get(id, as: UInt32.self) == 9)
    #expect(watch.notices == [.init(host.unit, id, kAudioUnitScope_Global, 0)])
    #expect(
      AudioUnitRemovePropertyListenerWithUserData(
        host.unit, id, PropertyWatch.function, watch.context) == noErr)
    #expect(host.set(id, UInt32(8)) == noErr)
    #expect(watch.count == 1)
    #expect(host.statusOfGetting(61_234) == kAudioUnitErr_InvalidProperty)
    #expect(host.setParameter(0, 0.5) == noErr)
    #expect(try host.parameter(0) == 0.5)
    #expect(host.setParameter(1, 0.5) == kAudioUnitErr_InvalidParameter)
    #expect(host.reset() == noErr)
  }

  @Test("render a callback's samples")
  func render() throws {
    let host = try host("mult")
    #expect(host.render(2, channels: 1).status == kAudioUnitErr_Uninitialized)
    #expect(host.feed(.signal { Float($0) }) == noErr)
    #expect(host.setParameter(0, 3) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(3, at: 1, channels: 1)[0] == [3, 6, 9])
  }

  @Test("can be connected to native units on both sides")
  func connected() throws {
    let (source, host, echo) = (try Host(.counter), try host("mult"), try Host(.echo))
    #expect(source.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
    #expect(host.connect(source) == noErr)
    #expect(echo.connect(host) == noErr)
    #expect(echo.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
    #expect(host.setParameter(0, 10) == noErr)
    for unit in [source, host, echo] { #expect(unit.initialize() == noErr) }
    #expect(echo.render(4, channels: 1)[0] == [10, 20, 30, 40])
    #expect(echo.render(2, at: 4, channels: 1)[0] == [55, 70])
  }

  @Test("are disconnected from a native unit's input when they are disposed of")
  func ending() throws {
    let (host, echo) = (try host("mult"), try Host(.echo))
    #expect(echo.connect(host) == noErr)
    #expect(echo.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
    let source = try Host(.counter)
    #expect(source.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
    #expect(host.connect(source) == noErr)
    for unit in [source, host, echo] { #expect(unit.initialize() == noErr) }
    #expect(echo.render(1, channels: 1).status == noErr)
    #expect(host.dispose() == noErr)
    #expect(echo.render(1, at: 1, channels: 1).status == kAudioUnitErr_NoConnection)
  }

  @Test("refuse a second render while one is running, like native units")
  func reentrant() throws {
    let host = try host("mult")
    let unit = UInt(bitPattern: host.unit)
    let callback = Callback { call in
      var stamp = timeStamp(0)
      let buffers = Buffers(channels: 1, frames: 1)
      return AudioUnitRender(
        fromBits(unit, AudioUnit.self), nil, &stamp, 0, 1, buffers.list.unsafeMutablePointer)
    }
    #expect(host.feed(callback) == noErr)
    #expect(host.initialize() == noErr)
    #expect(host.render(1, channels: 1).status == kAudioUnitErr_CannotDoInCurrentContext)
  }

  @Test("are not closed while another thread renders them", .timeLimit(.minutes(60)))
  func closeWhileRendering() throws {
    for _ in 0..<100 {
      let (host, echo) = (try host("mult"), try Host(.echo))
      #expect(echo.connect(host) == noErr)
      #expect(echo.setFormat(kAudioUnitScope_Output, channels: 1) == noErr)
      #expect(host.initialize() == noErr && echo.initialize() == noErr)
      let isDone = Flag()
      let renderer = OwnThread {
        var time = 0.0
        while !isDone.isRaised {
          _ = echo.render(4, at: time, channels: 1)
          time += 4
        }
      }
      usleep(100)
      #expect(host.dispose() == noErr)
      isDone.raise()
      renderer.join()
    }
  }
}
