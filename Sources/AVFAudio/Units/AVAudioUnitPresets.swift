// SPDX-License-Identifier: Apache-2.0

/// The factory presets of `AVAudioUnitReverb`.
public enum AVAudioUnitReverbPreset: Int, Sendable {
  /// A small room, which decays in 0.45 s.
  case smallRoom = 0
  /// A room of middle size, which decays in 0.75 s.
  case mediumRoom = 1
  /// A large room, which decays in 1.15 s.
  case largeRoom = 2
  /// A hall of middle size, which decays in 1.7 s.
  case mediumHall = 3
  /// A large hall, which decays in 2.6 s.
  case largeHall = 4
  /// A dense, bright plate, which decays in 1.9 s.
  case plate = 5
  /// An echo chamber of middle size, which decays in 1.3 s.
  case mediumChamber = 6
  /// A large echo chamber, which decays in 2 s.
  case largeChamber = 7
  /// A cathedral, which decays in 5.5 s.
  case cathedral = 8
  /// Another large room, which decays in 1.4 s.
  case largeRoom2 = 9
  /// Another hall of middle size, which decays in 1.9 s.
  case mediumHall2 = 10
  /// A third, brighter hall of middle size, which decays in 1.5 s.
  case mediumHall3 = 11
  /// Another large hall, which decays in 3.4 s.
  case largeHall2 = 12
}

/// The factory presets of `AVAudioUnitDistortion`.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
  /// Half of the bits, for drums.
  case drumsBitBrush = 0
  /// An echo of 125 ms, coarsely sampled, for drums.
  case drumsBufferBeats = 1
  /// A low rate, and a polynomial, for drums.
  case drumsLoFi = 2
  /// An echo of 4 ms and a strong polynomial.
  case multiBrokenSpeaker = 3
  /// An echo of 60 ms at the rate of a telephone.
  case multiCellphoneConcert = 4
  /// Samples held a little.
  case multiDecimated1 = 5
  /// Samples held, and rounded a little.
  case multiDecimated2 = 6
  /// Samples held longer and rounded more.
  case multiDecimated3 = 7
  /// Samples held the longest and rounded the most.
  case multiDecimated4 = 8
  /// A short echo, a polynomial, and two slow ring modulators.
  case multiDistortedFunk = 9
  /// The third power.
  case multiDistortedCubed = 10
  /// The square.
  case multiDistortedSquared = 11
  /// An echo of 250 ms.
  case multiEcho1 = 12
  /// An echo of 375 ms that decays slowly.
  case multiEcho2 = 13
  /// An echo of 30 ms.
  case multiEchoTight1 = 14
  /// An echo of 60 ms that decays slowly.
  case multiEchoTight2 = 15
  /// Everything at once.
  case multiEverythingIsBroken = 16
  /// An echo of 40 ms, and ring modulators at 330 and 1500 Hz.
  case speechAlienChatter = 17
  /// An echo of 120 ms, and ring modulators at 1100 and 3700 Hz.
  case speechCosmicInterference = 18
  /// An echo of 31.4 ms, and ring modulators at 314 and 508 Hz.
  case speechGoldenPi = 19
  /// A polynomial, and the hum of 50 and 60 Hz.
  case speechRadioTower = 20
  /// An echo of 8 ms, and ring modulators below the audible range.
  case speechWaves = 21
}
