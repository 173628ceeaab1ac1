// SPDX-License-Identifier: Apache-2.0
@testable import AudioHardware
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Devices that are read instead of calling a function")
struct DeviceReadingTests {
  /// Runs `body` with its own device, which captures a count: frame n is n / 65,536.
  private func withCapture(_ body: (AudioObjectID) throws -> Void) throws {
    let input = try Tape([
      (0..<48_000 * 8).map { Float($0 % 65_536) / 65_536 },
      Array(repeating: 0.5, count: 48_000 * 8),
    ])
    try onDevice(Tape(), input: input, frames: 256, clock: .paced) {
      let device = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      #expect(AudioDeviceStart(device, nil) == noErr)
      try body(device)
      #expect(AudioDeviceStop(device, nil) == noErr)
    }
  }

  private func read(_ device: AudioObjectID, from sample: Double, frames: Int, bytes: Int? = nil)
    -> (status: OSStatus, samples: [Float])
  {
    var samples = [Float](repeating: -1, count: 2 * frames)
    var time = AudioTimeStamp()
    time.mSampleTime = sample
    time.mFlags = .sampleTimeValid
    let status = samples.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes ?? memory.count),
          mData: memory.baseAddress))
      return AudioDeviceRead(device, &time, &list)
    }
    return (status, samples)
  }

  @Test("captured samples are read exactly, and missing ones are refused")
  func reading() throws {
    try withCapture { device in
      var now = AudioTimeStamp()
      #expect(
        wait { AudioDeviceGetCurrentTime(device, &now) == noErr && now.mSampleTime > 10_000 })
      let first = read(device, from: 4_000, frames: 3_000)
      #expect(first.status == noErr)
      let left = stride(from: 0, to: 6_000, by: 2).map {
        Int((first.samples[$0] * 65_536).rounded())
      }
      #expect(zip(left, left.dropFirst()).allSatisfy { $1 == $0 + 1 })
      #expect(stride(from: 1, to: 6_000, by: 2).allSatisfy { first.samples[$0] == 0.5 })
      // A thousand frames later.
      let second = read(device, from: 5_000, frames: 100)
      #expect(second.samples[0] == first.samples[2_000])
      // Reading does not wait for future frames.
      #expect(
        read(device, from: 1e9, frames: 100).status == kAudioHardwareIllegalOperationError)
      #expect(
        read(device, from: -5, frames: 100).status == kAudioHardwareIllegalOperationError)
      #expect(
        read(device, from: .nan, frames: 100).status == kAudioHardwareIllegalOperationError)
    }
  }

  @Test("a device that does not run has nothing to read")
  func idle() throws {
    try onDevice(Tape(), clock: .paced) {
      let device = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      #expect(read(device, from: 0, frames: 10).status == kAudioHardwareNotRunningError)
    }
  }

  @Test("an object shows its properties, and an unknown one says so")
  func text() throws {
    try onDevice(Tape(), frames: 320) {
      let device = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      let text = AudioObjects.text(of: device)
      #expect(text.hasPrefix("AudioObject \(device)\n"))
      #expect(text.contains("'glob' 'uid ': \"file:"))
      #expect(text.contains("'glob' 'fsiz': 320") && text.contains("'glob' 'nsrt': 48000\n"))
      #expect(!text.contains(".0 Hz") && text.contains("'glob' 'slay': no stream\n"))
      #expect(text.contains("'outp' 'slay': channels of its streams: 2"))
      #expect(AudioObjects.text(of: 1).contains("'glob' 'clas': 'asys'"))
      #expect(AudioObjects.text(of: 99_999).contains("no such object"))
      for object in try AudioObject(id: device).list(
        kAudioObjectPropertyOwnedObjects, of: AudioObjectID(0))
      {
        #expect(AudioObjects.text(of: object).split(separator: "\n").count > 4)
      }
    }
  }

  @Test("hog mode is refused for a device that several programs can use")
  func hogMode() throws {
    try onDevice(Tape()) {
      let device = AudioObject(
        id: try AudioObject.system.value(
          kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0)))
      #expect(try device.value(kAudioDevicePropertyHogMode, of: pid_t(0)) == -1)
      #expect(
        device.setting(kAudioDevicePropertyHogMode, to: getpid())
          == kAudioHardwareUnsupportedOperationError)
      var isSettable = true
      var address = device.address(kAudioDevicePropertyHogMode)
      #expect(AudioObjectIsPropertySettable(device.id, &address, &isSettable) == noErr)
      #expect(!isSettable)
    }
  }

  @Test("hog mode can be set only for this process, and not if another one has it")
  func exclusiveUse() throws {
    try onDevice(Tape()) {
      let number = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      var device = try AudioObjects.device(number)
      func status(_ process: pid_t) -> OSStatus {
        do {
          try ExclusiveUse.set(device, to: process)
          return noErr
        } catch { return error.status }
      }
      #expect(status(-1) == noErr)
      #expect(status(getpid()) == kAudioHardwareUnsupportedOperationError)
      device.details.isExclusive = true
      device.details.owner = 1
      #expect(status(getpid()) == kAudioDevicePermissionsError)
      #expect(status(-1) == kAudioDevicePermissionsError)
      #expect(status(7) == kAudioHardwareIllegalOperationError)
    }
  }
}
