// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Testing

@Suite("Mixers in the cycle")
struct MixerHeapTests {
  /// A callback without a context: a saw on every channel.
  private static let saw: AURenderCallback = { _, _, time, _, frames, data in
    guard let data = UnsafeMutableAudioBufferListPointer(data) else { return kAudio_ParamError }
    for buffer in data {
      let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
      let first = Int(time.pointee.mSampleTime)
      for frame in 0..<Int(frames) {
        samples?[frame] = Float((first + frame) % 100) / 100 - 0.5
      }
    }
    return noErr
  }

  /// A unit with all its features, and the parameters that change.
  struct Case: Sendable, CustomTestStringConvertible {
    struct Place: Sendable {
      var id: AudioUnitParameterID
      var scope: AudioUnitScope
      var element: AudioUnitElement = 0
    }

    var name: String
    var subType: OSType
    var type = kAudioUnitType_Mixer
    var outputs: UInt32 = 1
    /// Parameters that ramp between 0.6 and 1.6, and those that are set to the same values.
    var ramped: [Place] = []
    var changed: [Place] = []
    /// Meters that must have a level at the end.
    var meters: [Place] = []
    var testDescription: String { name }
  }

  private static let (global, input, output) = (
    AudioUnitScope(kAudioUnitScope_Global), AudioUnitScope(kAudioUnitScope_Input),
    AudioUnitScope(kAudioUnitScope_Output)
  )
  private static let sides: [Case.Place] = [
    .init(id: 1_000, scope: input), .init(id: 4_000, scope: output),
  ]
  private static let strips: [Case.Place] = [
    .init(id: 0, scope: input), .init(id: 0, scope: output),
  ]
  private static let places = (0..<5).map { Case.Place(id: $0, scope: input) }

  static let cases: [Case] = [
    Case(
      name: "multichannel", subType: kAudioUnitSubType_MultiChannelMixer,
      ramped: strips + [.init(id: 2, scope: input, element: 1)],
      changed: [.init(id: 0, scope: input, element: 1)], meters: sides),
    Case(
      name: "stereo", subType: kAudioUnitSubType_StereoMixer,
      ramped: strips + [.init(id: 1, scope: input)],
      changed: [.init(id: 0, scope: input, element: 1), .init(id: 1, scope: input, element: 1)],
      meters: sides),
    Case(
      name: "matrix", subType: kAudioUnitSubType_MatrixMixer,
      ramped: strips + [
        .init(id: 0, scope: global, element: 0), .init(id: 0, scope: global, element: 1 << 16 | 1),
        .init(id: 0, scope: global, element: 0xFFFF_FFFF),
      ],
      changed: [
        .init(id: 0, scope: global, element: 2 << 16), .init(id: 0, scope: input, element: 3),
        .init(id: 0, scope: output, element: 1),
      ], meters: sides),
    Case(
      name: "3D", subType: kAudioUnitSubType_3DMixer,
      ramped: places + [.init(id: 3, scope: output)],
      changed: [
        .init(id: k3DMixerParam_ObstructionAttenuationInDecibels, scope: input),
        .init(id: 0, scope: input, element: 1),
      ], meters: [sides[0]]),
    Case(
      name: "spatial", subType: kAudioUnitSubType_SpatialMixer,
      ramped: places + [.init(id: 3, scope: output)],
      changed: [
        .init(id: kSpatialMixerParam_OcclusionAttenuation, scope: input),
        .init(id: kSpatialMixerParam_HeadYaw, scope: global),
      ], meters: [sides[0]]),
    Case(
      name: "splitter", subType: kAudioUnitSubType_Splitter,
      type: kAudioUnitType_FormatConverter, outputs: 2),
    Case(name: "multisplitter", subType: kAudioUnitSubType_MultiSplitter, outputs: 2),
    Case(
      name: "merger", subType: kAudioUnitSubType_Merger, type: kAudioUnitType_FormatConverter),
  ]

