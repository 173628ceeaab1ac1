// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Splits the bytes of a stream into packets.
struct StreamPackets {
  /// Packets in one piece of memory.
  struct Run {
    var bytes: [UInt8] = []
    var count = 0
    /// Nil when all packets have the same size.
    var descriptions: [AudioStreamPacketDescription]?
  }

  /// How packets are located.
  private enum Framing {
    /// Packets of one size, in these ranges of the file.
    case constant(size: Int, parts: [Range<Int>])
    case table(PacketTable)
    case scanner(any PacketScanner, ByteWindow)
    /// The scanner is in use, so that its packets are not copied when it changes.
    case busy
  }

  /// The number of bytes after which a run ends.
  private static let runBytes = 1 << 18

  private var framing: Framing
  private let store: StreamStore
  private var lengths: PacketLengths
  /// The index of the next packet, with a table; the next byte, with packets of one size.
  private var packet = 0
  private let start: Int
  private var position: Int
  /// With packets of one size, the index of the first part that is not before `position`.
  private var part = 0
  /// With a scanner, the index of the next packet, counted from the first; nil after a jump to
  /// another one, whose position is an estimate.
  private var index: Int? = 0
  /// The most packets that were found from the first one on, and where they end.
  private(set) var reached = (count: 0, end: 0)
  /// The header of the stream to which the next packets belong, if that is another one.
  private var header: Container?
  /// Packets so far, their bytes, and the largest.
  private(set) var count = 0
  private(set) var byteCount = 0
  private(set) var largest = 0

  init(_ file: Container, _ store: StreamStore) throws(AudioError) {
    self.store = store
    lengths = PacketLengths(file.format)
    start = file.dataOffset
    position = start
    if let scanner = file.scanner() {
      framing = .scanner(scanner, try ByteWindow(store))
    } else if let table = file.packets {
      framing = .table(table)
    } else {
      let end =
        file.headerInfo.byteCount.map { file.dataOffset + min($0, StreamStore.unknownLength) }
        ?? StreamStore.unknownLength
      framing = .constant(
        size: max(1, Int(file.format.mBytesPerPacket)),
        parts: file.soundRanges ?? [file.dataOffset..<max(file.dataOffset, end)])
    }
  }

  /// Whether packets can be found again after missing bytes.
  var canResynchronize: Bool {
    if case .scanner(let scanner, _) = framing { !(scanner is MP4Fragments) } else { false }
  }

  /// Whether packet positions are known.
  var isExact: Bool { if case .scanner = framing { false } else { true } }

  // MARK: Positions

  /// The byte of the file at which a packet begins; nil when unknown.
  func offset(of packet: Int) -> Int? {
    switch framing {
    case .constant(let size, let parts):
      guard packet <= StreamStore.unknownLength / size else { return nil }
      var rest = packet * size
      for part in parts {
        if rest < part.count { return part.lowerBound + rest }
        rest -= part.count
      }
      return rest == 0 ? parts.last?.upperBound : nil
    case .table(let table):
      if packet < table.count { return table.offset(packet) }
      guard packet == table.count, packet > 0 else { return nil }
      return table.offset(packet - 1) + table.size(packet - 1)
    case .scanner, .busy: return nil
    }
  }

  /// The average bytes of the file per packet, as far as it is known from the first one on,
  /// whatever was played again since; nil before the first.
  var averageStep: Double? {
    guard reached.count > 0, case .scanner = framing else { return nil }
    return Double(reached.end - start) / Double(reached.count)
  }

  /// Continues at another position: the next received byte is the one at `position`.
  mutating func move(to position: Int, packet: Int) {
    self.position = position
    self.packet = packet
    part = 0
    let isKnown =
      (packet, position) == (0, start) || (packet, position) == (reached.count, reached.end)
    index = isKnown ? packet : nil
    guard case .scanner(var scanner, let window) = framing else { return }
    scanner.restart(at: position)
    header = scanner.takeHeader()
    framing = .scanner(scanner, window)
  }

