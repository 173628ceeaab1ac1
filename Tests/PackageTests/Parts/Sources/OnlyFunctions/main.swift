// SPDX-License-Identifier: Apache-2.0
// Prints AUDelay, 2 channels
import AudioToolbox
import CoreAudio

var codes = AudioComponentDescription(
  componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
  componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
guard let component = AudioComponentFindNext(nil, &codes) else { fatalError("no delay") }
var unit: AudioUnit?
guard AudioComponentInstanceNew(component, &unit) == noErr, let delay = unit else {
  fatalError("no unit")
}
var format = AudioStreamBasicDescription()
var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
AudioUnitGetProperty(
  delay, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size)
let object = try AUAudioUnit(componentDescription: codes)
print("\(object.audioUnitName ?? "?"), \(format.mChannelsPerFrame) channels")
AudioComponentInstanceDispose(delay)
