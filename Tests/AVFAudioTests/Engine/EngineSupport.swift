// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import CAllocationProbe
import Foundation
import Synchronization
import Testing

/// An engine in manual rendering, and what it renders.
struct Offline {
  let engine = AVAudioEngine()
  let format: AVAudioFormat

  /// An engine that renders stereo at 48,000 Hz, unless told otherwise.
  init(_ sampleRate: Double = 48_000, _ channels: UInt32 = 2, maximum: UInt32 = 4_096) throws {
    format = try #require(
      AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximum)
  }

  /// Renders frames in slices, and returns the samples of each channel.
  func render(_ frames: Int, slice: Int = 512) throws -> [[Float]] {
    var samples = [[Float]](repeating: [], count: Int(format.channelCount))
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(slice)))
    var done = 0
    while done < frames {
      let count = min(slice, frames - done)
      let status = try engine.renderOffline(AVAudioFrameCount(count), to: buffer)
      try #require(status == .success)
      try #require(buffer.frameLength == count)
      let channels = try #require(buffer.floatChannelData)
      for channel in samples.indices {
        samples[channel] += UnsafeBufferPointer(start: channels[channel], count: count)
      }
      done += count
    }
    return samples
  }
}

/// A source whose samples count up from 0, by 1/65536 each; channels are equal.
final class Counter: @unchecked Sendable {  // one render thread at a time
  private let position = Atomic(0)
  /// The next frame. [any thread]
  var next: Int { position.load(ordering: .acquiring) }
  private(set) var stamps: [Double] = []
  var gain: Float = 1

  static func value(_ frame: Int) -> Float { Float(frame % 65_536) / 65_536 }

  /// A source node with this signal.
  func node(_ format: AVAudioFormat? = nil) -> AVAudioSourceNode {
    let block: AVAudioSourceNodeRenderBlock = { [self] _, time, frames, list in
      stamps.append(time.pointee.mSampleTime)
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) { samples?[frame] = gain * Self.value(next + frame) }
      }
      position.add(Int(frames), ordering: .releasing)
      return noErr
    }
    nonisolated(unsafe) let sendable = block
    guard let format else { return AVAudioSourceNode { sendable($0, $1, $2, $3) } }
    return AVAudioSourceNode(format: format) { sendable($0, $1, $2, $3) }
  }

  /// The first frames of the signal.
  static func samples(_ count: Int, from start: Int = 0, gain: Float = 1) -> [Float] {
    (start..<start + count).map { gain * value($0) }
  }
}

/// What a process wrote as its error.
func said(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

/// Something that another thread does while a call is at a certain place.
final class Meanwhile: Sendable {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)
  private let thread = Mutex<OwnThread<Void>?>(nil)
  private let hasEnded = Atomic(false)

  /// Sets what the other thread does.
  func set(_ new: @escaping @Sendable () -> Void) { action.withLock { $0 = new } }

  /// [the place] Lets the other thread begin, once, and waits until it has ended. It may have to wait for
  /// the call itself, so this takes a third of a second at most.
  func happen() {
    guard let action = action.withLock({ $0.take() }) else { return }
    thread.withLock {
      $0 = OwnThread { [self] in
        action()
        hasEnded.store(true, ordering: .releasing)
      }
    }
    _ = wait(seconds: 0.3) { hasEnded.load(ordering: .acquiring) }
  }

  /// [after the call] Waits for the other thread.
  func join() { thread.withLock { $0 }?.join() }
}

/// The bytes of the heap that each cycle leaves behind: the median of several batches of cycles, because
/// what is allocated once, such as a table that grows, falls into few of them. Zero where heap operations
/// are not counted. A batch ends when `isSettled` is true.
func heapGrowth(
  batches: Int = 5, of count: Int, until isSettled: () -> Bool = { true },
  _ cycle: () async throws -> Void
) async rethrows -> Int {
  func settle() {
    // Threads that end free what was theirs.
    usleep(100_000)
    _ = wait(seconds: 5, until: isSettled)
  }
  settle()
  var growths: [Int64] = []
  for _ in 0..<batches {
    let before = heap_live_bytes()
    for _ in 0..<count { try await cycle() }
    settle()
    growths.append(heap_live_bytes() - before)
  }
  return Int(growths.sorted()[batches / 2]) / count
}
