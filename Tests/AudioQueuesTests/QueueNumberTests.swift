// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// The fields of an AudioQueueBuffer, all of which a C program can write.
private struct BufferFields {
  var capacity: UInt32
  var data: UInt
  var byteCount: UInt32
  var userData: UInt
  var packetCapacity: UInt32
  var packets: UInt
  var packetCount: UInt32
}

@Suite("Numbers that a program passes to a queue")
struct QueueNumberTests {
  private static let extremes: [Double] = [
    0, -1, 1e15, -1e15, 1e19, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
  ]

  /// Overwrites fields of a buffer.
  private func change(_ buffer: AudioQueueBufferRef, _ body: (inout BufferFields) -> Void) {
    UnsafeMutableRawPointer(buffer).withMemoryRebound(to: BufferFields.self, capacity: 1) {
      body(&$0.pointee)
    }
  }

  @Test("parameters of a buffer are numbers, and of the queue")
  func events() throws {
    let player = try TestPlayer(floatFormat())
    player.set(kAudioQueueProperty_EnableTimePitch, UInt32(1))
    for id in 0..<6 as Range<UInt32> {
      for value in [Float.nan, .infinity, -.infinity] {
        var event = AudioQueueParameterEvent(mID: id, mValue: value)
        let buffer = try player.buffer([0])
        #expect(
          AudioQueueEnqueueBufferWithParameters(
            player.queue, buffer, 0, nil, 0, 0, 1, &event, nil, nil)
            == kAudioQueueErr_InvalidParameter)
        #expect(
          AudioQueueSetParameter(player.queue, id, value) == kAudioQueueErr_InvalidParameter)
      }
    }
    var event = AudioQueueParameterEvent(mID: kAudioQueueParam_Volume, mValue: 1)
    let buffer = try player.buffer([0])
    #expect(
      AudioQueueEnqueueBufferWithParameters(
        player.queue, buffer, 0, nil, 0, 0, .max, &event, nil, nil)
        == kAudio_ParamError)
  }

  @Test("start times and trimmed frames of any size have an answer")
  func startTimes() throws {
    let player = try TestPlayer(floatFormat())
    for time in Self.extremes {
      for trim in [0, 1, UInt32.max] {
        var start = AudioTimeStamp()
        start.mFlags = .sampleTimeValid
        start.mSampleTime = time
        var actual = AudioTimeStamp()
        let status = AudioQueueEnqueueBufferWithParameters(
          player.queue, try player.buffer([0, 0]), 0, nil, trim, trim, 0, nil, &start, &actual)
        #expect(status == noErr || status == kAudio_ParamError)
        #expect(actual.mSampleTime.isFinite)
      }
    }
  }

  @Test("the queue starts at any time, and answers questions about any time")
  func deviceTimes() throws {
    try onDevice(clock: .paced) {
      for flags in [AudioTimeStampFlags.sampleTimeValid, .hostTimeValid] {
        for time in Self.extremes {
          let player = try TestPlayer(floatFormat())
          try player.enqueue([0, 0])
          var stamp = AudioTimeStamp()
          stamp.mFlags = flags
          stamp.mSampleTime = time
          stamp.mHostTime = time < 0 ? .max : time.isNaN ? .max / 2 : 1
          let status = AudioQueueStart(player.queue, &stamp)
          #expect(status == noErr || status == kAudio_ParamError)
          AudioQueueStart(player.queue, nil)
          var nearest = stamp
          _ = AudioQueueDeviceGetNearestStartTime(player.queue, &nearest, 0)
          var translated = AudioTimeStamp()
          translated.mFlags = [.sampleTimeValid, .hostTimeValid]
          _ = AudioQueueDeviceTranslateTime(player.queue, &stamp, &translated)
          var now = AudioTimeStamp()
          _ = AudioQueueGetCurrentTime(player.queue, nil, &now, nil)
          #expect(now.mSampleTime.isFinite)
        }
      }
    }
  }

  @Test("the fields of a buffer do not decide what memory is used")
  func bufferFields() throws {
    let player = try TestPlayer(floatFormat())
    var format = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    let sound = noise(100)
    let buffer = try player.buffer(sound)
    change(buffer) { $0.byteCount = .max }
    #expect(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == kAudioQueueErr_InvalidBuffer)
    change(buffer) {
      ($0.capacity, $0.byteCount, $0.data) = (.max, 401, 16)
    }
    #expect(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == kAudioQueueErr_InvalidBuffer)
    change(buffer) { $0.byteCount = 400 }
    #expect(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == noErr)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    let target = try player.buffer([Float](repeating: 0, count: 50))
    change(target) { $0.capacity = .max }
    var time = AudioTimeStamp()
    #expect(
      AudioQueueOfflineRender(player.queue, &time, target, 100) == kAudioQueueErr_InvalidBuffer)
    #expect(AudioQueueOfflineRender(player.queue, &time, target, 50) == noErr)
    let memory = target.pointee.mAudioData.assumingMemoryBound(to: Float.self)
    #expect(Array(UnsafeBufferPointer(start: memory, count: 50)) == Array(sound.prefix(50)))
  }

  @Test("packets are described as often as there is room, with any numbers")
  func packets() throws {
    var packed = compressed(kAudioFormatAppleIMA4)
    (packed.mBytesPerPacket, packed.mFramesPerPacket) = (34, 64)
    let player = try TestPlayer(packed)
    let bytes = [UInt8](repeating: 0, count: 340)
    let buffer = try bytes.withUnsafeBytes { try player.buffer($0, descriptions: 4) }
    change(buffer) { ($0.packetCapacity, $0.packetCount) = (.max, .max) }
    #expect(AudioQueueEnqueueBuffer(player.queue, buffer, 0, nil) == kAudioQueueErr_InvalidBuffer)
    change(buffer) { $0.packetCount = 0 }
    var one = AudioStreamPacketDescription()
    #expect(
      AudioQueueEnqueueBuffer(player.queue, buffer, .max, &one) == kAudio_ParamError)
    var many = [Int64.min, -1, 0, 339, .max].flatMap { start in
      [0, 1, 34, UInt32.max].map { size in
        AudioStreamPacketDescription(
          mStartOffset: start, mVariableFramesInPacket: .max, mDataByteSize: size)
      }
    }
    var format = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    #expect(AudioQueueEnqueueBuffer(player.queue, buffer, UInt32(many.count), &many) == noErr)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueStop(player.queue, false) == noErr)
    _ = try player.renderAll()
    #expect(player.returnedCount == 1)
  }

  @Test("properties of any size have an answer")
  func properties() throws {
    let player = try TestPlayer(floatFormat())
    let bytes = [UInt8](repeating: 0xFF, count: 4_096)
    for id in [
      kAudioQueueProperty_MagicCookie, kAudioQueueProperty_ChannelLayout,
      kAudioQueueProperty_DecodeBufferSizeFrames, kAudioQueueProperty_TimePitchAlgorithm,
      kAudioQueueProperty_EnableLevelMetering, kAudioQueueProperty_HardwareCodecPolicy,
    ] {
      for size in [0, 1, 4, 8, 12, 32, 4_096, UInt32.max] {
        _ = AudioQueueSetProperty(player.queue, id, bytes, size)
      }
    }
    #expect(
      AudioQueueSetProperty(player.queue, kAudioQueueProperty_ChannelLayout, bytes, .max)
        == kAudioQueueErr_InvalidPropertySize)
  }

  @Test("levels recover from samples that are no numbers")
  func levels() throws {
    let player = try TestPlayer(floatFormat())
    var format = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    player.set(kAudioQueueProperty_EnableLevelMetering, UInt32(1))
    try player.enqueue([.nan, .infinity, -.infinity, 1e30])
    try player.enqueue([Float](repeating: 0, count: 480_000))
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueStop(player.queue, false) == noErr)
    _ = try player.renderAll()
    let level = try player.property(
      kAudioQueueProperty_CurrentLevelMeter,
      AudioQueueLevelMeterState(mAveragePower: 1, mPeakPower: 1))
    #expect(level.mAveragePower < 0.01 && level.mPeakPower < 0.01)
  }
}
