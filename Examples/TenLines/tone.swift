// SPDX-License-Identifier: Apache-2.0
// Plays a tone for two seconds.
import AVFoundation

let tone: AURenderCallback = { @Sendable phase, _, _, _, frames, data in
  guard let buffers = UnsafeMutableAudioBufferListPointer(data) else { return noErr }
  let phase = phase.assumingMemoryBound(to: Double.self)
  for frame in 0..<Int(frames) {
    phase.pointee += 2 * .pi * 440 / 44_100
    for buffer in buffers {
      buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = Float(sin(phase.pointee) / 4)
    }
  }
  return noErr
}

var description = AudioComponentDescription()
description.componentType = kAudioUnitType_Output
description.componentSubType = kAudioUnitSubType_DefaultOutput
var unit: AudioUnit?
guard let component = AudioComponentFindNext(nil, &description),
  AudioComponentInstanceNew(component, &unit) == noErr, let unit
else { fatalError("There is no output unit.") }
let phase = UnsafeMutablePointer<Double>.allocate(capacity: 1)
phase.initialize(to: 0)
var source = AURenderCallbackStruct(inputProc: tone, inputProcRefCon: phase)
AudioUnitSetProperty(
  unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &source,
  UInt32(MemoryLayout.size(ofValue: source)))
guard AudioUnitInitialize(unit) == noErr, AudioOutputUnitStart(unit) == noErr else {
  CFShow(AUDiagnosticsCopyLastExplanation()?.takeRetainedValue())
  exit(1)
}
sleep(2)
AudioOutputUnitStop(unit)
