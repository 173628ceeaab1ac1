// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// An initialized unit without a device; its input, if it has one, is silent.
final class OfflineUnit {
  let handle: AudioUnit
  private var time = AudioTimeStamp()

  init?(_ type: OSType, _ subType: OSType) {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else { return nil }
    var made: AudioUnit?
    guard AudioComponentInstanceNew(component, &made) == noErr, let made else { return nil }
    handle = made
    var input = AURenderCallbackStruct(inputProc: silence, inputProcRefCon: nil)
    _ = AudioUnitSetProperty(
      handle, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
      UInt32(MemoryLayout.size(ofValue: input)))
    _ = AudioUnitInitialize(handle)
    time.mFlags = .sampleTimeValid
  }

  deinit { AudioComponentInstanceDispose(handle) }

  /// Renders frames, and requires that they are finite.
  func render(_ frameCount: Int) { renderFinite(handle, &time, frameCount) }
}

/// A render callback that supplies silence.
let silence: AURenderCallback = { _, flags, _, _, _, list in
  flags.pointee.insert(.unitRenderAction_OutputIsSilence)
  guard let list else { return noErr }
  for buffer in UnsafeMutableAudioBufferListPointer(list) {
    if let memory = buffer.mData { memset(memory, 0, Int(buffer.mDataByteSize)) }
  }
  return noErr
}

/// Renders frames of a unit's first output into the unit's own buffers, and requires that they are
/// finite.
func renderFinite(_ unit: AudioUnit, _ time: inout AudioTimeStamp, _ frameCount: Int) {
  let list = AudioBufferList.allocate(maximumBuffers: 2)
  defer { free(list.unsafeMutablePointer) }
  for index in 0..<2 {
    list[index] = AudioBuffer(
      mNumberChannels: 1, mDataByteSize: UInt32(frameCount * 4), mData: nil)
  }
  var flags = AudioUnitRenderActionFlags()
  let status = AudioUnitRender(
    unit, &flags, &time, 0, UInt32(frameCount), list.unsafeMutablePointer)
  time.mSampleTime += Double(frameCount)
  guard status == noErr else { return }
  for buffer in list {
    guard let memory = buffer.mData else { continue }
    let found = UnsafeBufferPointer(
      start: memory.assumingMemoryBound(to: Float.self), count: Int(buffer.mDataByteSize) / 4)
    require(found.allSatisfy(\.isFinite), "samples that are not finite")
  }
}

/// The units that the fuzzers use: one of each family.
let familiarUnits: [(OSType, OSType)] = [
  (kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter),
  (kAudioUnitType_Effect, kAudioUnitSubType_NBandEQ),
  (kAudioUnitType_Effect, kAudioUnitSubType_Delay),
  (kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor),
  (kAudioUnitType_Effect, kAudioUnitSubType_Reverb2),
  (kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer),
  (kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer),
  (kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer),
  (kAudioUnitType_FormatConverter, kAudioUnitSubType_AUConverter),
  (kAudioUnitType_FormatConverter, kAudioUnitSubType_NewTimePitch),
  (kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer),
  (kAudioUnitType_MusicDevice, kAudioUnitSubType_Sampler),
]

/// Restores a property list as the state of a unit; the first byte chooses the unit.
func restoreState(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let (type, subType) = familiarUnits[choices.number(below: familiarUnits.count)]
  guard
    let list = try? PropertyListSerialization.propertyList(from: Data(choices.rest()), format: nil),
    let state = list as? NSDictionary, let unit = OfflineUnit(type, subType)
  else { return }
  var reference: CFPropertyList = state
  let status = AudioUnitSetProperty(
    unit.handle, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &reference,
    UInt32(MemoryLayout<CFPropertyList>.size))
  if status == noErr { unit.render(64) }
}

/// Calls functions of a unit in any order, with any arguments.
func callUnits(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  let (type, subType) = familiarUnits[choices.number(below: familiarUnits.count)]
  guard let unit = OfflineUnit(type, subType) else { return }
  for _ in 0..<64 where !choices.isEmpty {
    let scope = AudioUnitScope(choices.number(below: 8))
    let element = AudioUnitElement(
      choices.number(below: 10) == 9 ? choices.word() : UInt32(choices.byte() & 7))
    switch choices.number(below: 10) {
    case 0: _ = AudioUnitInitialize(unit.handle)
    case 1: _ = AudioUnitUninitialize(unit.handle)
    case 2: _ = AudioUnitReset(unit.handle, scope, element)
    case 3:
      _ = AudioUnitSetParameter(
        unit.handle, UInt32(choices.byte()), scope, element, choices.float(), UInt32(choices.byte())
      )
    case 4:
      // Not the properties whose values are addresses.
      let property = AudioUnitPropertyID(
        [8, 11, 14, 19, 20, 21, 26, 33, 36, 2][choices.number(below: 10)])
      var value = (0..<choices.number(below: 64)).map { _ in choices.byte() }
      _ = AudioUnitSetProperty(unit.handle, property, scope, element, &value, UInt32(value.count))
    case 5:
      var size = UInt32(0)
      _ = AudioUnitGetPropertyInfo(
        unit.handle, UInt32(choices.byte()), scope, element, &size, nil)
      require(size < 1 << 24, "a property of \(size) bytes")
    case 6:
      var event = AudioUnitParameterEvent()
      event.scope = scope
      event.element = element
      event.parameter = UInt32(choices.byte())
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.startBufferOffset = Int32(choices.byte())
      event.eventValues.ramp.durationInFrames = UInt32(choices.byte()) << 4
      event.eventValues.ramp.startValue = choices.float()
      event.eventValues.ramp.endValue = choices.float()
      _ = AudioUnitScheduleParameters(unit.handle, &event, 1)
    case 7:
      let text = String(decoding: choices.next(choices.number(below: 16)), as: UTF8.self)
      setText(unit.handle, UInt32(choices.byte()), scope, element, text)
    default: unit.render(choices.number(below: 256))
    }
  }
}

/// Sets a parameter to the value that a text states.
private func setText(
  _ unit: AudioUnit, _ parameter: AudioUnitParameterID, _ scope: AudioUnitScope,
  _ element: AudioUnitElement, _ text: String
) {
  let string = text as NSString as CFString
  withExtendedLifetime(string) {
    var value = AudioUnitParameterValueFromString(
      inParamID: parameter, inString: .passUnretained(string), outValue: 0)
    var size = UInt32(MemoryLayout.size(ofValue: value))
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_ParameterValueFromString, scope, element, &value, &size)
    guard status == noErr else { return }
    require(value.outValue.isFinite, "\(text) is \(value.outValue)")
    _ = AudioUnitSetParameter(unit, parameter, scope, element, value.outValue, 0)
  }
}
