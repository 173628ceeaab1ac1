// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A device browser in Swift: properties through generic functions, CFString through Unmanaged and
// as a
// qualifier, listeners with a context, and a unit that plays on a device chosen by its UID.
// Plays 500 Hz at 0.25.
// Prints file:.* 2 channels

import AudioToolbox
import CoreAudio
import Foundation

struct AudioDevice {
  let id: AudioDeviceID

  static func property<T>(
    _ selector: AudioObjectPropertySelector,
    of object: AudioObjectID = AudioObjectID(kAudioObjectSystemObject),
    scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal, _ value: T
  ) -> T? {
    var address = AudioObjectPropertyAddress(
      mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    guard AudioObjectHasProperty(object, &address) else { return nil }
    var value = value
    var size = UInt32(MemoryLayout<T>.size)
    let status = withUnsafeMutablePointer(to: &value) {
      AudioObjectGetPropertyData(object, &address, 0, nil, &size, $0)
    }
    return status == noErr ? value : nil
  }

  static var all: [AudioDevice] {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioHardwarePropertyDevices, mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    var size: UInt32 = 0
    let system = AudioObjectID(kAudioObjectSystemObject)
    guard AudioObjectGetPropertyDataSize(system, &address, 0, nil, &size) == noErr else {
      return []
    }
    var ids = [AudioDeviceID](repeating: 0, count: Int(size) / MemoryLayout<AudioDeviceID>.size)
    guard AudioObjectGetPropertyData(system, &address, 0, nil, &size, &ids) == noErr else {
      return []
    }
    return ids.map(AudioDevice.init)
  }

  init(id: AudioDeviceID) { self.id = id }

  init?(uid: String) {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioHardwarePropertyTranslateUIDToDevice,
      mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    var uid: CFString = uid as CFString
    var device = AudioDeviceID(kAudioObjectUnknown)
    var size = UInt32(MemoryLayout<AudioDeviceID>.size)
    let status = withUnsafeMutablePointer(to: &uid) {
      AudioObjectGetPropertyData(
        AudioObjectID(kAudioObjectSystemObject), &address, UInt32(MemoryLayout<CFString>.size), $0,
        &size, &device)
    }
    guard status == noErr, device != kAudioObjectUnknown else { return nil }
    id = device
  }

  var name: String { string(kAudioObjectPropertyName) }
  var uid: String { string(kAudioDevicePropertyDeviceUID) }

  private func string(_ selector: AudioObjectPropertySelector) -> String {
    let value: Unmanaged<CFString>? = nil
    guard let text = Self.property(selector, of: id, value) ?? nil else { return "" }
    return text.takeRetainedValue() as String
  }

  var outputChannels: Int {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioDevicePropertyStreamConfiguration, mScope: kAudioObjectPropertyScopeOutput,
      mElement: 0)
    var size: UInt32 = 0
    guard AudioObjectGetPropertyDataSize(id, &address, 0, nil, &size) == noErr else { return 0 }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
    defer { memory.deallocate() }
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, memory) == noErr else { return 0 }
    let list = UnsafeMutableAudioBufferListPointer(
      memory.assumingMemoryBound(to: AudioBufferList.self))
    return list.map { Int($0.mNumberChannels) }.reduce(0, +)
  }
}

final class Watcher {
  private(set) var changes = 0
  static let listener: AudioObjectPropertyListenerProc = { _, _, _, context in
    Unmanaged<Watcher>.fromOpaque(context!).takeUnretainedValue().changes += 1
    return noErr
  }
}

for device in AudioDevice.all {
  print("\(device.uid) \"\(device.name)\" \(device.outputChannels) channels")
}
let standard = AudioDevice.property(kAudioHardwarePropertyDefaultOutputDevice, AudioDeviceID(0))!
guard let chosen = AudioDevice(uid: AudioDevice(id: standard).uid), chosen.id == standard else {
  exit(1)
}

let watcher = Watcher()
var watched = AudioObjectPropertyAddress(
  mSelector: kAudioDevicePropertyBufferFrameSize, mScope: kAudioObjectPropertyScopeGlobal,
  mElement: kAudioObjectPropertyElementMain)
let context = Unmanaged.passUnretained(watcher).toOpaque()
guard AudioObjectAddPropertyListener(chosen.id, &watched, Watcher.listener, context) == noErr else {
  exit(2)
}
var frames: UInt32 = 320
AudioObjectSetPropertyData(chosen.id, &watched, 0, nil, UInt32(MemoryLayout<UInt32>.size), &frames)

var description = AudioComponentDescription()
description.componentType = kAudioUnitType_Output
description.componentSubType = kAudioUnitSubType_HALOutput
description.componentManufacturer = kAudioUnitManufacturer_Apple
var unit: AudioUnit!
AudioComponentInstanceNew(AudioComponentFindNext(nil, &description)!, &unit)
var device = chosen.id
AudioUnitSetProperty(
  unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &device,
  UInt32(MemoryLayout<AudioDeviceID>.size))
var size = UInt32(MemoryLayout<UInt32>.size)
frames = 0
AudioUnitGetProperty(
  unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 0, &frames, &size)
guard frames == 320 else { exit(3) }
var position = 0
var source = AURenderCallbackStruct(
  inputProc: { context, _, _, _, frames, list in
    let position = context.assumingMemoryBound(to: Int.self)
    for frame in 0..<Int(frames) {
      for buffer in UnsafeMutableAudioBufferListPointer(list!) {
        let samples = buffer.mData!.assumingMemoryBound(to: Float32.self)
        samples[frame] = 0.25 * Float32(sin(2 * .pi * 500 * Double(position.pointee) / 44_100))
      }
      position.pointee += 1
    }
    return noErr
  }, inputProcRefCon: &position)
AudioUnitSetProperty(
  unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &source,
  UInt32(MemoryLayout<AURenderCallbackStruct>.size))
guard AudioUnitInitialize(unit) == noErr, AudioOutputUnitStart(unit) == noErr else { exit(4) }
usleep(350_000)
AudioOutputUnitStop(unit)
AudioComponentInstanceDispose(unit)
AudioObjectRemovePropertyListener(chosen.id, &watched, Watcher.listener, context)
exit(watcher.changes > 0 ? 0 : 5)
