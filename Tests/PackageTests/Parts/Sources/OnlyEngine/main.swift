// SPDX-License-Identifier: Apache-2.0
// Prints 512 frames of 0.5
import AVFAudio

guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
  let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)
else { fatalError("no format") }
let engine = AVAudioEngine()
let source = AVAudioSourceNode(format: format) { _, _, frames, list in
  for channel in UnsafeMutableAudioBufferListPointer(list) {
    let samples = channel.mData?.assumingMemoryBound(to: Float.self)
    for frame in 0..<Int(frames) { samples?[frame] = 0.5 }
  }
  return noErr
}
engine.attach(source)
engine.connect(source, to: engine.mainMixerNode, format: format)
try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
try engine.start()
_ = try engine.renderOffline(512, to: buffer)
print("\(buffer.frameLength) frames of \(buffer.floatChannelData?[0][511] ?? 0)")
engine.stop()
