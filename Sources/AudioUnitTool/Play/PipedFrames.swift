// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Foundation
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// The frames that the thread that decodes a pipe passes to the render thread.
struct PipedFrames: ~Copyable {
  private var ring = Ring<Float>(channelCount: 0, capacity: 1)
  /// Whether everything has been written, and whether reading has been stopped.
  let hasEnded = Atomic(false)
  let isStopped = Atomic(false)
  /// The output unit, if its device runs as fast as possible: reads then wait for frames, and the
  /// unit is stopped a number of frames after the end.
  private var fastOutput: AudioUnit?
  private let framesAfterEnd = Atomic(0)

  /// [control thread, before the first write] Allocates the memory.
  mutating func allocate(channels: Int, capacity: Int) {
    ring = Ring(channelCount: channels, capacity: capacity)
  }

  /// [control thread, before the output starts] Declares that the output runs as fast as possible.
  mutating func stop(_ output: AudioUnit, framesAfterEnd count: Int) {
    fastOutput = output
    framesAfterEnd.store(count, ordering: .relaxed)
  }

  /// [any thread] The number of frames played.
  var position: Int { ring.read }
  /// [any thread] Whether everything has been played.
  var isPlayed: Bool {
    hasEnded.load(ordering: .acquiring) && ring.fill == 0
  }

  /// [decoder thread] Writes frames; waits until there is space.
  func write(_ samples: UnsafePointer<Float>, stride: Int, count: Int) {
    var done = 0
    while done < count, !isStopped.load(ordering: .acquiring) {
      let part = ring.writable.prefix(count - done)
      guard !part.isEmpty else {
        usleep(5_000)
        continue
      }
      for channel in 0..<ring.channelCount {
        (ring.channels[channel] + part.lowerBound).update(
          from: samples + channel * stride + done, count: part.count)
      }
      ring.publish(upTo: ring.written + part.count)
      done += part.count
    }
  }

  /// [render thread] Fills planar buffers; with silence where frames are missing.
  func read(_ list: UnsafeMutablePointer<AudioBufferList>, _ count: Int) {
    if fastOutput != nil { waitForFrames(count) }
    let buffers = UnsafeMutableAudioBufferListPointer(list)
    let frames = min(count, ring.fill)
    for channel in 0..<min(ring.channelCount, buffers.count) {
      guard let target = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
        continue
      }
      ring.copy(channel: channel, to: target, count: frames)
      (target + frames).update(repeating: 0, count: count - frames)
    }
    ring.release(upTo: ring.read + frames)
    if frames < count, let fastOutput { countSilence(count - frames, fastOutput) }
  }

  /// [control thread, in place of the render thread] Waits for frames and copies at most `count` of
  /// them; returns how many, 0 at the end.
  func take(_ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int) -> Int {
    waitForFrames(1)
    let frames = min(count, ring.fill)
    for channel in 0..<ring.channelCount {
      ring.copy(channel: channel, to: channels[channel], count: frames)
    }
    ring.release(upTo: ring.read + frames)
    return frames
  }

  private func waitForFrames(_ count: Int) {
    while ring.fill < count,
      !hasEnded.load(ordering: .acquiring), !isStopped.load(ordering: .acquiring)
    { usleep(500) }
  }

  private func countSilence(_ frames: Int, _ output: AudioUnit) {
    let left = framesAfterEnd.load(ordering: .relaxed)
    framesAfterEnd.store(left - frames, ordering: .relaxed)
    if left <= frames { AudioOutputUnitStop(output) }
  }

  /// A callback that plays the frames; `frames` must outlive its last call.
  static func callback(_ frames: UnsafeMutablePointer<PipedFrames>) -> AURenderCallbackStruct {
    AURenderCallbackStruct(
      inputProc: { context, _, _, _, count, list in
        guard let list else { return kAudio_ParamError }
        context.assumingMemoryBound(to: PipedFrames.self).pointee.read(list, Int(count))
        return noErr
      }, inputProcRefCon: frames)
  }
}
