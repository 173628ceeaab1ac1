// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Renders a chain without a device: units as objects, parameters by name, a preset, the program's
// own buffer lists, and the frequency of the output.
// Prints cutoff frequency
// Prints 1000\.0 Hz

import AudioToolbox
import CoreAudioTypes
import Foundation

final class Effect {
  let unit: AudioUnit

  init(_ subType: OSType) {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    var instance: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &instance) == noErr, let instance
    else { fatalError("no effect \(subType)") }
    unit = instance
  }

  deinit { AudioComponentInstanceDispose(unit) }

  lazy var parameters: [String: AudioUnitParameterID] = {
    var size: UInt32 = 0
    AudioUnitGetPropertyInfo(
      unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, nil)
    var ids = [AudioUnitParameterID](
      repeating: 0, count: Int(size) / MemoryLayout<AudioUnitParameterID>.size)
    AudioUnitGetProperty(
      unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &ids, &size)
    var names: [String: AudioUnitParameterID] = [:]
    for id in ids {
      var info = AudioUnitParameterInfo()
      var size = UInt32(MemoryLayout.size(ofValue: info))
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, id, &info, &size)
      if let name = info.cfNameString?.takeUnretainedValue() { names[name as String] = id }
    }
    return names
  }()

  subscript(name: String) -> Float {
    get {
      var value: AudioUnitParameterValue = 0
      AudioUnitGetParameter(unit, parameters[name]!, kAudioUnitScope_Global, 0, &value)
      return value
    }
    set { AudioUnitSetParameter(unit, parameters[name]!, kAudioUnitScope_Global, 0, newValue, 0) }
  }
}

let effect = Effect(kAudioUnitSubType_LowPassFilter)
print(effect.parameters.keys.sorted().joined(separator: ", "))
effect["cutoff frequency"] = 9_000
guard effect["cutoff frequency"] == 9_000 else { exit(1) }

var state: Unmanaged<CFPropertyList>?
var stateSize = UInt32(MemoryLayout.size(ofValue: state))
AudioUnitGetProperty(
  effect.unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &state, &stateSize)
let saved = state!.takeRetainedValue() as! [String: Any]
guard saved[kAUPresetNameKey] != nil else { exit(2) }

var callback = AURenderCallbackStruct(
  inputProc: { _, _, stamp, _, frames, list in
    for buffer in UnsafeMutableAudioBufferListPointer(list!) {
      let samples = UnsafeMutableBufferPointer<Float>(buffer)
      for index in samples.indices {
        let time = stamp.pointee.mSampleTime + Double(index)
        samples[index] = Float(sin(2 * .pi * 1_000 * time / 44_100))
      }
    }
    return noErr
  }, inputProcRefCon: nil)
AudioUnitSetProperty(
  effect.unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
  UInt32(MemoryLayout.size(ofValue: callback)))
guard AudioUnitInitialize(effect.unit) == noErr else { exit(3) }

let list = AudioBufferList.allocate(maximumBuffers: 2)
var stamp = AudioTimeStamp()
stamp.mFlags = .sampleTimeValid
var rendered: [Float] = []
for _ in 0..<40 {
  for index in 0..<2 {
    list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 512 * 4, mData: nil)
  }
  var flags: AudioUnitRenderActionFlags = []
  guard AudioUnitRender(effect.unit, &flags, &stamp, 0, 512, list.unsafeMutablePointer) == noErr
  else { exit(4) }
  rendered += UnsafeMutableBufferPointer<Float>(list[0])
  stamp.mSampleTime += 512
}
free(list.unsafeMutablePointer)
let steady = rendered.dropFirst(4_410)
let rises = zip(steady.indices, zip(steady, steady.dropFirst())).filter {
  $0.1.0 < 0 && $0.1.1 >= 0
}
.map(\.0)
let frequency = Double(rises.count - 1) * 44_100 / Double(rises.last! - rises.first!)
print(String(format: "%.1f Hz", frequency))
