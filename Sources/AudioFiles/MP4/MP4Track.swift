// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// An audio track: the format of its packets, and their positions according to the movie box.
struct MP4Track {
  let fields: ByteFields
  let box: MP4Box
  var entry: MP4SampleDescription
  let id: UInt32
  /// Time units per second, of this track and of the movie.
  private let timescale: Double
  private let movieTimescale: Double
  private let table: MP4SampleTable

  /// The audio tracks in a movie box.
  static func sound(_ movie: ByteFields) -> [MP4Box] {
    movie.boxes(0..<movie.count).filter { box in
      guard box.type == "trak", let handler = movie.box(box.body, "mdia", "hdlr") else {
        return false
      }
      return movie.code(handler.body.lowerBound + 8) == "soun"
    }
  }

  init(_ movie: ByteFields, _ box: MP4Box, _ name: String) throws(AudioError) {
    fields = movie
    self.box = box
    func damaged(_ reason: String) -> AudioError { .damagedFile.because("\(name): \(reason)") }
    guard let description = movie.box(box.body, "mdia", "minf", "stbl", "stsd"),
      let table = movie.box(box.body, "mdia", "minf", "stbl")
    else { throw damaged("its audio track has no sample description") }
    self.table = MP4SampleTable(movie, table.body)
    let entries = description.body.lowerBound + 8
    guard entries <= description.body.upperBound,
      let first = movie.boxes(entries..<description.body.upperBound).first
    else { throw damaged("its sample description is empty") }
    entry = try MP4SampleDescription(movie, first, name)
    let rate = entry.format.mSampleRate
    timescale = Self.scale(movie, movie.box(box.body, "mdia", "mdhd")) ?? rate
    movieTimescale = Self.scale(movie, movie.box(0..<movie.count, "mvhd")) ?? rate
    id = Self.id(movie, box) ?? 1
  }

  /// The number of a track; nil if it has none.
  static func id(_ movie: ByteFields, _ track: MP4Box) -> UInt32? {
    let head = movie.box(track.body, "tkhd")?.body.lowerBound
    return head.map { movie.uint32($0 + (movie.uint8($0) == 1 ? 20 : 12)) }
  }

  /// The time units per second in a header.
  static func scale(_ movie: ByteFields, _ box: MP4Box?) -> Double? {
    guard let box else { return nil }
    let position = box.body.lowerBound + (movie.uint8(box.body.lowerBound) == 1 ? 20 : 12)
    return max(1, Double(movie.uint32(position)))
  }

  /// Frames per time unit of the track.
  var framesPerUnit: Double { entry.format.mSampleRate / timescale }

  // MARK: Packets

  /// The positions of the sound when packets have one size, up to the end of the file.
  func extents(fileByteCount: Int) throws(AudioError) -> [Range<Int>] {
    let bytes = Int(entry.format.mBytesPerPacket)
    let sizes = table.sizes
    var rest = sizes.count
    // A table that gives the size of a packet counts packets.
    let samplesPerPacket = sizes.sizeOfAll == bytes ? 1 : entry.samplesPerPacket
    var extents: [Range<Int>] = []
    var total = 0
    try table.forEachChunk { offset, samples throws(AudioError) in
      let count = min(samples, rest)
      rest -= count
      let needed = (Outside(count / samplesPerPacket) * bytes).count ?? .max
      let size = min(needed, fileByteCount - offset)
      guard size > 0, total <= fileByteCount else { return false }
      total += size
      if let last = extents.last, last.upperBound == offset {
        extents[extents.count - 1] = last.lowerBound..<offset + size
      } else {
        extents.append(offset..<offset + size)
      }
      return rest > 0 && size == needed
    }
    return extents
  }

  /// The positions of packets of different sizes; stops at the first packet that the file lacks.
  func packets(_ name: String, fileByteCount: Int) throws(AudioError) -> PacketTable {
    let frames = Int(entry.format.mFramesPerPacket)
    var packets = PacketTable(framesPerPacket: frames)
    let sizes = table.sizes
    // In a stream, the file's length is no limit.
    let isKnown = fileByteCount < StreamStore.unknownLength
    let mostPackets = isKnown || sizes.isTable ? MP4Limits.packets : MP4Limits.unlistedPackets
    let times = table.durations
    var run = 0
    var remaining = times.count > 0 ? times.uint32(0) : 0
    var total = 0
    try table.forEachChunk { start, samples throws(AudioError) in
      var offset = start
      for _ in 0..<min(samples, sizes.count - packets.count) {
        let size = sizes[packets.count]
        guard offset <= fileByteCount - size else { return false }
        total += size
        // Overlapping packets could add up to more bytes than the file has.
        guard total <= fileByteCount, packets.count < mostPackets else {
          throw .damagedFile.because("\(name): declares more packets than it has bytes for")
        }
        while remaining == 0, run + 1 < times.count {
          run += 1
          remaining = times.uint32(run)
        }
        remaining = max(0, remaining - 1)
        let duration = run < times.count ? Double(times.uint32(run, 4)) * framesPerUnit : 0
        packets.append(
          offset: offset, size: size, frames: Int(saturating: min(duration.rounded(), 1e9)))
        offset += size
      }
      return packets.count < sizes.count
    }
    return packets
  }

