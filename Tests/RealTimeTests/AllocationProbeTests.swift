// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import CAllocationProbe
import Foundation
import Testing

/// Tests that render threads do not use the heap. The probe replaces `malloc` and counts for each
/// thread. The callbacks of these tests allocate nothing themselves.
@Suite("Heap probe", .serialized)
struct AllocationProbeTests {
  @Test("counts a thread's allocations and frees", .enabled(if: heap_is_counted()))
  func probe() {
    let before = heap_operations()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 16)
    memory.storeBytes(of: 1, as: Int.self)
    memory.deallocate()
    #expect(heap_operations() >= before + 2)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var bits: UInt32
    var flags: AudioFormatFlags
    var rate: Double
    var isInterleaved: Bool
    var testDescription: String {
      "\(bits) bits, flags \(flags), \(Int(rate)) Hz, interleaved: \(isInterleaved)"
    }
  }

  static let cases: [Case] = {
    let float = kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
    let integer = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    let formats: [(UInt32, AudioFormatFlags)] = [
      (32, float), (64, float), (32, float | kAudioFormatFlagIsBigEndian), (16, integer),
      (16, integer | kAudioFormatFlagIsBigEndian), (24, integer), (32, integer),
      (32, integer | 24 << 7),
    ]
    return formats.flatMap { bits, flags in
      [48_000.0, 44_100, 192_000, 8_000].flatMap { rate in
        [true, false].map { Case(bits: bits, flags: flags, rate: rate, isInterleaved: $0) }
      }
    }
  }()

  @Test("counts nothing in the cycles of an output unit, from the first call on", arguments: cases)
  func cycles(_ setup: Case) throws {
    let format = AudioStreamBasicDescription.probed(setup)
    let probe = CycleProbe(format)
    try onNullDevice(frames: 700) {
      let unit = try Probed.make(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
      defer { AudioComponentInstanceDispose(unit) }
      try Probed.set(unit, kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1)
      try Probed.set(unit, kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input, 0)
      try Probed.set(unit, kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Output, 1)
      try Probed.set(unit, kAudioUnitProperty_MaximumFramesPerSlice, UInt32(512))
      try Probed.set(
        unit, kAudioOutputUnitProperty_SetInputCallback,
        AURenderCallbackStruct(inputProc: CycleProbe.input, inputProcRefCon: probe.context))
      try Probed.set(
        unit, kAudioUnitProperty_SetRenderCallback,
        AURenderCallbackStruct(inputProc: CycleProbe.output, inputProcRefCon: probe.context),
        kAudioUnitScope_Input, 0)
      #expect(AudioUnitAddRenderNotify(unit, CycleProbe.notify, probe.context) == noErr)
      #expect(AudioUnitInitialize(unit) == noErr)
      probe.state.pointee.unit = unit
      #expect(AudioOutputUnitStart(unit) == noErr)
      // Meanwhile a control thread changes parameters and notifies.
      for round in 0..<50 {
        var event = AudioUnitParameterEvent()
        event.parameter = kHALOutputParam_Volume
        event.eventType = .parameterEvent_Ramped
        event.eventValues.ramp.durationInFrames = 100
        event.eventValues.ramp.startValue = Float(round) / 50
        event.eventValues.ramp.endValue = 1
        AudioUnitScheduleParameters(unit, &event, 1)
        AudioUnitSetParameter(unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, 0.5, 0)
        AudioUnitReset(unit, kAudioUnitScope_Global, 0)
        #expect(AudioUnitAddRenderNotify(unit, CycleProbe.silentNotify, nil) == noErr)
        #expect(AudioUnitRemoveRenderNotify(unit, CycleProbe.silentNotify, nil) == noErr)
        usleep(100)
      }
      for _ in 0..<20_000 where probe.state.pointee.calls < 200 { usleep(100) }
      #expect(AudioOutputUnitStop(unit) == noErr)
      var error: OSStatus = 0
      var size: UInt32 = 4
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 0, &error, &size)
      #expect(error == noErr)
    }
    #expect(probe.state.pointee.calls >= 200)
    #expect(probe.state.pointee.last == probe.state.pointee.first)
  }

  @Test("counts nothing in any unit that a program renders, from the first render on")
  func catalogue() throws {
    var any = AudioComponentDescription()
    var component: AudioComponent?
    var count = 0
    while let next = AudioComponentFindNext(component, &any) {
      component = next
      var description = AudioComponentDescription()
      AudioComponentGetDescription(next, &description)
      // Other tests register further components.
      let builtIn = [kAudioUnitManufacturer_Apple, kAudioUnitManufacturer_SwiftAudioToolbox]
      guard builtIn.contains(description.componentManufacturer) else { continue }
      guard
        description.componentType != kAudioUnitType_Output
          || description.componentSubType == kAudioUnitSubType_GenericOutput
      else { continue }
      var unit: AudioUnit?
      #expect(AudioComponentInstanceNew(next, &unit) == noErr)
      guard let unit else { continue }
      defer { AudioComponentInstanceDispose(unit) }
      count += 1
      try render(unit)
    }
    #expect(count >= 2)
  }

  private func render(_ unit: AudioUnit) throws {
    let probe = CycleProbe(.init())
    var inputs: UInt32 = 0
    var size: UInt32 = 4
    AudioUnitGetProperty(
      unit, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &inputs, &size)
    for input in 0..<inputs {
      try Probed.set(
        unit, kAudioUnitProperty_SetRenderCallback,
        AURenderCallbackStruct(inputProc: CycleProbe.silence, inputProcRefCon: probe.context),
        kAudioUnitScope_Input, input)
    }
    // In another format, and at another rate if the unit can convert it.
    let format = AudioStreamBasicDescription.probed(
      .init(
        bits: 16, flags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        rate: 96_000, isInterleaved: true))
    _ = try? Probed.set(unit, kAudioUnitProperty_StreamFormat, format, kAudioUnitScope_Input, 0)
    var initialized = AudioUnitInitialize(unit)
    if initialized == kAudioUnitErr_FormatNotSupported {
      let output = AudioStreamBasicDescription.probed(
        .init(
          bits: 32, flags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, rate: 96_000,
          isInterleaved: false))
      try Probed.set(unit, kAudioUnitProperty_StreamFormat, output, kAudioUnitScope_Output, 0)
      initialized = AudioUnitInitialize(unit)
    }
    #expect(initialized == noErr)
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let sizes: [UInt32] = [512, 1_000, 1, 64]
    let before = heap_operations()
    var failures = 0
    for slice in 0..<50 {
      let frames = sizes[slice % 4]
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      list[1] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      if AudioUnitRender(unit, nil, &stamp, 0, frames, list.unsafeMutablePointer) != noErr {
        failures += 1
      }
      stamp.mSampleTime += Double(frames)
    }
    let after = heap_operations()
    #expect(after == before)
    #expect(failures == 0)
  }
}

