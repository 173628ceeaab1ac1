// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A monitor in Swift: blocks on queues instead of functions with a context, for the cycles of a
// device and for its listeners; rate and cycle are set, and reported by the listener.
// Captures 400 Hz at 0.5.
// Plays 400 Hz at 0.25.
// Prints cycle: 384 frames

import CoreAudio
import Foundation

func address(
  _ selector: AudioObjectPropertySelector,
  _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
) -> AudioObjectPropertyAddress {
  AudioObjectPropertyAddress(
    mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
}

var device = AudioDeviceID(kAudioObjectUnknown)
var size = UInt32(MemoryLayout<AudioDeviceID>.size)
var standard = address(kAudioHardwarePropertyDefaultOutputDevice)
guard
  AudioObjectGetPropertyData(
    AudioObjectID(kAudioObjectSystemObject), &standard, 0, nil, &size, &device) == noErr
else { exit(1) }

var rate: Float64 = 48_000
var nominalRate = address(kAudioDevicePropertyNominalSampleRate)
guard
  AudioObjectSetPropertyData(
    device, &nominalRate, 0, nil, UInt32(MemoryLayout<Float64>.size), &rate) == noErr
else { exit(2) }

// The listener must not use the main queue, which is waiting.
let changes = DispatchQueue(label: "changes")
let changed = DispatchSemaphore(value: 0)
let listener: AudioObjectPropertyListenerBlock = { count, addresses in
  for index in 0..<Int(count)
  where addresses[index].mSelector == kAudioDevicePropertyBufferFrameSize {
    changed.signal()
  }
}
var cycle = address(kAudioDevicePropertyBufferFrameSize)
guard AudioObjectAddPropertyListenerBlock(device, &cycle, changes, listener) == noErr else {
  exit(3)
}
var frames: UInt32 = 384
AudioObjectSetPropertyData(
  device, &cycle, 0, nil, UInt32(MemoryLayout<UInt32>.size), &frames)
guard changed.wait(timeout: .now() + 30) == .success else { exit(4) }
frames = 0
size = UInt32(MemoryLayout<UInt32>.size)
AudioObjectGetPropertyData(device, &cycle, 0, nil, &size, &frames)
print("cycle: \(frames) frames")
AudioObjectRemovePropertyListenerBlock(device, &cycle, changes, listener)

let played = DispatchSemaphore(value: 0)
var procID: AudioDeviceIOProcID?
var count = 0
let status = AudioDeviceCreateIOProcIDWithBlock(&procID, device, DispatchQueue(label: "cycles")) {
  _, input, _, output, _ in
  let inputs = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input))
  let outputs = UnsafeMutableAudioBufferListPointer(output)
  for (from, to) in zip(inputs, outputs) {
    guard let source = from.mData?.assumingMemoryBound(to: Float32.self),
      let target = to.mData?.assumingMemoryBound(to: Float32.self)
    else { continue }
    for index in 0..<Int(to.mDataByteSize) / MemoryLayout<Float32>.size {
      target[index] = source[index] / 2
    }
  }
  count += 1
  if count == 100 { played.signal() }
}
guard status == noErr, AudioDeviceStart(device, procID) == noErr else { exit(5) }
guard played.wait(timeout: .now() + 30) == .success else { exit(6) }
AudioDeviceStop(device, procID)
AudioDeviceDestroyIOProcID(device, procID!)
