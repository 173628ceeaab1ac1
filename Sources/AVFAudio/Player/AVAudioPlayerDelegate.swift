// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Receives the events of an `AVAudioPlayer`, on the main queue. Every method may be left out.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
  /// The sound has been played to its end. It was not if the device was lost or the sound could not
  /// be decoded.
  func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)

  /// The sound cannot be decoded further.
  func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
}

extension AVAudioPlayerDelegate {
  public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
  public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
}
