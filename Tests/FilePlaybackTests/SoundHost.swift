// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import AudioTestSupport
import AudioToolbox
import FilePlayback
import Foundation
import Synchronization
import Testing

/// A schedule of sounds that a program renders without a device.
final class SoundHost: @unchecked Sendable {
  let schedule: SoundSchedule
  private let channelCount: Int
  private(set) var time = 0

  init(sampleRate: Double = 48_000, channels: Int = 1) throws {
    schedule = SoundSchedule(
      try StreamFormat(
        .linear(sampleRate, channels: UInt32(channels), isInterleaved: false)))
    channelCount = channels
  }

  /// Renders the next frames; returns each channel.
  func renderAll(_ frames: Int, slice: Int = 512, hostTime: UInt64? = nil) -> [[Float]] {
    var result = [[Float]](repeating: [], count: channelCount)
    let memory = (0..<channelCount).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: slice)
    }
    defer { for channel in memory { channel.deallocate() } }
    var done = 0
    while done < frames {
      let count = min(slice, frames - done)
      for channel in memory { channel.initialize(repeating: .nan, count: slice) }
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      stamp.mSampleTime = Double(time)
      if let hostTime {
        stamp.mFlags.insert(.hostTimeValid)
        stamp.mHostTime = hostTime + UInt64(Double(done) / schedule.format.sampleRate * 1e9)
      }
      let renderer = schedule.renderer
      let isSilent = memory.withUnsafeBufferPointer {
        renderer.render($0.baseAddress.unsafelyUnwrapped, frames: count, at: &stamp)
      }
      for channel in 0..<channelCount {
        let part = Array(UnsafeBufferPointer(start: memory[channel], count: count))
        if isSilent { #expect(part.allSatisfy { $0 == 0 }) }
        result[channel] += part
      }
      time += count
      done += count
    }
    return result
  }

  /// Renders the next frames; returns the first channel.
  func render(_ frames: Int, slice: Int = 512, hostTime: UInt64? = nil) -> [Float] {
    renderAll(frames, slice: slice, hostTime: hostTime)[0]
  }

  /// Makes the sample time jump.
  func jump(to time: Int) { self.time = time }

  /// Schedules a buffer with these samples in each channel.
  @discardableResult
  func schedule(
    _ samples: [Float], at start: SoundRequest.Start = .next,
    _ options: SoundRequest.Options = [], stride: Int = 1,
    handler: (@Sendable () -> Void)? = nil
  ) -> Samples {
    let samples = Samples(samples, channels: channelCount, stride: stride)
    do {
      try schedule.schedule(
        SoundRequest(
          samples.content, owner: samples, at: start, options: options, handler: handler))
    } catch { Issue.record(error) }
    return samples
  }

  /// Schedules a part of a file.
  func schedule(
    _ file: SoundFile, from first: Int = 0, frames: UInt32 = .max, loops: UInt32 = 0,
    at start: SoundRequest.Start = .next, _ end: CallRecord? = nil
  ) throws {
    let object = try #require(Self.object(file.id))
    try schedule.schedule(
      SoundRequest(
        .file(.init(object, from: first, frameCount: frames, loops: loops)), owner: file,
        at: start, handler: end?.handler))
  }

  /// The file behind a handle.
  static func object(_ handle: AudioFileID) -> AudioFileObject? {
    defer { AudioFileObject.handles.leave(handle) }
    return AudioFileObject.handles.enter(handle)?.takeUnretainedValue()
  }

  /// The memory of a buffer.
  final class Samples {
    private let memory: UnsafeMutablePointer<Float>
    private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let channelCount: Int
    private let stride: Int
    private let count: Int

    init(_ samples: [Float], channels: Int, stride: Int) {
      let size = samples.count * stride
      memory = .allocate(capacity: max(size * channels, 1))
      memory.initialize(repeating: .nan, count: size * channels)
      table = .allocate(capacity: channels)
      for channel in 0..<channels {
        table[channel] = memory + channel * size
        for (index, sample) in samples.enumerated() { table[channel][index * stride] = sample }
      }
      channelCount = channels
      self.stride = stride
      count = samples.count
    }

    deinit {
      memory.deallocate()
      table.deallocate()
    }

    var content: SoundRequest.Content {
      .samples(.init(table, channelCount: channelCount, stride: stride, frameCount: count))
    }
  }
}

extension CallRecord {
  /// A handler that is recorded.
  var handler: @Sendable () -> Void {
    { [self] in note(noErr) }
  }
}

/// Names of events, in the order in which they came.
final class EventLog: Sendable {
  private let events = Mutex<[String]>([])

  func add(_ event: String) { events.withLock { $0.append(event) } }

  /// Waits for this many events, at most five seconds, and returns all.
  func wait(for count: Int) -> [String] {
    for _ in 0..<5_000 where events.withLock({ $0.count }) < count { usleep(1_000) }
    return events.withLock { $0 }
  }
}
