// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Writes packets of different sizes to a new CAF file, so that whoever is killed leaves a file with a
/// table of them.
///
/// The table lies ahead, behind a free chunk into which the sound grows. Each write goes to where no
/// chunk is looked for yet, and then the sizes in the headers follow: first of the table, then of the sound.
/// Only the twelve bytes that were the head of the free chunk come after that.
final class CAFWriter {
  /// What waits at most; and never longer than a second.
  private static let pendingBytes = 16_384
  /// How far ahead the table lies at least.
  private static let gap = 1 << 20
  private static let headBytes = 36

  /// Sound that waits.
  private var pending: [UInt8] = []
  private var pendingFrames = 0
  /// Bytes of sound and packets that are in the file.
  private var byteCount = 0
  private var packetCount = 0
  /// The numbers of the table so far, and where its chunk begins.
  private var entries: [UInt8] = []
  private(set) var table: Int?
  private let writesAhead: Bool

  /// Bytes of sound recorded in the header.
  var writtenByteCount: Int { byteCount }

  init(_ store: any ByteStore) {
    // The room ahead takes none on a disk; elsewhere it might.
    writesAhead = (store is FileStore || store is OutputStore) && store.isSeekable
  }

  /// Takes a packet, which the file's table has already.
  func append(_ packet: UnsafeRawBufferPointer, _ file: CAFContainer) throws(AudioError) {
    pending += packet
    pendingFrames += file.packets.map { $0.frames($0.count - 1) } ?? 0
    let isLong = Double(pendingFrames) >= file.format.mSampleRate
    if isLong || pending.count >= Self.pendingBytes { try flush(file) }
  }

  /// Makes what waits part of the file.
  func flush(_ file: CAFContainer) throws(AudioError) {
    let free = file.dialect.headerBytes
    guard !pending.isEmpty else { return }
    let start = file.dataOffset + byteCount
    guard writesAhead else {
      try file.store.write(pending, at: start)
      return took()
    }
    // The head of the free chunk is covered by whole bytes of sound.
    guard pending.count >= free else { return }
    let end = start + pending.count
    let fresh = file.tableEntries(from: packetCount)
    try reserve(end + free, fresh.count, file, start)
    guard let table else { return }
    try file.store.write(Array(pending[free...]), at: start + free)
    try file.store.write(
      file.dialect.header(file.dialect.fillerCode, table - end - free), at: end)
    try file.store.write(fresh, at: table + Self.headBytes + entries.count)
    entries += fresh
    try file.store.write(head(file), at: table)
    let first = Array(pending[..<free])
    took()
    packetCount = file.packetCount
    try file.store.write(file.dialect.size(byteCount + 4), at: file.dataHeader + 4)
    try file.store.write(first, at: start)
  }

  private func took() {
    byteCount += pending.count
    pendingFrames = 0
    pending.removeAll(keepingCapacity: true)
  }

  /// The head of the table's chunk, and what stands in front of its numbers.
  private func head(_ file: CAFContainer) -> [UInt8] {
    file.dialect.header("pakt", Self.headBytes - file.dialect.headerBytes + entries.count)
      + file.tableHead
  }

  /// Has the table lie behind `end`, with room for more numbers.
  private func reserve(
    _ end: Int, _ more: Int, _ file: CAFContainer, _ start: Int
  ) throws(AudioError) {
    if let table, end <= table { return }
    let old = table.map { $0 + Self.headBytes + entries.count } ?? end
    let place = max(end, old) + Self.gap + 2 * entries.count
    try file.store.write(head(file) + entries, at: place)
    // From here on the new table is the one that is found.
    let free = file.dialect.headerBytes
    try file.store.write(
      file.dialect.header(file.dialect.fillerCode, place - start - free), at: start)
    try file.store.write(file.dialect.size(byteCount + 4), at: file.dataHeader + 4)
    table = place
  }

  /// Puts the table where it stays, and cuts off what lies behind it.
  func finish(_ file: CAFContainer) throws(AudioError) {
    let free = file.dialect.headerBytes
    if pending.count < free {
      try file.store.write(pending, at: file.dataOffset + byteCount)
      took()
    } else {
      try flush(file)
    }
    guard let table else { return try file.storeTable() }
    try file.store.write(file.dialect.size(byteCount + 4), at: file.dataHeader + 4)
    entries = file.tableEntries(from: 0)
    let end = file.dataOffset + byteCount
    let size = Self.headBytes + entries.count
    self.table = nil
    if try file.fitsInFront(size) {
      try file.storeTable()
      return try file.store.resize(to: end)
    }
    guard end + free + size <= table else {
      try file.store.write(head(file), at: table)
      return file.add(tableAt: table, size, behind: end)
    }
    try file.store.write(head(file) + entries, at: end + free)
    try file.store.write(file.dialect.header(file.dialect.fillerCode, 0), at: end)
    try file.store.resize(to: end + free + size)
    file.add(tableAt: end + free, size, behind: end)
  }
}
