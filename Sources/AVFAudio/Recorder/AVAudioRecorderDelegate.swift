// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Receives the events of an `AVAudioRecorder`, on the main queue. Every method may be left out.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
  /// The recording has ended, and its file is complete. It is not if the device was lost or the file
  /// could not be written.
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)

  /// The file cannot be written any more.
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
  public func audioRecorderDidFinishRecording(
    _ recorder: AVAudioRecorder, successfully flag: Bool
  ) {}
  public func audioRecorderEncodeErrorDidOccur(
    _ recorder: AVAudioRecorder, error: (any Error)?
  ) {}
}