  /// Switches on every feature of the unit: meters, matrix levels, a room, Doppler shift.
  private func switchOn(_ unit: HostedUnit, _ subType: OSType) throws {
    let (input, output) = (kAudioUnitScope_Input, kAudioUnitScope_Output)
    func meter(_ scope: AudioUnitScope) throws {
      try unit.set(kAudioUnitProperty_MeteringMode, to: UInt32(1), scope)
    }
    switch subType {
    case kAudioUnitSubType_MultiChannelMixer:
      try meter(input)
      try meter(output)
      try check(
        unit.setArray(kAudioUnitProperty_MatrixLevels, to: [Float(1), 0.5, 0.5, 1], input, 0))
    case kAudioUnitSubType_StereoMixer:
      try meter(input)
      try meter(output)
    case kAudioUnitSubType_MatrixMixer:
      try meter(kAudioUnitScope_Global)
      // Two stereo inputs to one stereo output: every volume is 1.
      try check(
        unit.setArray(
          kAudioUnitProperty_MatrixLevels, to: [Float](repeating: 1, count: 5 * 3),
          kAudioUnitScope_Global, 0))
    case kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer:
      try meter(input)
      try unit.set(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
      try unit.set(kAudioUnitProperty_SpatializationAlgorithm, to: UInt32(1), input, 1)
      if subType == kAudioUnitSubType_3DMixer {
        try unit.set(kAudioUnitProperty_3DMixerRenderingFlags, to: UInt32(7), input)
      }
    default: break
    }
  }

  /// Schedules ramps and changes that begin within the next slice.
  private func move(_ unit: HostedUnit, _ setup: Case, _ round: Int) throws {
    let target = Float(round % 7) / 7 + 0.6
    for place in setup.ramped {
      var event = AudioUnitParameterEvent()
      (event.scope, event.element, event.parameter) = (place.scope, place.element, place.id)
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.startBufferOffset = 37
      event.eventValues.ramp.durationInFrames = 700
      event.eventValues.ramp.startValue = 0.6
      event.eventValues.ramp.endValue = target
      try check(AudioUnitScheduleParameters(unit.handle, &event, 1), "ramp \(place)")
    }
    for place in setup.changed {
      try check(
        AudioUnitSetParameter(
          unit.handle, place.id, place.scope, place.element, target, 0), "set \(place)")
    }
    if setup.subType == kAudioUnitSubType_3DMixer || setup.subType == kAudioUnitSubType_SpatialMixer
    {
      try unit.set(kAudioUnitProperty_ReverbRoomType, to: UInt32(round / 3 % 13))
    }
  }

  @Test("do not use the heap with meters, rooms and ramps of all parameters", arguments: cases)
  func heap(_ setup: Case) throws {
    let mixer = try MixerHost(
      setup.subType, type: setup.type, inputs: setup.meters.isEmpty ? nil : 2)
    let inputs = try mixer.unit.get(
      kAudioUnitProperty_ElementCount, as: UInt32(0), kAudioUnitScope_Input)
    for bus in 0..<inputs {
      try mixer.unit.set(
        kAudioUnitProperty_SetRenderCallback,
        to: AURenderCallbackStruct(inputProc: Self.saw, inputProcRefCon: nil),
        kAudioUnitScope_Input, bus)
    }
    try switchOn(mixer.unit, setup.subType)
    try mixer.initialize()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, operations) = (AudioTimeStamp(), Int64(0))
    stamp.mFlags = .sampleTimeValid
    for round in 0..<40 {
      try move(mixer.unit, setup, round)
      for bus in 0..<setup.outputs {
        for channel in 0..<2 {
          list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
        }
        let before = heap_operations()
        let status = AudioUnitRender(
          mixer.unit.handle, nil, &stamp, bus, 512, list.unsafeMutablePointer)
        operations += heap_operations() - before
        #expect(status == noErr)
        // Every channel sounds.
        for buffer in list {
          let samples = UnsafeMutableBufferPointer<Float>(buffer)
          #expect(samples.reduce(0) { max($0, $1.magnitude) } > 0.02)
        }
      }
      stamp.mSampleTime += 512
    }
    #expect(operations == 0)
    for meter in setup.meters { #expect(try mixer.value(meter.id, meter.scope) > -60) }
  }
}
