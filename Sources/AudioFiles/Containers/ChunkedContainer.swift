// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A file of chunks, one of which holds the sound: WAV and its relatives, AIFF, CAF.
///
/// Nothing in such a file is trusted: offsets are limited to the file's length, so that sums cannot
/// overflow, and each error names the byte at which the file is wrong. In a growing file the sound
/// is written first, then the sizes in the header, so that the file is always valid.
package class ChunkedContainer: Container {
  /// A chunk other than the one with the sound.
  struct Chunk {
    var code: ChunkCode
    /// The position of its name.
    var header: Int
    /// The positions of its bytes.
    var body: Range<Int>
    /// Its bytes while they are in memory, to be written after the sound when that is complete.
    var pending: [UInt8]?

    var byteCount: Int { pending?.count ?? body.count }
  }

  let dialect: ChunkDialect
  var chunks: [Chunk] = []
  /// The position of the chunk with the sound.
  var dataHeader = 0
  /// The number of bytes before the first chunk.
  var formBytes: Int
  /// Chunks that the container manages itself, not user data.
  var structure: Set<ChunkCode> = []
  /// Bytes of sound according to the header in the file.
  private var writtenByteCount = 0
  /// The alignment of the sound in a new file; 1 when it follows the header directly.
  private(set) var dataAlignment = 1

  // MARK: Reading

  /// A file whose chunks begin after `formBytes` bytes; it has none yet.
  init(
    _ store: any ByteStore, _ kind: FileKind, _ dialect: ChunkDialect, formBytes: Int
  ) {
    self.dialect = dialect
    self.formBytes = formBytes
    super.init(store, kind, AudioStreamBasicDescription())
  }

  /// Finds all chunks, and calls `visit` with each. `largeSize` returns the size of a chunk that its
  /// header is too narrow for. When only the header is read, parsing stops at the sound.
  func parse(
    _ extent: Extent, largeSize: (ChunkCode) -> Int?,
    visit: (Chunk) throws(AudioError) -> Void
  ) throws(AudioError) {
    let fileByteCount = try store.byteCount()
    var offset = formBytes
    for number in 0..<Limits.chunks {
      guard extent == .whole || number < Limits.headerChunks else {
        throw damaged("has more than \(number) chunks before its sound")
      }
      guard offset <= fileByteCount - dialect.headerBytes else { break }
      let fields = ByteFields(
        try store.bytes(at: offset, dialect.headerBytes), isBigEndian: dialect.isBigEndian)
      guard fields.count == dialect.headerBytes else { break }
      let code = fields.code(0)
      let body = offset + dialect.headerBytes
      let room = fileByteCount - body
      if dataHeader > 0, ChunkDialect.isOutside(fields) { break }
      var declaredSize = dialect.size(fields)
      // A size that does not fit into the file loses, too.
      if declaredSize ?? .max > room, let large = largeSize(code) { declaredSize = large }
      if code == dialect.dataCode, dataHeader == 0 {
        if let size = declaredSize, try dialect.isUnknown(size, at: body, room, in: store) {
          declaredSize = nil
        }
        isUnclosed = declaredSize == nil
        foundData(at: offset, declaredSize, room)
        headerInfo.byteCount =
          isUnclosed ? nil : min(declaredDataByteCount, StreamStore.unknownLength)
        if extent == .header { break }
      } else {
        let size = declaredSize ?? .max
        if size > room, dataHeader > 0 { break }  // damage after the sound does not matter
        guard size <= room else {
          throw damaged(
            "chunk \(code.quoted) at byte \(offset) claims \(size) bytes, but \(room) follow")
        }
        let chunk = Chunk(code: code, header: offset, body: body..<body + size)
        try visit(chunk)
        chunks.append(chunk)
      }
      let end = chunks.last.map { max($0.body.upperBound, dataEnd) } ?? dataEnd
      guard end <= fileByteCount else { break }
      offset = try dialect.nextChunk(after: end, fileByteCount, in: store)
    }
    writtenByteCount = dataByteCount
  }

  /// The end of the sound, according to its header.
  private var dataEnd: Int {
    let (end, isBeyond) = dataOffset.addingReportingOverflow(declaredDataByteCount)
    return isBeyond ? .max : end
  }

  override var contentEnd: Int? {
    let end = chunks.last.map { max($0.body.upperBound, dataEnd) } ?? dataEnd
    guard !isUnclosed, end <= Limits.count else { return nil }
    return (try? dialect.nextChunk(after: end, store.byteCount(), in: store))
      ?? end + dialect.padding(end)
  }

  private func foundData(at offset: Int, _ size: Int?, _ room: Int) {
    dataHeader = offset
    let declared = max(0, (size ?? room) - dialect.dataPrefix)
    dataOffset = offset + dialect.headerBytes + dialect.dataPrefix
    declaredDataByteCount = declared
    dataByteCount = max(0, min(declared, room - dialect.dataPrefix))
  }

  /// Drops an incomplete packet at the end of the sound.
  func keepWholePackets() {
    let packet = Int(format.mBytesPerPacket)
    if packet > 0 { dataByteCount -= dataByteCount % packet }
    writtenByteCount = dataByteCount
  }

  // MARK: Chunks

  package override var chunkCodes: [ChunkCode] {
    var codes = chunks.filter { $0.header < dataHeader }.map(\.code)
    codes.append(dialect.dataCode)
    return codes + chunks.filter { $0.header > dataHeader }.map(\.code)
  }

  package override func chunkCount(_ code: ChunkCode) -> Int {
    code == dialect.dataCode ? 1 : indices(of: code).count
  }

  package override func chunkByteCount(
    _ code: ChunkCode, _ index: Int
  ) throws(AudioError) -> Int {
    if code == dialect.dataCode, index == 0 { return dataByteCount + dialect.dataPrefix }
    return chunks[try chunkIndex(code, index)].byteCount
  }

  package override func chunk(
    _ code: ChunkCode, _ index: Int, _ range: Range<Int>
  ) throws(AudioError) -> [UInt8] {
    if code == dialect.dataCode, index == 0 {
      let start = dataOffset - dialect.dataPrefix
      let end = start + dialect.dataPrefix + dataByteCount
      let part = range.clamped(to: 0..<end - start)
      return try store.bytes(at: start + part.lowerBound, part.count)
    }
    let chunk = chunks[try chunkIndex(code, index)]
    if let pending = chunk.pending { return Array(pending[range.clamped(to: 0..<pending.count)]) }
    let part = range.clamped(to: 0..<chunk.body.count)
    return try store.bytes(at: chunk.body.lowerBound + part.lowerBound, part.count)
  }

  package override func setChunk(
    _ code: ChunkCode, _ index: Int, _ bytes: [UInt8]
  ) throws(AudioError) {
    try checkWritable(code)
    try store(code, index, bytes)
  }

  package override func removeChunk(_ code: ChunkCode, _ index: Int) throws(AudioError) {
    try checkWritable(code)
    try remove(at: try chunkIndex(code, index))
  }

  package override func optimize() throws(AudioError) { try moveTailToFront() }

  // MARK: Making

  /// Writes the beginning of a new file: the bytes before the first chunk, chunks, and the header
  /// of the sound. In a pipe the size of the sound is written as `expected`, or as unknown.
  func begin(
    _ form: [UInt8], _ front: [(ChunkCode, [UInt8])], alignment: Int, expected: Int? = nil
  ) throws(AudioError) {
    let old = (
      alignment: dataAlignment, formBytes: formBytes, chunks: chunks, header: dataHeader,
      offset: dataOffset
    )
    dataAlignment = alignment
    formBytes = form.count
    var bytes = form
    chunks = []
    for (code, content) in front { add(code, content, to: &bytes) }
    let end = bytes.count + dialect.headerBytes + dialect.dataPrefix
    if end % alignment != 0 {
      let room = alignment - (end + dialect.headerBytes) % alignment
      add(dialect.fillerCode, [UInt8](repeating: 0, count: room % alignment), to: &bytes)
    }
    dataHeader = bytes.count
    let size = store.isSeekable ? 0 : expected ?? -1
    bytes += dialect.header(dialect.dataCode, size < 0 ? size : size + dialect.dataPrefix)
    bytes += [UInt8](repeating: 0, count: dialect.dataPrefix)
    dataOffset = bytes.count
    writtenByteCount = 0
    if store.isSeekable {
      for (position, patch) in sizeFields() { bytes.replace(at: position, patch) }
    }
    let before = old.offset > 0 ? try store.bytes(at: 0, old.offset) : []
    do throws(AudioError) {
      try store.write(bytes, at: 0)
      if store.isSeekable { try store.resize(to: bytes.count) }
    } catch {
      // The file keeps its old beginning.
      (dataAlignment, formBytes, chunks, dataHeader, dataOffset) = old
      if !before.isEmpty {
        try? store.write(before, at: 0)
        try? store.resize(to: before.count)
      }
      throw error
    }
  }

  private func add(_ code: ChunkCode, _ content: [UInt8], to bytes: inout [UInt8]) {
    let body = bytes.count + dialect.headerBytes
    chunks.append(Chunk(code: code, header: bytes.count, body: body..<body + content.count))
    bytes += dialect.chunk(code, content)
  }

  // MARK: Growing

  /// The end of the file: after the sound, or after the chunks that follow it.
  var endByteCount: Int {
    let soundEnd = dataOffset + dataByteCount
    let last = chunks.last { $0.pending == nil && $0.header > dataHeader }
    let end = max(soundEnd, last?.body.upperBound ?? 0)
    return end + dialect.padding(end)
  }

  /// Whether chunks follow the sound.
  var hasTail: Bool { chunks.contains { $0.pending != nil || $0.header > dataHeader } }

  package override var isOptimized: Bool { !hasTail }

  package override func writeData(
    _ bytes: UnsafeRawBufferPointer, at offset: Int
  ) throws(AudioError) {
    guard store.isWritable else {
      throw .filePermissions.because("\(store.name): is open for reading only")
    }
    guard offset >= 0, offset <= dataByteCount || store.isSeekable, offset < 1 << 60 else {
      throw .filePosition.because("\(store.name): byte \(offset) is outside the sound")
    }
    let end = offset + bytes.count
    try checkLimit(end)
    if end > dataByteCount { try detachTail() }
    do throws(AudioError) { try store.write(bytes, at: dataOffset + offset) } catch {
      if end > dataByteCount { try? recordPartialWrite() }
      throw error
    }
    if end > dataByteCount {
      dataByteCount = end
      declaredDataByteCount = end
    }
    if !defersSizes || dataByteCount - writtenByteCount >= refreshBytes { try flush() }
  }

  /// How many bytes may be written before the header is updated: a quarter of a second, but at
  /// least 16 KB.
  private var refreshBytes: Int {
    let frames = max(1, Int(format.mFramesPerPacket))
    let perSecond = format.mSampleRate / Double(frames) * Double(max(1, format.mBytesPerPacket))
    return max(16_384, Int(saturating: min(perSecond / 4, 1e9)))
  }

  /// Updates the size when the disk is full: the whole packets that were written are kept.
  private func recordPartialWrite() throws(AudioError) {
    let packet = max(1, Int(format.mBytesPerPacket))
    let present = try store.byteCount() - dataOffset
    guard present > dataByteCount + dialect.padding(dataOffset + dataByteCount) else { return }
    dataByteCount = present - present % packet
    try flush()
  }

  /// Throws when the sound would exceed the file type's size limit.
  func checkLimit(_ byteCount: Int) throws(AudioError) {
    guard dialect.sizeBytes == 4, dataOffset + byteCount > Int(UInt32.max) - 4_096 else { return }
    throw .tooLargeForKind.because(
      "\(store.name): \(kind.name) holds at most 4 GB; CAF, RF64 and Wave64 hold more")
  }

  /// Moves the chunks after the sound into memory, so that the sound can grow.
  private func detachTail() throws(AudioError) {
    let tail = chunks.indices.filter { chunks[$0].pending == nil && chunks[$0].header > dataHeader }
    guard !tail.isEmpty else { return }
    let total = tail.reduce(0) { $0 + chunks[$1].body.count }
    guard total <= 64 << 20 else {
      throw .notOptimized.because(
        "\(store.name): \(total) bytes of chunks follow the sound; AudioFileOptimize moves them")
    }
    let old = chunks
    do throws(AudioError) {
      for index in tail {
        chunks[index].pending = try bytes(of: chunks[index])
        chunks[index].header = .max
      }
      chunks.removeAll { $0.pending != nil && $0.code == dialect.fillerCode }
      // First the chunks disappear: they must not be where a size states sound.
      try store.resize(to: endByteCount)
    } catch {
      chunks = old
      throw error
    }
    try writeSizes()
  }

  // MARK: Sizes

  /// The size fields of the file and their positions; at least that of the sound.
  func sizeFields() -> [(Int, [UInt8])] {
    [(dataHeader + dialect.codeBytes, dialect.size(dataByteCount + dialect.dataPrefix))]
  }

  /// Writes all sizes, in one write when they are close together.
  func writeSizes() throws(AudioError) {
    guard store.isSeekable else { return }
    let padding = dialect.padding(dataOffset + dataByteCount)
    var failure: AudioError?
    // Unknown until all sizes are written.
    writtenByteCount = -1
    if padding > 0, !chunks.contains(where: { $0.pending == nil && $0.header > dataHeader }) {
      do throws(AudioError) {
        try store.write([UInt8](repeating: 0, count: padding), at: dataOffset + dataByteCount)
      } catch {
        // On a full disk the sound is still complete, and its size can be written.
        failure = error
      }
    }
    try writeSizeFields()
    if let failure { throw failure }
    writtenByteCount = dataByteCount
  }

  private func writeSizeFields() throws(AudioError) {
    let fields = sizeFields().sorted { $0.0 < $1.0 }
    guard let first = fields.first, let last = fields.last else { return }
    let end = last.0 + last.1.count
    if end - first.0 <= 8_192 {
      var bytes = try store.bytes(at: first.0, end - first.0)
      for (position, patch) in fields { bytes.replace(at: position - first.0, patch) }
      try store.write(bytes, at: first.0)
    } else {
      for (position, patch) in fields { try store.write(patch, at: position) }
    }
  }

  package override func flush() throws(AudioError) {
    guard store.isWritable, writtenByteCount != dataByteCount else { return }
    try writeSizes()
  }

  override func complete() throws(AudioError) {
    try attachTail()
    try flush()
  }

  /// Writes the pending chunks after the sound.
  func attachTail() throws(AudioError) {
    guard chunks.contains(where: { $0.pending != nil }), store.isSeekable else { return }
    try writeSizes()
    for index in chunks.indices {
      guard let content = chunks[index].pending else { continue }
      let header = endByteCount
      do throws(AudioError) {
        try store.write(dialect.chunk(chunks[index].code, content), at: header)
      } catch {
        // A part of a chunk would count as sound where its size is not stated yet.
        try? store.resize(to: header)
        throw error
      }
      let body = header + dialect.headerBytes
      chunks[index].header = header
      chunks[index].body = body..<body + content.count
      chunks[index].pending = nil
      // This determines `endByteCount` for the next chunk.
    }
    try writeSizes()
  }
}
