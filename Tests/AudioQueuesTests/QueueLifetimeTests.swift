// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("What a program frees while a queue may need it")
struct QueueLifetimeTests {
  @Test(
    "a second run of a recording does not begin with sound of the first",
    arguments: [false, true]
  )
  func secondRun(hasTap: Bool) throws {
    let ramp = (0..<200_000).map { Float($0) / 200_000 }
    let input = try Tape([ramp])
    try onDevice(input: input, clock: .paced) {
      let recorder = try TestRecorder(floatFormat(), keepsRecording: false)
      let tap = try hasTap ? CallingTap(recorder.queue) : nil
      // Less than is read at a time, so that frames remain.
      func enqueue() throws {
        var buffer: AudioQueueBufferRef?
        try #require(AudioQueueAllocateBuffer(recorder.queue, 1_200, &buffer) == noErr)
        let made = try #require(buffer)
        try #require(AudioQueueEnqueueBuffer(recorder.queue, made, 0, nil) == noErr)
      }
      try enqueue()
      try #require(AudioQueueStart(recorder.queue, nil) == noErr)
      #expect(AudioQueueStop(recorder.queue, false) == noErr)
      #expect(waits { isStopped(recorder.queue) })
      if let handle = tap?.handle { #expect(AudioQueueProcessingTapDispose(handle) == noErr) }
      // Nothing is left for a buffer that is returned while the queue is stopped.
      try enqueue()
      #expect(AudioQueueStop(recorder.queue, true) == noErr)
      #expect(waits { recorder.returnedCount == 2 })
      #expect(recorder.packets.count == 1)
      // The next run records what its device supplies, from the device's beginning.
      try enqueue()
      try #require(AudioQueueStart(recorder.queue, nil) == noErr)
      #expect(waits { recorder.returnedCount == 3 })
      #expect(AudioQueueStop(recorder.queue, true) == noErr)
      #expect(recorder.packets.last == recorder.packets.first)
    }
  }

  private func isStopped(_ queue: AudioQueueRef) -> Bool {
    var (runs, size) = (UInt32(1), UInt32(4))
    return AudioQueueGetProperty(queue, kAudioQueueProperty_IsRunning, &runs, &size) == noErr
      && runs == 0
  }

  @Test("a buffer that is freed before its callback is not passed to it")
  func freedBuffer() throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat(), loop: CFRunLoopGetCurrent())
      let buffers = try (0..<3).map { _ in try player.buffer(noise(100)) }
      for buffer in buffers {
        try #require(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == noErr)
      }
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      // The callbacks are due, but this thread does not run its run loop.
      for buffer in buffers.prefix(2) {
        #expect(waits { AudioQueueFreeBuffer(player.queue, buffer) == noErr })
      }
      CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, false)
      #expect(
        waits {
          CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, false)
          return player.returnedCount > 0
        })
      #expect(player.returnedBuffers == [buffers[2]])
    }
  }

  @Test("a buffer is freed inside its callback, but not by another thread meanwhile")
  func freedInsideCallback() throws {
    try onDevice(clock: .paced) {
      let player = try TestPlayer(floatFormat())
      let statuses = Locked<[OSStatus]>([])
      player.refill = { queue, buffer in
        let address = (UInt(bitPattern: queue), UInt(bitPattern: buffer))
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          if let queue = AudioQueueRef(bitPattern: address.0),
            let buffer = AudioQueueBufferRef(bitPattern: address.1)
          {
            let status = AudioQueueFreeBuffer(queue, buffer)
            statuses.withLock { $0.append(status) }
          }
          done.signal()
        }
        done.wait()
        let status = AudioQueueFreeBuffer(queue, buffer)
        statuses.withLock { $0.append(status) }
      }
      try player.enqueue(noise(100))
      try #require(AudioQueueStart(player.queue, nil) == noErr)
      #expect(waits { statuses.withLock { $0.count } == 2 })
      #expect(statuses.withLock { $0 } == [kAudioQueueErr_BufferInQueue, noErr])
    }
  }

  @Test("a buffer that is rendered into can be neither freed nor enqueued")
  func renderedBuffer() throws {
    let player = try TestPlayer(floatFormat())
    var format = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    let target = try player.buffer([Float](repeating: 0, count: 1_000))
    let statuses = Locked<[OSStatus]>([])
    player.refill = { queue, _ in
      let made = [
        AudioQueueFreeBuffer(queue, target), AudioQueueEnqueueBuffer(queue, target, 0, nil),
      ]
      statuses.withLock { $0 = made }
    }
    try player.enqueue(noise(100))
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    #expect(AudioQueueOfflineRender(player.queue, &time, target, 1_000) == noErr)
    #expect(
      statuses.withLock { $0 } == [kAudioQueueErr_BufferInQueue, kAudioQueueErr_BufferInQueue])
    #expect(AudioQueueFreeBuffer(player.queue, target) == noErr)
  }
}
