// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Reads and writes AudioFileMarkerList and AudioFileRegionList, as C structures in memory.
enum MarkerLists {
  /// A list; the caller releases its names.
  static func bytes(_ markers: [Marker]) throws(AudioError) -> [UInt8] {
    try ByteBuilder.native { builder throws(AudioError) in
      builder.number(UInt32(0))
      builder.number(UInt32(clamping: markers.count))
      for marker in markers { append(marker, to: &builder) }
    }
  }

  static func bytes(_ regions: [Region]) throws(AudioError) -> [UInt8] {
    try ByteBuilder.native { builder throws(AudioError) in
      builder.number(UInt32(0))
      builder.number(UInt32(clamping: regions.count))
      for region in regions {
        builder.number(region.id)
        builder.number(UInt32(0))
        appendName(region.name, to: &builder)
        builder.number(region.flags.rawValue)
        builder.number(UInt32(clamping: region.markers.count))
        for marker in region.markers { append(marker, to: &builder) }
      }
    }
  }

  private static func append(_ marker: Marker, to builder: inout ByteBuilder) {
    builder.double(marker.frame)
    appendName(marker.name, to: &builder)
    builder.number(marker.id)
    // The SMPTE time, which is unknown; then type, reserved and channel.
    builder.zeros(20)
  }

  private static func appendName(_ name: String, to builder: inout ByteBuilder) {
    let address = name.isEmpty ? 0 : UInt(bitPattern: Bridge.current.retainedString(name))
    builder.number(UInt64(address))
  }

  static func markers(_ bytes: [UInt8]) throws(AudioError) -> [Marker] {
    let fields = ByteFields(bytes, isBigEndian: ByteFields.isHostBigEndian)
    let count = Int(fields.uint32(4))
    guard fields.count >= 8, count <= (fields.count - 8) / 40 else {
      throw .badPropertySize.because("\(count) markers need \(8 + 40 * count) bytes")
    }
    return (0..<count).map { marker(fields, 8 + 40 * $0) }
  }

  static func regions(_ bytes: [UInt8]) throws(AudioError) -> [Region] {
    let fields = ByteFields(bytes, isBigEndian: ByteFields.isHostBigEndian)
    guard fields.count >= 8 else { throw .badPropertySize.because("8 bytes are needed") }
    var regions: [Region] = []
    var position = 8
    for index in 0..<Int(fields.uint32(4)) {
      let count = Int(fields.uint32(position + 20))
      guard position + 24 <= fields.count, count <= (fields.count - position - 24) / 40 else {
        throw .badPropertySize.because("region \(index) reaches beyond the \(fields.count) bytes")
      }
      let start = position + 24
      regions.append(
        Region(
          id: fields.uint32(position), name: name(fields, position + 8),
          flags: AudioFileRegionFlags(rawValue: fields.uint32(position + 16)),
          markers: (0..<count).map { marker(fields, start + 40 * $0) }))
      position = start + 40 * count
    }
    return regions
  }

  private static func marker(_ fields: ByteFields, _ position: Int) -> Marker {
    Marker(
      frame: fields.double(position), name: name(fields, position + 8),
      id: fields.int32(position + 16))
  }

  private static func name(_ fields: ByteFields, _ position: Int) -> String {
    UnsafeRawPointer(bitPattern: UInt(truncatingIfNeeded: fields.uint64(position)))
      .flatMap { Bridge.current.string($0) } ?? ""
  }
}
