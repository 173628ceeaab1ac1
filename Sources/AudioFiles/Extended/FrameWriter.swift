// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Converts frames from a client's format to the file's format and writes them.
final class FrameWriter: ConverterInput {
  let converter: Converter
  private let file: AudioFileObject
  private let fileFormat: AudioStreamBasicDescription
  private let clientFormat: AudioStreamBasicDescription
  private let memory: OwnedMemory
  private let output: UnsafeMutableRawBufferPointer
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>
  private let packetsAtOnce: Int
  /// The first packet of this writer, and the next one.
  private let firstPacket: Int
  private var packet: Int
  private var waiting = Frames()
  private var cookie: [UInt8] = []
  /// Packets that could not be written; the next call writes them first.
  private var backlog: [KeptBatch] = []
  /// The first error that lost frames.
  private var lost: AudioError?
  /// Whether packets were written.
  private var isBegun = false

  /// Frames from the program that the converter has not consumed yet.
  private struct Frames {
    var list: UnsafePointer<AudioBufferList>?
    var frames = 0
    var isEnd = false
  }

  /// The status when all frames are consumed but more will follow.
  private static let noInputYet = OSStatus(bitPattern: 0x6e6f6e65)  // 'none'

  init(
    _ file: AudioFileObject, from client: AudioStreamBasicDescription
  ) throws(AudioError) {
    self.file = file
    clientFormat = client
    fileFormat = file.container.format
    converter = try Converter(from: client, to: fileFormat)
    firstPacket = file.container.packetCount
    packet = firstPacket
    let largest =
      fileFormat.mBytesPerPacket > 0
      ? Int(fileFormat.mBytesPerPacket)
      : min(65_536 * Int(max(1, fileFormat.mChannelsPerFrame)), Limits.packetBytes)
    packetsAtOnce = max(1, 65_536 / largest)
    memory = OwnedMemory()
    output = memory.bytes(max(largest * packetsAtOnce, 16))
    descriptions = memory.room(packetsAtOnce, for: AudioStreamPacketDescription.self)
  }

  deinit { memory.deallocate() }

  /// The next frame of the file to be written.
  var position: Int { packet * max(1, Int(fileFormat.mFramesPerPacket)) }

  func seek(to frame: Int) throws(AudioError) {
    let frames = Int(fileFormat.mFramesPerPacket)
    guard frames == 1, frame <= file.container.packetCount else {
      throw AudioError(status: kExtAudioFileError_InvalidSeek).because(
        "\(file.container.store.name): frame \(frame) cannot be written next")
    }
    try writeBacklog()
    packet = frame
  }

  func write(_ frames: Int, _ list: UnsafePointer<AudioBufferList>) throws(AudioError) {
    let buffers = UnsafeMutablePointer(mutating: list).allBuffers
    let isPlanar = clientFormat.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    let count = isPlanar ? Int(clientFormat.mChannelsPerFrame) : 1
    guard buffers.count >= count else {
      throw .invalidArgument.because("ioData has \(buffers.count) buffers, \(count) are needed")
    }
    let needed = frames * Int(clientFormat.mBytesPerFrame)
    for index in 0..<count {
      guard buffers[index].mData != nil, Int(buffers[index].mDataByteSize) >= needed else {
        throw .invalidArgument.because(
          "buffer \(index) has \(buffers[index].mDataByteSize) bytes; \(frames) frames need \(needed)"
        )
      }
    }
    do throws(AudioError) { try writeBacklog() } catch {
      lost = lost ?? error
      throw error
    }
    waiting = Frames(list: list, frames: frames)
    try convert()
  }

  /// Writes the frames that remain in the converter, and stores which frames are sound. What can be
  /// written is written, even if something else is lost.
  ///
  /// - Throws: The first error that lost something.
  func finish() throws(AudioError) {
    var failure = lost
    func attempt(_ step: () throws(AudioError) -> Void) {
      do throws(AudioError) { try step() } catch {
        failure = failure ?? error
        // The disk may have been full for a moment only.
        try? step()
      }
    }
    waiting = Frames(isEnd: true)
    // Packets that wait come before those that the converter still has.
    attempt(writeBacklog)
    attempt(convert)
    attempt(writeBacklog)
    if fileFormat.mFormatID != kAudioFormatLinearPCM {
      attempt(writeCookie)
      attempt(writePacketInfo)
    }
    if let failure { throw failure }
  }

  /// Writes the magic cookie, if it changed: before the packets, as some kinds of file require, and
  /// at the end, when it is more complete.
  private func writeCookie() throws(AudioError) {
    var size: UInt32 = 0
    var bytes = [UInt8](repeating: 0, count: 65_536)
    do throws(AudioError) {
      try bytes.withUnsafeMutableBufferPointer { bytes throws(AudioError) in
        guard let start = bytes.baseAddress else { return }
        size = UInt32(clamping: bytes.count)
        try converter.read(
          kAudioConverterCompressionMagicCookie, into: UnsafeMutableRawPointer(start),
          size: &size)
      }
    } catch { return }
    let found = Array(bytes.prefix(Int(size)))
    guard !found.isEmpty, found != cookie else { return }
    try file.locked { container throws(AudioError) in
      do throws(AudioError) { try container.setCookie(found) } catch {
        // It is no error if this kind of file cannot store it.
        guard error.status == kAudioFileOperationNotSupportedError else { throw error }
      }
    }
    cookie = found
  }

