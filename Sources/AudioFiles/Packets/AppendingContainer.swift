// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A file of consecutive packets, each of which can be found without a table, so that the file is
/// always valid.
package class AppendingContainer: Container {
  /// Whether packets can be added, because the file was created, not opened.
  private(set) var grows = false
  /// The position of a frame that contains a table instead of sound.
  private(set) var tableOffset: Int?
  /// Whether the file may have bytes behind the sound, because a write failed.
  private var hasRemains = false

  /// The end of the last packet of a file that is read.
  final var foundEnd: Int?
  override var contentEnd: Int? { foundEnd }

  /// Starts a new file.
  final func begin(_ front: [UInt8]) throws(AudioError) {
    grows = true
    packets = PacketTable(framesPerPacket: Int(format.mFramesPerPacket))
    try store.write(front, at: 0)
    if store.isSeekable { try store.resize(to: front.count) }
    dataOffset = front.count
  }

  /// The bytes to write before a packet, and its number of frames; throws when the packet is not
  /// valid in this kind of file.
  func header(
    of packet: UnsafeRawBufferPointer, _ index: Int
  ) throws(AudioError) -> (bytes: [UInt8], frames: Int) { ([], 0) }

  /// Writes a frame with a table before the first packet.
  final func append(table: [UInt8]) throws(AudioError) {
    guard !table.isEmpty else { return }
    try store.write(table, at: dataOffset)
    tableOffset = dataOffset
    dataOffset += table.count
  }

  package override func appendPackets(
    _ descriptions: [AudioStreamPacketDescription], from bytes: UnsafeRawBufferPointer
  ) throws(AudioError) {
    guard grows else { throw refusal("packets are added to new files only") }
    let old = (count: packetCount, byteCount: dataByteCount)
    do throws(AudioError) {
      for packet in descriptions {
        let start = Int(packet.mStartOffset)
        let part = UnsafeRawBufferPointer(
          rebasing: bytes[start..<start + Int(packet.mDataByteSize)])
        let (head, frames) = try header(of: part, packetCount)
        let offset = dataOffset + dataByteCount
        try store.write(head + part, at: offset)
        packets?.append(offset: offset + head.count, size: part.count, frames: frames)
        dataByteCount += head.count + part.count
      }
    } catch {
      // The same packets can be written again.
      let added = packetCount - old.count
      packets?.removeLast(added)
      dataByteCount = old.byteCount
      hasRemains = store.isSeekable
      throw error
    }
    declaredDataByteCount = dataByteCount
  }

  /// Writes what a complete file has before its sound.
  func finishFront() throws(AudioError) {}

  override func complete() throws(AudioError) {
    guard grows, store.isSeekable else { return }
    try finishFront()
    guard hasRemains else { return }
    try store.resize(to: dataOffset + dataByteCount)
    hasRemains = false
  }

  /// Finds every packet of a file that is read. `framesPerPacket`: 0 if packets differ.
  final func scan(_ window: ByteWindow, framesPerPacket: Int) throws(AudioError) {
    guard var scanner = scanner() else { return }
    var table = PacketTable(framesPerPacket: framesPerPacket)
    while let packet = try scanner.next(window) {
      table.append(packet)
      foundEnd = packet.offset + packet.size
    }
    packets = table
    dataByteCount = table.byteCount
    declaredDataByteCount = dataByteCount
  }

  /// Replaces the first bytes of the file.
  final func replaceFront(_ count: Int, with bytes: [UInt8]) throws(AudioError) {
    guard store.isWritable, store.isSeekable else {
      throw .filePermissions.because("\(store.name): cannot be changed")
    }
    if bytes.count == count {
      try store.write(bytes, at: 0)
    } else {
      let store = store
      // Some stores put the new bytes behind the old ones first, and grow by them.
      let end = try store.byteCount()
      try store.rewrite { made throws(AudioError) in
        try made.write(bytes, at: 0)
        try made.copy(from: store, count..<max(count, end), to: bytes.count)
      }
    }
    let distance = bytes.count - count
    dataOffset += distance
    tableOffset = tableOffset.map { $0 + distance }
    packets?.shift(by: distance)
  }
}
