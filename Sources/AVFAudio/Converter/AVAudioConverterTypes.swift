// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

// The enumerations, structures and functions of AVAudioConverter.

/// A place for the error of a call that reports it through a pointer: `&error`, or nil. On Apple's
/// systems Foundation has this name; here it has not.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// Supplies input when the converter needs some: about as many packets as it states, or more, or
/// fewer. It sets the status, and returns a buffer only with `.haveData`. The converter reads the
/// buffer until it asks for the next one. [the thread that converts]
public typealias AVAudioConverterInputBlock =
  @Sendable (
    _ inNumberOfPackets: AVAudioPacketCount,
    _ outStatus: UnsafeMutablePointer<AVAudioConverterInputStatus>
  ) -> AVAudioBuffer?

/// What an input block has.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// It returns a buffer.
  case haveData = 0
  /// It will have input later; the converter keeps its state.
  case noDataNow = 1
  /// It will never have input again, until `reset()`.
  case endOfStream = 2
}

/// How a conversion ended.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The output has audio: all that was requested, or the last of the stream.
  case haveData = 0
  /// The input block had no data; the output has what could be made until then.
  case inputRanDry = 1
  /// The stream has ended, and the output has no audio.
  case endOfStream = 2
  /// The conversion failed.
  case error = 3
}

/// How a sample rate conversion begins.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// The input begins with leading frames, and ends with trailing frames.
  case pre = 0
  /// Silence precedes the input, which ends with trailing frames.
  case normal = 1
  /// Silence precedes and follows the input.
  case none = 2
}

/// The frames before and after the input that a conversion uses.
public struct AVAudioConverterPrimeInfo: Sendable {
  /// Frames before the input.
  public var leadingFrames: AVAudioFrameCount
  /// Frames after the input.
  public var trailingFrames: AVAudioFrameCount

  /// No frames.
  public init() { self.init(leadingFrames: 0, trailingFrames: 0) }

  /// Frames before and after the sound.
  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    self.leadingFrames = leadingFrames
    self.trailingFrames = trailingFrames
  }
}
