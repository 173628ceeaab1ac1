// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import AudioUnitObjects
import CAllocationProbe
import Foundation
import Testing

@Suite("A subclass as a component of C")
struct SubclassFromCTests {
  /// The C unit of a registered subclass, with stereo input from a callback that supplies ones.
  private func hosted(_ subType: String, type: OSType = kAudioUnitType_Effect) throws -> HostedUnit
  {
    let description = AudioComponentDescription.test(subType, type: type)
    AUAudioUnit.registerSubclass(
      GainUnit.self, as: description, name: "Tests: Gain", version: 0x0001_0000)
    let unit = try HostedUnit(
      description.componentSubType, type: type, manufacturer: description.componentManufacturer)
    try unit.set(
      kAudioUnitProperty_SetRenderCallback,
      to: AURenderCallbackStruct(
        inputProc: { _, _, _, _, frames, list in
          guard let list = UnsafeMutableAudioBufferListPointer(list) else {
            return kAudio_ParamError
          }
          for buffer in list {
            let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<Int(frames) { samples?[frame] = 1 }
          }
          return noErr
        }, inputProcRefCon: UnsafeMutableRawPointer(bitPattern: 8)), kAudioUnitScope_Input)
    return unit
  }

  /// The left channel of a render, in memory of the caller or of the unit.
  private func render(
    _ unit: HostedUnit, _ frames: UInt32, at time: Double = 0, byPointer: Bool = false
  ) throws -> [Float] {
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var memory = [Float](repeating: 0, count: Int(frames) * 2)
    return try memory.withUnsafeMutableBufferPointer { buffer in
      for channel in 0..<2 {
        list[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: frames * 4,
          mData: byPointer
            ? nil : buffer.baseAddress.map { UnsafeMutableRawPointer($0 + channel * Int(frames)) })
      }
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = time
      stamp.mFlags = .sampleTimeValid
      try check(
        AudioUnitRender(unit.handle, nil, &stamp, 0, frames, list.unsafeMutablePointer))
      return Array(UnsafeBufferPointer<Float>(list[0]))
    }
  }

