// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// A lock-free ring of frames from the thread that decodes a pipe to the render thread.
struct PipedFrames: ~Copyable {
  private var memory: UnsafeMutablePointer<Float>?
  private var channelCount = 0
  private var capacity = 1
  private let written = Atomic(0)
  private let readCount = Atomic(0)
  /// Whether everything has been written, and whether reading has been stopped.
  let hasEnded = Atomic(false)
  let isStopped = Atomic(false)
  /// The output unit, if its device runs as fast as possible: reads then wait for frames, and the
  /// unit is stopped a number of frames after the end.
  private var fastOutput: AudioUnit?
  private let framesAfterEnd = Atomic(0)

  deinit { memory?.deallocate() }

  /// [control thread, before the first write] Allocates the memory.
  mutating func allocate(channels: Int, capacity: Int) {
    channelCount = channels
    self.capacity = capacity
    memory = .allocate(capacity: channels * capacity)
    memory?.initialize(repeating: 0, count: channels * capacity)
  }

  /// [control thread, before the output starts] Declares that the output runs as fast as possible.
  mutating func stop(_ output: AudioUnit, framesAfterEnd count: Int) {
    fastOutput = output
    framesAfterEnd.store(count, ordering: .relaxed)
  }

  /// [any thread] The number of frames played.
  var position: Int { readCount.load(ordering: .acquiring) }
  /// [any thread] Whether everything has been played.
  var isPlayed: Bool {
    hasEnded.load(ordering: .acquiring) && position == written.load(ordering: .acquiring)
  }

  /// [decoder thread] Writes frames; waits until there is space.
  func write(_ samples: UnsafePointer<Float>, stride: Int, count: Int) {
    guard let memory else { return }
    var done = 0
    while done < count, !isStopped.load(ordering: .acquiring) {
      let end = written.load(ordering: .relaxed)
      let room = min(capacity - (end - position), count - done, capacity - end % capacity)
      guard room > 0 else {
        usleep(5_000)
        continue
      }
      for channel in 0..<channelCount {
        (memory + channel * capacity + end % capacity).update(
          from: samples + channel * stride + done, count: room)
      }
      written.store(end + room, ordering: .releasing)
      done += room
    }
  }

  /// [render thread] Fills planar buffers; with silence where frames are missing.
  func read(_ list: UnsafeMutablePointer<AudioBufferList>, _ count: Int) {
    guard let memory else { return }
    if fastOutput != nil { waitForFrames(count) }
    let buffers = UnsafeMutableAudioBufferListPointer(list)
    let start = position
    let frames = min(count, written.load(ordering: .acquiring) - start)
    for channel in 0..<min(channelCount, buffers.count) {
      guard let target = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
        continue
      }
      let place = start % capacity
      let first = min(frames, capacity - place)
      target.update(from: memory + channel * capacity + place, count: first)
      (target + first).update(from: memory + channel * capacity, count: frames - first)
      (target + frames).update(repeating: 0, count: count - frames)
    }
    readCount.store(start + frames, ordering: .releasing)
    if frames < count, let fastOutput { countSilence(count - frames, fastOutput) }
  }

  private func waitForFrames(_ count: Int) {
    while written.load(ordering: .acquiring) - position < count,
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
