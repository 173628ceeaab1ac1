// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The object behind an AudioFileStreamID: a file whose bytes arrive piece by piece.
///
/// A container reads the header; it starts from the beginning each time more bytes have arrived, so
/// that the properties do not depend on how the bytes are split. No lock is held while a function
/// of the program is called.
package final class FileStream: @unchecked Sendable {
  package static let handles = HandleTable<FileStream, AudioFileStreamID>(kind: 0x12)

  /// The program's context, which may be null.
  private let context: UnsafeMutableRawPointer
  private let listener: AudioFileStream_PropertyListenerProc
  private let receiver: AudioFileStream_PacketsProc
  private let hint: AudioFileTypeID

  private let lock = Lock()
  private let store = StreamStore()
  private var isParsing = false
  private var isClosed = false
  private var failure: AudioError?
  /// Set when the header has arrived.
  private var file: Container?
  /// The same, but of consecutive streams the one whose packets arrive.
  private var link: Container?
  private var packets: StreamPackets?
  private var texts: [String: String] = [:]
  /// Packets not yet reported: their properties come first.
  private var pendingRun: StreamPackets.Run?
  /// Properties not yet reported to the listener.
  private var pendingProperties: [AudioFileStreamPropertyID] = []
  private(set) var isReady = false
  /// Whether the next bytes are those at the position returned by `seek`.
  private var isSeekPending = false

  package init(
    _ context: UnsafeMutableRawPointer?,
    listener: @escaping AudioFileStream_PropertyListenerProc,
    receiver: @escaping AudioFileStream_PacketsProc, hint: AudioFileTypeID
  ) {
    // The functions declare the context as nonnull, but must get a null one unchanged.
    self.context = unsafeBitCast(context, to: UnsafeMutableRawPointer.self)
    self.listener = listener
    self.receiver = receiver
    self.hint = hint
  }

  /// [control thread] Closes a stream; a parse in progress makes no more calls.
  package static func close(_ handle: AudioFileStreamID) throws(AudioError) {
    guard handles.invalidate(handle), let stream = handles.release(handle) else {
      throw .stale("audio file stream")
    }
    stream.lock.withLock { stream.isClosed = true }
  }

  // MARK: Parsing

  /// The next call of the program.
  private enum Event {
    case property(AudioFileStreamPropertyID)
    case packets(StreamPackets.Run)
  }

  /// [one thread at a time] Parses the next bytes, and calls the program.
  package func parse(
    _ bytes: UnsafeRawBufferPointer, isDiscontinuous: Bool, as handle: AudioFileStreamID
  ) throws(AudioError) {
    try lock.withLock { () throws(AudioError) in
      guard !isParsing else {
        throw .illegalOperation.because("the stream: is being parsed already")
      }
      if let failure { throw failure }
      try append(bytes, isDiscontinuous)
      isParsing = true
    }
    defer { lock.withLock { isParsing = false } }
    while let event = try lock.withLock({ () throws(AudioError) in try next() }) {
      guard callProgram({ [self] in report(event, as: handle) }) != nil else {
        throw .illegalOperation.because("the stream: the program threw an exception")
      }
    }
  }

  /// Calls the program.
  private func report(_ event: Event, as handle: AudioFileStreamID) {
    switch event {
    case .property(let id):
      var flags = AudioFileStreamPropertyFlags.propertyIsCached
      listener(context, handle, id, &flags)
    case .packets(var run):
      let size = UInt32(clamping: run.bytes.count)
      run.bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        if run.descriptions == nil {
          receiver(context, size, UInt32(clamping: run.count), start, nil)
        } else {
          run.descriptions?.withUnsafeMutableBufferPointer { descriptions in
            receiver(context, size, UInt32(clamping: run.count), start, descriptions.baseAddress)
          }
        }
      }
    }
  }

  private func append(_ bytes: UnsafeRawBufferPointer, _ isDiscontinuous: Bool) throws(AudioError) {
    if isDiscontinuous, !isSeekPending {
      guard var packets, packets.canResynchronize else {
        throw .discontinuity.because(
          "the stream: after a gap, packets of this kind of file cannot be found again; "
            + "AudioFileStreamSeek returns a position from which to continue")
      }
      let position = store.end
      store.restart(at: position)
      packets.move(to: position, packet: 0)
      self.packets = packets
    }
    guard !bytes.isEmpty else {
      if !isDiscontinuous, store.end > 0 { store.finish() }
      return
    }
    isSeekPending = false
    if store.hasEnded {
      // Empty bytes marked the end, but now more bytes have arrived.
      store.resume()
      if var packets, packets.canResynchronize {
        packets.move(to: store.end, packet: 0)
        self.packets = packets
      }
    }
    store.append(bytes)
  }

  private func next() throws(AudioError) -> Event? {
    guard !isClosed else { return nil }
    do throws(AudioError) {
      if file == nil { try readHeader() }
      while true {
        if let id = pendingProperties.first {
          pendingProperties.removeFirst()
          if id == kAudioFileStreamProperty_ReadyToProducePackets { isReady = true }
          return .property(id)
        }
        if let run = pendingRun {
          pendingRun = nil
          return .packets(run)
        }
        if let run = try packets?.next() {
          guard correctLength() else { return .packets(run) }
          pendingRun = run
          continue
        }
        guard let header = packets?.takeHeader() else { return nil }
        begin(header)
      }
    } catch {
      failure = error
      throw error
    }
  }

  private func readHeader() throws(AudioError) {
    guard store.end > 0, store.isRepetitionDue(from: 0) else { return }
    do throws(AudioError) {
      let file = try Containers.open(store, hint: hint, .header)
      guard Self.isExpected(file.kind.type, hint) else {
        throw .unsupportedFileType.because(
          "the stream: is \(file.kind.name), not one of type \(ChunkCode(hint).quoted)")
      }
      packets = try StreamPackets(file, store)
      texts = (try? file.info) ?? [:]
      self.file = file
      link = file
      pendingProperties = StreamProperty.order.filter {
        (try? StreamProperty.table.value(PropertyAddress($0), of: self)) != nil
      }
      pendingProperties.append(kAudioFileStreamProperty_ReadyToProducePackets)
      store.discard(before: file.dataOffset)
    } catch {
      guard error.status == kAudioFileStreamError_DataUnavailable else { throw error.asFileError }
    }
  }

  /// Corrects the length when more packets have arrived than the header states, and reports it; false
  /// when it is right so far.
  private func correctLength() -> Bool {
    guard let file, let packets, !packets.isExact, let stated = file.headerInfo.packetCount,
      packets.reached.count > stated
    else { return false }
    file.extend(toPackets: packets.reached.count)
    pendingProperties.append(kAudioFileStreamProperty_AudioDataPacketCount)
    if StreamProperty.packetTable(file) != nil {
      pendingProperties.append(kAudioFileStreamProperty_PacketTableInfo)
    }
    return true
  }

  /// Continues with one of several consecutive streams. The listener learns what is different, and
  /// which frames of it are the sound; the cookie, even if it is the same, says that a decoder begins
  /// again.
  private func begin(_ next: Container) {
    guard let last = link else { return }
    let oldTexts = texts
    link = next
    texts = (try? next.info) ?? [:]
    let isSameFormat =
      last.format.mFramesPerPacket == next.format.mFramesPerPacket
      && last.format.mFormatFlags == next.format.mFormatFlags
    if !isSameFormat { pendingProperties.append(kAudioFileStreamProperty_DataFormat) }
    if !next.cookie.isEmpty {
      pendingProperties.append(kAudioFileStreamProperty_MagicCookieData)
    }
    if StreamProperty.packetTable(next) != nil {
      pendingProperties.append(kAudioFileStreamProperty_PacketTableInfo)
    }
    if texts != oldTexts { pendingProperties.append(kAudioFileStreamProperty_InfoDictionary) }
  }

  /// Whether a kind of file is the expected one, or one of the same family.
  private static func isExpected(_ type: AudioFileTypeID, _ hint: AudioFileTypeID) -> Bool {
    let families: [[AudioFileTypeID]] = [
      [kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type],
      [kAudioFileAIFFType, kAudioFileAIFCType],
      [kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type],
      [
        kAudioFileM4AType, kAudioFileM4BType, kAudioFileMPEG4Type, kAudioFile3GPType,
        kAudioFile3GP2Type,
      ],
    ]
    return hint == 0 || type == hint
      || families.contains { $0.contains(type) && $0.contains(hint) }
  }

  // MARK: Seeking

  /// [control thread] Moves to a packet. Returns its byte offset in the sound, and whether that is
  /// an estimate.
  package func seek(to packet: Int64) throws(AudioError) -> (offset: Int64, isEstimate: Bool) {
    try lock.withLock { () throws(AudioError) in
      guard let file, var packets, isReady else {
        throw .dataUnavailable.because("the stream: its sound has not been reached")
      }
      let last = file.headerInfo.packetCount ?? (packets.isExact ? file.packetCount : Int(1 << 48))
      guard packet >= 0, packet <= Int64(last) else {
        throw .invalidPacketOffset.because("the stream: has \(last) packets, no packet \(packet)")
      }
      let isEstimate = !packets.isExact && packet > 0
      guard packets.isExact || packets.canResynchronize || packet == 0 else {
        throw .illegalOperation.because(
          "the stream: has fragments, and no table to locate packet \(packet)")
      }
      let position: Int
      if packet == 0 {
        position = file.dataOffset
      } else if let offset = packets.offset(of: Int(packet)) {
        position = offset
      } else {
        guard let step = step(file, packets) else {
          throw .valueUnknown.because("the stream: no packet has arrived to base an estimate on")
        }
        position = file.dataOffset + Int(saturating: min(max(0, Double(packet) * step), 1e15))
      }
      store.restart(at: position)
      packets.move(to: position, packet: Int(packet))
      self.packets = packets
      isSeekPending = true
      failure = nil
      return (Int64(position - file.dataOffset), isEstimate)
    }
  }

  /// Bytes of the file per packet, on average; nil when unknown.
  private func step(_ file: Container, _ packets: StreamPackets) -> Double? {
    if let bytes = file.headerInfo.byteCount, let count = file.headerInfo.packetCount, count > 0 {
      return Double(bytes) / Double(count)
    }
    return packets.averageStep
  }

  // MARK: Properties

  /// [any thread] Writes a property's value to memory of `size` bytes and sets `size` to its size.
  /// The memory contains the program's input, for properties that have one.
  package func property(
    _ id: AudioFileStreamPropertyID, into memory: UnsafeMutableRawPointer, _ size: inout UInt32
  ) throws(AudioError) {
    var count = size
    try lock.withLock { () throws(AudioError) in
      try StreamProperty.table.read(PropertyAddress(id), of: self, into: memory, size: &count)
    }
    size = count
  }

  /// [any thread] The size of a property's value. Creates no objects that the caller would have to
  /// release.
  package func propertySize(_ id: AudioFileStreamPropertyID) throws(AudioError) -> Int {
    try lock.withLock { () throws(AudioError) in
      try StreamProperty.table.info(PropertyAddress(id), of: self).size
    }
  }

  /// [under the lock] What the properties follow from.
  func source() throws(AudioError) -> StreamProperty.Source {
    guard let file, let link, let packets else {
      throw .dataUnavailable.because("the stream: its header has not arrived completely")
    }
    return StreamProperty.Source(
      file: file, link: link, packets: packets, texts: texts, step: step(file, packets))
  }
}
