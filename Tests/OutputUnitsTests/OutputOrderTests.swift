// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("Output unit, in any order of calls")
struct OutputOrderTests {
  private static let rate: Float = 44_100

  /// A full-scale 440 Hz tone, computed simply in single precision.
  private static let tone: HostCallback.Body = { moment in
    moment.fill { _, frame in sin(Float(frame) * 440 * 2 * Float(Double.pi) / rate) }
    return noErr
  }

  @Test("plays if it is initialized first, and callback and format are set afterwards")
  func initializedFirst() throws {
    let tape = Tape()
    let callback = HostCallback(Self.tone)
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.initialize()
      try unit.setCallback(callback)
      try unit.setFormat(
        .linear(44_100, channels: 1, flags: kAudioFormatFlagIsFloat, isInterleaved: true))
      try unit.start()
      #expect(wait { callback.frames > 441_000 })
      try unit.stop()
      try unit.uninitialize()
    }
    let recorded = try tape.samples()
    for frame in 0..<512 {
      #expect(recorded[0][frame] == sin(Float(frame) * 440 * 2 * Float(Double.pi) / Self.rate))
    }
    #expect(recorded[0] == recorded[1])
    let tone = Signal(Array(recorded[0].prefix(441_000)), sampleRate: 44_100)
    let fit = tone.tone(near: 440)
    #expect(abs(fit.frequency - 440) < 0.01)
    #expect(abs(fit.amplitude - 1) < 0.001)
  }

  @Test("plays if everything is set first, and it is initialized then")
  func initializedLast() throws {
    let tape = Tape()
    let samples = [noise(3_000), noise(3_000, seed: 3)]
    try onDevice(tape, rate: 22_050) {
      let unit = try HostedUnit()
      try unit.setFormat(.linear(22_050))
      try play(samples, on: unit)
    }
    #expect(Array(try tape.samples()[1].prefix(3_000)) == samples[1])
  }

  @Test("keeps its format while it runs, and accepts another one after a stop")
  func formatWhileRunning() throws {
    try onDevice {
      let unit = try HostedUnit()
      try unit.initialize()
      try unit.start()
      let format = AudioStreamBasicDescription.linear(96_000, channels: 1)
      #expect(
        unit.setting(kAudioUnitProperty_StreamFormat, to: format, kAudioUnitScope_Input, 0)
          == kAudioUnitErr_Initialized)
      #expect(
        unit.setting(kAudioUnitProperty_SampleRate, to: 96_000.0, kAudioUnitScope_Input, 0)
          == kAudioUnitErr_Initialized)
      #expect(
        unit.setting(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(64))
          == kAudioUnitErr_Initialized)
      try unit.stop()
      try unit.setFormat(format)
      try unit.start()
    }
  }

  @Test("starts only if it is initialized; starting or stopping twice changes nothing")
  func twice() throws {
    try onDevice {
      let unit = try HostedUnit()
      #expect(AudioOutputUnitStart(unit.handle) == kAudioUnitErr_Uninitialized)
      #expect(AudioOutputUnitStop(unit.handle) == noErr)
      try unit.initialize()
      try unit.initialize()
      let callback = HostCallback()
      try unit.setCallback(callback)
      try unit.start()
      try unit.start()
      #expect(try unit.isRunning)
      #expect(wait { callback.count > 2 })
      try unit.stop()
      try unit.stop()
      #expect(try !unit.isRunning)
      let count = callback.count
      usleep(20_000)
      #expect(callback.count == count)
    }
  }

  @Test("starts and stops from many threads at once")
  func manyThreads() throws {
    let unit = try onDevice { try HostedUnit() }
    try onDevice { try unit.initialize() }
    let callback = HostCallback()
    try unit.setCallback(callback)
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      onDevice {
        for _ in 0..<40 {
          let status =
            number % 2 == 0 ? AudioOutputUnitStart(unit.handle) : AudioOutputUnitStop(unit.handle)
          if status != noErr { failures.wrappingAdd(1, ordering: .relaxed) }
        }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    try unit.stop()
    let count = callback.count
    usleep(20_000)
    #expect(callback.count == count)
  }

  @Test("is stopped by its own callback, which is not called again", arguments: [512, 8_192])
  func stopInside(cycleFrames: Int) throws {
    let tape = Tape()
    let box = UnitBox()
    let callback = HostCallback { moment in
      moment.fill { _, _ in 0.5 }
      return moment.position >= 1_000 ? AudioOutputUnitStop(box.handle) : noErr
    }
    try onDevice(tape, rate: 44_100, frames: cycleFrames) {
      let unit = try HostedUnit()
      box.set(unit.handle)
      let changes = try PropertyChangeCounter(unit, kAudioOutputUnitProperty_IsRunning)
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(try wait { try !unit.isRunning })
      #expect(wait { changes.count == 2 })
      let count = callback.count
      usleep(20_000)
      #expect(callback.count == count)
      #expect(try unit.lastRenderError == noErr)
      let recorded = try tape.samples()[0]
      #expect(recorded.count == (callback.frames + cycleFrames - 1) / cycleFrames * cycleFrames)
      #expect(recorded[..<callback.frames].allSatisfy { $0 == 0.5 })
      #expect(recorded[callback.frames...].allSatisfy { $0 == 0 })
      // It plays again immediately, to the same file.
      try unit.start()
      #expect(wait { callback.count > count })
    }
  }

  @Test("ends cleanly when it is uninitialized or disposed of while it runs")
  func endWhileRunning() throws {
    try onDevice {
      for disposes in [false, true] {
        let unit = try HostedUnit()
        let callback = HostCallback()
        try unit.setCallback(callback)
        try unit.initialize()
        try unit.start()
        #expect(wait { callback.count > 2 })
        if disposes { try unit.dispose() } else { try unit.uninitialize() }
        let count = callback.count
        usleep(20_000)
        #expect(callback.count == count)
        if !disposes { #expect(try !unit.isRunning) }
      }
    }
  }

  @Test("is uninitialized and disposed of by its own callback")
  func endInside() throws {
    try onDevice {
      for disposes in [false, true] {
        let box = UnitBox()
        let done = Atomic(false)
        let callback = HostCallback { moment in
          guard moment.position > 2_000, !done.exchange(true, ordering: .relaxed) else {
            return noErr
          }
          return disposes
            ? AudioComponentInstanceDispose(box.handle) : AudioUnitUninitialize(box.handle)
        }
        let unit = try HostedUnit()
        box.set(unit.handle)
        try unit.setCallback(callback)
        try unit.initialize()
        try unit.start()
        #expect(wait { done.load(ordering: .relaxed) })
        if disposes {
          #expect(wait { AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0) != noErr })
        } else {
          #expect(wait { AudioOutputUnitStart(unit.handle) == kAudioUnitErr_Uninitialized })
        }
        usleep(20_000)
        let count = callback.count
        usleep(20_000)
        #expect(callback.count == count)
      }
    }
  }

  @Test("cannot be started inside a callback, where opening a device would delay the cycle")
  func startInside() throws {
    try onDevice {
      let (unit, other) = (try HostedUnit(), try HostedUnit())
      let box = UnitBox()
      box.set(other.handle)
      let status = Atomic<OSStatus>(1)
      let callback = HostCallback { _ in
        status.store(AudioOutputUnitStart(box.handle), ordering: .relaxed)
        return noErr
      }
      try other.initialize()
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { status.load(ordering: .relaxed) != 1 })
      #expect(status.load(ordering: .relaxed) == kAudioUnitErr_CannotDoInCurrentContext)
      try other.start()
      #expect(wait { status.load(ordering: .relaxed) == noErr })
    }
  }

  @Test("stops another unit inside its callback, even one that does the same to it")
  func stopEachOther() throws {
    try onDevice {
      for _ in 0..<20 {
        let (one, two) = (try HostedUnit(), try HostedUnit())
        let calls = [(one, two), (two, one)].map { (unit, other) in
          let box = UnitBox()
          box.set(other.handle)
          return (unit, HostCallback { _ in AudioOutputUnitStop(box.handle) })
        }
        for (unit, callback) in calls {
          try unit.setCallback(callback)
          try unit.initialize()
        }
        try one.start()
        try two.start()
        #expect(try wait { try !one.isRunning || !two.isRunning })
        try one.stop()
        try two.stop()
        #expect(try !one.isRunning && !two.isRunning)
      }
    }
  }

  @Test("counts from zero again at each start")
  func restart() throws {
    let tape = Tape()
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      let callback = HostCallback { moment in
        let start = Int(moment.time.pointee.mSampleTime)
        guard let buffers = moment.buffers else { return noErr }
        for buffer in buffers {
          let data = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<moment.frames { data?[frame] = Float(start + frame + 1) * 0x1p-24 }
        }
        return noErr
      }
      try unit.setCallback(callback)
      try unit.initialize()
      for _ in 0..<3 {
        let count = callback.count
        try unit.start()
        #expect(wait { callback.count > count + 3 })
        try unit.stop()
      }
      let times = callback.calls.map(\.time.mSampleTime)
      #expect(times.filter { $0 == 0 }.count == 3)
    }
    // One file: each run is appended to the previous one, from its first sample on.
    let recorded = try tape.samples()[0]
    #expect(recorded.filter { $0 == 0x1p-24 }.count == 3)
    #expect(!recorded.contains(0))
  }

  @Test("plays at another rate after it was uninitialized")
  func anotherRate() throws {
    let tape = Tape()
    try onDevice(tape, rate: 48_000) {
      let unit = try HostedUnit()
      for rate in [44_100.0, 48_000, 8_000] {
        try unit.setFormat(.linear(rate, channels: 1))
        try unit.initialize()
        let callback = HostCallback { moment in
          moment.fill { _, frame in Float(sin(2 * .pi * 1_000 * Double(frame) / rate)) * 0.5 }
          return noErr
        }
        try unit.setCallback(callback)
        try unit.start()
        #expect(wait { callback.frames > Int(rate) })
        try unit.stop()
        try unit.uninitialize()
        try unit.setCallback(nil)
        let recorded = try tape.signal()
        let fit = recorded[recorded.count - 40_000..<recorded.count].tone(near: 1_000)
        #expect(abs(fit.frequency - 1_000) < 0.01)
        #expect(abs(fit.amplitude - 0.5) < 0.001)
      }
    }
  }

  @Test("plays silence when its callback fails, and keeps the first error until it is read")
  func failingCallback() throws {
    let tape = Tape()
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      let callback = HostCallback { moment in
        moment.fill { _, _ in 0.25 }
        return moment.position == 512 ? -1 : moment.position == 1_536 ? -2 : noErr
      }
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 4_096 })
      try unit.stop()
      #expect(try unit.lastRenderError == -1)
      #expect(try unit.lastRenderError == noErr)
    }
    let recorded = try tape.samples()[0]
    #expect(recorded[..<512].allSatisfy { $0 == 0.25 })
    #expect(recorded[512..<1_024].allSatisfy { $0 == 0 })
    #expect(recorded[1_024..<1_536].allSatisfy { $0 == 0.25 })
    #expect(recorded[1_536..<2_048].allSatisfy { $0 == 0 })
    #expect(recorded[2_048..<4_096].allSatisfy { $0 == 0.25 })
  }

  @Test("plays silence without an error if nothing is connected, and a callback that is set later")
  func nothingConnected() throws {
    let tape = Tape()
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit()
      try unit.initialize()
      let notify = HostCallback()
      try unit.addNotify(notify)
      try unit.start()
      #expect(wait { notify.count > 4 })
      let callback = HostCallback { moment in
        moment.fill { _, _ in 1 }
        return noErr
      }
      try unit.setCallback(callback)
      #expect(wait { callback.count > 2 })
      try unit.setCallback(nil)
      let count = callback.count
      let noted = notify.count
      #expect(wait { notify.count > noted + 4 })
      #expect(callback.count == count)
      try unit.stop()
      #expect(try unit.lastRenderError == noErr)
    }
    let recorded = try tape.samples()[0]
    #expect(recorded.first == 0 && recorded.last == 0 && recorded.contains(1))
  }

  @Test("calls its listeners when it starts, stops, and is uninitialized")
  func isRunningListeners() throws {
    try onDevice {
      let unit = try HostedUnit()
      let changes = try PropertyChangeCounter(unit, kAudioOutputUnitProperty_IsRunning)
      try unit.initialize()
      #expect(changes.count == 0)
      try unit.start()
      #expect(changes.count == 1)
      try unit.start()
      #expect(changes.count == 1)
      try unit.stop()
      #expect(changes.count == 2)
      try unit.start()
      try unit.uninitialize()
      #expect(changes.count == 4)
    }
  }
}
