// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension AVAudioSequencer.InfoDictionaryKey {
  /// Keys of sound files, for which a MIDI file has no events.
  public static let album = Self(rawValue: kAFInfoDictionary_Album)
  /// Who performs.
  public static let artist = Self(rawValue: kAFInfoDictionary_Artist)
  /// The layout in words.
  public static let channelLayout = Self(rawValue: kAFInfoDictionary_ChannelLayout)
  /// Who composed it.
  public static let composer = Self(rawValue: kAFInfoDictionary_Composer)
  /// The program that made the file.
  public static let encodingApplication = Self(rawValue: kAFInfoDictionary_EncodingApplication)
  /// The kind of music.
  public static let genre = Self(rawValue: kAFInfoDictionary_Genre)
  /// The International Standard Recording Code.
  public static let ISRC = Self(rawValue: kAFInfoDictionary_ISRC)
  /// Who wrote the words.
  public static let lyricist = Self(rawValue: kAFInfoDictionary_Lyricist)
  /// Bits per second.
  public static let nominalBitRate = Self(rawValue: kAFInfoDictionary_NominalBitRate)
  /// When it was recorded.
  public static let recordedDate = Self(rawValue: kAFInfoDictionary_RecordedDate)
  /// Bits of a sample before it was encoded.
  public static let sourceBitDepth = Self(rawValue: kAFInfoDictionary_SourceBitDepth)
  /// The encoder, with its settings.
  public static let sourceEncoder = Self(rawValue: kAFInfoDictionary_SourceEncoder)
  /// A second title.
  public static let subTitle = Self(rawValue: kAFInfoDictionary_SubTitle)
  /// The place in the collection.
  public static let trackNumber = Self(rawValue: kAFInfoDictionary_TrackNumber)
  /// When it was published.
  public static let year = Self(rawValue: kAFInfoDictionary_Year)
}
