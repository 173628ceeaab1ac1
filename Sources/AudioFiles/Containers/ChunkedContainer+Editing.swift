// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

// Editing of chunks: adding, replacing and removing them.
extension ChunkedContainer {
  /// The bytes of a chunk.
  func bytes(of chunk: Chunk, limit: Int = Limits.chunkBytes) throws(AudioError) -> [UInt8] {
    if let pending = chunk.pending { return pending }
    return try store.bytes(at: chunk.body.lowerBound, min(limit, chunk.body.count))
  }

  /// The bytes of the first chunk with this code; nil when there is none.
  func bytes(of code: ChunkCode) throws(AudioError) -> ByteFields? {
    guard let chunk = chunks.first(where: { $0.code == code }) else { return nil }
    return ByteFields(try bytes(of: chunk), isBigEndian: dialect.isBigEndian)
  }

  /// The indices of the chunks with this code.
  func indices(of code: ChunkCode) -> [Int] {
    chunks.indices.filter { chunks[$0].code == code }
  }

  /// The index of one of the chunks with this code, counted from 0.
  func chunkIndex(_ code: ChunkCode, _ index: Int) throws(AudioError) -> Int {
    let matching = indices(of: code)
    guard matching.indices.contains(index) else { throw noChunk(code, index) }
    return matching[index]
  }

  /// Throws for chunks that the container manages itself, and for files that cannot be changed.
  func checkWritable(_ code: ChunkCode) throws(AudioError) {
    guard store.isWritable, store.isSeekable else {
      throw .filePermissions.because("\(store.name): cannot be changed")
    }
    guard code != dialect.dataCode, !structure.contains(code) else {
      throw .invalidChunk.because(
        "\(store.name): chunk \(code.quoted) describes the sound and follows from its format")
    }
  }

  /// Replaces or adds a chunk with any code.
  func store(_ code: ChunkCode, _ index: Int, _ bytes: [UInt8]) throws(AudioError) {
    let matching = indices(of: code)
    guard index <= matching.count else { throw noChunk(code, index) }
    guard bytes.count < Int(UInt32.max) - 64 || dialect.sizeBytes == 8 else {
      throw .tooLargeForKind.because("\(store.name): a chunk holds at most 4 GB")
    }
    guard index < matching.count else { return try add(code, bytes) }
    let chunkIndex = matching[index]
    if chunks[chunkIndex].pending != nil {
      chunks[chunkIndex].pending = bytes
    } else if chunks[chunkIndex].body.count == bytes.count {
      try store.write(bytes, at: chunks[chunkIndex].body.lowerBound)
    } else if dataByteCount == 0, chunks[chunkIndex].header < dataHeader {
      try rebuild(replacing: chunkIndex, with: bytes)
    } else {
      try remove(at: chunkIndex)
      try add(code, bytes)
    }
  }

  private func add(_ code: ChunkCode, _ bytes: [UInt8]) throws(AudioError) {
    if dataByteCount == 0, !hasTail { return try rebuild(adding: (code, bytes)) }
    if try fill(code, bytes) { return }
    let body = 0..<bytes.count
    chunks.append(Chunk(code: code, header: .max, body: body, pending: bytes))
    try attachTail()
  }

  /// Puts a chunk into a large enough filler after the other chunks with its code; false if there
  /// is none.
  private func fill(_ code: ChunkCode, _ bytes: [UInt8]) throws(AudioError) -> Bool {
    let content = bytes + [UInt8](repeating: 0, count: dialect.padding(bytes.count))
    let first = (indices(of: code).last ?? -1) + 1
    for index in chunks.indices[first...] where chunks[index].code == dialect.fillerCode {
      let filler = chunks[index]
      let rest = filler.body.count - content.count
      guard filler.pending == nil, dialect.alignment <= 2, !isReserved(filler),
        rest == 0 || rest >= dialect.headerBytes
      else { continue }
      var written = dialect.header(code, bytes.count) + content
      if rest > 0 {
        written += dialect.header(dialect.fillerCode, rest - dialect.headerBytes)
      }
      try store.write(written, at: filler.header)
      let body = filler.body.lowerBound
      chunks[index] = Chunk(code: code, header: filler.header, body: body..<body + bytes.count)
      if rest > 0 {
        let header = body + content.count
        chunks.insert(
          Chunk(
            code: dialect.fillerCode, header: header,
            body: header + dialect.headerBytes..<filler.body.upperBound), at: index + 1)
      }
      return true
    }
    return false
  }

