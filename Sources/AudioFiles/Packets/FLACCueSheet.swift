// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The cue sheet of FLAC (RFC 9639, 8.7): tracks, and points within them.
enum FLACCueSheet {
  /// The points, but for where the sound begins and where it ends.
  static func markers(_ fields: ByteFields) -> [Marker] {
    // A catalogue number, the frames before the first track, and reserved bytes.
    var position = 395
    let tracks = Int(fields.uint8(position))
    position += 1
    var markers: [Marker] = []
    for _ in 0..<tracks {
      guard position + 36 <= fields.count else { break }
      let (start, number) = (fields.uint64(position), fields.uint8(position + 8))
      let points = Int(fields.uint8(position + 35))
      position += 36
      // The last track is no sound.
      let isEnd = number == 170 || number == 255
      for _ in 0..<points {
        guard position + 12 <= fields.count else { break }
        let (offset, point) = (fields.uint64(position), fields.uint8(position + 8))
        position += 12
        guard !isEnd else { continue }
        markers.append(
          Marker(
            frame: Double(start) + Double(offset),
            name: point == 1 ? "Track \(number)" : "Track \(number), index \(point)",
            id: Int32(clamping: markers.count + 1)))
      }
    }
    return markers
  }
}
