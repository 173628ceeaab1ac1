// SPDX-License-Identifier: Apache-2.0
public import AVFoundation

/// The first step of every program: says what it is for, asks for a rate and a short cycle, and activates
/// the session. Returns the rate that was granted, at which nothing has to be converted.
public func activateSession(
  _ category: AVAudioSession.Category, sampleRate: Double = 48_000, cycle: TimeInterval = 0.01
) throws -> Double {
  let session = AVAudioSession.sharedInstance()
  do {
    try session.setCategory(category)
    // Preferences come before the activation. A device that cannot fulfil them is no error.
    try session.setPreferredSampleRate(sampleRate)
    try session.setPreferredIOBufferDuration(cycle)
    try session.setActive(true)
  } catch { throw Failure(error.localizedDescription) }
  // Without a device, the first call that needs one reports it.
  return session.sampleRate > 0 ? session.sampleRate : sampleRate
}
