// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// [control thread] Makes an instance of the first component with these codes.
func makeInstance(
  _ type: OSType, _ subType: OSType, _ manufacturer: OSType, missing: String
) throws(ToneError) -> AudioUnit {
  let description = AudioComponentDescription(
    componentType: type, componentSubType: subType, componentManufacturer: manufacturer,
    componentFlags: 0, componentFlagsMask: 0)
  guard let component = UnitComponent(description) else { throw ToneError(missing) }
  return try component.makeInstance("Can't create a unit")
}

/// [control thread] Sets a property of element 0.
func setProperty<Value: BitwiseCopyable>(
  _ unit: AudioUnit, _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: inout Value,
  _ step: String
) throws(ToneError) {
  let status = AudioUnitSetProperty(
    unit, property, scope, 0, &value, UInt32(clamping: MemoryLayout<Value>.size))
  try ToneError.check(status, step)
}

/// [any thread] Planar Float32.
func floatFormat(sampleRate: Double, channelCount: Int) -> AudioStreamBasicDescription {
  AudioStreamBasicDescription(
    mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
    mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
    mChannelsPerFrame: UInt32(clamping: channelCount), mBitsPerChannel: 32, mReserved: 0)
}
