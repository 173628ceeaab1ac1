// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The positions, sizes and frame counts of a file's packets.
package struct PacketTable {
  private var offsets: [Int] = []
  private var sizes: [UInt32] = []
  /// The first frame of each packet, when packets differ in length.
  private var starts: [Int] = []
  private var framesPerPacket: Int
  private var lastFrames = 0
  package private(set) var maximumSize = 0
  /// The size of all packets together.
  package private(set) var byteCount = 0

  /// An empty table. If `framesPerPacket` is 0, each packet has its own count.
  package init(framesPerPacket: Int) { self.framesPerPacket = framesPerPacket }

  package var count: Int { offsets.count }

  package var frameCount: Int {
    framesPerPacket > 0 ? count * framesPerPacket : (starts.last ?? 0) + lastFrames
  }

  /// Adds a packet. Its size and frames are limited to 32 bits, as in a packet description, because
  /// a file may claim any number.
  mutating func append(offset: Int, size: Int, frames: Int = 0) {
    let size = UInt32(clamping: size)
    offsets.append(offset)
    sizes.append(size)
    if framesPerPacket == 0 {
      starts.append((starts.last ?? 0) + lastFrames)
      lastFrames = Int(UInt32(clamping: frames))
    }
    maximumSize = max(maximumSize, Int(size))
    byteCount += Int(size)
  }

  mutating func append(_ packet: FoundPacket) {
    append(offset: packet.offset, size: packet.byteCount, frames: packet.frames)
  }

  /// The same packets with another length, which all have.
  func with(framesPerPacket: Int) -> PacketTable {
    var made = PacketTable(framesPerPacket: framesPerPacket)
    for index in offsets.indices { made.append(offset: offsets[index], size: size(index)) }
    return made
  }

  /// Removes packets from the end. `maximumSize` remains an upper bound.
  mutating func removeLast(_ removed: Int) {
    byteCount -= sizes.suffix(removed).reduce(0) { $0 + Int($1) }
    offsets.removeLast(removed)
    sizes.removeLast(removed)
    guard framesPerPacket == 0, removed > 0 else { return }
    let end = starts[starts.count - removed]
    starts.removeLast(removed)
    lastFrames = starts.last.map { end - $0 } ?? 0
  }

  /// Sets the position of a packet.
  mutating func move(_ index: Int, to offset: Int) { offsets[index] = offset }

  /// Shifts the positions of all packets.
  mutating func shift(by distance: Int) {
    for index in offsets.indices { offsets[index] += distance }
  }

  /// The position of a packet in the file, and its size.
  package func offset(_ index: Int) -> Int { offsets[index] }
  package func size(_ index: Int) -> Int { Int(sizes[index]) }

  /// The frames of one packet.
  package func frames(_ index: Int) -> Int {
    if framesPerPacket > 0 { return framesPerPacket }
    return index + 1 < starts.count ? starts[index + 1] - starts[index] : lastFrames
  }

  /// The first frame of a packet; the number of all frames for those beyond the last.
  package func start(_ index: Int) -> Int {
    guard index < count else { return frameCount }
    return framesPerPacket > 0 ? index * framesPerPacket : starts[index]
  }

  /// The packet that contains a frame, 0...count.
  package func packet(at frame: Int) -> Int {
    if framesPerPacket > 0 { return min(count, max(0, frame / framesPerPacket)) }
    guard frame < frameCount else { return count }
    return max(0, Self.upperBound(starts, frame) - 1)
  }

  /// The packet that contains a byte of the file; packets are in file order.
  package func packet(atByte byte: Int) -> Int { max(0, Self.upperBound(offsets, byte) - 1) }

  /// The index after the last number that is at most `value`; the numbers are ascending.
  private static func upperBound(_ numbers: [Int], _ value: Int) -> Int {
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