  // MARK: What is declared

  /// The packets of the table, whether the file has them or not; for packets of one size, samples.
  var declaredPacketCount: Int { table.sizes.count }

  /// The bytes of all these packets; none if they are too many to be in any file.
  var declaredByteCount: Int {
    let (sizes, bytes) = (table.sizes, Int(entry.format.mBytesPerPacket))
    let count: Outside
    if bytes > 0 {
      let packets = sizes.count / (sizes.sizeOfAll == bytes ? 1 : max(1, entry.samplesPerPacket))
      count = Outside(packets) * bytes
    } else if let size = sizes.sizeOfAll {
      count = Outside(sizes.count) * size
    } else {
      count = (0..<sizes.count).reduce(Outside(0)) { $0 + sizes[$1] }
    }
    return count.upTo(Limits.count) ?? 0
  }

  /// The frames of sound that all these packets have.
  func declaredFrameCount(gapless: String?) -> Int {
    let units = duration(declaredPacketCount)
    let frames = Int(saturating: min(units.rounded(), Double(Limits.tableFrames)))
    let info = packetInfo(
      frames: frames, packetCount: declaredPacketCount, gapless: gapless, fragmentFrames: nil)
    return info?.validFrames ?? frames
  }

  // MARK: Priming and padding

  /// Frames of all packets, the last of which may be shortened.
  private func duration(_ packetCount: Int) -> Double {
    let times = table.durations
    var units = 0.0
    var rest = packetCount
    for run in 0..<times.count where rest > 0 {
      let count = min(rest, times.uint32(run))
      units += Double(count) * Double(times.uint32(run, 4))
      rest -= count
    }
    return units * framesPerUnit
  }

  /// Which frames are sound, according to the iTunes tag, the edit list, or the codec.
  /// `fragmentFrames`: of all packets, the last of which may be shortened, in a fragmented file.
  func packetInfo(
    frames all: Int, packetCount: Int, gapless: String?, fragmentFrames: Int?
  ) -> Container.PacketInfo? {
    if let gapless {
      let words = gapless.split(separator: " ").map { Int($0, radix: 16) ?? -1 }
      if words.count >= 4, words[1] >= 0, words[2] >= 0, words[3] > 0,
        words[1] < 1 << 40, words[2] < 1 << 40, words[3] < 1 << 50
      {
        let sum = words[1] + words[2] + words[3]
        // In HE-AAC it counts frames of the core.
        let isExtended = [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(
          entry.format.mFormatID)
        if let scale = (isExtended ? [1, 2] : [1]).first(where: { abs($0 * sum - all) <= 1_024 }) {
          return .init(
            validFrames: scale * words[3], primingFrames: scale * words[1],
            remainderFrames: scale * words[2])
        }
      }
    }
    var priming = entry.primingFrames
    var total = min(fragmentFrames.map(Double.init) ?? duration(packetCount), Double(all))
    if total <= 0 { total = Double(all) }
    var length = Double.infinity
    if let edit = firstEdit {
      priming = Int(saturating: min((Double(edit.time) * framesPerUnit).rounded(), 1e9))
      if edit.duration > 0 {
        length = Double(edit.duration) * entry.format.mSampleRate / movieTimescale
      }
    }
    var valid = max(0, total - Double(priming))
    // The movie's time unit may be too coarse to express the exact end.
    let step = entry.format.mSampleRate / movieTimescale + 1
    if length < valid - (movieTimescale == entry.format.mSampleRate ? 0 : step) { valid = length }
    let frames = min(Int(saturating: valid.rounded()), max(0, all - priming))
    guard priming > 0 || frames < all else { return nil }
    return .init(
      validFrames: frames, primingFrames: priming, remainderFrames: max(0, all - priming - frames))
  }

  /// The first edit that is not silence.
  private var firstEdit: (duration: Int, time: Int)? {
    guard let list = fields.box(box.body, "edts", "elst") else { return nil }
    let isLong = fields.uint8(list.body.lowerBound) == 1
    let edits = MP4Table(fields, list, entryBytes: isLong ? 20 : 12)
    for index in 0..<edits.count {
      let duration = isLong ? edits.uint64(index) : edits.uint32(index)
      let time =
        isLong
        ? Int(fields.int64(edits.start + 20 * index + 8))
        : Int(fields.int32(edits.start + 12 * index + 4))
      if time >= 0 { return (duration, time) }
    }
    return nil
  }
}
