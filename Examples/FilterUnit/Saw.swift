// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// Fills all channels with a saw at 110 Hz.
func fillWithSaw(
  _ list: UnsafeMutablePointer<AudioBufferList>, from start: Double, _ frames: UInt32
) {
  for buffer in UnsafeMutableAudioBufferListPointer(list) {
    let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
    for frame in 0..<Int(frames) {
      let position = (start + Double(frame)) * 110 / 44_100
      samples?[frame] = Float(position - position.rounded(.down)) - 0.5
    }
  }
}

/// The same as the callback of an input.
let saw: AURenderCallback = { _, _, time, _, frames, list in
  guard let list else { return kAudio_ParamError }
  fillWithSaw(list, from: time.pointee.mSampleTime, frames)
  return noErr
}
