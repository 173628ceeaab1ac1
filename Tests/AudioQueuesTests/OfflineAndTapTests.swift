// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Offline rendering and processing taps of queues")
struct OfflineAndTapTests {
  @Test("renders what a device would play, and no frames after the end")
  func offline() throws {
    let sound = noise(20_000)
    let player = try TestPlayer(floatFormat())
    var format = floatFormat()
    #expect(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    for start in stride(from: 0, to: 20_000, by: 5_000) {
      try player.enqueue(Array(sound[start..<start + 5_000]))
    }
    #expect(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueStop(player.queue, false) == noErr)
    #expect(player.isRunning)
    let rendered = try player.renderAll(slice: 777)
    #expect(rendered == sound)
    #expect(!player.isRunning)
    #expect(player.returnedCount == 4)
  }

  @Test("calls the callback on the rendering thread, while it renders")
  func offlineRefill() throws {
    let player = try TestPlayer(floatFormat())
    var format = floatFormat(rate: 24_000)
    #expect(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    var rounds = 0
    player.refill = { queue, buffer in
      rounds += 1
      if rounds < 10 {
        AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
      } else {
        AudioQueueFlush(queue)
        AudioQueueStop(queue, false)
      }
    }
    #expect(AudioQueueStart(player.queue, nil) == noErr)
    try player.enqueue(Signal.sine(480, amplitude: 0.5, count: 4_800).floats)
    let rendered = try player.renderAll()
    #expect(rendered.count == 24_000)
    let tone = Signal(rendered, sampleRate: 24_000)[2_000..<22_000].tone(near: 480)
    #expect(abs(tone.amplitude - 0.5) < 1e-4)
  }

  @Test("is refused in the wrong state")
  func refusals() throws {
    let player = try TestPlayer(floatFormat())
    let buffer = try player.buffer([0, 0])
    var (format, time) = (floatFormat(), AudioTimeStamp())
    #expect(
      AudioQueueOfflineRender(player.queue, &time, buffer, 1) == kAudioQueueErr_InvalidOfflineMode)
    #expect(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    #expect(
      AudioQueueOfflineRender(player.queue, &time, buffer, 1) == kAudioQueueErr_InvalidRunState)
    #expect(AudioQueueStart(player.queue, nil) == noErr)
    #expect(
      AudioQueueOfflineRender(player.queue, &time, buffer, 3) == kAudioQueueErr_InvalidBuffer)
    #expect(
      AudioQueueSetOfflineRenderFormat(player.queue, nil, nil) == kAudioQueueErr_InvalidRunState)
  }

  /// The calls of a tap.
  private final class TapRecord {
    var frames = 0
    var starts = 0
    var ends = 0
    var statuses: [OSStatus] = []
    var times: [Double] = []
    var isSiphon = false
  }

  private let double: AudioQueueProcessingTapCallback = {
    data, tap, frames, stamp, flags, frameCount, list in
    let record = Unmanaged<TapRecord>.fromOpaque(data).takeUnretainedValue()
    if !record.isSiphon {
      record.statuses.append(
        AudioQueueProcessingTapGetSourceAudio(tap, frames, stamp, flags, frameCount, list))
      var (time, count) = (0.0, UInt32(0))
      record.statuses.append(AudioQueueProcessingTapGetQueueTime(tap, &time, &count))
      record.times.append(time)
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        for index in samples.indices { samples[index] *= 2 }
      }
    }
    record.frames += Int(frameCount.pointee)
    if flags.pointee.contains(.startOfStream) { record.starts += 1 }
    if flags.pointee.contains(.endOfStream) { record.ends += 1 }
  }

  @Test("passes every frame through its tap once", arguments: [false, true])
  func tap(isSiphon: Bool) throws {
    let sound = noise(10_000)
    let player = try TestPlayer(floatFormat())
    var format = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &format, nil) == noErr)
    let record = TapRecord()
    record.isSiphon = isSiphon
    let flags: AudioQueueProcessingTapFlags =
      isSiphon ? [.preEffects, .siphon] : .preEffects
    var (most, processed, tap) = (
      UInt32(0), AudioStreamBasicDescription(), AudioQueueProcessingTapRef?.none
    )
    func makeTap() -> OSStatus {
      AudioQueueProcessingTapNew(
        player.queue, double, Unmanaged.passUnretained(record).toOpaque(), flags, &most, &processed,
        &tap)
    }
    try #require(makeTap() == noErr)
    let made = try #require(tap)
    #expect(most > 0 && processed.mSampleRate == 48_000)
    #expect(makeTap() == kAudioQueueErr_TooManyTaps)
    try player.enqueue(sound)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    #expect(AudioQueueProcessingTapDispose(made) == kAudioQueueErr_InvalidRunState)
    #expect(AudioQueueStop(player.queue, false) == noErr)
    let rendered = try player.renderAll()
    #expect(rendered == (isSiphon ? sound : sound.map { $0 * 2 }))
    #expect(record.frames == sound.count && record.starts == 1 && record.ends == 1)
    #expect(record.statuses.allSatisfy { $0 == noErr })
    #expect(zip(record.times, record.times.dropFirst()).allSatisfy { $0 < $1 })
    var (stamp, outFlags, count) = (AudioTimeStamp(), AudioQueueProcessingTapFlags(), UInt32(0))
    var list = AudioBufferList()
    #expect(
      AudioQueueProcessingTapGetSourceAudio(made, 1, &stamp, &outFlags, &count, &list)
        == kAudioQueueErr_InvalidTapContext)
    #expect(AudioQueueProcessingTapDispose(made) == noErr)
    #expect(AudioQueueProcessingTapDispose(made) == kAudio_ParamError)
  }
}
