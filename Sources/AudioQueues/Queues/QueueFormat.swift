// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox

/// The formats of queues.
enum QueueFormat {
  /// Checks a format as all queues require, and fills in its missing fields.
  static func complete(_ format: AudioStreamBasicDescription) throws(AudioError)
    -> AudioStreamBasicDescription
  {
    var format = format
    let text = StreamFormat.describe(format)
    guard format.mSampleRate.isFinite, format.mSampleRate >= 200, format.mSampleRate < 3e6 else {
      throw .queueFormat.because("\(text): the rate must be above 200 and below 3,000,000 Hz")
    }
    guard (1...256).contains(format.mChannelsPerFrame) else {
      throw .queueFormat.because("\(text): expected 1 to 256 channels")
    }
    format.mReserved = 0
    guard format.mFormatID == kAudioFormatLinearPCM else { return format }
    guard
      format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 || format.mChannelsPerFrame == 1
    else { throw .queueFormat.because("\(text): queues only support interleaved samples") }
    format.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
    if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 1 }
    if format.mBytesPerFrame == 0 { format.mBytesPerFrame = format.mBytesPerPacket }
    if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
    do throws(AudioError) { _ = try StreamFormat(format) } catch {
      throw error.asStatus(.queueFormat)
    }
    return format
  }
}