  @Test("renders what the subclass renders", arguments: [false, true])
  func render(byPointer: Bool) throws {
    let unit = try hosted("sub1")
    try unit.initialize()
    try check(AudioUnitSetParameter(unit.handle, 3, 0, 0, 2, 0))
    #expect(
      try render(unit, 64, byPointer: byPointer) == [Float](repeating: 2, count: 64))
    #expect(try unit.get(kAudioUnitProperty_Latency, as: 0.0) == 0.25)
  }

  @Test("has the parameters of the tree, with their ranges")
  func parameters() throws {
    let unit = try hosted("sub2")
    let ids = try unit.getArray(
      kAudioUnitProperty_ParameterList, of: 0 as AudioUnitParameterID, kAudioUnitScope_Global, 0)
    #expect(ids == [3])
    let info = try unit.get(
      kAudioUnitProperty_ParameterInfo, as: AudioUnitParameterInfo(), kAudioUnitScope_Global, 3)
    #expect(info.minValue == 0 && info.maxValue == 4 && info.defaultValue == 1)
    #expect(info.unit == .linearGain)
    #expect(AudioUnitSetParameter(unit.handle, 4, 0, 0, 1, 0) == kAudioUnitErr_InvalidParameter)
    #expect(AudioUnitSetParameter(unit.handle, 3, 1, 0, 1, 0) == kAudioUnitErr_InvalidScope)
    #expect(
      AudioUnitSetParameter(unit.handle, 3, 0, 0, .nan, 0) == kAudioUnitErr_InvalidParameterValue)
  }

  @Test("changes parameters at their frames", arguments: [1, 17, 63] as [UInt32])
  func offsets(frame: UInt32) throws {
    let unit = try hosted("sub3")
    try unit.initialize()
    try check(AudioUnitSetParameter(unit.handle, 3, 0, 0, 3, frame))
    let samples = try render(unit, 64)
    #expect(samples.firstIndex(of: 3) == Int(frame))
    var event = AudioUnitParameterEvent()
    event.parameter = 3
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = 10
    event.eventValues.ramp.durationInFrames = 20
    event.eventValues.ramp.startValue = 1
    event.eventValues.ramp.endValue = 2
    try check(AudioUnitScheduleParameters(unit.handle, &event, 1))
    let ramped = try render(unit, 64, at: 64)
    #expect(ramped[9] == 3)
    for index in 0..<20 { #expect(abs(ramped[10 + index] - (1 + 0.05 * Float(index + 1))) < 1e-4) }
    #expect(abs(ramped[40] - 2) < 1e-5)
  }

  @Test("limits what is scheduled, and shows it to both sides")
  func scheduled() throws {
    AUAudioUnit.registerSubclass(
      PlainUnit.self, as: .test("subd"), name: "Tests: Plain", version: 1)
    let unit = try HostedUnit(
      AudioComponentDescription.test("subd").componentSubType, type: kAudioUnitType_Effect,
      manufacturer: 0x5465_7374)
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? PlainUnit)
    let level = try #require(object.parameterTree?.parameter(withAddress: 3))
    try unit.initialize()
    func value() -> AUValue {
      var value: AUValue = -1
      AudioUnitGetParameter(unit.handle, 3, 0, 0, &value)
      return value
    }
    let received = Received<AUValue>()
    let token = level.token(byAddingParameterRecordingObserver: { count, events in
      for event in UnsafeBufferPointer(start: events, count: count) { received.add(event.value) }
    })
    try check(AudioUnitSetParameter(unit.handle, 3, 0, 0, 0.75, 20))
    #expect(value() == 0.75 && level.value == 0.75)
    try check(AudioUnitSetParameter(unit.handle, 3, 0, 0, 99, 30))
    #expect(value() == 1)
    var event = AudioUnitParameterEvent()
    event.parameter = 3
    event.eventType = .parameterEvent_Ramped
    event.eventValues.ramp.startBufferOffset = 40
    event.eventValues.ramp.durationInFrames = 10
    event.eventValues.ramp.startValue = .greatestFiniteMagnitude
    event.eventValues.ramp.endValue = -5
    try check(AudioUnitScheduleParameters(unit.handle, &event, 1))
    #expect(value() == 0)
    for number in [AUValue.nan, .infinity, -.infinity] {
      #expect(
        AudioUnitSetParameter(unit.handle, 3, 0, 0, number, 5)
          == kAudioUnitErr_InvalidParameterValue)
      event.eventValues.ramp.endValue = number
      #expect(
        AudioUnitScheduleParameters(unit.handle, &event, 1) == kAudioUnitErr_InvalidParameterValue)
    }
    #expect(value() == 0)
    #expect(wait { received.all.count >= 4 })
    #expect(received.all == [0.75, 1, 1, 0])
    level.removeParameterObserver(token)
    _ = try render(unit, 64)
    #expect(object.values == [0.75, 1, 1, 0])
  }

  @Test("schedules what C hosts set without the heap", .enabled(if: heap_is_counted()))
  func heap() throws {
    let unit = try hosted("subf")
    try unit.initialize()
    let handle = unit.handle
    var event = AudioUnitParameterEvent()
    event.parameter = 3
    event.eventType = .parameterEvent_Immediate
    event.eventValues.immediate.bufferOffset = 9
    event.eventValues.immediate.value = 99
    AudioUnitSetParameter(handle, 3, 0, 0, 2, 7)
    let before = heap_operations()
    for _ in 0..<100 {
      AudioUnitSetParameter(handle, 3, 0, 0, 2, 7)
      AudioUnitScheduleParameters(handle, &event, 1)
    }
    #expect(heap_operations() == before)
  }

  @Test(
    "tells listeners once that a host has set a property",
    arguments: [kAudioUnitProperty_BypassEffect, kAudioUnitProperty_PresentPreset])
  func setOnce(id: AudioUnitPropertyID) throws {
    let unit = try hosted("sube")
    let record = CallRecord()
    try check(
      AudioUnitAddPropertyListener(
        unit.handle, id,
        { context, _, id, _, _ in
          Unmanaged<CallRecord>.fromOpaque(context).takeUnretainedValue().note(OSStatus(id))
        }, record.context))
    if id == kAudioUnitProperty_BypassEffect {
      try unit.set(id, to: 1 as UInt32)
    } else {
      var preset = AUPreset()
      preset.presetNumber = 1
      try unit.set(id, to: preset)
    }
    #expect(record.wait())
    #expect(record.calls == 1)
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? GainUnit)
    object.currentPreset = object.factoryPresets?[0]
    object.shouldBypassEffect = false
    #expect(record.calls == 2)
  }

  @Test("takes formats and their refusals from the buses")
  func formats() throws {
    let unit = try hosted("sub4")
    var format = try unit.format(kAudioUnitScope_Output)
    #expect(format.mSampleRate == 48_000 && format.mChannelsPerFrame == 2)
    format.mChannelsPerFrame = 1
    try unit.setFormat(format, kAudioUnitScope_Output)
    #expect(AudioUnitInitialize(unit.handle) == kAudioUnitErr_FormatNotSupported)
    try unit.setFormat(format, kAudioUnitScope_Input)
    try unit.initialize()
    #expect(AudioUnitInitialize(unit.handle) == noErr)
    #expect(
      unit.setting(kAudioUnitProperty_StreamFormat, to: format, kAudioUnitScope_Output) == noErr)
  }

  @Test("saves and restores the state, and selects presets")
  func state() throws {
    let unit = try hosted("sub5")
    try check(AudioUnitSetParameter(unit.handle, 3, 0, 0, 2.5, 0))
    let state = try unit.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none)
    let object = try #require(state)
    defer { Unmanaged<AnyObject>.fromOpaque(object).release() }
    try check(AudioUnitSetParameter(unit.handle, 3, 0, 0, 0, 0))
    try unit.set(kAudioUnitProperty_ClassInfo, to: state)
    var value: Float = 0
    AudioUnitGetParameter(unit.handle, 3, 0, 0, &value)
    #expect(value == 2.5)
    var preset = AUPreset()
    preset.presetNumber = 1
    try unit.set(kAudioUnitProperty_PresentPreset, to: preset)
    AudioUnitGetParameter(unit.handle, 3, 0, 0, &value)
    #expect(value == 4)
    preset.presetNumber = 7
    #expect(
      unit.setting(kAudioUnitProperty_PresentPreset, to: preset)
        == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test("a preset of a host keeps its name until the object selects another")
  func hostPreset() throws {
    let unit = try hosted("sub9")
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? GainUnit)
    object.currentPreset = object.factoryPresets?[1]
    let name = "Mine" as NSString
    var preset = AUPreset()
    preset.presetNumber = -1
    preset.__presetName = UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
    try withExtendedLifetime(name) { try unit.set(kAudioUnitProperty_PresentPreset, to: preset) }
    func present() throws -> String {
      let preset = try unit.get(kAudioUnitProperty_PresentPreset, as: AUPreset())
      let name = preset.__presetName.map {
        Unmanaged<NSString>.fromOpaque($0).takeRetainedValue().description
      }
      return "\(preset.presetNumber) \(name ?? "none")"
    }
    #expect(try present() == "-1 Mine")
    #expect(try present() == "-1 Mine")
    object.currentPreset = object.factoryPresets?[0]
    #expect(try present() == "0 Quiet")
  }

  @Test("tells listeners that a property has changed", arguments: ["latency", "parameterTree"])
  func changes(key: String) throws {
    let unit = try hosted("subc")
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? GainUnit)
    let record = CallRecord()
    for id in [kAudioUnitProperty_Latency, kAudioUnitProperty_ParameterList] {
      try check(
        AudioUnitAddPropertyListener(
          unit.handle, id,
          { context, _, id, _, _ in
            Unmanaged<CallRecord>.fromOpaque(context).takeUnretainedValue().note(OSStatus(id))
          }, record.context))
    }
    object.willChangeValue(forKey: key)
    #expect(record.calls == 0)
    object.didChangeValue(forKey: "noSuchKey")
    object.didChangeValue(forKey: key)
    #expect(record.wait())
    let id = key == "latency" ? kAudioUnitProperty_Latency : kAudioUnitProperty_ParameterList
    #expect(record.status.load(ordering: .relaxed) == OSStatus(id))
    #expect(record.calls == 1)
    withExtendedLifetime(record) {}
  }

  @Test("an object that fails after it has allocated has no resources, and can try again")
  func lateRefusal() throws {
    let unit = try hosted("suba")
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? GainUnit)
    object.refusesLate = true
    object.allocationError = NSError(domain: NSOSStatusErrorDomain, code: -50)
    #expect(AudioUnitInitialize(unit.handle) == -50)
    #expect(!object.renderResourcesAllocated)
    object.allocationError = nil
    try unit.initialize()
    #expect(try render(unit, 16) == [Float](repeating: 1, count: 16))
  }

  @Test("takes the formats of replaced buses, and refuses another number of them")
  func replacedBuses() throws {
    let unit = try hosted("subb")
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? GainUnit)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 2))
    object.inputBusses.replaceBusses([try AUAudioUnitBus(format: format)])
    object.outputBusses.replaceBusses([try AUAudioUnitBus(format: format)])
    try unit.initialize()
    #expect(try unit.format(kAudioUnitScope_Output).mSampleRate == 32_000)
    #expect(try render(unit, 16) == [Float](repeating: 1, count: 16))
    try unit.uninitialize()
    object.inputBusses.replaceBusses([])
    object.outputBusses.replaceBusses([])
    #expect(AudioUnitInitialize(unit.handle) == kAudioUnitErr_FailedInitialization)
    #expect(!object.renderResourcesAllocated)
  }

  @Test("passes MIDI on at its frame")
  func midi() throws {
    let unit = try hosted("sub6", type: kAudioUnitType_MusicEffect)
    try unit.initialize()
    try check(MusicDeviceMIDIEvent(unit.handle, 0x90, 60, 100, 12))
    try check(MusicDeviceMIDIEvent(unit.handle, 0xC1, 7, 0, 5))
    _ = try render(unit, 64, at: 1_000)
    let object = try #require(try AUAudioUnit.object(of: unit.handle) as? GainUnit)
    #expect(object.state.events.map(\.bytes) == [[0xC1, 7], [0x90, 60, 100]])
    #expect(object.state.events.map(\.time) == [1_005, 1_012])
    #expect(MusicDeviceMIDIEvent(unit.handle, 1, 0, 0, 0) == kAudio_ParamError)
    let effect = try hosted("sub7")
    #expect(MusicDeviceMIDIEvent(effect.handle, 0x90, 60, 100, 0) == kAudio_UnimplementedError)
  }

  @Test("works in a graph")
  func graph() throws {
    AUAudioUnit.registerSubclass(
      GainUnit.self, as: .test("sub8"), name: "Tests: Gain", version: 0x0001_0000)
    var graph: AUGraph?
    try check(NewAUGraph(&graph))
    let made = try #require(graph)
    defer { DisposeAUGraph(made) }
    var (tone, gain, output) = (AUNode(), AUNode(), AUNode())
    var outputCodes = AudioComponentDescription.apple(
      kAudioUnitSubType_GenericOutput, type: kAudioUnitType_Output)
    var toneCodes = AudioComponentDescription(
      componentType: kAudioUnitType_Generator, componentSubType: kAudioUnitSubType_ToneGenerator,
      componentManufacturer: kAudioUnitManufacturer_SwiftAudioToolbox, componentFlags: 0,
      componentFlagsMask: 0)
    var gainCodes = AudioComponentDescription.test("sub8")
    try check(AUGraphAddNode(made, &toneCodes, &tone))
    try check(AUGraphAddNode(made, &gainCodes, &gain))
    try check(AUGraphAddNode(made, &outputCodes, &output))
    try check(AUGraphConnectNodeInput(made, tone, 0, gain, 0))
    try check(AUGraphConnectNodeInput(made, gain, 0, output, 0))
    try check(AUGraphOpen(made))
    try check(AUGraphInitialize(made))
    var unit: AudioUnit?
    try check(AUGraphNodeInfo(made, gain, nil, &unit))
    let handle = try #require(unit)
    try check(AUGraphNodeInfo(made, output, nil, &unit))
    let head = try #require(unit)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    func peak() throws -> Float {
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      list[1] = list[0]
      defer { stamp.mSampleTime += 512 }
      try check(AudioUnitRender(head, nil, &stamp, 0, 512, list.unsafeMutablePointer))
      return UnsafeBufferPointer<Float>(list[0]).map(abs).max() ?? 0
    }
    let loud = try peak()
    #expect(loud > 0.001)
    try check(AudioUnitSetParameter(handle, 3, 0, 0, 0, 0))
    // The output unit converts the rate of the subclass, and still has a frame of before.
    _ = try peak()
    #expect(try peak() == 0)
  }
}

/// A unit that passes its input on and has one parameter, whose value only the tree has.
private final class PlainUnit: AUAudioUnit {
  /// What the render thread uses.
  private final class State: @unchecked Sendable { var values: [AUValue] = [] }

  private let state = State()
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?
  /// The values of the events that it got.
  var values: [AUValue] { state.values }

  override init(
    componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    parameterTree = .createTree(withChildren: [
      AUParameterTree.createParameter(
        withIdentifier: "level", name: "Level", address: 3, min: 0, max: 1, unit: .linearGain,
        unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp],
        valueStrings: nil, dependentParameters: nil)
    ])
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }

  override var internalRenderBlock: AUInternalRenderBlock {
    { [state] _, _, frames, _, output, events, _ in
      var event = events
      while let next = event {
        state.values.append(next.pointee.parameter.value)
        event = UnsafePointer(next.pointee.head.next)
      }
      for buffer in UnsafeMutableAudioBufferListPointer(output) {
        buffer.mData?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(frames) * 4)
      }
      return noErr
    }
  }
}
