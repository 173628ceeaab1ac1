// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap
// A synthesizer on an audio queue with three buffers, filled by a callback without captures.
// Plays 660 Hz at 0.25.

import AudioToolbox
import Foundation

class Synth {
  var queue: AudioQueueRef?
  var buffers = [AudioQueueBufferRef?](repeating: nil, count: 3)
  var phase = 0.0

  func fill(_ buffer: AudioQueueBufferRef) {
    let samples = buffer.pointee.mAudioData.assumingMemoryBound(to: Int16.self)
    let count = Int(buffer.pointee.mAudioDataBytesCapacity) / MemoryLayout<Int16>.size
    for i in 0..<count {
      samples[i] = Int16(sin(phase * 2 * .pi) * 8192)
      phase += 660.0 / 44100.0
    }
    buffer.pointee.mAudioDataByteSize = buffer.pointee.mAudioDataBytesCapacity
  }

  func start() {
    var format = AudioStreamBasicDescription(
      mSampleRate: 44100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kLinearPCMFormatFlagIsSignedInteger | kLinearPCMFormatFlagIsPacked,
      mBytesPerPacket: 2, mFramesPerPacket: 1, mBytesPerFrame: 2, mChannelsPerFrame: 1,
      mBitsPerChannel: 16, mReserved: 0)
    let me = Unmanaged.passUnretained(self).toOpaque()
    let status = AudioQueueNewOutput(
      &format,
      { userData, queue, buffer in
        let synth = Unmanaged<Synth>.fromOpaque(userData!).takeUnretainedValue()
        synth.fill(buffer)
        AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
      }, me, nil, nil, 0, &queue)
    guard status == noErr, let queue = queue else { exit(1) }
    for i in buffers.indices {
      guard AudioQueueAllocateBuffer(queue, 8192, &buffers[i]) == noErr else { exit(2) }
      fill(buffers[i]!)
      AudioQueueEnqueueBuffer(queue, buffers[i]!, 0, nil)
    }
    guard AudioQueueStart(queue, nil) == noErr else { exit(3) }
  }

  func stop() {
    guard let queue = queue else { return }
    AudioQueueStop(queue, true)
    AudioQueueDispose(queue, true)
    self.queue = nil
  }
}

let synth = Synth()
synth.start()
RunLoop.current.run(until: Date(timeIntervalSinceNow: 2))
synth.stop()
