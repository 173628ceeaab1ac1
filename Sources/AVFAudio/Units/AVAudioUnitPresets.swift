// SPDX-License-Identifier: Apache-2.0

/// The factory presets of `AVAudioUnitReverb`.
public enum AVAudioUnitReverbPreset: Int, Sendable {
  case smallRoom = 0
  case mediumRoom = 1
  case largeRoom = 2
  case mediumHall = 3
  case largeHall = 4
  case plate = 5
  case mediumChamber = 6
  case largeChamber = 7
  case cathedral = 8
  case largeRoom2 = 9
  case mediumHall2 = 10
  case mediumHall3 = 11
  case largeHall2 = 12
}

/// The factory presets of `AVAudioUnitDistortion`.
public enum AVAudioUnitDistortionPreset: Int, Sendable {
  case drumsBitBrush = 0
  case drumsBufferBeats = 1
  case drumsLoFi = 2
  case multiBrokenSpeaker = 3
  case multiCellphoneConcert = 4
  case multiDecimated1 = 5
  case multiDecimated2 = 6
  case multiDecimated3 = 7
  case multiDecimated4 = 8
  case multiDistortedFunk = 9
  case multiDistortedCubed = 10
  case multiDistortedSquared = 11
  case multiEcho1 = 12
  case multiEcho2 = 13
  case multiEchoTight1 = 14
  case multiEchoTight2 = 15
  case multiEverythingIsBroken = 16
  case speechAlienChatter = 17
  case speechCosmicInterference = 18
  case speechGoldenPi = 19
  case speechRadioTower = 20
  case speechWaves = 21
}
