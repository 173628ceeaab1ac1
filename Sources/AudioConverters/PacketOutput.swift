// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// The output of a converter: fills buffer lists with packets made from the input's.
final class PacketOutput {
  private let path: SignalPath
  private let memory = OwnedMemory()
  /// The addresses of the buffers that are being filled.
  private let buffers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  let bufferCount: Int

  init(_ path: SignalPath) {
    self.path = path
    bufferCount = path.frames.setup.destination.bufferCount
    buffers = memory.room(bufferCount, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  /// Makes packets. `packets` is the number requested; on return, even after an error, the number
  /// made.
  func fill(
    _ list: UnsafeMutablePointer<AudioBufferList>, packets: UnsafeMutablePointer<UInt32>,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    from source: some ConverterInput
  ) throws(AudioError) {
    let requested = Int(packets.pointee)
    packets.pointee = 0
    var made = 0
    defer { packets.pointee = UInt32(clamping: made) }
    if let encoding = path.encoding {
      return try makePackets(requested, &made, encoding, source, list, descriptions)
    }
    let fitting = try room(in: list, for: requested)
    defer {
      for index in 0..<bufferCount {
        list.buffers[index].mDataByteSize =
          UInt32(clamping: made) * path.formats.output.mBytesPerPacket
      }
    }
    try makeFrames(fitting, &made, into: buffers, source)
  }

  /// Memory for a direct copy of this many frames; nil when they have to be converted, or need more
  /// than one buffer.
  func room(
    forCopiesOf frames: Int, in list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UnsafeMutableRawBufferPointer? {
    let packets = path.input.packets
    guard path.encoding == nil, path.input.decoding == nil, path.frames.copies, bufferCount == 1,
      packets.count == 0, !packets.hasEnded
    else { return nil }
    let count = try room(in: list, for: frames)
    return UnsafeMutableRawBufferPointer(
      start: buffers[0], count: count * Int(path.formats.output.mBytesPerPacket))
  }

  /// Points `buffers` to the memory of a buffer list; returns how many of the packets fit.
  private func room(in list: UnsafeMutablePointer<AudioBufferList>, for packets: Int)
    throws(AudioError) -> Int
  {
    guard list.pointee.mNumberBuffers >= bufferCount else {
      throw .converterOutputSize.because(
        "the output list has \(list.pointee.mNumberBuffers) buffers, expected \(bufferCount)")
    }
    var packets = packets
    let bytes = Int(path.formats.output.mBytesPerPacket)
    for index in 0..<bufferCount {
      let buffer = list.buffers[index]
      guard let memory = buffer.mData else {
        throw .converterOutputSize.because("buffer \(index) of the output list has no memory")
      }
      let fitting = Int(buffer.mDataByteSize) / bytes
      guard fitting > 0 || packets == 0 else {
        throw .converterOutputSize.because(
          "buffer \(index) of the output list has \(buffer.mDataByteSize) bytes, a packet has "
            + "\(bytes)"
        )
      }
      packets = min(packets, fitting)
      buffers[index] = memory
    }
    return packets
  }

  /// Makes frames until `made` is the requested number or the input ends.
  private func makeFrames(
    _ requested: Int, _ made: inout Int, into memory: UnsafePointer<UnsafeMutableRawPointer>,
    _ source: some ConverterInput
  ) throws(AudioError) {
    // Read once, to count their references only once.
    let (input, frames) = (path.input, path.frames)
    while made < requested {
      let room = FrameRoom(memory, from: made, count: requested - made)
      if input.count == 0 {
        if input.hasEnded {
          made += frames.drain(into: room)
          return
        }
        let missing = frames.inputFrames(for: room.count)
        if missing > 0 {
          try input.supply(missing, from: source)
          if input.count == 0 { continue }
        }
      }
      let result = frames.convert(input.span(), into: room)
      input.consume(result.consumed)
      made += result.produced
    }
  }

  /// Makes packets, and their descriptions.
  private func makePackets(
    _ requested: Int, _ made: inout Int, _ encoding: PacketEncoding,
    _ source: some ConverterInput, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) {
    let format = path.formats.output
    guard list.pointee.mNumberBuffers >= 1, let memory = list.buffers[0].mData else {
      throw .converterOutputSize.because("the output list has no buffer with memory")
    }
    guard descriptions != nil || requested <= 1 || format.mBytesPerPacket > 0 else {
      throw .converterDescriptions.because(
        "\(requested) packets of \(StreamFormat.describe(format)) are requested without "
          + "memory for descriptions")
    }
    let room = Int(list.buffers[0].mDataByteSize)
    var used = 0
    defer { list.buffers[0].mDataByteSize = UInt32(clamping: used) }
    while made < requested {
      if let packet = encoding.packets.first {
        guard used + packet.size <= room else {
          if made > 0 { return }
          throw .converterOutputSize.because(
            "the output has \(room) bytes, the next packet has \(packet.size)")
        }
        encoding.moveFirst(to: memory + used)
        descriptions?[made] = AudioStreamPacketDescription(
          mStartOffset: Int64(used),
          mVariableFramesInPacket: format.mFramesPerPacket > 0
            ? 0 : UInt32(clamping: packet.frames),
          mDataByteSize: UInt32(clamping: packet.size))
        used += packet.size
        made += 1
      } else if encoding.hasFinished {
        return
      } else {
        var gathered = encoding.gathered
        defer { encoding.gathered = gathered }
        try makeFrames(encoding.encoder.framesPerPass, &gathered, into: encoding.buffer, source)
        encoding.gathered = gathered
        try encoding.encode()
        gathered = 0
      }
    }
  }
}
