// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

extension AudioTimeStamp {
  /// A time of the device in seconds, as `deviceCurrentTime` of players and recorders; one that is over
  /// means at once.
  ///
  /// - Throws: `kAudio_ParamError` if it is not finite.
  init(deviceTime seconds: TimeInterval) throws {
    guard seconds.isFinite else {
      throw NSError(
        AudioError.invalidArgument.because("\(seconds) is not a time; use deviceCurrentTime"))
    }
    self.init()
    mFlags = .hostTimeValid
    mHostTime = max(AVAudioTime.hostTime(forSeconds: seconds), 1)
  }
}
