// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// A device chooser in Swift that survives unplugging: devices by their UIDs, a listener block for
// the list, an aggregate device that is made and destroyed, and an output unit that moves to the
// default device.
// Plays 500 Hz at 0.25.
// Prints devices: .*Borrowed
// Prints moved to file:.*

import AudioToolbox
import CoreAudio
import Foundation

final class DeviceManager {
  struct Device: Equatable {
    let id: AudioDeviceID
    let uid: String
    let name: String
  }

  private let queue = DispatchQueue(label: "devices")
  private var block: AudioObjectPropertyListenerBlock?
  private var list = AudioObjectPropertyAddress(
    mSelector: kAudioHardwarePropertyDevices, mScope: kAudioObjectPropertyScopeGlobal,
    mElement: kAudioObjectPropertyElementMain)

  var devices: [Device] {
    var size: UInt32 = 0
    let system = AudioObjectID(kAudioObjectSystemObject)
    AudioObjectGetPropertyDataSize(system, &list, 0, nil, &size)
    var ids = [AudioDeviceID](repeating: 0, count: Int(size) / MemoryLayout<AudioDeviceID>.stride)
    AudioObjectGetPropertyData(system, &list, 0, nil, &size, &ids)
    return ids.map {
      Device(
        id: $0, uid: string(kAudioDevicePropertyDeviceUID, of: $0),
        name: string(kAudioDevicePropertyDeviceNameCFString, of: $0))
    }
  }

  var defaultOutput: Device? {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioHardwarePropertyDefaultOutputDevice,
      mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
    var id = AudioDeviceID(kAudioObjectUnknown)
    var size = UInt32(MemoryLayout<AudioDeviceID>.size)
    AudioObjectGetPropertyData(
      AudioObjectID(kAudioObjectSystemObject), &address, 0, nil, &size, &id)
    return devices.first { $0.id == id }
  }

  private func string(_ selector: AudioObjectPropertySelector, of id: AudioDeviceID) -> String {
    var address = AudioObjectPropertyAddress(
      mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout<Unmanaged<CFString>?>.size)
    guard AudioObjectGetPropertyData(id, &address, 0, nil, &size, &text) == noErr else { return "" }
    return text.map { $0.takeRetainedValue() as String } ?? ""
  }

  func whenChanged(_ body: @escaping () -> Void) {
    let block: AudioObjectPropertyListenerBlock = { _, _ in body() }
    self.block = block
    AudioObjectAddPropertyListenerBlock(
      AudioObjectID(kAudioObjectSystemObject), &list, queue, block)
  }

  func stopListening() {
    guard let block else { return }
    AudioObjectRemovePropertyListenerBlock(
      AudioObjectID(kAudioObjectSystemObject), &list, queue, block)
    self.block = nil
  }
}

/// A tone on a device, which another device replaces during playback.
final class Player {
  private var unit: AudioUnit!
  private(set) var position = 0.0
  private var rate = 0.0

  init() {
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_HALOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    AudioComponentInstanceNew(AudioComponentFindNext(nil, &description)!, &unit)
    var source = AURenderCallbackStruct(
      inputProc: { me, _, _, _, frames, list in
        Unmanaged<Player>.fromOpaque(me).takeUnretainedValue().render(Int(frames), list!)
        return noErr
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &source,
      UInt32(MemoryLayout<AURenderCallbackStruct>.size))
  }

  deinit { AudioComponentInstanceDispose(unit) }

  private func render(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>) {
    for buffer in UnsafeMutableAudioBufferListPointer(list) {
      let samples = buffer.mData!.assumingMemoryBound(to: Float32.self)
      for frame in 0..<frames {
        samples[frame] = 0.25 * Float32(sin(2 * .pi * 500 * (position + Double(frame)) / rate))
      }
    }
    position += Double(frames)
  }

  func play(on id: AudioDeviceID) -> Bool {
    AudioOutputUnitStop(unit)
    AudioUnitUninitialize(unit)
    var id = id
    AudioUnitSetProperty(
      unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &id,
      UInt32(MemoryLayout<AudioDeviceID>.size))
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    AudioUnitGetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, &size)
    rate = format.mSampleRate
    position = 0
    return AudioUnitInitialize(unit) == noErr && AudioOutputUnitStart(unit) == noErr
  }

  func stop() { AudioOutputUnitStop(unit) }
}

func wait(_ isSo: () -> Bool) -> Bool {
  for _ in 0..<3_000 where !isSo() { usleep(10_000) }
  return isSo()
}

let manager = DeviceManager()
let pulled = DispatchSemaphore(value: 0)
let description: [String: Any] = [
  kAudioAggregateDeviceUIDKey: "com.example.chooser", kAudioAggregateDeviceNameKey: "Borrowed",
  kAudioAggregateDeviceIsPrivateKey: 1,
  kAudioAggregateDeviceSubDeviceListKey: [[kAudioSubDeviceUIDKey: "null"]],
]
var borrowed = AudioObjectID(kAudioObjectUnknown)
guard AudioHardwareCreateAggregateDevice(description as CFDictionary, &borrowed) == noErr else {
  exit(1)
}
print("devices: \(manager.devices.map(\.name).joined(separator: ", "))")
guard let chosen = manager.devices.first(where: { $0.uid == "com.example.chooser" }) else {
  exit(2)
}
manager.whenChanged {
  if !manager.devices.contains(where: { $0.uid == chosen.uid }) { pulled.signal() }
}
let player = Player()
guard player.play(on: chosen.id), wait({ player.position > 4_000 }) else { exit(3) }
AudioHardwareDestroyAggregateDevice(borrowed)
guard pulled.wait(timeout: .now() + 30) == .success, let next = manager.defaultOutput else {
  exit(4)
}
guard player.play(on: next.id), wait({ player.position > 16_000 }) else { exit(5) }
print("moved to \(next.uid)")
player.stop()
manager.stopListening()
