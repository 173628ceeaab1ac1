// SPDX-License-Identifier: Apache-2.0
@testable import AudioHardware
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

private final class Counter: Sendable { let value = Atomic(0) }

/// A function on a device that calls a closure, and records its calls.
// Only the device's thread uses `lastSample` and `lastHost`.
private final class IOFunction: @unchecked Sendable {
  typealias Body =
    @Sendable (
      _ frame: Int, _ input: UnsafeMutableAudioBufferListPointer,
      _ output: UnsafeMutableAudioBufferListPointer
    ) -> Void

  let device: AudioObjectID
  private(set) var id: AudioDeviceIOProcID?
  private let body: Body
  private let frameCount = Atomic(0)
  private let callCount = Atomic(0)
  private let outOfOrder = Atomic(0)
  private var lastSample = -1.0
  private var lastHost: UInt64 = 0

  init(_ device: AudioObjectID, _ body: @escaping Body = { _, _, _ in }) throws {
    self.device = device
    self.body = body
    let status = AudioDeviceCreateIOProcID(
      device,
      { _, _, input, inputTime, output, outputTime, me in
        guard let me else { return kAudio_ParamError }
        Unmanaged<IOFunction>.fromOpaque(me).takeUnretainedValue().call(input, output, outputTime)
        return noErr
      }, Unmanaged.passUnretained(self).toOpaque(), &id)
    #expect(status == noErr)
  }

  private func call(
    _ input: UnsafePointer<AudioBufferList>, _ output: UnsafeMutablePointer<AudioBufferList>,
    _ time: UnsafePointer<AudioTimeStamp>
  ) {
    let inputs = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input))
    let outputs = UnsafeMutableAudioBufferListPointer(output)
    let buffer = outputs.first ?? inputs.first
    let frames = Int(buffer.map { $0.mDataByteSize / 4 / max($0.mNumberChannels, 1) } ?? 0)
    if time.pointee.mSampleTime <= lastSample || time.pointee.mHostTime <= lastHost {
      outOfOrder.wrappingAdd(1, ordering: .relaxed)
    }
    (lastSample, lastHost) = (time.pointee.mSampleTime, time.pointee.mHostTime)
    body(frameCount.load(ordering: .relaxed), inputs, outputs)
    frameCount.wrappingAdd(frames, ordering: .relaxed)
    callCount.wrappingAdd(1, ordering: .relaxed)
  }

  var frames: Int { frameCount.load(ordering: .relaxed) }
  var calls: Int { callCount.load(ordering: .relaxed) }
  var isInOrder: Bool { outOfOrder.load(ordering: .relaxed) == 0 }
  func start() -> OSStatus { AudioDeviceStart(device, id) }
  func stop() -> OSStatus { AudioDeviceStop(device, id) }
  func destroy() -> OSStatus { id.map { AudioDeviceDestroyIOProcID(device, $0) } ?? noErr }
}

extension UnsafeMutableAudioBufferListPointer {
  /// Fills interleaved Float32.
  fileprivate func fill(_ sample: (_ channel: Int, _ frame: Int) -> Float) {
    for buffer in self {
      guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      let channels = Int(buffer.mNumberChannels)
      for frame in 0..<Int(buffer.mDataByteSize) / 4 / channels {
        for channel in 0..<channels { data[frame * channels + channel] = sample(channel, frame) }
      }
    }
  }
}

