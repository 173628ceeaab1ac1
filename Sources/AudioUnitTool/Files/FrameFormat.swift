// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The format of interleaved frames in memory.
struct FrameFormat {
  let description: AudioStreamBasicDescription

  /// Frames of some samples.
  init(_ sample: KeptSamples.Sample, _ sampleRate: Double, channelCount: Int) {
    description = sample.interleaved(sampleRate, channelCount: channelCount)
  }

  var sampleRate: Double { description.mSampleRate }
  var channelCount: Int { Int(description.mChannelsPerFrame) }
  var bytesPerFrame: Int { Int(description.mBytesPerFrame) }
  var bytesPerSample: Int { Int(description.mBitsPerChannel / 8) }
  var isFloat: Bool { description.mFormatFlags & kAudioFormatFlagIsFloat != 0 }
}
