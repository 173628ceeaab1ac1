// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Finds the packets of a fragmented MPEG-4 file (ISO 14496-12, 8.8), in which each fragment
/// describes the bytes after it.
struct MP4Fragments: PacketScanner {
  /// The defaults for all packets, from a 'trex' box; a fragment may override them.
  struct Defaults {
    var duration = 0
    var size = 0
  }

  /// The packets of the movie box, which come first, and where the boxes behind it begin.
  private let listed: [FoundPacket]
  private let begin: Int
  private let trackID: UInt32
  private let defaults: Defaults
  private let framesPerUnit: Double
  /// The next box.
  private var box: Int
  /// The remaining packets of the current fragment, in reverse order.
  private var pending: [FoundPacket] = []
  /// Boxes read so far.
  private var boxCount = 0
  /// Whether the file ends within a fragment, or within the bytes that one describes.
  private(set) var isCut = false
  /// Whether the last box has the bytes of packets.
  private var isSound = false
  /// The bytes of all packets so far, and the end of that which is farthest behind.
  private var packetBytes = 0
  private var end = 0

  init(
    from position: Int, track: UInt32, _ defaults: Defaults, framesPerUnit: Double,
    listed: PacketTable? = nil
  ) {
    self.listed = (0..<(listed?.count ?? 0)).compactMap { index in
      listed.map {
        FoundPacket(offset: $0.offset(index), size: $0.size(index), frames: $0.frames(index))
      }
    }
    begin = position
    pending = self.listed.reversed()
    box = position
    trackID = track
    self.defaults = defaults
    self.framesPerUnit = framesPerUnit
  }

  /// The fragment defaults of a track in the movie box; nil when it has none.
  static func defaults(_ movie: ByteFields, _ track: UInt32) -> Defaults? {
    guard let extends = movie.box(0..<movie.count, "mvex") else { return nil }
    for box in movie.boxes(extends.body) where box.type == "trex" {
      let position = box.body.lowerBound
      if movie.uint32(position + 4) == track {
        return Defaults(
          duration: Int(movie.uint32(position + 12)), size: Int(movie.uint32(position + 16)))
      }
    }
    return Defaults()
  }

  var position: Int { min(pending.last?.offset ?? box, box) }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    while true {
      if let packet = pending.last {
        guard try window.reaches(packet.offset + packet.size) else {
          isCut = true
          return nil
        }
        pending.removeLast()
        packetBytes += packet.size
        end = max(end, packet.offset + packet.size)
        // Overlapping packets could add up to more bytes than the file has.
        guard packetBytes <= end else {
          throw .damagedFile.because("\(window.name): declares more packets than it has bytes for")
        }
        return packet
      }
      guard boxCount < MP4Limits.boxes, try window.reaches(box + 8) else {
        isCut = isCut || isSound && box > window.byteCount
        return nil
      }
      let head = try window.fields(box, 16)
      guard let found = MP4Box(head, 0, end: Limits.count) else { return nil }
      let next = box + found.body.upperBound
      if found.type == "moof" {
        guard found.body.count <= MP4Limits.fragmentBytes, try window.reaches(next) else {
          isCut = true
          return nil
        }
        let bytes = try window.fields(box, found.body.upperBound)
        pending = packets(bytes, found).reversed()
      }
      isSound = found.type == "mdat"
      box = next
      boxCount += 1
    }
  }

  /// The packets of a fragment, from its bytes.
  private func packets(_ fields: ByteFields, _ fragment: MP4Box) -> [FoundPacket] {
    var found: [FoundPacket] = []
    var unlisted = MP4Limits.unlistedFragmentPackets
    for track in fields.boxes(fragment.body) where track.type == "traf" {
      guard let head = fields.box(track.body, "tfhd") else { continue }
      let position = head.body.lowerBound
      let flags = fields.uint32(position)
      guard fields.uint32(position + 4) == trackID else { continue }
      var next = position + 8
      var values = defaults
      var base = box
      if flags & 1 != 0 {
        base = Int(clamping: fields.uint64(next))
        next += 8
      }
      if flags & 2 != 0 { next += 4 }
      if flags & 8 != 0 {
        values.duration = Int(fields.uint32(next))
        next += 4
      }
      if flags & 0x10 != 0 { values.size = Int(fields.uint32(next)) }
      var offset = base
      for run in fields.boxes(track.body) where run.type == "trun" {
        read(run, fields, base, &offset, values, &unlisted, &found)
      }
    }
    return found
  }

  private func read(
    _ run: MP4Box, _ fields: ByteFields, _ base: Int, _ offset: inout Int, _ values: Defaults,
    _ unlisted: inout Int, _ found: inout [FoundPacket]
  ) {
    let position = run.body.lowerBound
    let flags = fields.uint32(position)
    var next = position + 8
    if flags & 1 != 0 {
      let (start, isBeyond) = base.addingReportingOverflow(Int(fields.int32(next)))
      guard !isBeyond else { return }
      offset = start
      next += 4
    }
    if flags & 4 != 0 { next += 4 }
    let columns = ([0x100, 0x200, 0x400, 0x800] as [UInt32]).filter { flags & $0 != 0 }
    let count = Int(fields.uint32(position + 4))
    let most =
      columns.isEmpty ? unlisted : (run.body.upperBound - next) / (4 * columns.count)
    if columns.isEmpty { unlisted -= min(count, most) }
    for _ in 0..<max(0, min(count, most)) {
      var (duration, size) = (values.duration, values.size)
      for column in columns {
        if column == 0x100 { duration = Int(fields.uint32(next)) }
        if column == 0x200 { size = Int(fields.uint32(next)) }
        next += 4
      }
      guard offset >= 0, offset < Int.max >> 3 else { return }
      let frames = Int(saturating: min((Double(duration) * framesPerUnit).rounded(), 1e9))
      if size > 0 { found.append(FoundPacket(offset: offset, size: size, frames: frames)) }
      offset += size
    }
  }

  mutating func restart(at position: Int) {
    pending = position == begin ? listed.reversed() : []
    (packetBytes, end) = (0, 0)
    box = position
  }
}