  private func writePacketInfo() throws(AudioError) {
    guard let encoded = converter.encodedFrames, fileFormat.mBytesPerPacket == 0 else { return }
    try file.locked { container throws(AudioError) in
      guard container.packetInfo == nil || isBegun else { return }
      let all = container.packetFrameCount
      // Packets that were there before are sound, except for their own priming.
      let earlier = firstPacket > 0 ? container.packets?.start(firstPacket) ?? 0 : 0
      let priming = earlier > 0 ? container.packetInfo?.primingFrames ?? 0 : encoded.delay
      let remainder = max(0, all - earlier - encoded.delay - encoded.frames)
      let info = Container.PacketInfo(
        validFrames: earlier > 0 ? max(0, all - priming - remainder) : encoded.frames,
        primingFrames: priming, remainderFrames: remainder)
      do throws(AudioError) { try container.setPacketInfo(info) } catch {
        guard error.status == kAudioFileOperationNotSupportedError else { throw error }
      }
    }
  }

  // MARK: Packets

  /// Converts all supplied frames and writes the packets. After an error of the file the conversion
  /// goes on, because the converter may only use the program's memory during this call; the packets
  /// then wait in the backlog.
  private func convert() throws(AudioError) {
    var failure: AudioError?
    while true {
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: fileFormat.mChannelsPerFrame,
          mDataByteSize: UInt32(clamping: output.count), mData: output.baseAddress))
      let (count, isDone) = try makePackets(&list)
      let batch = Batch(
        bytes: UnsafeRawBufferPointer(rebasing: output[..<Int(list.mBuffers.mDataByteSize)]),
        descriptions: isConstantSize ? nil : descriptions, count: count)
      if failure != nil || !backlog.isEmpty {
        keep(batch)
      } else if count > 0 {
        do throws(AudioError) { try write(batch) } catch { failure = error }
      }
      if isDone { break }
    }
    if let failure { throw failure }
  }

  /// Fills the list with packets. `isDone`: all supplied frames are converted.
  private func makePackets(
    _ list: inout AudioBufferList
  ) throws(AudioError) -> (count: Int, isDone: Bool) {
    var packets = UInt32(clamping: packetsAtOnce)
    var isDone = false
    do throws(AudioError) {
      try converter.fill(
        self, packets: &packets, into: &list, descriptions: isConstantSize ? nil : descriptions)
      isDone = Int(packets) < packetsAtOnce
    } catch {
      guard error.status == Self.noInputYet else {
        // The converter must forget the program's memory.
        waiting = Frames()
        try? converter.reset()
        lost = lost ?? error
        throw error
      }
      isDone = true
    }
    return (Int(packets), isDone)
  }

  private var isConstantSize: Bool { fileFormat.mBytesPerPacket > 0 }

  /// Packets in memory.
  private struct Batch {
    var bytes: UnsafeRawBufferPointer
    var descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    var count: Int
  }

  /// Packets that wait to be written, in memory of their own.
  private struct KeptBatch {
    var bytes: [UInt8]
    var descriptions: [AudioStreamPacketDescription]
    var count: Int
  }

  /// Writes packets; those that cannot be written are kept.
  private func write(_ batch: Batch) throws(AudioError) {
    let first = packet
    do throws(AudioError) { try put(batch) } catch {
      keep(batch, from: packet - first)
      throw error
    }
  }

  /// Writes packets, and counts those that the file accepted even if it failed.
  private func put(_ batch: Batch) throws(AudioError) {
    if !isBegun, fileFormat.mFormatID != kAudioFormatLinearPCM { try writeCookie() }
    isBegun = true
    do throws(AudioError) {
      packet += try file.writePackets(
        from: Int64(packet), count: batch.count, batch.bytes,
        descriptions: batch.descriptions.map { UnsafePointer($0) })
    } catch {
      let written = isConstantSize ? 0 : file.container.packetCount - packet
      packet += min(max(0, written), batch.count)
      throw error
    }
  }

  private func keep(_ batch: Batch, from first: Int = 0) {
    guard first < batch.count else { return }
    backlog.append(
      KeptBatch(
        bytes: Array(batch.bytes),
        descriptions: batch.descriptions.map { start in
          (first..<batch.count).map { start[$0] }
        } ?? [], count: batch.count - first))
  }

  /// Writes the packets that could not be written earlier.
  private func writeBacklog() throws(AudioError) {
    while var kept = backlog.first {
      let first = packet
      var list = kept.descriptions
      do throws(AudioError) {
        try kept.bytes.withUnsafeBufferPointer { bytes throws(AudioError) in
          try list.withUnsafeMutableBufferPointer { list throws(AudioError) in
            try put(
              Batch(
                bytes: UnsafeRawBufferPointer(bytes),
                descriptions: isConstantSize ? nil : list.baseAddress, count: kept.count))
          }
        }
        backlog.removeFirst()
      } catch {
        kept.count -= packet - first
        if !isConstantSize { kept.descriptions.removeFirst(packet - first) }
        if kept.count > 0 { backlog[0] = kept } else { backlog.removeFirst() }
        throw error
      }
    }
  }

  /// The program's frames, all at once.
  func supply(
    _: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> SuppliedPackets {
    guard let supplied = waiting.list, waiting.frames > 0 else {
      guard waiting.isEnd else { throw AudioError(status: Self.noInputYet) }
      return SuppliedPackets(0)
    }
    let source = UnsafeMutablePointer(mutating: supplied).allBuffers
    let target = list.allBuffers
    for index in 0..<min(source.count, target.count) {
      target[index].mData = source[index].mData
      // Fits: the buffer has at least these bytes.
      target[index].mDataByteSize = UInt32(
        clamping: waiting.frames * Int(clientFormat.mBytesPerFrame))
    }
    defer { waiting.frames = 0 }
    return SuppliedPackets(UInt32(clamping: waiting.frames))
  }
}