/// The state of a cycle's callbacks, in plain memory.
final class CycleProbe: @unchecked Sendable {
  struct State {
    var unit: AudioUnit?
    var calls = 0
    var first: Int64 = -1
    var last: Int64 = -1
    var list: UnsafeMutablePointer<AudioBufferList>
    var bufferCount = 0
  }

  let state: UnsafeMutablePointer<State>
  var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state) }
  private let buffers: UnsafeMutableAudioBufferListPointer

  init(_ format: AudioStreamBasicDescription) {
    buffers = AudioBufferList.allocate(maximumBuffers: 8)
    state = .allocate(capacity: 1)
    state.initialize(to: State(list: buffers.unsafeMutablePointer))
    let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    state.pointee.bufferCount = isPlanar ? Int(format.mChannelsPerFrame) : 1
  }

  deinit {
    free(buffers.unsafeMutablePointer)
    state.deallocate()
  }

  private static func state(_ context: UnsafeMutableRawPointer) -> UnsafeMutablePointer<State> {
    context.assumingMemoryBound(to: State.self)
  }

  /// Records the thread's count of heap operations.
  static let notify: AURenderCallback = { context, _, _, _, _, _ in
    let state = CycleProbe.state(context)
    let now = heap_operations()
    if state.pointee.first < 0 { state.pointee.first = now }
    state.pointee.last = now
    state.pointee.calls += 1
    return noErr
  }

  static let silentNotify: AURenderCallback = { _, _, _, _, _, _ in noErr }

  /// Reads the input into the unit's memory.
  static let input: AURenderCallback = { context, flags, time, _, frames, _ in
    let state = CycleProbe.state(context)
    guard let unit = state.pointee.unit else { return noErr }
    let list = UnsafeMutableAudioBufferListPointer(state.pointee.list)
    list.count = state.pointee.bufferCount
    for index in 0..<state.pointee.bufferCount {
      list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
    }
    return AudioUnitRender(unit, flags, time, 1, frames, list.unsafeMutablePointer)
  }

  /// Reads the input into the output.
  static let output: AURenderCallback = { context, flags, time, _, frames, list in
    guard let unit = CycleProbe.state(context).pointee.unit, let list else { return noErr }
    return AudioUnitRender(unit, flags, time, 1, frames, list)
  }

  static let silence: AURenderCallback = { _, _, _, _, _, list in
    guard let list else { return noErr }
    for buffer in UnsafeMutableAudioBufferListPointer(list) {
      if let data = buffer.mData { memset(data, 0, Int(buffer.mDataByteSize)) }
    }
    return noErr
  }
}

/// Wrappers of the C calls that the probes need.
enum Probed {
  struct Failure: Error { var status: OSStatus }

  static func make(_ type: OSType, _ subType: OSType) throws -> AudioUnit {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: 0, componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw Failure(status: kAudio_ParamError)
    }
    var unit: AudioUnit?
    let status = AudioComponentInstanceNew(component, &unit)
    guard let unit else { throw Failure(status: status) }
    return unit
  }

  static func set<Value>(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ value: Value,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: AudioUnitElement = 0
  ) throws {
    let status = withUnsafeBytes(of: value) {
      AudioUnitSetProperty(unit, id, scope, element, $0.baseAddress, UInt32($0.count))
    }
    guard status == noErr else { throw Failure(status: status) }
  }
}

extension AudioStreamBasicDescription {
  fileprivate static func probed(_ setup: AllocationProbeTests.Case) -> Self {
    let bytes = setup.bits / 8 * (setup.isInterleaved ? 2 : 1)
    return .init(
      mSampleRate: setup.rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: setup.flags | (setup.isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: 2,
      mBitsPerChannel: setup.bits, mReserved: 0)
  }
}

/// Runs `body` with the device `null`, as fast as possible.
func onNullDevice<Result>(frames: Int = 512, _ body: () throws -> Result) rethrows -> Result {
  var environment = DeviceEnvironment()
  environment.device = DeviceName("null")
  environment.cycleFrames = frames
  environment.clock = .fast
  return try environment.use(body)
}
