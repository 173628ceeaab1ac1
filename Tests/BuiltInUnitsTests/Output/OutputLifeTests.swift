// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import AudioToolbox
@testable import AudioSupport
@testable import AudioUnitCore
@testable import OutputUnits
import Foundation
import Testing

@Suite("Output unit, over its life", .serialized)
struct OutputLifeTests {
  @Test("leaks nothing in a thousand plays")
  func thousandPlays() async {
    // In its own process, where no other test allocates memory or opens files.
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      let tape = Tape()
      try onDevice(tape, frames: 64) {
        for _ in 0..<200 { try playOnce() }
        let before = ProcessState()
        for _ in 0..<1_000 { try playOnce() }
        // A joined thread may still be listed for a moment.
        #expect(wait { ProcessState().threadCount <= before.threadCount })
        let after = ProcessState()
        #expect(after.descriptorCount <= before.descriptorCount)
        // 256 bytes for each play would be more.
        #expect(ProcessState.isSanitized || after.heapBytes - before.heapBytes < 256 << 10)
      }
    }
  }

  @Test("is freed when its own callback disposes of it")
  func disposedInside() throws {
    weak var weakUnit: NativeUnit?
    try onDevice {
      let box = UnitBox()
      let unit = try HostedUnit()
      box.set(unit.handle)
      weakUnit = nativeUnit(unit)
      #expect(weakUnit != nil)
      try unit.setCallback(HostCallback { _ in AudioComponentInstanceDispose(box.handle) })
      try unit.initialize()
      try unit.start()
      #expect(wait { weakUnit == nil })
    }
  }

  @Test("is freed although it is connected to itself")
  func feedsItself() throws {
    weak var weakUnit: NativeUnit?
    try onDevice {
      let unit = try HostedUnit()
      weakUnit = nativeUnit(unit)
      #expect(weakUnit != nil)
      try unit.enable(input: true)
      try unit.connect(unit, bus: 1)
      try unit.initialize()
    }
    #expect(wait { weakUnit == nil })
  }

  @Test("stops once when its device ends the stream, and can be started again")
  func streamEnds() throws {
    try onDevice {
      let unit = try HostedUnit()
      let native = try #require(nativeUnit(unit) as? OutputUnit)
      let changes = try PropertyChangeCounter(unit, kAudioOutputUnitProperty_IsRunning)
      let callback = HostCallback()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      let handler = try #require(native.client.connection?.handler)
      handler.streamChanged(.inputEnded(reason: "a test"))
      handler.streamChanged(.ended(reason: "a test"))
      handler.streamChanged(.ended(reason: "a test"))
      #expect(try wait { try !unit.isRunning })
      #expect(wait { changes.count == 2 })
      let count = callback.count
      try unit.start()
      // A late message of the previous stream is ignored.
      handler.streamChanged(.ended(reason: "a test"))
      #expect(wait { callback.count > count + 10 })
      #expect(try unit.isRunning)
      #expect(changes.count == 3)
    }
  }

  @Test("continues in tune and in time when its device changes its rate")
  func streamMoves() throws {
    try onDevice(rate: 44_100, frames: 441) {
      let unit = try HostedUnit()
      let native = try #require(nativeUnit(unit) as? OutputUnit)
      let changes = try PropertyChangeCounter(unit, kAudioUnitProperty_StreamFormat)
      let callback = HostCallback { _ in
        usleep(200)
        return noErr
      }
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.count > 3 })
      let handler = try #require(native.client.connection?.handler)
      var device = try native.device()
      device.sampleRate = 22_050
      handler.streamChanged(.moved(to: device))
      #expect(wait { changes.count > 0 })
      #expect(try unit.format(kAudioUnitScope_Output, 0).mSampleRate == 22_050)
      let count = callback.count
      #expect(wait { callback.count > count + 10 })
      try unit.stop()
      // A cycle now has twice as many frames of the program, whose time continues.
      #expect(callback.calls[count...].dropFirst(2).allSatisfy { abs($0.frames - 882) < 3 })
      var time = 0.0
      for call in callback.calls {
        #expect(call.time.mSampleTime == time)
        time += Double(call.frames)
      }
    }
  }

  @Test("plays silence while its device has an unexpected channel count")
  func otherChannels() throws {
    try onDevice(channels: 2) {
      let unit = try HostedUnit()
      let native = try #require(nativeUnit(unit) as? OutputUnit)
      let callback = HostCallback()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      let handler = try #require(native.client.connection?.handler)
      var device = try native.device()
      device.outputChannelCount = 8
      handler.streamChanged(.moved(to: device))
      var count = -1
      #expect(
        wait {
          defer { count = callback.count }
          usleep(5_000)
          return callback.count == count
        })
    }
  }

  private func nativeUnit(_ unit: HostedUnit) -> NativeUnit? {
    guard let entered = Handles.units.enter(unit.handle) else { return nil }
    defer { Handles.units.leave(unit.handle) }
    return entered.takeUnretainedValue() as? NativeUnit
  }
}

/// Plays once with new units.
private func playOnce() throws {
  let (unit, tone) = (try HostedUnit(), try HostedUnit.tone())
  let notify = HostCallback()
  try unit.addNotify(notify)
  try unit.connect(tone)
  try tone.initialize()
  try unit.initialize()
  try unit.start()
  wait { notify.count > 0 }
  try unit.stop()
  try unit.uninitialize()
  try unit.dispose()
  try tone.dispose()
}