  /// The header of the stream to which the next packets belong, if that is another one than before;
  /// until it is taken, there are no more packets.
  mutating func takeHeader() -> Container? {
    defer { header = nil }
    if let header { lengths = PacketLengths(header.format) }
    return header
  }

  // MARK: Packets

  /// The next packets that have arrived, at most about `runBytes`; nil when none is complete.
  mutating func next() throws(AudioError) -> Run? {
    guard header == nil else { return nil }
    let run: Run?
    switch framing {
    case .constant(let size, let parts): run = try constantRun(size, parts)
    case .table(let table): run = try tableRun(table)
    case .scanner(var scanner, let window):
      framing = .busy
      defer { framing = .scanner(scanner, window) }
      run = try scannerRun(&scanner, window)
    case .busy: run = nil
    }
    count += run?.count ?? 0
    byteCount += run?.bytes.count ?? 0
    return run
  }

  private mutating func constantRun(_ size: Int, _ parts: [Range<Int>]) throws(AudioError) -> Run? {
    while part < parts.count {
      let part = parts[self.part]
      guard part.upperBound > position else {
        self.part += 1
        continue
      }
      position = max(position, part.lowerBound)
      store.discard(before: position)
      let present = min(store.end, part.upperBound) - position
      guard present >= size else {
        // The remainder of a part is smaller than a packet.
        if part.upperBound - position < size {
          position = part.upperBound
          continue
        }
        return nil
      }
      var run = Run()
      run.count = min(present, Self.runBytes + size) / size
      run.bytes = try store.bytes(at: position, run.count * size)
      position += run.bytes.count
      largest = size
      store.discard(before: position)
      return run
    }
    store.discard(before: store.end)
    return nil
  }

  private mutating func tableRun(_ table: PacketTable) throws(AudioError) -> Run? {
    var run = Run(descriptions: [])
    while packet < table.count, run.bytes.count < Self.runBytes {
      let (offset, size) = (table.offset(packet), table.size(packet))
      guard offset + size <= store.end else { break }
      let bytes = try store.bytes(at: offset, size)
      guard bytes.count == size else {
        throw .notOptimized.because(
          "\(store.name): packet \(packet) is stored before the packet that precedes it")
      }
      append(bytes, table.frames(packet), to: &run)
      packet += 1
    }
    store.discard(before: packet < table.count ? table.offset(packet) : store.end)
    return run.count > 0 ? run : nil
  }

  private mutating func scannerRun(
    _ scanner: inout any PacketScanner, _ window: ByteWindow
  ) throws(AudioError) -> Run? {
    var run = Run(descriptions: [])
    while run.bytes.count < Self.runBytes {
      let found: FoundPacket?
      do throws(AudioError) { found = try scanner.next(window) } catch {
        guard error.status == kAudioFileStreamError_DataUnavailable else { throw error }
        break
      }
      guard let found else {
        header = scanner.takeHeader()
        break
      }
      var bytes = try store.bytes(at: found.offset, found.size)
      for part in found.continuation { bytes += try store.bytes(at: part.lowerBound, part.count) }
      guard bytes.count == found.byteCount else {
        throw .notOptimized.because(
          "\(store.name): a packet is stored before the packet that precedes it")
      }
      append(bytes, found.frames, to: &run)
      index = index.map { $0 + 1 }
      if let index, index > reached.count { reached = (index, scanner.position) }
    }
    store.discard(before: scanner.position)
    return run.count > 0 ? run : nil
  }

  private mutating func append(_ bytes: [UInt8], _ frames: Int, to run: inout Run) {
    run.descriptions?.append(
      AudioStreamPacketDescription(
        mStartOffset: Int64(run.bytes.count),
        mVariableFramesInPacket: lengths.described(frames),
        mDataByteSize: UInt32(clamping: bytes.count)))
    run.bytes += bytes
    run.count += 1
    largest = max(largest, bytes.count)
  }
}
