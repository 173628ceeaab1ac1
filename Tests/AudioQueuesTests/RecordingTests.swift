// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CRealTime
import Foundation
import Testing

/// A recording queue that stores all packets.
final class TestRecorder: @unchecked Sendable {
  private var made: AudioQueueRef?
  private let lock = NSLock()
  private var storage: [[UInt8]] = []
  private var starts: [Double] = []
  private var keepsRecording: Bool
  private var wasRendering = false
  private var returned = 0

  /// `keepsRecording`: filled buffers are enqueued again.
  init(_ format: AudioStreamBasicDescription, keepsRecording: Bool = true) throws {
    self.keepsRecording = keepsRecording
    var format = format
    let status = AudioQueueNewInput(
      &format,
      { data, queue, buffer, start, packets, descriptions in
        guard let data else { return }
        Unmanaged<TestRecorder>.fromOpaque(data).takeUnretainedValue()
          .filled(queue, buffer, start.pointee, Int(packets), descriptions)
      }, Unmanaged.passUnretained(self).toOpaque(), nil, nil, 0, &made)
    try #require(status == noErr, "\(status)")
  }

  deinit { dispose() }

  func dispose() {
    if let made { AudioQueueDispose(made, true) }
    made = nil
  }

  /// Runs `body` under the lock that callbacks need.
  func whileLocked(_ body: () -> Void) { lock.withLock(body) }

  var queue: AudioQueueRef {
    guard let made else { preconditionFailure("the queue has ended") }
    return made
  }

  private func filled(
    _ queue: AudioQueueRef, _ buffer: AudioQueueBufferRef, _ start: AudioTimeStamp, _ count: Int,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
  ) {
    let size = Int(buffer.pointee.mAudioDataByteSize)
    let bytes = UnsafeRawBufferPointer(start: buffer.pointee.mAudioData, count: size)
    let continues = lock.withLock {
      returned += 1
      wasRendering = wasRendering || rt_current().pointee.depth > 0
      if count > 0 { starts.append(start.mSampleTime) }
      if let descriptions {
        for index in 0..<count {
          let packet = descriptions[index]
          let begin = Int(packet.mStartOffset)
          storage.append(Array(bytes[begin..<begin + Int(packet.mDataByteSize)]))
        }
      } else if size > 0 {
        storage.append(Array(bytes))
      }
      return keepsRecording
    }
    if continues { AudioQueueEnqueueBuffer(queue, buffer, 0, nil) }
  }

  var packets: [[UInt8]] { lock.withLock { storage } }
  var returnedCount: Int { lock.withLock { returned } }
  var startTimes: [Double] { lock.withLock { starts } }
  var hasBeenCalledWhileRendering: Bool { lock.withLock { wasRendering } }

  var format: AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    AudioQueueGetProperty(queue, kAudioQueueProperty_StreamDescription, &format, &size)
    return format
  }

  /// Records until `isEnough` returns true.
  func record(
    bufferSize: UInt32, buffers: Int = 3, until isEnough: ([[UInt8]]) -> Bool
  ) throws {
    for _ in 0..<buffers {
      var buffer: AudioQueueBufferRef?
      try #require(AudioQueueAllocateBuffer(queue, bufferSize, &buffer) == noErr)
      try #require(AudioQueueEnqueueBuffer(queue, try #require(buffer), 0, nil) == noErr)
    }
    try #require(AudioQueueStart(queue, nil) == noErr)
    #expect(waits { isEnough(packets) })
    lock.withLock { keepsRecording = false }
    #expect(AudioQueueStop(queue, true) == noErr)
    usleep(50_000)
  }
}

@Suite("A recording queue")
struct RecordingTests {
  @Test("records every frame of the device, in order")
  func bits() throws {
    let sound = noise(60_000)
    let tape = try Tape([sound])
    try onDevice(input: tape, channels: 1) {
      let recorder = try TestRecorder(floatFormat())
      try recorder.record(bufferSize: 20_000) { $0.count >= 14 }
      let recorded = recorder.packets.flatMap { bytes in
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      }
      #expect(recorded.count >= 60_000)
      #expect(Array(recorded.prefix(60_000)) == sound)
      #expect(!recorder.hasBeenCalledWhileRendering)
      let expected = recorder.startTimes.indices.map { Double($0) * 5_000 }
      #expect(recorder.startTimes == expected)
    }
  }

