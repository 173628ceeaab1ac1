// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CAudioToolbox
import Foundation

/// Samples of a linear format that nobody changes, so that several threads may read them.
/// [any thread]
public struct AVReadOnlyAudioPCMBuffer: @unchecked Sendable {  // the buffer is never changed
  package let buffer: AVAudioPCMBuffer

  /// A copy of a buffer. The process ends if there is not enough memory.
  public init(copying buffer: AVAudioPCMBuffer) {
    self.buffer = AVAudioPCMBuffer(copying: buffer)
  }

  /// The buffer itself, which the program must not change any more.
  public init(unsafeRetaining buffer: sending AVAudioPCMBuffer) {
    buffer.takeListedLength()
    self.buffer = buffer
  }

  /// A buffer that a closure fills. The byte counts that the closure sets in the list are those of
  /// the valid frames, as in `AVAudioPCMBuffer.mutableAudioBufferList`; if it sets none, all frames
  /// are valid.
  ///
  /// - Throws: What the closure throws; an error with the code `kAudio_ParamError` if the format is
  ///   not linear or has no channels, or if a channel would have 4 GiB or more; with the code
  ///   `kAudio_MemFullError` if there is not enough memory.
  public init(
    format: AVAudioFormat, frameCapacity: Int,
    initializingWith initializer: (UnsafeMutablePointer<AudioBufferList>) throws -> Void
  ) throws {
    guard let shape = AVAudioPCMBuffer.Shape(format), let frames = UInt32(exactly: frameCapacity),
      !frames.multipliedReportingOverflow(by: shape.bytesPerFrame).overflow
    else {
      throw NSError(
        AudioError.invalidArgument.because(
          "AVReadOnlyAudioPCMBuffer: \(frameCapacity) frames of \(format)"))
    }
    guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) else {
      throw NSError(
        AudioError.outOfMemory.because(
          "AVReadOnlyAudioPCMBuffer: no memory for \(frameCapacity) frames"))
    }
    buffer.frameLength = frames
    try initializer(buffer.mutableAudioBufferList)
    buffer.takeListedLength()
    self.buffer = buffer
  }

  /// The format of the samples.
  public var format: AVAudioFormat { buffer.format }

  /// The number of frames for which there is memory.
  public var frameCapacity: Int { Int(buffer.frameCapacity) }

  /// The number of valid frames.
  public var frameLength: Int { Int(buffer.frameLength) }

  /// Samples from one frame to the next of a channel: 1, or the number of interleaved channels.
  public var stride: Int { buffer.stride }

  /// The list of the samples, as C sees it, for the time of a closure, which must not change them.
  public func withUnsafeAudioBufferList<Result>(
    _ body: (UnsafePointer<AudioBufferList>) throws -> Result
  ) rethrows -> Result { try buffer.withUnsafeAudioBufferList(body) }
}

extension AVAudioPCMBuffer {
  /// Takes over a length that a program has set in the list now: the first read would do that, and
  /// several threads may read.
  fileprivate func takeListedLength() {
    let length = frameLength
    frameLength = length
  }
}
