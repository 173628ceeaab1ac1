// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// A track of texts that another track names as its chapters ('tref', 'chap'), as QuickTime, iTunes and
/// ffmpeg write it: each sample is a chapter, and has the length of its name in 16 bits and the name.
enum MP4ChapterTrack {
  /// The most chapters that are read.
  private static let most = 1 << 14

  /// The chapters in the track that a sound track names first; none without such a track.
  ///
  /// - Throws: Where the store does not have all of its texts.
  static func chapters(
    _ movie: ByteFields, _ store: any ByteStore
  ) throws(AudioError) -> [Chapter] {
    guard let track = tracks(movie).first(where: { isText($0, movie) }),
      let table = movie.box(track.body, "mdia", "minf", "stbl"),
      let scale = MP4Track.scale(movie, movie.box(track.body, "mdia", "mdhd"))
    else { return [] }
    return try chapters(MP4SampleTable(movie, table.body), scale, store)
  }

  /// The tracks that sound tracks name as their chapters, in this order.
  private static func tracks(_ movie: ByteFields) -> [MP4Box] {
    let all = movie.boxes(0..<movie.count).filter { $0.type == "trak" }
    return MP4Track.sound(movie).flatMap { sound -> [MP4Box] in
      guard let list = movie.box(sound.body, "tref", "chap") else { return [] }
      return stride(from: list.body.lowerBound, to: list.body.upperBound - 3, by: 4).prefix(100)
        .compactMap { position in
          all.first { MP4Track.id(movie, $0) == movie.uint32(position) }
        }
    }
  }

  /// Whether the samples are texts: others are pictures.
  private static func isText(_ track: MP4Box, _ movie: ByteFields) -> Bool {
    guard let handler = movie.box(track.body, "mdia", "hdlr") else { return false }
    return ["text", "sbtl"].contains(movie.code(handler.body.lowerBound + 8))
  }

  private static func chapters(
    _ table: MP4SampleTable, _ scale: Double, _ store: any ByteStore
  ) throws(AudioError) -> [Chapter] {
    let (sizes, durations) = (table.sizes, table.durations)
    let count = min(most, sizes.count)
    var chapters: [Chapter] = []
    var room = Limits.nameBytes
    var (time, run) = (0.0, 0)
    var remaining = durations.count > 0 ? durations.uint32(0) : 0
    try table.forEachChunk { start, samples throws(AudioError) in
      var offset = Outside(start)
      for _ in 0..<min(samples, count - chapters.count) {
        let size = sizes[chapters.count]
        let name = room > 0 ? try name(at: offset.upTo(Limits.count), size, store) : ""
        room -= name.utf8.count
        chapters.append(Chapter(seconds: time / scale, name: name))
        while remaining == 0, run + 1 < durations.count {
          run += 1
          remaining = durations.uint32(run)
        }
        remaining = max(0, remaining - 1)
        if run < durations.count { time += Double(durations.uint32(run, 4)) }
        offset = offset + size
      }
      return chapters.count < count
    }
    return chapters
  }

  /// The name in a sample; behind it there may be boxes.
  private static func name(
    at offset: Int?, _ size: Int, _ store: any ByteStore
  ) throws(AudioError) -> String {
    guard let offset, size > 2 else { return "" }
    let wanted = min(size, 2 + Int(UInt16.max))
    let bytes = try store.bytes(at: offset, wanted)
    guard bytes.count == wanted else {
      throw .damagedFile.because("\(store.name): ends within the texts of its chapters")
    }
    let length = Int(ByteFields(bytes, isBigEndian: true).uint16(0))
    let text = bytes.dropFirst(2).prefix(length)
    switch text.prefix(2) {
    case [0xFE, 0xFF]: return wide(text.dropFirst(2), isBigEndian: true)
    case [0xFF, 0xFE]: return wide(text.dropFirst(2), isBigEndian: false)
    default: return ByteFields.text(text)
    }
  }

  /// A text in UTF-16.
  private static func wide(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    let fields = ByteFields(Array(bytes), isBigEndian: isBigEndian)
    return String(
      decoding: stride(from: 0, to: fields.count - 1, by: 2).map { fields.uint16($0) },
      as: UTF16.self)
  }

  // MARK: Removing

  /// A box of a movie without what belongs to these tracks: they themselves, and their names.
  static func removing(from box: MP4Box, _ movie: ByteFields) -> [UInt8] {
    let whole = Array(movie.bytes[box.start..<box.body.upperBound])
    guard box.type == "trak" else { return whole }
    guard !tracks(movie).contains(where: { $0.start == box.start }) else { return [] }
    guard movie.box(box.body, "tref", "chap") != nil else { return whole }
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("trak") { track in
      for part in movie.boxes(box.body) {
        guard part.type == "tref" else {
          track.append(movie.bytes[part.start..<part.body.upperBound])
          continue
        }
        let others = movie.boxes(part.body).filter { $0.type != "chap" }
        guard !others.isEmpty else { continue }
        track.box("tref") { names in
          for other in others { names.append(movie.bytes[other.start..<other.body.upperBound]) }
        }
      }
    }
    return builder.bytes
  }
}
