// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Glibc
import Synchronization

/// The object behind an AudioFileID: a file that a program has open.
///
/// Calls for one file wait for each other, except while a function of the program is called: see
/// `FileLock`.
package final class AudioFileObject: @unchecked Sendable {
  package static let handles = HandleTable<AudioFileObject, AudioFileID>(kind: 0x10)

  package let container: Container
  let canRead: Bool
  let canWrite: Bool
  let lock = FileLock()
  /// The number of changes made through this object.
  private let changes = Atomic(0)
  /// Seconds of space that a program reserved.
  var reservedSeconds = 0.0

  private init(_ container: Container, canRead: Bool, canWrite: Bool) {
    self.container = container
    self.canRead = canRead
    self.canWrite = canWrite
  }

  /// A file that is only read, without a handle.
  convenience init(reading container: Container) {
    self.init(container, canRead: true, canWrite: false)
  }

  /// A file that is only written, without a handle.
  convenience init(writing container: Container) {
    self.init(container, canRead: false, canWrite: true)
  }

  // MARK: Life

  /// [control thread] Opens a file, with the permissions of a program: `AudioFilePermissions`, or
  /// names of the File Manager.
  package static func open(
    _ path: String, _ permissions: Int8, hint: AudioFileTypeID
  ) throws(AudioError) -> AudioFileObject {
    var (canRead, canWrite) = (true, true)
    switch permissions {
    case fsCurPerm:
      canWrite = access(path, W_OK) == 0
    case fsRdPerm:
      canWrite = false
    case fsWrPerm:
      canRead = false
    case fsRdWrPerm, fsRdWrShPerm:
      break
    default:
      throw .invalidArgument.because(
        "permissions \(permissions): expected 1 (read), 2 (write) or 3 (both)")
    }
    let container = try Containers.open(FileStore(path, writable: canWrite), hint: hint)
    return AudioFileObject(container, canRead: canRead, canWrite: canWrite)
  }

  /// [control thread] Opens bytes that the program stores.
  package static func open(
    _ store: CallbackStore, hint: AudioFileTypeID
  ) throws(AudioError) -> AudioFileObject {
    let container = try Containers.open(store, hint: hint)
    return AudioFileObject(container, canRead: true, canWrite: store.isWritable).sharingLock(
      with: store)
  }

  /// [control thread] Creates a file. `erases`: an existing file of that name is emptied.
  package static func create(
    _ path: String, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    erases: Bool, aligns: Bool
  ) throws(AudioError) -> AudioFileObject {
    let options = Containers.Options(alignment: aligns ? 4_096 : 1)
    // A trial in memory, so that nothing is erased when the new file cannot be created.
    _ = try Containers.create(MemoryStore(named: path), type, format, options)
    let store = try FileStore(creating: path, erases: erases)
    let container = try Containers.create(store, type, format, options)
    return AudioFileObject(container, canRead: true, canWrite: true)
  }

  /// [control thread] Creates a file in bytes that the program stores.
  package static func create(
    _ store: CallbackStore, _ type: AudioFileTypeID, _ format: AudioStreamBasicDescription,
    aligns: Bool
  ) throws(AudioError) -> AudioFileObject {
    let options = Containers.Options(alignment: aligns ? 4_096 : 1)
    _ = try Containers.create(MemoryStore(named: store.name), type, format, options)
    let container = try Containers.create(store, type, format, options)
    return AudioFileObject(container, canRead: true, canWrite: true).sharingLock(with: store)
  }

  /// Lets the store release this object's lock while it calls functions of the program.
  private func sharingLock(with store: CallbackStore) -> AudioFileObject {
    store.lock = lock
    return self
  }

  /// [control thread] Closes a file; its handle is invalid from now on.
  package static func close(_ handle: AudioFileID) throws(AudioError) {
    guard handles.invalidate(handle), let file = handles.release(handle) else {
      throw .stale("audio file")
    }
    guard file.canWrite else { return }
    var failure: AudioError?
    file.lock.runWhenIdle {
      // If the file is closed inside a function of the program, later errors are not reported.
      do throws(AudioError) { try file.container.close() } catch { failure = error.asFileError }
    }
    if let failure { throw failure }
  }

  /// [control thread] Runs `body` when no other thread uses this file. `changes`: `body` may change
  /// the file.
  package func locked<Result>(
    changes: Bool = false, _ body: (Container) throws(AudioError) -> Result
  ) throws(AudioError) -> Result {
    try lock.run(changes: changes, name: container.store.name) { () throws(AudioError) in
      if changes { self.changes.wrappingAdd(1, ordering: .relaxed) }
      do throws(AudioError) { return try body(container) } catch { throw error.asFileError }
    }
  }

  /// [any thread] The number of changes made through this object.
  var changeCount: Int { changes.load(ordering: .relaxed) }

  private func checkReadable() throws(AudioError) {
    guard canRead else {
      throw .filePermissions.because("\(container.store.name): is open for writing only")
    }
  }

  /// Throws when the file is read-only.
  func checkWritable() throws(AudioError) {
    guard canWrite else {
      throw .filePermissions.because("\(container.store.name): is open for reading only")
    }
  }

  // MARK: Bytes

  /// [control thread] Reads bytes of the sound; sets `count` to the number read.
  package func readBytes(
    at start: Int64, _ count: inout UInt32, into buffer: UnsafeMutableRawPointer
  ) throws(AudioError) {
    let requested = count
    count = 0
    try checkReadable()
    let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: Int(requested))
    let found = try locked { container throws(AudioError) in
      try container.readData(bytes, at: Int(start))
    }
    count = UInt32(clamping: found)
    guard found == Int(requested) else {
      throw .endOfFile.because(
        "\(container.store.name): the sound has \(container.dataByteCount) bytes")
    }
  }

  /// [control thread] Writes bytes of the sound; sets `count` to the number written.
  package func writeBytes(
    at start: Int64, _ count: inout UInt32, from buffer: UnsafeRawPointer
  ) throws(AudioError) {
    let requested = count
    count = 0
    try checkWritable()
    let bytes = UnsafeRawBufferPointer(start: buffer, count: Int(requested))
    try locked(changes: true) { container throws(AudioError) in
      try container.writeData(bytes, at: Int(start))
    }
    count = requested
  }

  // MARK: Packets

  /// The result of reading packets.
  package struct PacketsRead {
    package var packets = 0
    package var bytes = 0
  }

  /// [control thread] Reads whole packets: at most `count`, and as many as exist and fit. Without a
  /// buffer it only counts them.
  package func readPackets(
    from start: Int64, count: Int, into buffer: UnsafeMutableRawBufferPointer?, capacity: Int,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) -> PacketsRead {
    try checkReadable()
    return try locked { container throws(AudioError) in
      guard start >= 0 else {
        throw .invalidPacketOffset.because("\(container.store.name): packet \(start)")
      }
      let available = container.packetCount - Int(start)
      guard available > 0 else {
        throw .endOfFile.because("\(container.store.name): has \(container.packetCount) packets")
      }
      let count = min(count, available)
      guard let table = container.packets else {
        return try Self.readConstantSize(
          container, Int(start), count, buffer, capacity, descriptions)
      }
      guard descriptions != nil || buffer == nil else {
        throw .invalidArgument.because(
          "\(container.store.name): its packets differ in size: outPacketDescriptions is required"
        )
      }
      var read = PacketsRead()
      let lengths = PacketLengths(container.format)
      for index in Int(start)..<Int(start) + count {
        let size = table.size(index)
        guard read.bytes + size <= capacity else { break }
        if let buffer {
          try container.readPacket(
            index, into: UnsafeMutableRawBufferPointer(rebasing: buffer[read.bytes...]))
        }
        descriptions?[read.packets] = AudioStreamPacketDescription(
          mStartOffset: Int64(read.bytes),
          mVariableFramesInPacket: lengths.described(table.frames(index)),
          mDataByteSize: UInt32(clamping: size))
        read.bytes += size
        read.packets += 1
      }
      return read
    }
  }

  /// Reads packets of constant size.
  private static func readConstantSize(
    _ container: Container, _ start: Int, _ count: Int, _ buffer: UnsafeMutableRawBufferPointer?,
    _ capacity: Int, _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) -> PacketsRead {
    let size = max(1, Int(container.format.mBytesPerPacket))
    let count = min(count, capacity / size)
    if let buffer {
      let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count * size)])
      _ = try container.readData(bytes, at: start * size)
    }
    if let descriptions {
      for index in 0..<count {
        descriptions[index] = AudioStreamPacketDescription(
          mStartOffset: Int64(index * size), mVariableFramesInPacket: 0,
          mDataByteSize: UInt32(clamping: size))
      }
    }
    return PacketsRead(packets: count, bytes: count * size)
  }

  /// [control thread] Writes packets from `start` on; returns their number.
  package func writePackets(
    from start: Int64, count: Int, _ bytes: UnsafeRawBufferPointer,
    descriptions: UnsafePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) -> Int {
    try checkWritable()
    return try locked(changes: true) { container throws(AudioError) in
      let size = Int(container.format.mBytesPerPacket)
      guard container.packets == nil, size > 0 else {
        return try Self.append(container, Int(start), count, bytes, descriptions)
      }
      guard start >= 0, start <= container.packetCount else {
        throw .invalidPacketOffset.because(
          "\(container.store.name): has \(container.packetCount) packets; packet \(start) cannot "
            + "be written")
      }
      let whole = min(count, bytes.count / size)
      try container.writeData(
        UnsafeRawBufferPointer(rebasing: bytes[..<(whole * size)]), at: Int(start) * size)
      return whole
    }
  }

  /// Appends packets of different sizes, which must be written in order.
  private static func append(
    _ container: Container, _ start: Int, _ count: Int, _ bytes: UnsafeRawBufferPointer,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) -> Int {
    guard start == container.packetCount else {
      throw .invalidPacketOffset.because(
        "\(container.store.name): packets of different sizes can only be appended; the next is "
          + "\(container.packetCount), not \(start)")
    }
    var packets: [AudioStreamPacketDescription] = []
    for index in 0..<count {
      guard let packet = descriptions?[index] else {
        // A single packet needs no description.
        guard count == 1 else {
          throw .invalidArgument.because(
            "\(container.store.name): its packets differ in size: inPacketDescriptions is required"
          )
        }
        packets.append(
          .init(
            mStartOffset: 0, mVariableFramesInPacket: 0,
            mDataByteSize: UInt32(clamping: bytes.count)))
        break
      }
      guard packet.mStartOffset >= 0,
        packet.mStartOffset <= Int64(bytes.count) - Int64(packet.mDataByteSize)
      else {
        throw .invalidArgument.because(
          "packet description \(index) reaches beyond the \(bytes.count) bytes given")
      }
      packets.append(packet)
    }
    try container.appendPackets(packets, from: bytes)
    return packets.count
  }

  // MARK: Chunks

  /// [control thread] Replaces or adds a chunk.
  package func setChunk(
    _ code: ChunkCode, _ index: Int, _ bytes: [UInt8]
  ) throws(AudioError) {
    try checkWritable()
    try locked(changes: true) { container throws(AudioError) in
      try container.setChunk(code, index, bytes)
    }
  }

  /// [control thread] Removes a chunk.
  package func removeChunk(_ code: ChunkCode, _ index: Int) throws(AudioError) {
    try checkWritable()
    try locked(changes: true) { container throws(AudioError) in
      try container.removeChunk(code, index)
    }
  }
}
