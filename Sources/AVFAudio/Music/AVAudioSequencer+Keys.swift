// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension AVAudioSequencer.InfoDictionaryKey {
  /// Keys of sound files, for which a MIDI file has no events.
  public static let album = Self(rawValue: kAFInfoDictionary_Album)
  public static let artist = Self(rawValue: kAFInfoDictionary_Artist)
  public static let channelLayout = Self(rawValue: kAFInfoDictionary_ChannelLayout)
  public static let composer = Self(rawValue: kAFInfoDictionary_Composer)
  public static let encodingApplication = Self(rawValue: kAFInfoDictionary_EncodingApplication)
  public static let genre = Self(rawValue: kAFInfoDictionary_Genre)
  public static let ISRC = Self(rawValue: kAFInfoDictionary_ISRC)
  public static let lyricist = Self(rawValue: kAFInfoDictionary_Lyricist)
  public static let nominalBitRate = Self(rawValue: kAFInfoDictionary_NominalBitRate)
  public static let recordedDate = Self(rawValue: kAFInfoDictionary_RecordedDate)
  public static let sourceBitDepth = Self(rawValue: kAFInfoDictionary_SourceBitDepth)
  public static let sourceEncoder = Self(rawValue: kAFInfoDictionary_SourceEncoder)
  public static let subTitle = Self(rawValue: kAFInfoDictionary_SubTitle)
  public static let trackNumber = Self(rawValue: kAFInfoDictionary_TrackNumber)
  public static let year = Self(rawValue: kAFInfoDictionary_Year)
}