  @Test("records with a single buffer that takes many cycles to fill")
  func oneBuffer() throws {
    let sound = noise(60_000)
    let tape = try Tape([sound])
    try onDevice(input: tape, channels: 1) {
      let recorder = try TestRecorder(floatFormat())
      try recorder.record(bufferSize: 20_000, buffers: 1) { $0.count >= 5 }
      let recorded = recorder.packets.flatMap { bytes in
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      }
      // Frames that arrive while the program has the buffer wait in the ring.
      #expect(recorded.count >= 25_000)
      #expect(Array(recorded.prefix(25_000)) == Array(sound.prefix(25_000)))
    }
  }

  /// Starts a recorder with this many buffers of this many bytes, and waits until it has reached a
  /// frame.
  private func begin(
    _ recorder: TestRecorder, buffers: Int, of byteCount: UInt32, until frame: Double
  ) throws {
    for _ in 0..<buffers {
      var buffer: AudioQueueBufferRef?
      try #require(AudioQueueAllocateBuffer(recorder.queue, byteCount, &buffer) == noErr)
      try #require(AudioQueueEnqueueBuffer(recorder.queue, try #require(buffer), 0, nil) == noErr)
    }
    try #require(AudioQueueStart(recorder.queue, nil) == noErr)
    let hasBegun = waits {
      var time = AudioTimeStamp()
      AudioQueueGetCurrentTime(recorder.queue, nil, &time, nil)
      return time.mSampleTime > frame
    }
    #expect(hasBegun)
  }

  @Test("fills all enqueued buffers before a stop that is not immediate")
  func stopping() throws {
    let tape = try Tape([noise(480_000)])
    try onDevice(input: tape, channels: 1, clock: .paced) {
      let recorder = try TestRecorder(floatFormat(), keepsRecording: false)
      // A quarter of the first buffer.
      try begin(recorder, buffers: 2, of: 48_000, until: 3_000)
      #expect(AudioQueueStop(recorder.queue, false) == noErr)
      #expect(waits { recorder.packets.count == 2 })
      #expect(recorder.packets.map(\.count) == [48_000, 48_000])
    }
  }

