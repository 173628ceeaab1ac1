// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Writes packets of different sizes to a new CAF file. If the process is killed, the file has a
/// valid packet table.
///
/// The table is ahead of the sound, after a free chunk into which the sound grows. New sound and
/// new table entries are first written where no chunk extends to yet. Then the sizes in the headers
/// are updated: first the table's, then the sound's. Last, sound overwrites the twelve bytes that
/// were the header of the old free chunk.
final class CAFWriter {
  /// Pending bytes that trigger a write; a second of sound triggers one too.
  private static let pendingBytes = 16_384
  /// The minimum distance between the sound and the table.
  private static let gap = 1 << 20
  private static let headBytes = 36

  /// Sound that is not written yet.
  private var pending: [UInt8] = []
  private var pendingFrames = 0
  /// Bytes of sound, and packets, written to the file.
  private var byteCount = 0
  private var packetCount = 0
  /// The entries of the table so far, and the start of its chunk.
  private var entries: [UInt8] = []
  private(set) var table: Int?
  private let writesAhead: Bool

  /// Bytes of sound according to the header.
  var writtenByteCount: Int { byteCount }

  init(_ store: any ByteStore) {
    writesAhead = store.isSparse && store.isSeekable
  }

  /// Appends a packet that is already in the file's table.
  func append(_ packet: UnsafeRawBufferPointer, _ file: CAFContainer) {
    pending += packet
    pendingFrames += file.packets.map { $0.frames($0.count - 1) } ?? 0
  }

  /// Removes bytes of packets that could not be written. Their frames still count: too many only
  /// make the next write earlier.
  func removeLast(_ byteCount: Int) { pending.removeLast(byteCount) }

  /// Writes the pending packets if they are many.
  func flushIfLong(_ file: CAFContainer) throws(AudioError) {
    let isLong = Double(pendingFrames) >= file.format.mSampleRate
    if isLong || pending.count >= Self.pendingBytes { try flush(file) }
  }

  /// Writes the pending packets to the file. After an error they are still pending, and all of them
  /// are written again.
  func flush(_ file: CAFContainer) throws(AudioError) {
    let free = file.dialect.headerBytes
    guard !pending.isEmpty else { return }
    let start = file.dataOffset + byteCount
    guard writesAhead else {
      try file.store.write(pending, at: start)
      return clearPending()
    }
    // The sound must cover the whole header of the free chunk.
    guard pending.count >= free else { return }
    let end = start + pending.count
    let fresh = file.tableEntries(from: packetCount)
    try reserve(end + free, fresh.count, file, start)
    guard let table else { return }
    try file.store.write(Array(pending[free...]), at: start + free)
    try file.store.write(
      file.dialect.header(file.dialect.fillerCode, table - end - free), at: end)
    try file.store.write(fresh, at: table + Self.headBytes + entries.count)
    try file.store.write(head(file, entries.count + fresh.count), at: table)
    let size = file.dialect.size(byteCount + pending.count + 4)
    try file.store.write(size, at: file.dataHeader + 4)
    try file.store.write(Array(pending[..<free]), at: start)
    entries += fresh
    packetCount = file.packetCount
    clearPending()
  }

  private func clearPending() {
    byteCount += pending.count
    pendingFrames = 0
    pending.removeAll(keepingCapacity: true)
  }

  /// The header of the table's chunk, and the bytes before its entries.
  private func head(_ file: CAFContainer, _ entryBytes: Int) -> [UInt8] {
    file.dialect.header("pakt", Self.headBytes - file.dialect.headerBytes + entryBytes)
      + file.tableHead
  }

  /// Moves the table beyond `end` if necessary.
  private func reserve(
    _ end: Int, _ more: Int, _ file: CAFContainer, _ start: Int
  ) throws(AudioError) {
    if let table, end <= table { return }
    let old = table.map { $0 + Self.headBytes + entries.count } ?? end
    let position = max(end, old) + Self.gap + 2 * entries.count
    try file.store.write(head(file, entries.count) + entries, at: position)
    // From now on readers find the new table.
    let free = file.dialect.headerBytes
    try file.store.write(
      file.dialect.header(file.dialect.fillerCode, position - start - free), at: start)
    try file.store.write(file.dialect.size(byteCount + 4), at: file.dataHeader + 4)
    table = position
  }

  /// Writes the table to its final position, and truncates the file after it. After an error it can
  /// be called again.
  func finish(_ file: CAFContainer) throws(AudioError) {
    let free = file.dialect.headerBytes
    if pending.count < free {
      try file.store.write(pending, at: file.dataOffset + byteCount)
      clearPending()
    } else {
      try flush(file)
    }
    guard let table else { return try file.storeTable() }
    try file.store.write(file.dialect.size(byteCount + 4), at: file.dataHeader + 4)
    entries = file.tableEntries(from: 0)
    let end = file.dataOffset + byteCount
    let size = Self.headBytes + entries.count
    let fits = try file.fitsInFront(size)
    if fits || file.hasTable {
      try file.storeTable()
      try file.store.resize(to: end)
      self.table = nil
      return
    }
    var position = table
    if end + free + size <= table {
      position = end + free
      try file.store.write(head(file, entries.count) + entries, at: position)
      try file.store.write(file.dialect.header(file.dialect.fillerCode, 0), at: end)
      try file.store.resize(to: position + size)
    } else {
      try file.store.write(head(file, entries.count), at: table)
    }
    self.table = nil
    file.add(tableAt: position, size, after: end)
  }
}