  /// Whether a filler is reserved for the 64-bit sizes of an RF64 file.
  private func isReserved(_ chunk: Chunk) -> Bool {
    structure.contains(chunk.code) || (chunk.header == formBytes && chunk.body.count == 28)
  }

  /// Removes a chunk: truncates the file, or leaves a filler.
  func remove(at chunkIndex: Int) throws(AudioError) {
    let chunk = chunks[chunkIndex]
    if chunk.pending != nil {
      chunks.remove(at: chunkIndex)
    } else if dataByteCount == 0, chunk.header < dataHeader, !hasTail {
      try rebuild(removing: chunkIndex)
    } else if chunk.header > dataHeader, chunk.body.upperBound >= endByteCount - dialect.alignment {
      chunks.remove(at: chunkIndex)
      do throws(AudioError) { try store.resize(to: endByteCount) } catch {
        chunks.insert(chunk, at: chunkIndex)
        throw error
      }
      try writeSizes()
    } else {
      try store.write(dialect.header(dialect.fillerCode, chunk.body.count), at: chunk.header)
      chunks[chunkIndex].code = dialect.fillerCode
    }
  }

  /// Rewrites the beginning of a file that has no sound yet.
  private func rebuild(
    replacing chunkIndex: Int? = nil, with bytes: [UInt8] = [],
    adding new: (ChunkCode, [UInt8])? = nil, removing removed: Int? = nil
  ) throws(AudioError) {
    var front: [(ChunkCode, [UInt8])] = []
    var isFiller = false
    for (index, chunk) in chunks.enumerated() where index != removed {
      // `begin` adds the filler before the sound again, if one is needed.
      isFiller = chunk.code == dialect.fillerCode && !isReserved(chunk)
      if !isFiller {
        front.append((chunk.code, index == chunkIndex ? bytes : try self.bytes(of: chunk)))
      }
    }
    if let new { front.append(new) }
    let form = try store.bytes(at: 0, formBytes)
    try begin(form, front, alignment: dataAlignment)
  }

  // MARK: Optimizing

  /// Moves the chunks after the sound to the front, by rewriting the file.
  func moveTailToFront() throws(AudioError) {
    guard hasTail else { return }
    guard store.isWritable, store.isSeekable else {
      throw .filePermissions.because("\(store.name): cannot be changed")
    }
    try attachTail()
    let tail = chunks.filter { $0.header > dataHeader && $0.code != dialect.fillerCode }
    var inserted: [UInt8] = []
    for chunk in tail { inserted += dialect.chunk(chunk.code, try bytes(of: chunk)) }
    try checkLimit(dataByteCount + inserted.count)
    let old = (header: dataHeader, offset: dataOffset, chunks: chunks)
    let sound = dataHeader..<dataOffset + dataByteCount
    recordMovedTail(tail, inserted.count)
    let (store, fields, end) = (store, sizeFields(), endByteCount)
    do throws(AudioError) {
      try store.rewrite { made throws(AudioError) in
        try made.copy(from: store, 0..<old.header, to: 0)
        try made.write(inserted, at: old.header)
        try made.copy(from: store, sound, to: old.header + inserted.count)
        // The sizes are correct before the new file replaces the old one.
        for (position, patch) in fields { try made.write(patch, at: position) }
        try made.resize(to: end)
      }
    } catch {
      (dataHeader, dataOffset, chunks) = old
      throw error
    }
    try writeSizes()
  }

  /// Records that the chunks after the sound are now before it.
  private func recordMovedTail(_ tail: [Chunk], _ byteCount: Int) {
    var position = dataHeader
    chunks.removeAll { $0.header > dataHeader }
    for chunk in tail {
      let body = position + dialect.headerBytes
      chunks.append(Chunk(code: chunk.code, header: position, body: body..<body + chunk.byteCount))
      position = body + chunk.byteCount + dialect.padding(chunk.byteCount)
    }
    dataHeader += byteCount
    dataOffset += byteCount
  }
}
