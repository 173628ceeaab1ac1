// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("Life of a unit")
struct LifeCycleTests {
  @Test("a registered subclass is made by its component, with its names")
  func names() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif1", name: "Tests: Gain of tests")
    #expect(unit.audioUnitName == "Gain of tests")
    #expect(unit.manufacturerName == "Tests")
    #expect(unit.componentName == "Tests: Gain of tests")
    #expect(unit.componentVersion == 0x0001_0203)
    #expect(unit.componentDescription.componentFlags & 4 == 4)
    #expect(unit.maximumFramesToRender == 512)
  }

  @Test("all ways to make a unit can be waited for on the main queue, with a semaphore")
  func semaphore() async {
    // In its own process, whose main queue does nothing else. The program WaitForUnits of PackageTests
    // waits on the main thread.
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        let codes = AudioComponentDescription.apple(kAudioUnitSubType_Delay)
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var names: [String?] = []
        func expectName(_ line: Int = #line) {
          #expect(done.wait(timeout: .now() + 60) == .success, "line \(line)")
          #expect(names.popLast() == "AUDelay", "line \(line)")
        }
        AUAudioUnit.instantiate(with: codes) { unit, _ in
          names.append(unit?.audioUnitName)
          done.signal()
        }
        expectName()
        AVAudioUnit.instantiate(with: codes, options: []) { unit, _ in
          names.append(unit?.name)
          done.signal()
        }
        expectName()
        Task.detached {
          names.append(try? await AUAudioUnit.instantiate(with: codes).audioUnitName)
          done.signal()
        }
        expectName()
        Task.detached {
          names.append(try? await AVAudioUnit.instantiate(with: codes).name)
          done.signal()
        }
        expectName()
      }
    }
  }

  @Test(
    "options reach the subclass, from the object, the node and C; the unit is in this process",
    arguments: [[], .loadInProcess, .loadOutOfProcess] as [AudioComponentInstantiationOptions])
  func options(_ options: AudioComponentInstantiationOptions) async throws {
    let first: GainUnit = try await AUAudioUnit.registered("lifo")
    let codes = first.componentDescription
    let unit = try await AUAudioUnit.instantiate(with: codes, options: options)
    #expect((unit as? GainUnit)?.options == options && unit.isLoadedInProcess)
    #expect(unit.value(forKey: "loadedInProcess") as? Bool == true)
    let node = try await AVAudioUnit.instantiate(with: codes, options: options)
    #expect((node.auAudioUnit as? GainUnit)?.options == options)
    #expect(node.auAudioUnit.isLoadedInProcess)
    let instance = try #require(
      AudioUnit(bitPattern: try await Self.instance(first.component, options).get()))
    var fields = AudioComponentDescription()
    AudioComponentGetDescription(AudioComponentInstanceGetComponent(instance), &fields)
    #expect(fields.componentSubType == codes.componentSubType)
    AudioComponentInstanceDispose(instance)
    let delay = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_Delay), options: options)
    #expect(delay.isLoadedInProcess)
  }

  @Test(
    "options that contradict each other, or that no program passes, are refused with a reason",
    arguments: [
      [.loadInProcess, .loadOutOfProcess], .loadedRemotely, .init(rawValue: 4),
      .init(rawValue: .max),
    ] as [AudioComponentInstantiationOptions])
  func wrongOptions(_ options: AudioComponentInstantiationOptions) async throws {
    let first: GainUnit = try await AUAudioUnit.registered("lifw")
    for codes in [first.componentDescription, .apple(kAudioUnitSubType_Delay)] {
      let object = await #expect(throws: NSError.self) {
        _ = try await AUAudioUnit.instantiate(with: codes, options: options)
      }
      let node = await #expect(throws: NSError.self) {
        _ = try await AVAudioUnit.instantiate(with: codes, options: options)
      }
      for error in [object, node] {
        #expect(error?.code == Int(kAudio_ParamError))
        #expect(error?.localizedDescription.contains("loadInProcess") == true)
      }
    }
    #expect(
      await Self.instance(first.component, options) == .failure(Failure(status: kAudio_ParamError)))
  }

  private struct Failure: Error, Equatable { let status: OSStatus }

  /// What `AudioComponentInstantiate` makes, as a number.
  private static func instance(
    _ component: AudioComponent, _ options: AudioComponentInstantiationOptions
  ) async -> Result<Int, Failure> {
    await withCheckedContinuation { continuation in
      AudioComponentInstantiate(component, options) { instance, status in
        continuation.resume(
          returning: instance.map { .success(Int(bitPattern: $0)) }
            ?? .failure(.init(status: status)))
      }
    }
  }

  @Test("codes without a component are refused")
  func unknown() async {
    await #expect(throws: NSError.self) {
      _ = try await AUAudioUnit.instantiate(with: .test("none"))
    }
    let code = status { _ = try AUAudioUnit(componentDescription: .test("none")) }
    #expect(code == kAudioComponentErr_InstanceInvalidated)
  }

  @Test("it renders only between allocation and deallocation")
  func order() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif2")
    #expect(status { _ = try unit.render(8) } == kAudioUnitErr_Uninitialized)
    unit.deallocateRenderResources()
    try unit.allocateRenderResources()
    try unit.allocateRenderResources()
    #expect(unit.renderResourcesAllocated)
    #expect(try unit.render(8, input: 0.5) == [Float](repeating: 0.5, count: 8))
    #expect(status { _ = try unit.render(513) } == kAudioUnitErr_TooManyFramesToProcess)
    unit.maximumFramesToRender = 1_024
    #expect(unit.maximumFramesToRender == 512)
    unit.deallocateRenderResources()
    #expect(!unit.renderResourcesAllocated)
    #expect(status { _ = try unit.render(8) } == kAudioUnitErr_Uninitialized)
    unit.maximumFramesToRender = 1_024
    try unit.allocateRenderResources()
    #expect(try unit.render(1_024).count == 1_024)
  }

  @Test("a bus that does not exist is not rendered", arguments: [-1, 1, .min, .max])
  func noBus(bus: Int) async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif9")
    try unit.allocateRenderResources()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var (flags, stamp) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
    let status = unit.renderBlock(&flags, &stamp, 0, bus, list.unsafeMutablePointer) {
      _, _, _, _, _ in noErr
    }
    #expect(status == kAudioUnitErr_InvalidElement)
  }

  @Test("an error of the subclass leaves it without resources")
  func refusal() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif3")
    unit.allocationError = NSError(domain: NSOSStatusErrorDomain, code: -50)
    #expect(status { try unit.allocateRenderResources() } == -50)
    #expect(!unit.renderResourcesAllocated)
    unit.allocationError = nil
    try unit.allocateRenderResources()
    #expect(try unit.render(4).count == 4)
  }

  @Test("unequal numbers of channels are refused")
  func channels() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif4")
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    try unit.outputBusses[0].setFormat(mono)
    #expect(status { try unit.allocateRenderResources() } == kAudioUnitErr_FormatNotSupported)
    #expect(!unit.renderResourcesAllocated)
    try unit.inputBusses[0].setFormat(mono)
    try unit.allocateRenderResources()
  }

  @Test("observers are called before and after each render, until they are removed")
  func observers() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif5")
    try unit.allocateRenderResources()
    let record = ObserverRecord()
    let token = unit.token(byAddingRenderObserver: { flags, time, frames, bus in
      record.flags.append(flags.rawValue)
    })
    _ = try unit.render(16)
    #expect(
      record.flags == [
        AudioUnitRenderActionFlags.unitRenderAction_PreRender.rawValue,
        AudioUnitRenderActionFlags.unitRenderAction_PostRender.rawValue,
      ])
    unit.removeRenderObserver(token)
    _ = try unit.render(16)
    #expect(record.flags.count == 2)
  }

  @Test("a removed observer is freed at once, and what it keeps may remove others")
  func freedObservers() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif8")
    try unit.allocateRenderResources()
    weak var gone: Remover?
    do {
      let remover = Remover(unit, unit.token(byAddingRenderObserver: { _, _, _, _ in }))
      gone = remover
      let token = unit.token(byAddingRenderObserver: { _, _, _, _ in
        withExtendedLifetime(remover) {}
      })
      _ = try unit.render(16)
      unit.removeRenderObserver(token)
    }
    #expect(gone == nil)
    #expect(try unit.render(16).count == 16)
  }

  @Test("units end with their last reference, also with resources")
  func lifetime() async throws {
    weak var gone: GainUnit?
    for index in 0..<200 {
      let unit: GainUnit = try await AUAudioUnit.registered("lif6")
      try unit.allocateRenderResources()
      if index % 2 == 0 { unit.deallocateRenderResources() }
      gone = unit
    }
    #expect(gone == nil)
  }

  @Test("properties have their names as keys")
  func keys() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lif7")
    unit.setValue(256, forKey: "maximumFramesToRender")
    #expect(unit.value(forKey: "maximumFramesToRender") as? AUAudioFrameCount == 256)
    unit.setValue(true, forKey: "shouldBypassEffect")
    #expect(unit.shouldBypassEffect)
    #expect(unit.midiOutputBufferSizeHint == 0)
    unit.midiOutputBufferSizeHint = 300
    #expect(unit.midiOutputBufferSizeHint == 300)
    #expect(unit.value(forKey: "latency") as? Double == 0.25)
    #expect(unit.value(forKey: "noSuchKey") == nil)
    let value = unit.value(forKeyPath: "parameterTree.gain.value") as? NSNumber
    #expect(value?.floatValue == 1)
    unit.setValue(2.5, forKeyPath: "parameterTree.gain.value")
    #expect(unit.parameterTree?.parameter(withAddress: GainUnit.gain)?.value == 2.5)
    unit.setValue(false, forKeyPath: "shouldBypassEffect")
    #expect(!unit.shouldBypassEffect)
  }

  @Test("properties with a name for their getter have two keys")
  func getters() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lifa")
    unit.setValue(true, forKey: "renderingOffline")
    for key in ["renderingOffline", "isRenderingOffline"] {
      #expect(unit.value(forKey: key) as? Bool == true)
    }
    for key in ["running", "isRunning", "inputEnabled", "isInputEnabled"] {
      #expect(unit.value(forKey: key) as? Bool == false)
    }
    #expect(unit.value(forKey: "contextName") == nil)
    unit.setValue("Track", forKey: "contextName")
    #expect(unit.value(forKey: "contextName") as? String == "Track")
    unit.setValue(nil, forKey: "contextName")
    #expect(unit.contextName == nil)
  }

  @Test("buses and presets have keys, too")
  func otherKeys() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("lifb")
    let bus = unit.inputBusses[0]
    bus.setValue(false, forKey: "enabled")
    #expect(!bus.isEnabled && bus.value(forKey: "isEnabled") as? Bool == false)
    bus.setValue("Side chain", forKey: "name")
    bus.setValue([1, 2] as [NSNumber], forKey: "supportedChannelCounts")
    #expect(bus.name == "Side chain" && bus.supportedChannelCounts == [1, 2])
    bus.setValue(nil, forKey: "name")
    #expect(bus.name == nil && bus.value(forKey: "name") == nil)
    let preset = AUAudioUnitPreset()
    preset.setValue(-3, forKey: "number")
    preset.setValue("Mine", forKey: "name")
    #expect(preset.number == -3 && preset.value(forKey: "name") as? String == "Mine")
  }
}

/// Removes an observer when it ends.
private final class Remover {
  private let unit: AUAudioUnit
  private let token: Int

  init(_ unit: AUAudioUnit, _ token: Int) {
    self.unit = unit
    self.token = token
  }

  deinit { unit.removeRenderObserver(token) }
}

/// What an observer was called with; only the calling thread writes it.
final class ObserverRecord: @unchecked Sendable {
  var flags: [UInt32] = []
}
