// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A command-line player that waits in its run loop: event listeners with a closure of a C type, a
// volume change, and CFURL and CFString in CoreFoundation calls.
// Plays 300 Hz at 0.25.
// Prints volume 0.5

import AudioToolbox
import Foundation

func createUnit(_ type: OSType, _ subType: OSType) -> AudioUnit {
  var description = AudioComponentDescription(
    componentType: type, componentSubType: subType,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  guard let component = AudioComponentFindNext(nil, &description) else {
    fatalError("no component")
  }
  var unit: AudioUnit?
  guard AudioComponentInstanceNew(component, &unit) == noErr else { fatalError("no unit") }
  return unit!
}

let path = "/tmp/song.wav" as CFString
let url = CFURLCreateWithFileSystemPath(kCFAllocatorDefault, path, .cfurlposixPathStyle, false)
let last = CFURLCopyLastPathComponent(url)
let folder = URL(fileURLWithPath: "/tmp/album") as CFURL
guard CFURLCopyPathExtension(url)! as String == "wav",
  CFURLCopyLastPathComponent(folder)! as String == "album"
else { exit(3) }
guard last! as String == "song.wav", CFStringGetLength("x" as CFString) == 1 else { exit(1) }

let output = createUnit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
var frame = 0
let render: AURenderCallback = { _, _, _, _, count, list in
  let buffers = UnsafeMutableAudioBufferListPointer(list)!
  for index in 0..<Int(count) {
    let value = Float(sin(Double(frame) * 2 * .pi * 300 / 44_100) / 2)
    frame += 1
    buffers.forEach { $0.mData?.assumingMemoryBound(to: Float.self)[index] = value }
  }
  return noErr
}
var callback = AURenderCallbackStruct(inputProc: render, inputProcRefCon: nil)
AudioUnitSetProperty(
  output, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
  UInt32(MemoryLayout.size(ofValue: callback)))

var listener: AUEventListenerRef?
AUEventListenerCreate(
  { _, _, event, _, value in
    if event.pointee.mEventType == .parameterValueChange { print("volume \(value)") }
  }, nil, CFRunLoopGetCurrent(), CFRunLoopMode.defaultMode.rawValue, 0.01, 0.01, &listener)
var event = AudioUnitEvent()
event.mEventType = .parameterValueChange
event.mArgument.mParameter = AudioUnitParameter(
  mAudioUnit: output, mParameterID: kHALOutputParam_Volume, mScope: kAudioUnitScope_Global,
  mElement: 0)
AUEventListenerAddEventType(listener!, nil, &event)
AUParameterSet(nil, nil, &event.mArgument.mParameter, 0.5, 0)

guard AudioUnitInitialize(output) == noErr, AudioOutputUnitStart(output) == noErr else { exit(2) }
let end = Date().addingTimeInterval(0.4)
while Date() < end {
  CFRunLoopRunInMode(.defaultMode, 0.05, false)
}
AudioOutputUnitStop(output)
AUListenerDispose(listener!)
AudioComponentInstanceDispose(output)