@Suite("Functions on devices")
struct IOProcTests {
  /// A file device, which no other test uses.
  private func withDevice(
    _ tape: Tape = Tape(), input: Tape? = nil, frames: Int = 256,
    _ body: (AudioObject) throws -> Void
  ) throws {
    try onDevice(tape, input: input, frames: frames, clock: .paced) {
      try body(
        AudioObject(
          id: AudioObject.system.value(
            kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))))
    }
  }

  @Test("the outputs of several functions are added, and each receives the input")
  func mixing() throws {
    let tape = Tape()
    let input = try Tape([
      Array(repeating: 0.125, count: 48_000), Array(repeating: 0.0625, count: 48_000),
    ])
    let inputCount = Atomic(0)
    try withDevice(tape, input: input) { device in
      let first = try IOFunction(device.id) { _, inputs, outputs in
        outputs.fill { channel, _ in channel == 0 ? 0.25 : 0.5 }
        guard let data = inputs.first?.mData?.assumingMemoryBound(to: Float.self) else { return }
        if data[0] == 0.125, data[1] == 0.0625 { inputCount.wrappingAdd(1, ordering: .relaxed) }
      }
      let second = try IOFunction(device.id) { _, inputs, outputs in
        // Passes its input to the output.
        guard let data = inputs.first?.mData?.assumingMemoryBound(to: Float.self) else { return }
        outputs.fill { channel, frame in data[frame * 2 + channel] }
      }
      #expect(first.start() == noErr && second.start() == noErr)
      #expect(wait { first.frames > 8_000 && second.frames > 8_000 })
      #expect(try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9)) == 1)
      #expect(second.stop() == noErr)
      let count = second.calls
      let before = first.frames
      #expect(wait { first.frames > before + 4_000 })
      #expect(second.calls == count)
      #expect(first.stop() == noErr)
      #expect(try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9)) == 0)
      #expect(first.isInOrder && second.isInOrder)
      #expect(first.destroy() == noErr && second.destroy() == noErr)
      #expect(first.start() == kAudioHardwareIllegalOperationError)
    }
    #expect(inputCount.load(ordering: .relaxed) > 20)
    let samples = try tape.samples()
    #expect(samples[0].contains(0.375) && samples[1].contains(0.5625))
    #expect(samples[0].suffix(200).allSatisfy { $0 == 0.25 })
    #expect(samples[1].suffix(200).allSatisfy { $0 == 0.5 })
  }

  @Test("a function that stops itself is not called again, and another one continues")
  func stopsItself() throws {
    try withDevice { device in
      let box = Mutex<IOFunction?>(nil)
      let short = try IOFunction(device.id) { _, _, _ in
        box.withLock { if let it = $0 { _ = it.stop() } }
      }
      box.withLock { $0 = short }
      let long = try IOFunction(device.id)
      #expect(long.start() == noErr && short.start() == noErr)
      #expect(wait { short.calls == 1 })
      let before = long.frames
      #expect(wait { long.frames > before + 10_000 })
      #expect(short.calls == 1)
      // And again, from outside.
      #expect(short.start() == noErr)
      #expect(wait { short.calls == 2 })
      #expect(long.stop() == noErr)
      box.withLock { $0 = nil }
      #expect(long.destroy() == noErr && short.destroy() == noErr)
    }
  }

  @Test("the time of a device advances, is translated, and determines start times")
  func times() throws {
    try withDevice { device in
      var time = AudioTimeStamp()
      #expect(AudioDeviceGetCurrentTime(device.id, &time) == kAudioHardwareNotRunningError)
      let function = try IOFunction(device.id)
      #expect(function.start() == noErr)
      #expect(wait { function.calls > 20 })
      var last = -1.0
      for _ in 0..<2_000 {
        #expect(AudioDeviceGetCurrentTime(device.id, &time) == noErr)
        #expect(time.mSampleTime >= last)
        last = time.mSampleTime
      }
      var host = AudioTimeStamp()
      host.mFlags = .hostTimeValid
      #expect(AudioDeviceTranslateTime(device.id, &time, &host) == noErr)
      var sample = AudioTimeStamp()
      sample.mFlags = .sampleTimeValid
      #expect(AudioDeviceTranslateTime(device.id, &host, &sample) == noErr)
      #expect(abs(sample.mSampleTime - time.mSampleTime) < 1)
      // At the beginning of the cycle after the requested time.
      var nearest = AudioTimeStamp()
      nearest.mSampleTime = (time.mSampleTime + 48_000).rounded()
      nearest.mFlags = .sampleTimeValid
      let requested = nearest.mSampleTime
      #expect(AudioDeviceGetNearestStartTime(device.id, &nearest, 0) == noErr)
      #expect((0..<256).contains(nearest.mSampleTime - requested))
      #expect(nearest.mSampleTime.truncatingRemainder(dividingBy: 256) == 0)
      let late = try IOFunction(device.id)
      var start = AudioTimeStamp()
      start.mHostTime = AudioGetCurrentHostTime() + 2_000_000_000
      start.mFlags = .hostTimeValid
      #expect(AudioDeviceStartAtTime(device.id, late.id, &start, 0) == noErr)
      usleep(50_000)
      #expect(late.calls == 0)
      #expect(wait { late.calls > 0 })
      #expect(late.stop() == noErr && function.stop() == noErr)
      #expect(late.destroy() == noErr && function.destroy() == noErr)
    }
  }

  @Test("a block is called on its queue, and without a queue on the device's thread")
  func blocks() throws {
    try withDevice { device in
      let queue = DispatchQueue(label: "cycles")
      let key = DispatchSpecificKey<Int>()
      queue.setSpecific(key: key, value: 7)
      let (onQueue, plain) = (Counter(), Counter())
      var (first, second): (AudioDeviceIOProcID?, AudioDeviceIOProcID?)
      #expect(
        AudioDeviceCreateIOProcIDWithBlock(&first, device.id, queue) { _, _, _, output, _ in
          if DispatchQueue.getSpecific(key: key) == 7, output.pointee.mNumberBuffers == 1 {
            onQueue.value.wrappingAdd(1, ordering: .relaxed)
          }
        } == noErr)
      #expect(
        AudioDeviceCreateIOProcIDWithBlock(&second, device.id, nil) { _, _, _, _, _ in
          if DispatchQueue.getSpecific(key: key) == nil {
            plain.value.wrappingAdd(1, ordering: .relaxed)
          }
        } == noErr)
      #expect(AudioDeviceStart(device.id, first) == noErr)
      #expect(AudioDeviceStart(device.id, second) == noErr)
      #expect(
        wait {
          onQueue.value.load(ordering: .relaxed) > 5 && plain.value.load(ordering: .relaxed) > 5
        })
      for id in [first, second] {
        let id = try #require(id)
        #expect(AudioDeviceDestroyIOProcID(device.id, id) == noErr)
      }
      #expect(try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9)) == 0)
    }
  }

  @Test("a listener block is called on its queue until it is removed")
  func listenerBlocks() throws {
    try withDevice { device in
      let count = Atomic(0)
      let queue = DispatchQueue(label: "listeners")
      let listener: AudioObjectPropertyListenerBlock = { number, addresses in
        if number == 1, addresses.pointee.mSelector == kAudioDevicePropertyBufferFrameSize {
          count.wrappingAdd(1, ordering: .relaxed)
        }
      }
      var address = device.address(kAudioDevicePropertyBufferFrameSize)
      #expect(AudioObjectAddPropertyListenerBlock(device.id, &address, queue, listener) == noErr)
      #expect(device.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(128)) == noErr)
      #expect(wait { count.load(ordering: .relaxed) == 1 })
      #expect(
        AudioObjectRemovePropertyListenerBlock(device.id, &address, nil, listener)
          == kAudio_ParamError)
      #expect(AudioObjectRemovePropertyListenerBlock(device.id, &address, queue, listener) == noErr)
      #expect(device.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(512)) == noErr)
      usleep(100_000)
      #expect(count.load(ordering: .relaxed) == 1)
    }
  }

  @Test("a stream that no function uses is not opened, and has no buffer")
  func usage() throws {
    try withDevice { device in
      let sawMemory = Atomic(false)
      let function = try IOFunction(device.id) { _, inputs, _ in
        if inputs.first?.mData != nil { sawMemory.store(true, ordering: .relaxed) }
      }
      let name = try #require(unsafeBitCast(function.id, to: UnsafeMutableRawPointer?.self))
      var usage = AudioHardwareIOProcStreamUsage(
        mIOProc: name, mNumberStreams: 1, mStreamIsOn: 0)
      var address = device.address(
        kAudioDevicePropertyIOProcStreamUsage, kAudioObjectPropertyScopeInput)
      #expect(AudioObjectSetPropertyData(device.id, &address, 0, nil, 16, &usage) == noErr)
      usage.mStreamIsOn = 9
      var size = UInt32(16)
      #expect(AudioObjectGetPropertyData(device.id, &address, 0, nil, &size, &usage) == noErr)
      #expect(usage.mStreamIsOn == 0 && size == 16)
      #expect(function.start() == noErr)
      #expect(wait { function.calls > 10 })
      let saw = sawMemory.load(ordering: .relaxed)
      #expect(!saw)
      #expect(function.destroy() == noErr)
    }
  }

  @Test("a function that takes longer than its share of a cycle is reported as an overload")
  func overload() throws {
    try withDevice { device in
      #expect(
        device.setting(kAudioDevicePropertyIOCycleUsage, to: Float(0))
          == kAudioHardwareIllegalOperationError)
      #expect(device.setting(kAudioDevicePropertyIOCycleUsage, to: Float(0.01)) == noErr)
      let before = try device.value(kAudioDeviceProcessorOverload, of: UInt32(0))
      let function = try IOFunction(device.id) { _, _, _ in usleep(1_000) }
      #expect(function.start() == noErr)
      #expect(wait { function.calls > 4 })
      #expect(function.stop() == noErr)
      #expect(try device.value(kAudioDeviceProcessorOverload, of: UInt32(0)) >= before + 4)
      #expect(device.setting(kAudioDevicePropertyIOCycleUsage, to: Float(1)) == noErr)
      #expect(function.destroy() == noErr)
    }
  }

  @Test("the older functions identify a function by its address")
  func older() throws {
    try withDevice { device in
      let count = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
      count.initialize(to: Atomic(0))
      defer {
        count.deinitialize(count: 1)
        count.deallocate()
      }
      var calls: Int { count.pointee.load(ordering: .relaxed) }
      let function: AudioDeviceIOProc = { _, _, _, _, _, _, count in
        count?.assumingMemoryBound(to: Atomic<Int>.self)
          .pointee.wrappingAdd(1, ordering: .relaxed)
        return noErr
      }
      #expect(AudioDeviceAddIOProc(device.id, function, count) == noErr)
      #expect(
        AudioDeviceAddIOProc(device.id, function, count) == kAudioHardwareIllegalOperationError)
      #expect(AudioDeviceStart(device.id, function) == noErr)
      #expect(wait { calls > 3 })
      #expect(AudioDeviceStop(device.id, function) == noErr)
      let before = calls
      usleep(50_000)
      #expect(calls == before)
      #expect(AudioDeviceRemoveIOProc(device.id, function) == noErr)
      #expect(AudioDeviceRemoveIOProc(device.id, function) == kAudioHardwareIllegalOperationError)
    }
  }

  @Test("wrong calls return the documented errors")
  func errors() throws {
    let none = AudioObjectID(12_345)
    var id: AudioDeviceIOProcID?
    let function: AudioDeviceIOProc = { _, _, _, _, _, _, _ in noErr }
    #expect(AudioDeviceCreateIOProcID(none, function, nil, &id) == kAudioHardwareBadDeviceError)
    #expect(AudioDeviceStart(none, nil) == kAudioHardwareBadDeviceError)
    #expect(AudioDeviceStop(none, nil) == kAudioHardwareBadDeviceError)
    var time = AudioTimeStamp()
    #expect(AudioDeviceGetCurrentTime(none, &time) == kAudioHardwareBadDeviceError)
    #expect(AudioHardwareDestroyAggregateDevice(none) == kAudioHardwareBadObjectError)
    try withDevice { device in
      #expect(AudioDeviceStart(device.id, function) == kAudioHardwareIllegalOperationError)
      #expect(
        AudioDeviceDestroyIOProcID(device.id, function) == kAudioHardwareIllegalOperationError)
      #expect(
        AudioHardwareDestroyAggregateDevice(device.id) == kAudioHardwareIllegalOperationError)
      // Without a function the device only runs.
      #expect(AudioDeviceStart(device.id, nil) == noErr)
      let isRunning = try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9))
      #expect(isRunning == 1)
      time.mFlags = []
      #expect(wait { AudioDeviceGetCurrentTime(device.id, &time) == noErr })
      time.mFlags = []
      var other = AudioTimeStamp()
      #expect(
        AudioDeviceTranslateTime(device.id, &time, &other) == kAudioHardwareIllegalOperationError)
      #expect(AudioDeviceStop(device.id, nil) == noErr)
      let runsStill = try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9))
      #expect(runsStill == 0)
    }
  }

  @Test("a thousand functions that are made, started and destroyed leak nothing")
  func thousand() async {
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      try IOProcTests().withDevice(frames: 64) { device in
        let running = try IOFunction(device.id)
        #expect(running.start() == noErr)
        func round(_ count: Int) throws {
          for _ in 0..<count {
            let function = try IOFunction(device.id)
            #expect(function.start() == noErr)
            #expect(function.destroy() == noErr)
          }
        }
        try round(200)
        let before = ProcessState()
        try round(1_000)
        #expect(wait { ProcessState().threadCount <= before.threadCount })
        let after = ProcessState()
        #expect(after.descriptorCount <= before.descriptorCount)
        #expect(ProcessState.isSanitized || after.heapBytes - before.heapBytes < 256 << 10)
        #expect(running.destroy() == noErr)
      }
    }
  }
}
