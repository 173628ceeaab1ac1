// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

extension Converter {
  /// Both formats with what was left open: rate and channels of the other one, and sizes that follow.
  static func complete(
    _ source: AudioStreamBasicDescription, _ destination: AudioStreamBasicDescription
  ) throws(AudioError) -> (AudioStreamBasicDescription, AudioStreamBasicDescription) {
    var (from, to) = (source, destination)
    if from.mSampleRate == 0 { from.mSampleRate = to.mSampleRate }
    if to.mSampleRate == 0 { to.mSampleRate = from.mSampleRate }
    if from.mChannelsPerFrame == 0 { from.mChannelsPerFrame = to.mChannelsPerFrame }
    if to.mChannelsPerFrame == 0 { to.mChannelsPerFrame = from.mChannelsPerFrame }
    return (try completeLinear(from), try completeLinear(to))
  }

  /// Linear PCM with packets of a frame, where they were left open.
  private static func completeLinear(_ format: AudioStreamBasicDescription) throws(AudioError)
    -> AudioStreamBasicDescription
  {
    var format = format
    guard format.mFormatID == kAudioFormatLinearPCM else {
      throw .converterFormat.because("there is no codec for \(StreamFormat.describe(format))")
    }
    if format.mFramesPerPacket == 0 { format.mFramesPerPacket = 1 }
    if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
    format.mReserved = 0
    return format
  }

  /// A description of linear PCM, refused as converters refuse.
  static func linear(_ description: AudioStreamBasicDescription) throws(AudioError) -> StreamFormat
  {
    do {
      return try StreamFormat(description)
    } catch {
      throw .converterFormat.because(error.explanation)
    }
  }
}
