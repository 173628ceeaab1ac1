// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Texts, markers, regions and pictures of a CAF file.
extension CAFContainer {
  private static let infoCode = ChunkCode("info")
  private static let markCode = ChunkCode("mark")
  private static let regionCode = ChunkCode("regn")
  private static let stringCode = ChunkCode("strg")

  /// The texts of the chunk `info`.
  func readInfo() throws(AudioError) -> [String: String] {
    guard let fields = try bytes(of: Self.infoCode) else { return [:] }
    let texts = fields.bytes.dropFirst(4).split(separator: 0, omittingEmptySubsequences: false)
    var info: [String: String] = [:]
    for index in stride(from: 0, to: min(texts.count - 1, 2 * Int(fields.uint32(0))), by: 2) {
      info[ByteFields.text(texts[texts.startIndex + index])] =
        ByteFields.text(texts[texts.startIndex + index + 1])
    }
    return info
  }

  /// Replaces the chunk `info`.
  func writeInfo(_ info: [String: String]) throws(AudioError) {
    try checkWritable(Self.infoCode)
    var builder = ByteBuilder(isBigEndian: true)
    builder.number(UInt32(clamping: info.count))
    for (key, text) in info.sorted(by: { $0.key < $1.key }) {
      builder.append(key.utf8)
      builder.number(UInt8(0))
      builder.append(text.utf8)
      builder.number(UInt8(0))
    }
    try store(Self.infoCode, 0, builder.bytes)
  }

  /// The texts that markers and regions refer to by number.
  private func strings() throws(AudioError) -> [UInt32: String] {
    guard let fields = try bytes(of: Self.stringCode) else { return [:] }
    let count = min(Int(fields.uint32(0)), max(0, fields.count - 4) / 12)
    var strings: [UInt32: String] = [:]
    var texts: [Int: String] = [:]
    // Texts that overlap could be as many as the bytes of the chunk, and each as long.
    var room = fields.count
    for index in 0..<count {
      let start = Int(clamping: fields.uint64(8 + 12 * index))
      guard start < fields.count - 4 - 12 * count, room > 0 else { continue }
      let text = texts[start] ?? fields.text(4 + 12 * count + start, room)
      if texts.updateValue(text, forKey: start) == nil { room -= text.utf8.count + 1 }
      strings[fields.uint32(4 + 12 * index)] = text
    }
    return strings
  }

  private func marker(
    _ fields: ByteFields, _ position: Int, _ names: inout SharedNames
  ) -> Marker {
    let id = fields.uint32(position + 12)
    return Marker(
      frame: fields.double(position + 4), name: names.name(id), id: Int32(bitPattern: id))
  }

  /// The markers of the chunk `mark`.
  func readMarkers() throws(AudioError) -> [Marker] {
    guard let fields = try bytes(of: Self.markCode) else { return [] }
    var names = SharedNames(try strings())
    let count = min(Int(fields.uint32(4)), max(0, fields.count - 8) / 28)
    return (0..<count).map { marker(fields, 8 + 28 * $0, &names) }
  }

  /// The regions of the chunk `regn`.
  func readRegions() throws(AudioError) -> [Region] {
    guard let fields = try bytes(of: Self.regionCode) else { return [] }
    var names = SharedNames(try strings())
    var regions: [Region] = []
    var position = 8
    for _ in 0..<Int(fields.uint32(4)) {
      guard position + 12 <= fields.count else { break }
      let id = fields.uint32(position)
      let count = min(Int(fields.uint32(position + 8)), (fields.count - position - 12) / 28)
      let start = position + 12
      regions.append(
        Region(
          id: id, name: names.name(0x8000_0000 | id),
          flags: AudioFileRegionFlags(rawValue: fields.uint32(position + 4)),
          markers: (0..<count).map { marker(fields, start + 28 * $0, &names) }))
      position = start + 28 * count
    }
    return regions
  }

  func write(markers: [Marker], regions: [Region]) throws(AudioError) {
    try checkWritable(Self.markCode)
    var names: [(UInt32, String)] = []
    func append(_ marker: Marker, to builder: inout ByteBuilder) {
      builder.number(UInt32(0))
      builder.double(marker.frame)
      builder.number(marker.id)
      builder.zeros(12)
    }
    var marks = ByteBuilder(isBigEndian: true)
    marks.number(UInt32(0))
    marks.number(UInt32(clamping: markers.count))
    for marker in markers {
      append(marker, to: &marks)
      if !marker.name.isEmpty { names.append((UInt32(bitPattern: marker.id), marker.name)) }
    }
    var parts = ByteBuilder(isBigEndian: true)
    parts.number(UInt32(0))
    parts.number(UInt32(clamping: regions.count))
    for region in regions {
      parts.number(region.id)
      parts.number(region.flags.rawValue)
      parts.number(UInt32(clamping: region.markers.count))
      for marker in region.markers { append(marker, to: &parts) }
      if !region.name.isEmpty { names.append((0x8000_0000 | region.id, region.name)) }
    }
    try put(Self.markCode, markers.isEmpty ? nil : marks.bytes)
    try put(Self.regionCode, regions.isEmpty ? nil : parts.bytes)
    var texts = ByteBuilder(isBigEndian: true)
    texts.number(UInt32(clamping: names.count))
    var offset = 0
    for (id, name) in names {
      texts.number(id)
      texts.number(Int64(offset))
      offset += name.utf8.count + 1
    }
    for (_, name) in names { texts.append(Array(name.utf8) + [0]) }
    try put(Self.stringCode, names.isEmpty ? nil : texts.bytes)
  }

  /// Replaces the chunk with this code; removes it when `bytes` is nil.
  private func put(_ code: ChunkCode, _ bytes: [UInt8]?) throws(AudioError) {
    if let bytes {
      try store(code, 0, bytes)
    } else if chunkCount(code) > 0 {
      try removeChunk(code, 0)
    }
  }
}
