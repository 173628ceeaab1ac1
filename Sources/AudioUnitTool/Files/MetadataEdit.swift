// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// Tags, a picture, markers and loops that are set.
struct MetadataEdit: Sendable {
  /// The usual keys, for completions.
  static let keys = [
    "title", "artist", "album", "year", "comments", "composer", "genre", "copyright", "lyricist",
    "tempo", "track number", "key signature", "time signature", "encoding application",
  ]

  /// Keys of the info dictionary with their texts; an empty text removes a tag.
  var tags: [Pair] = []
  var picture: [UInt8]?
  var markers: [Place] = []
  var loops: [Loop] = []

  /// "KEY=TEXT".
  struct Pair: Sendable {
    let key: String
    let text: String

    init?(_ word: String) {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else { return nil }
      (key, text) = (String(sides[0]).lowercased(), String(sides[1]))
    }
  }

  /// "TIME=NAME", or only a time.
  struct Place: Sendable {
    let position: SoundPosition
    let name: String

    init?(_ word: String) {
      let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard let time = sides.first.flatMap(SoundPosition.init) else { return nil }
      (position, name) = (time, sides.count > 1 ? sides[1] : "")
    }
  }

  /// "FROM/TO".
  struct Loop: Sendable {
    let from: SoundPosition
    let to: SoundPosition

    init?(_ word: String) {
      let sides = word.split(separator: "/").map(String.init)
      guard sides.count == 2, let from = SoundPosition(sides[0]), let to = SoundPosition(sides[1])
      else { return nil }
      (self.from, self.to) = (from, to)
    }
  }

  /// Whether nothing is set.
  var isEmpty: Bool { tags.isEmpty && picture == nil && markers.isEmpty && loops.isEmpty }

  /// Changes the metadata of a sound with `frameCount` frames. Markers and loops that are given replace
  /// those of the input.
  ///
  /// - Throws: If a place is not in the sound.
  func apply(
    to metadata: inout SoundFileMetadata, sampleRate: Double, frameCount: Int?
  ) throws(Failure) {
    for tag in tags { metadata.info[tag.key] = tag.text.isEmpty ? nil : tag.text }
    if let picture { metadata.artwork = picture }
    func frame(_ place: SoundPosition, _ option: String) throws(Failure) -> Double {
      guard let frame = place.frame(at: sampleRate, of: frameCount), frame <= frameCount ?? .max
      else {
        throw Failure("\(option) \(place.text): is not in the sound")
      }
      return Double(frame)
    }
    if !markers.isEmpty {
      metadata.markers = []
      for (index, marker) in markers.enumerated() {
        metadata.markers.append(
          Marker(
            frame: try frame(marker.position, "--marker"), name: marker.name,
            id: Int32(clamping: index + 1)))
      }
    }
    if !loops.isEmpty {
      metadata.regions = []
      for (index, loop) in loops.enumerated() {
        let ends = [try frame(loop.from, "--loop"), try frame(loop.to, "--loop")]
        guard ends[0] < ends[1] else {
          throw Failure("--loop \(loop.from.text)/\(loop.to.text): ends before it begins")
        }
        metadata.regions.append(
          Region(
            id: UInt32(clamping: index + 1), name: "", flags: .loopEnable,
            markers: ends.enumerated().map {
              Marker(frame: $1, name: "", id: Int32(clamping: 1_000 + 2 * index + $0))
            }))
      }
    }
  }
}

/// The options that set them.
enum MetadataOptions {
  private static let tag = RepeatedOption<MetadataEdit.Pair>(
    "tag", "KEY=TEXT",
    .init(
      expected: "a key and a text, such as title=Prelude; without a text the tag is removed",
      limits: ", such as title=Prelude", completion: .dynamic("tag")
    ) { MetadataEdit.Pair($0) },
    "set a tag; an empty text removes it; other keys are artist, album, year, comments and more")
  private static let picture = Option<String?>(
    "picture", "FILE", .path("the path of a JPEG or PNG file"),
    "set the picture, from a JPEG or PNG file")
  private static let marker = RepeatedOption<MetadataEdit.Place>(
    "marker", "TIME=NAME",
    .init(expected: "a time and a name, such as 1:30=Chorus", limits: ", such as 1:30=Chorus") {
      MetadataEdit.Place($0)
    },
    "set markers in place of those of the input")
  private static let loop = RepeatedOption<MetadataEdit.Loop>(
    "loop", "FROM/TO",
    .init(expected: "two times, such as 0.5/2.25", limits: ", such as 0.5/2.25") {
      MetadataEdit.Loop($0)
    },
    "set loops in place of those of the input")

  static let all: [any Parameter] = [tag, picture, marker, loop]

  /// What the options request.
  ///
  /// - Throws: If the picture cannot be read, or is none.
  static func edit(_ values: Values) throws -> MetadataEdit {
    var edit = MetadataEdit()
    (edit.tags, edit.markers, edit.loops) = (values[tag], values[marker], values[loop])
    guard let path = values[picture] else { return edit }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure("\(path): \(String(cString: strerror(errno)))")
    }
    let bytes = [UInt8](data)
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8]) else {
      throw Failure("\(path): is no JPEG or PNG picture")
    }
    edit.picture = bytes
    return edit
  }
}
