// SPDX-License-Identifier: Apache-2.0

/// Consecutive pages of a new Ogg stream, in memory.
struct OggPages {
  private(set) var bytes: [UInt8] = []
  /// The number of the next page.
  private(set) var sequence: UInt32
  private let serial: UInt32

  init(serial: UInt32, sequence: UInt32) {
    self.serial = serial
    self.sequence = sequence
  }

  /// Appends packets as a page; a packet that is too large continues on the next page.
  mutating func append(_ packets: [[UInt8]], flags: UInt8, granule: Int64) {
    var segments: [UInt8] = []
    var content: [UInt8] = []
    var isContinued = false
    // A page on which no packet ends has no granule position.
    var hasEnd = false
    func endPage(_ flags: UInt8) {
      bytes += OggPage.bytes(
        flags: flags | (isContinued ? 1 : 0), granule: hasEnd ? granule : -1, serial: serial,
        sequence: sequence, segments: segments, content)
      sequence &+= 1
      segments = []
      content = []
      hasEnd = false
      isContinued = false
    }
    for packet in packets {
      var rest = packet[...]
      var size = 255
      // A packet continues after a segment of 255 bytes; its last segment has fewer, maybe none.
      while size == 255 {
        if segments.count == 255 {
          endPage(flags & 2)
          isContinued = rest.count < packet.count
        }
        size = min(255, rest.count)
        content += rest.prefix(size)
        segments.append(UInt8(clamping: size))
        rest = rest.dropFirst(size)
      }
      hasEnd = true
    }
    hasEnd = hasEnd || packets.isEmpty
    endPage(flags)
  }
}
