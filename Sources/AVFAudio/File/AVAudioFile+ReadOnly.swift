// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
public import AudioValues
import Foundation

extension AVAudioFile {
  /// Reads at most this many frames, and fewer where the file ends, into a buffer that other threads may
  /// read. Throws at the end of the file.
  public func read(frameCount: AVAudioFrameCount) throws -> AVReadOnlyAudioPCMBuffer {
    // The length of a compressed file may be an estimate, so there is more room than for the rest.
    let rest = max(length - framePosition, 4_096)
    let capacity = min(frameCount, AVAudioFrameCount(clamping: rest))
    guard let made = AVAudioPCMBuffer(pcmFormat: processingFormat, frameCapacity: capacity) else {
      throw EngineError.refusal(
        "AVAudioFile.read(frameCount:)", "there is no memory for \(capacity) frames",
        mend: "ask for fewer", kAudio_MemFullError)
    }
    // Nobody else has it.
    nonisolated(unsafe) let buffer = made
    try read(into: buffer, frameCount: capacity)
    return AVReadOnlyAudioPCMBuffer(unsafeRetaining: buffer)
  }

  /// Writes the frames of a buffer, which must have the processing format.
  public func write(from buffer: AVReadOnlyAudioPCMBuffer) throws {
    try write(from: buffer.buffer)
  }
}