  @Test("records at the requested rate, in the requested sample type")
  func otherFormat() throws {
    let tape = try Tape([Signal.sine(700, amplitude: 0.5, count: 96_000).floats])
    try onDevice(input: tape, channels: 1) {
      let format = AudioStreamBasicDescription(
        mSampleRate: 16_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1,
        mBitsPerChannel: 16, mReserved: 0)
      let recorder = try TestRecorder(format)
      try recorder.record(bufferSize: 6_400) { $0.count >= 10 }
      let recorded = recorder.packets.flatMap { bytes in
        bytes.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Float($0) / 32_768 } }
      }
      let tone = Signal(recorded, sampleRate: 16_000)[4_000..<28_000].tone(near: 700)
      #expect(abs(tone.frequency - 700) < 0.01)
      #expect(abs(tone.amplitude - 0.5) < 1e-3)
    }
  }

  @Test("uses the rate of the device for a rate of 0")
  func deviceRate() throws {
    try onDevice(rate: 32_000) {
      let recorder = try TestRecorder(floatFormat(rate: 0))
      #expect(recorder.format.mSampleRate == 32_000)
    }
  }

  @Test("has returned everything it recorded when an immediate stop returns")
  func stoppingImmediately() throws {
    let sound = noise(480_000)
    let tape = try Tape([sound])
    try onDevice(input: tape, channels: 1, clock: .paced) {
      let recorder = try TestRecorder(floatFormat(), keepsRecording: false)
      // A buffer that takes seconds to fill, and two more.
      try begin(recorder, buffers: 3, of: 960_000, until: 3_000)
      #expect(AudioQueueStop(recorder.queue, true) == noErr)
      // A program would close its file here.
      recorder.dispose()
      let recorded = recorder.packets.flatMap { bytes in
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      }
      #expect(recorded.count > 3_000 && Array(recorded) == Array(sound.prefix(recorded.count)))
      #expect(recorder.returnedCount == 3)
    }
  }

  @Test("an immediate stop does not wait for a callback that waits for its caller")
  func stoppingUnderALock() throws {
    let tape = try Tape([noise(480_000)])
    try onDevice(input: tape, channels: 1, clock: .paced) {
      let recorder = try TestRecorder(floatFormat(), keepsRecording: false)
      var buffer: AudioQueueBufferRef?
      try #require(AudioQueueAllocateBuffer(recorder.queue, 960_000, &buffer) == noErr)
      try #require(AudioQueueEnqueueBuffer(recorder.queue, try #require(buffer), 0, nil) == noErr)
      try #require(AudioQueueStart(recorder.queue, nil) == noErr)
      recorder.whileLocked { #expect(AudioQueueStop(recorder.queue, true) == noErr) }
      #expect(waits { recorder.returnedCount == 1 })
    }
  }

  @Test("returns a buffer of compressed packets after as many as fit at their largest size")
  func packetsOfABuffer() throws {
    guard Self.canEncode(kAudioFormatMPEG4AAC) else { return }
    let tape = try Tape([noise(480_000)])
    try onDevice(input: tape, channels: 1) {
      let recorder = try TestRecorder(compressed(kAudioFormatMPEG4AAC))
      var largest = UInt32(0)
      var size = UInt32(4)
      try #require(
        AudioQueueGetProperty(
          recorder.queue, kAudioConverterPropertyMaximumOutputPacketSize, &largest, &size) == noErr)
      try recorder.record(bufferSize: 10 * largest) { $0.count >= 40 }
      #expect(recorder.startTimes.prefix(4) == [0, 10_240, 20_480, 30_720])
    }
  }

  private static func canEncode(_ id: AudioFormatID) -> Bool {
    var size = UInt32(0)
    AudioFormatGetPropertyInfo(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size)
    var ids = [UInt32](repeating: 0, count: Int(size) / 4)
    AudioFormatGetProperty(kAudioFormatProperty_EncodeFormatIDs, 0, nil, &size, &ids)
    return ids.contains(id)
  }

  @Test(
    "records packets that a queue plays as the same tone",
    arguments: [
      kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatFLAC, kAudioFormatOpus,
      kAudioFormatMPEGLayer3, kAudioFormatULaw, kAudioFormatAppleIMA4,
    ] as [AudioFormatID])
  func packets(id: AudioFormatID) throws {
    guard Self.canEncode(id) else { return }
    let tape = try Tape([Signal.sine(700, amplitude: 0.5, count: 144_000).floats])
    var packets: [[UInt8]] = []
    var format = AudioStreamBasicDescription()
    var cookie: [UInt8] = []
    try onDevice(input: tape, channels: 1) {
      let recorder = try TestRecorder(compressed(id))
      format = recorder.format
      try recorder.record(bufferSize: 40_000) { packets in
        format.mBytesPerPacket > 0
          ? packets.reduce(0) { $0 + $1.count } * Int(format.mFramesPerPacket)
            > 96_000 * Int(format.mBytesPerPacket)
          : packets.count * Int(format.mFramesPerPacket) > 96_000
      }
      packets = recorder.packets
      var size = UInt32(0)
      if AudioQueueGetPropertySize(recorder.queue, kAudioQueueProperty_MagicCookie, &size) == noErr
      {
        cookie = [UInt8](repeating: 0, count: Int(size))
        AudioQueueGetProperty(
          recorder.queue, kAudioQueueProperty_MagicCookie, &cookie, &size)
      }
    }
    let output = Tape()
    try onDevice(output, channels: 1) {
      let player = try TestPlayer(format)
      if !cookie.isEmpty {
        #expect(
          AudioQueueSetProperty(
            player.queue, kAudioQueueProperty_MagicCookie, cookie, UInt32(cookie.count)) == noErr)
      }
      for group in stride(from: 0, to: packets.count, by: 8) {
        let some = packets[group..<min(group + 8, packets.count)]
        let bytes = some.flatMap(\.self)
        let isVariable = format.mBytesPerPacket == 0
        let buffer = try bytes.withUnsafeBytes {
          try player.buffer($0, descriptions: isVariable ? some.count : 0)
        }
        var offset = 0
        for (index, packet) in some.enumerated() where isVariable {
          buffer.pointee.mPacketDescriptions?[index] = AudioStreamPacketDescription(
            mStartOffset: Int64(offset), mVariableFramesInPacket: 0,
            mDataByteSize: UInt32(packet.count))
          offset += packet.count
        }
        buffer.pointee.mPacketDescriptionCount = isVariable ? UInt32(some.count) : 0
        #expect(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == noErr)
      }
      try player.playToEnd()
      #expect(try player.property(kAudioQueueProperty_ConverterError, UInt32(1)) == 0)
    }
    let tone = try output.signal()[20_000..<80_000].tone(near: 700)
    #expect(abs(tone.frequency - 700) < 0.05)
    #expect(abs(20 * log10(tone.amplitude / 0.5)) < 0.5)
  }
}
