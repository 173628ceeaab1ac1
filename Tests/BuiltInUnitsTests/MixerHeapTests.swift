// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Testing

@Suite("Mixers in the cycle")
struct MixerHeapTests {
  /// A callback in plain memory: a saw on every channel.
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

  /// Everything that costs something: meters, a room, a moving pitch.
  private func switchOn(_ unit: HostedUnit) {
    for scope in [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for element in 0..<2 as Range<UInt32> {
        _ = unit.setting(kAudioUnitProperty_MeteringMode, to: UInt32(1), scope, element)
      }
    }
    _ = unit.setting(kAudioUnitProperty_UsesInternalReverb, to: UInt32(1))
    _ = unit.setting(
      kAudioUnitProperty_3DMixerRenderingFlags, to: UInt32(7), kAudioUnitScope_Input, 0)
    _ = unit.setArray(
      kAudioUnitProperty_MatrixLevels, to: [Float(1), 0.5, 0.5, 1], kAudioUnitScope_Input, 0)
  }

  /// Ramps of whatever can be ramped, beginning within the next slice.
  private func move(_ unit: HostedUnit, _ round: Int) {
    for id in 0..<5 as Range<AudioUnitParameterID> {
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        var event = AudioUnitParameterEvent()
        (event.scope, event.parameter) = (scope, id)
        event.eventType = .parameterEvent_Ramped
        event.eventValues.ramp.startBufferOffset = 37
        event.eventValues.ramp.durationInFrames = 700
        event.eventValues.ramp.startValue = 0.6
        event.eventValues.ramp.endValue = Float(round % 7) / 7 + 0.6
        AudioUnitScheduleParameters(unit.handle, &event, 1)
      }
    }
    AudioUnitSetParameter(unit.handle, 25, kAudioUnitScope_Input, 0, -Float(round), 0)
    AudioUnitSetParameter(unit.handle, 19, kAudioUnitScope_Global, 0, Float(round), 0)
    _ = unit.setting(kAudioUnitProperty_ReverbRoomType, to: UInt32(round / 3 % 13))
  }

  @Test(
    "leave the heap alone with meters, rooms and ramps of everything",
    arguments: [
      kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer,
      kAudioUnitSubType_MatrixMixer, kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer,
    ])
  func heap(subType: OSType) throws {
    let mixer = try MixerHost(subType, inputs: 2)
    for bus in 0..<2 as Range<UInt32> {
      try mixer.unit.set(
        kAudioUnitProperty_SetRenderCallback,
        to: AURenderCallbackStruct(inputProc: Self.saw, inputProcRefCon: nil),
        kAudioUnitScope_Input,
        bus)
    }
    switchOn(mixer.unit)
    try mixer.initialize()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var (stamp, operations) = (AudioTimeStamp(), Int64(0))
    stamp.mFlags = .sampleTimeValid
    for round in 0..<40 {
      move(mixer.unit, round)
      for channel in 0..<2 {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      }
      let before = heap_operations()
      let status = AudioUnitRender(
        mixer.unit.handle, nil, &stamp, 0, 512, list.unsafeMutablePointer)
      operations += heap_operations() - before
      #expect(status == noErr)
      stamp.mSampleTime += 512
    }
    #expect(operations == 0)
  }
}
