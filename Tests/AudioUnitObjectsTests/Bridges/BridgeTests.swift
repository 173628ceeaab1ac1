// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@testable import AudioUnitObjects

@Suite("A C unit as an object")
struct BridgeTests {
  private func delay() async throws -> AUAudioUnitV2Bridge {
    let unit = try await AUAudioUnit.instantiate(with: .apple(kAudioUnitSubType_SampleDelay))
    let bridge = try #require(unit as? AUAudioUnitV2Bridge)
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    try bridge.inputBusses[0].setFormat(mono)
    try bridge.outputBusses[0].setFormat(mono)
    return bridge
  }

  @Test("an object of the base class stands for the C unit too")
  func baseClass() throws {
    let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
    try unit.allocateRenderResources()
    #expect(try unit.render(64, input: 0.5).allSatisfy { $0.isFinite })
    #expect(unit.audioUnitName == "AUDelay")
  }

  @Test("renders its input, in the order of its life")
  func render() async throws {
    let unit = try await delay()
    #expect(status { _ = try unit.render(16, channels: 1) } == kAudioUnitErr_Uninitialized)
    try unit.allocateRenderResources()
    AudioUnitSetParameter(unit.audioUnit, 0, 0, 0, 10, 0)
    unit.reset()
    let samples = try unit.render(64, channels: 1)
    #expect(samples.firstIndex { $0 != 0 } == 10)
    #expect(
      status { _ = try unit.render(513, channels: 1) } == kAudioUnitErr_TooManyFramesToProcess)
    unit.deallocateRenderResources()
    #expect(status { _ = try unit.render(16, channels: 1) } == kAudioUnitErr_Uninitialized)
  }

  @Test("applies scheduled parameters at their frames", arguments: [0, 7, 100] as [Int64])
  func events(frame: Int64) async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    try unit.inputBusses.setBusCount(1)
    try unit.allocateRenderResources()
    let before = try unit.render(128)
    // The volume of input 0.
    let address = AUParameterAddress(kAudioUnitScope_Input) << 56
    unit.scheduleParameterBlock(1_000 + frame, 0, address, 0.25)
    let samples = try unit.render(512, at: 1_000)
    #expect(abs((frame == 0 ? before[127] : samples[Int(frame) - 1]) - 1) < 1e-5)
    #expect(samples[Int(frame)] < 1 || samples[Int(frame) + 1] < 1)
    #expect(abs(samples[511] - 0.25) < 1e-4)
  }

  @Test("ramps a parameter over its frames")
  func ramp() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    try unit.inputBusses.setBusCount(1)
    try unit.allocateRenderResources()
    _ = try unit.render(128)
    let address = AUParameterAddress(kAudioUnitScope_Input) << 56
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate + 50, 100, address, 0)
    let samples = try unit.render(256, at: 128)
    #expect(abs(samples[49] - 1) < 1e-5)
    #expect(abs(samples[100] - 0.5) < 0.02)
    #expect(abs(samples[155]) < 1e-5)
  }

  @Test("starts a ramp where the one before it is at that frame")
  func ramps() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    try unit.inputBusses.setBusCount(1)
    try unit.allocateRenderResources()
    _ = try unit.render(128)
    let address = AUParameterAddress(kAudioUnitScope_Input) << 56
    // From 1 to 0, but back to 1 from the middle on, and in the next render down again.
    unit.scheduleParameterBlock(1_000, 200, address, 0)
    unit.scheduleParameterBlock(1_100, 100, address, 1)
    unit.scheduleParameterBlock(1_150, 100, address, 0)
    var samples = try unit.render(128, at: 1_000)
    samples += try unit.render(128, at: 1_128)
    for (frame, value) in [(99, 0.5), (125, 0.625), (150, 0.75), (199, 0.375)] as [(Int, Float)] {
      #expect(abs(samples[frame] - value) < 0.02)
    }
    #expect(abs(samples[255]) < 1e-5)
  }

  @Test("has the buses and parameters that the C unit has now, and keeps those of before")
  func otherBuses() throws {
    let unit = try AUAudioUnitV2Bridge(
      componentDescription: .apple(
        kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    try unit.inputBusses.setBusCount(2)
    let tree = try #require(unit.parameterTree)
    let buses = unit.inputBusses
    let first = buses[0]
    let address = AUParameterAddress(kAudioUnitScope_Input) << 56 | 4 << 32
    #expect(tree.parameter(withAddress: address) == nil)
    var count: UInt32 = 5
    try check(
      AudioUnitSetProperty(
        unit.audioUnit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &count, 4))
    #expect(buses.count == 5 && buses[0] === first && buses[4].index == 4)
    #expect(Array(buses).map(\.index) == [0, 1, 2, 3, 4])
    #expect(buses.value(forKey: "count") as? Int == 5)
    #expect(unit.value(forKeyPath: "inputBusses.count") as? Int == 5)
    #expect(unit.parameterTree === tree)
    #expect(tree.parameter(withAddress: address) != nil)
    try buses.setBusCount(1)
    #expect(buses.count == 1 && buses[0] === first)
    #expect(unit.parameterTree?.parameter(withAddress: address) == nil)
    #expect(status { try buses.setBusCount(-1) } == kAudioUnitErr_InvalidPropertyValue)
    #expect(status { try unit.outputBusses.setBusCount(7) } == kAudioUnitErr_PropertyNotWritable)
    #expect(buses.count == 1 && unit.outputBusses.count == 1)
  }

  @Test("calls observers around renders of any host")
  func observers() async throws {
    let unit = try await delay()
    unit.outputProvider = Self.half
    try unit.allocateRenderResources()
    let record = ObserverRecord()
    let token = unit.token(byAddingRenderObserver: { flags, _, _, _ in
      record.flags.append(flags.rawValue)
    })
    try Self.render(unit.audioUnit, 16, at: 0)
    #expect(record.flags == [4, 8])
    unit.removeRenderObserver(token)
    try Self.render(unit.audioUnit, 16, at: 16)
    #expect(record.flags.count == 2)
  }

  /// Supplies 0.5.
  private static func half(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: AUAudioFrameCount, _ bus: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> AUAudioUnitStatus {
    for buffer in UnsafeMutableAudioBufferListPointer(list) {
      let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
      for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
    }
    return noErr
  }

  /// Renders one channel as a host of C units.
  private static func render(_ unit: AudioUnit, _ frames: UInt32, at time: Double) throws {
    var samples = [Float](repeating: 0, count: Int(frames))
    try samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = time
      stamp.mFlags = .sampleTimeValid
      try check(AudioUnitRender(unit, nil, &stamp, 0, frames, &list))
    }
  }

  /// A bridge to the C unit of a subclass, and the object of that.
  private func gain(
    _ subType: String, type: OSType = kAudioUnitType_Effect
  ) throws -> (bridge: AUAudioUnitV2Bridge, object: GainUnit) {
    let codes = AudioComponentDescription.test(subType, type: type)
    AUAudioUnit.registerSubclass(GainUnit.self, as: codes, name: "Tests: Gain", version: 1)
    let bridge = try AUAudioUnitV2Bridge(componentDescription: codes)
    return (bridge, try #require(try AUAudioUnit.object(of: bridge.audioUnit) as? GainUnit))
  }

  @Test("plays notes that are scheduled")
  func midi() throws {
    let (bridge, object) = try gain("brg2", type: kAudioUnitType_MusicEffect)
    #expect(bridge.isMusicDeviceOrEffect)
    #expect(bridge.virtualMIDICableCount == 1)
    let schedule = try #require(bridge.scheduleMIDIEventBlock)
    try bridge.allocateRenderResources()
    schedule(1_010, 0, 3, [0x90, 60, 100])
    schedule(1_005, 0, 2, [0xC1, 7])
    _ = try bridge.render(64, at: 1_000)
    #expect(object.state.events.map(\.bytes) == [[0xC1, 7], [0x90, 60, 100]])
    #expect(object.state.events.map(\.time) == [1_005, 1_010])
  }

  @Test("events that an observer schedules before a render are for that render")
  func observerEvents() throws {
    let (bridge, _) = try gain("brg3")
    let schedule = bridge.scheduleParameterBlock
    bridge.token(byAddingRenderObserver: { flags, time, _, _ in
      guard flags.rawValue & 4 != 0, time.pointee.mSampleTime == 64 else { return }
      schedule(AUEventSampleTimeImmediate + 5, 0, GainUnit.gain, 2)
    })
    try bridge.allocateRenderResources()
    #expect(try bridge.render(64).allSatisfy { $0 == 1 })
    #expect(try bridge.render(64, at: 64).firstIndex(of: 2) == 5)
  }

  @Test("the largest number of frames is that of the C unit")
  func maximumFrames() async throws {
    let unit = try await delay()
    #expect(unit.maximumFramesToRender == 512)
    unit.maximumFramesToRender = 300
    var (frames, size) = (0 as UInt32, 4 as UInt32)
    try check(
      AudioUnitGetProperty(
        unit.audioUnit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &frames, &size))
    #expect(frames == 300)
    frames = 700
    try check(
      AudioUnitSetProperty(
        unit.audioUnit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &frames, size))
    try unit.allocateRenderResources()
    #expect(unit.maximumFramesToRender == 700)
    #expect(try unit.render(700, channels: 1).count == 700)
  }

  @Test("a lent unit has the resources that its owner allocates, and keeps its source")
  func lent() throws {
    let owner = try HostedUnit(kAudioUnitSubType_Delay, type: kAudioUnitType_Effect)
    let object = try AUAudioUnit.object(of: owner.handle)
    #expect(!object.renderResourcesAllocated)
    #expect(status { _ = try object.render(16) } == kAudioUnitErr_Uninitialized)
    try owner.initialize()
    #expect(object.renderResourcesAllocated)
    object.outputProvider = Self.half
    #expect(object.outputProvider == nil)
    #expect(status { _ = try object.render(16) } == kAudioUnitErr_NoConnection)
    object.deallocateRenderResources()
    #expect(!object.renderResourcesAllocated)
  }

  @Test("what an output unit plays can be replaced while it renders")
  func provider() throws {
    let unit = try AUAudioUnit(
      componentDescription: .apple(
        kAudioUnitSubType_GenericOutput, type: kAudioUnitType_Output))
    unit.outputProvider = Self.half
    try unit.allocateRenderResources()
    nonisolated(unsafe) let render = unit.renderBlock
    nonisolated(unsafe) let samples = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    samples.initialize(repeating: 0, count: 128)
    defer { samples.deallocate() }
    let done = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let list = AudioBufferList.allocate(maximumBuffers: 2)
      var (flags, stamp) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
      stamp.mFlags = .sampleTimeValid
      repeat {
        for channel in 0..<2 {
          list[channel] = AudioBuffer(
            mNumberChannels: 1, mDataByteSize: 256, mData: samples + 64 * channel)
        }
        _ = render(&flags, &stamp, 64, 0, list.unsafeMutablePointer, nil)
        stamp.mSampleTime += 64
      } while isOver.wait(timeout: .now()) == .timedOut
      free(list.unsafeMutablePointer)
      done.signal()
    }
    for _ in 0..<200 {
      weak var old: ObserverRecord?
      do {
        let record = ObserverRecord()
        old = record
        unit.outputProvider = { flags, time, frames, bus, list in
          withExtendedLifetime(record) { Self.half(flags, time, frames, bus, list) }
        }
      }
      unit.outputProvider = Self.half
      // Nothing uses the old block any more.
      #expect(old == nil)
    }
    isOver.signal()
    done.wait()
    #expect(samples[0] == 0.5 && samples[127] == 0.5)
  }

  @Test("a bridge to the C unit of a subclass has its tree, state and presets")
  func bridgedSubclass() throws {
    let (bridge, object) = try gain("brg5")
    #expect(bridge.parameterTree === object.parameterTree)
    bridge.parameterTree?.parameter(withAddress: GainUnit.gain)?.value = 3
    #expect(object.state.gain == 3)
    let state = try #require(bridge.fullState)
    bridge.currentPreset = bridge.factoryPresets?[0]
    #expect(object.currentPreset?.name == "Quiet")
    #expect(object.state.gain == 0.25)
    #expect(bridge.currentPreset?.name == "Quiet")
    bridge.fullState = state
    #expect(object.state.gain == 3)
    #expect(bridge.supportsUserPresets == object.supportsUserPresets)
    #expect(bridge.canProcessInPlace && object.canProcessInPlace)
    #expect(bridge.parametersForOverview(withCount: 1) == [NSNumber(value: GainUnit.gain)])
  }

  @Test("a C unit can ask the host for its tempo and its transport")
  func hostBlocks() throws {
    let (bridge, object) = try gain("brg6")
    bridge.musicalContextBlock = { tempo, numerator, denominator, beat, offset, downbeat in
      tempo?.pointee = 98
      numerator?.pointee = 6
      denominator?.pointee = 8
      beat?.pointee = 12.5
      offset?.pointee = 1_000
      downbeat?.pointee = 12
      return true
    }
    bridge.transportStateBlock = { flags, position, start, end in
      flags?.pointee = [.moving, .cycling]
      position?.pointee = 48_000
      start?.pointee = 4
      end?.pointee = 8
      return true
    }
    #expect(object.musicalContextBlock != nil)
    // Through the functions of C and back.
    let blocks = HostBlocks()
    object.takeHostCallbacks(
      blocks.replace(bridge.musicalContextBlock, bridge.transportStateBlock))
    var (tempo, numerator, beat, downbeat) = (0.0, 0.0, 0.0, 0.0)
    var (denominator, offset) = (0, 0)
    let context = try #require(object.musicalContextBlock)
    let hasContext = context(&tempo, &numerator, &denominator, &beat, &offset, &downbeat)
    #expect(hasContext)
    #expect(tempo == 98 && numerator == 6 && denominator == 8)
    #expect(beat == 12.5 && downbeat == 12 && offset == 1_000)
    var flags: AUHostTransportStateFlags = []
    var (position, start, end) = (0.0, 0.0, 0.0)
    let transport = try #require(object.transportStateBlock)
    let hasTransport = transport(&flags, &position, &start, &end)
    #expect(hasTransport)
    #expect(flags == [.moving, .cycling])
    #expect([position, start, end] == [48_000, 4, 8])
    object.takeHostCallbacks(blocks.replace(nil, nil))
    #expect(object.musicalContextBlock == nil && object.transportStateBlock == nil)
    // The unit may still have the functions of before.
    let isAsked = context(&tempo, &numerator, &denominator, &beat, &offset, &downbeat)
    #expect(!isAsked)
    withExtendedLifetime(blocks) {}
  }

  @Test("blocks that a host replaces end, although their unit lives")
  func replacedHostBlocks() throws {
    let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
    weak var gone: NSObject?
    do {
      let captured = NSObject()
      gone = captured
      unit.musicalContextBlock = { _, _, _, _, _, _ in captured.isEqual(captured) }
    }
    #expect(gone != nil)
    unit.musicalContextBlock = nil
    #expect(gone == nil)
  }

  @Test("a class that stands for C units cannot be registered")
  func registration() {
    var codes = AudioComponentDescription.test("brg4")
    AUAudioUnit.registerSubclass(
      AUAudioUnitV2Bridge.self, as: codes, name: "Tests: Bridge", version: 1)
    AUAudioUnit.registerSubclass(AUAudioUnit.self, as: codes, name: "Tests: Unit", version: 1)
    #expect(AudioComponentFindNext(nil, &codes) == nil)
  }

  @Test("an output unit knows its sides")
  func output() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_RemoteIO, type: kAudioUnitType_Output))
    #expect(unit.canPerformOutput)
    #expect(unit.isOutputEnabled)
    #expect(!unit.isInputEnabled)
    #expect(!unit.isRunning)
    #expect(status { try unit.startHardware() } == kAudioUnitErr_Uninitialized)
    let effect = try await delay()
    #expect(!effect.canPerformOutput)
    #expect(status { try effect.startHardware() } == kAudio_UnimplementedError)
    #expect(status { try effect.setDeviceID(1) } == kAudio_UnimplementedError)
  }

  @Test("a node of an engine has its unit as an object, or its subclass")
  func node() async throws {
    let node = AVAudioUnitDelay()
    let bridge = try #require(node.auAudioUnit as? AUAudioUnitV2Bridge)
    #expect(bridge.audioUnit == node.audioUnit)
    #expect(node.auAudioUnit === bridge)
    AUAudioUnit.registerSubclass(
      GainUnit.self, as: .test("brg1"), name: "Tests: Gain", version: 1)
    let own = try await AVAudioUnit.instantiate(with: .test("brg1"))
    let object = try #require(own.auAudioUnit as? GainUnit)
    object.parameterTree?.parameter(withAddress: GainUnit.gain)?.value = 2
    var value: Float = 0
    AudioUnitGetParameter(own.audioUnit, 3, 0, 0, &value)
    #expect(value == 2)
  }
}
