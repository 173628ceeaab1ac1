// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox

extension GraphDescription.Format {
  /// Sets the described parts of a bus's format; the others remain.
  func set(
    on unit: UnitInstance, _ scope: AudioUnitScope, _ bus: AudioUnitElement,
    at place: TextPlace
  ) throws(GraphDescriptionFailure) {
    if let sampleRate, channels == nil, samples == nil, isInterleaved == nil {
      return try unit.set(kAudioUnitProperty_SampleRate, to: sampleRate, scope, bus, at: place)
    }
    guard let current = unit.streamDescription(scope, bus) else {
      throw GraphDescriptionFailure(at: place, "this bus has no stream format")
    }
    try unit.set(kAudioUnitProperty_StreamFormat, to: over(current), scope, bus, at: place)
  }

  /// The format `current` with the described parts replaced.
  func over(_ current: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
    let samples = samples ?? Samples(current) ?? .float32
    let isInterleaved =
      isInterleaved ?? (current.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0)
    let channels = channels ?? current.mChannelsPerFrame
    let bytes = samples.bytes * (isInterleaved ? channels : 1)
    return AudioStreamBasicDescription(
      mSampleRate: sampleRate ?? current.mSampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: samples.flags | (isInterleaved ? 0 : kAudioFormatFlagIsNonInterleaved),
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes,
      mChannelsPerFrame: channels, mBitsPerChannel: samples.bytes * 8, mReserved: 0)
  }

  /// Describes a complete format; nil if its samples cannot be described.
  init?(describing format: AudioStreamBasicDescription) {
    guard let samples = Samples(format) else { return nil }
    self.init(
      sampleRate: format.mSampleRate, channels: format.mChannelsPerFrame, samples: samples,
      isInterleaved: format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0)
  }
}

extension GraphDescription.Format.Samples {
  var bytes: UInt32 { self == .int16 ? 2 : 4 }

  var flags: AudioFormatFlags {
    switch self {
    case .float32: kAudioFormatFlagsNativeFloatPacked
    case .int16, .int32: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
    case .fixed824:
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        | (24 << kLinearPCMFormatFlagsSampleFractionShift)
    }
  }

  /// The sample type of a format; nil if it is not one of these.
  init?(_ format: AudioStreamBasicDescription) {
    let ignored = kAudioFormatFlagIsNonInterleaved | kAudioFormatFlagIsPacked
    let match = Self.allCases.first { samples in
      samples.flags & ~ignored == format.mFormatFlags & ~ignored
        && samples.bytes * 8 == format.mBitsPerChannel
    }
    guard format.mFormatID == kAudioFormatLinearPCM, let match else { return nil }
    self = match
  }
}
