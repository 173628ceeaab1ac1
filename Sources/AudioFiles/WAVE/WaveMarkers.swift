// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The markers and regions of a WAV file: cue points with their labels, and the loops of an
/// instrument.
///
/// A cue point with a length is a region of that length; a loop of `smpl` is also a region.
struct WaveMarkers {
  var markers: [Marker] = []
  var regions: [Region] = []
  /// The data of the chunk `smpl` before its loops.
  private var instrument: [UInt8] = []

  private static let cue = ChunkCode("cue ")
  private static let smpl = ChunkCode("smpl")
  init(_ file: ChunkedContainer) throws(AudioError) {
    var labels: [UInt32: String] = [:]
    var lengths: [UInt32: UInt32] = [:]
    var texts: [UInt32: String] = [:]
    for part in try WaveTexts.parts("adtl", of: file) {
      let id = part.fields.uint32(0)
      switch part.code {
      case "labl": labels[id] = part.fields.text(4, part.fields.count)
      case "ltxt" where part.fields.uint32(4) > 0:
        lengths[id] = part.fields.uint32(4)
        texts[id] = part.fields.text(20, part.fields.count)
      default: break
      }
    }
    var names = SharedNames(labels)
    var regionNames = SharedNames(texts)
    if let fields = try file.bytes(of: Self.cue) {
      let count = min(Int(fields.uint32(0)), max(0, fields.count - 4) / 24)
      for index in 0..<count {
        let position = 4 + 24 * index
        let id = fields.uint32(position)
        let frame = Double(fields.uint32(position + 20))
        let name = names.name(id)
        let marker = Marker(frame: frame, name: name, id: Int32(bitPattern: id))
        if let length = lengths[id] {
          let text = regionNames.name(id)
          regions.append(
            Self.region(id, text.isEmpty ? name : text, [], frame, frame + Double(length)))
        } else {
          markers.append(marker)
        }
      }
    }
    if let fields = try file.bytes(of: Self.smpl), fields.count >= 36 {
      instrument = Array(fields.bytes.prefix(28))
      let count = min(Int(fields.uint32(28)), (fields.count - 36) / 24)
      for index in 0..<count {
        let position = 36 + 24 * index
        let id = fields.uint32(position)
        let flags = Self.loopFlags[min(2, Int(fields.uint32(position + 4)))]
        regions.append(
          Self.region(
            id, names.name(id), flags, Double(fields.uint32(position + 8)),
            Double(fields.uint32(position + 12)) + 1))
      }
    }
  }

  /// The flags of a loop for each loop type of a `smpl` chunk: forward, alternating, backward.
  private static let loopFlags: [AudioFileRegionFlags] = [
    [.loopEnable, .playForward], [.loopEnable, .playForward, .playBackward],
    [.loopEnable, .playBackward],
  ]

  private static func loopType(_ flags: AudioFileRegionFlags) -> UInt32 {
    guard flags.contains(.playBackward) else { return 0 }
    return flags.contains(.playForward) ? 1 : 2
  }

  /// A region from one frame to another.
  static func region(
    _ id: UInt32, _ name: String, _ flags: AudioFileRegionFlags, _ start: Double, _ end: Double
  ) -> Region {
    Region(
      id: id, name: name, flags: flags,
      markers: [Marker(frame: start, name: "", id: 1), Marker(frame: end, name: "", id: 2)])
  }

  func write(to file: ChunkedContainer) throws(AudioError) {
    try file.checkWritable(Self.cue)
    var points: [(UInt32, UInt32)] = []
    var parts: [(ChunkCode, [UInt8])] = []
    var loops = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
    var loopCount: UInt32 = 0
    var usedIDs: Set<UInt32> = []
    var nextID = (markers.map { UInt32(bitPattern: $0.id) }.max() ?? 0) &+ 1
    func frame(_ value: Double) -> UInt32 { UInt32(saturating: value.rounded()) }
    func label(_ code: ChunkCode, _ id: UInt32, _ extra: [UInt8], _ text: String) {
      var builder = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
      builder.number(id)
      builder.append(extra)
      builder.append(text.utf8)
      builder.number(UInt8(0))
      parts.append((code, builder.bytes))
    }
    for marker in markers {
      let id = UInt32(bitPattern: marker.id)
      points.append((id, frame(marker.frame)))
      usedIDs.insert(id)
      if !marker.name.isEmpty { label("labl", id, [], marker.name) }
    }
    for region in regions {
      guard let start = region.markers.first?.frame, let end = region.markers.last?.frame else {
        continue
      }
      let id = region.id == 0 || usedIDs.contains(region.id) ? nextID : region.id
      nextID = max(nextID, id) &+ 1
      if region.flags.contains(.loopEnable) {
        loops.number(id)
        loops.number(Self.loopType(region.flags))
        loops.number(frame(start))
        loops.number(frame(max(start, end - 1)))
        loops.number(UInt32(0))
        loops.number(UInt32(0))
        loopCount += 1
        if !region.name.isEmpty { label("labl", id, [], region.name) }
      } else {
        points.append((id, frame(start)))
        usedIDs.insert(id)
        var extra = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
        extra.number(frame(max(0, end - start)))
        extra.code("rgn ")
        extra.zeros(8)
        label("ltxt", id, extra.bytes, region.name)
      }
    }
    try writeCue(points, to: file)
    try WaveTexts.write("adtl", parts, to: file)
    try writeLoops(loops.bytes, loopCount, to: file)
  }

  private func writeCue(
    _ points: [(UInt32, UInt32)], to file: ChunkedContainer
  ) throws(AudioError) {
    guard !points.isEmpty else {
      if file.chunkCount(Self.cue) > 0 { try file.removeChunk(Self.cue, 0) }
      return
    }
    var builder = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
    builder.number(UInt32(clamping: points.count))
    for (id, frame) in points {
      builder.number(id)
      builder.number(frame)
      builder.code("data")
      builder.number(UInt32(0))
      builder.number(UInt32(0))
      builder.number(frame)
    }
    try file.store(Self.cue, 0, builder.bytes)
  }

  private func writeLoops(
    _ loops: [UInt8], _ count: UInt32, to file: ChunkedContainer
  ) throws(AudioError) {
    guard count > 0 || instrument.count == 28 else {
      if file.chunkCount(Self.smpl) > 0 { try file.removeChunk(Self.smpl, 0) }
      return
    }
    var builder = ByteBuilder(isBigEndian: file.dialect.isBigEndian)
    if instrument.count == 28 {
      builder.append(instrument)
    } else {
      builder.zeros(8)
      builder.number(UInt32(saturating: min(1e9 / file.format.mSampleRate, 4e9)))
      builder.number(UInt32(60))
      builder.zeros(12)
    }
    builder.number(count)
    builder.number(UInt32(0))
    builder.append(loops)
    try file.store(Self.smpl, 0, builder.bytes)
  }
}
