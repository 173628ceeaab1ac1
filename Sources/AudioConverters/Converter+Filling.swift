// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Conversion of the packets that an input supplies.
extension Converter {
  /// [any thread] Makes packets, as `AudioConverterFillComplexBuffer` does. `packets` is the number
  /// requested; on return, even after an error, the number made.
  public func fill(
    _ source: some ConverterInput, packets: UnsafeMutablePointer<UInt32>,
    into list: UnsafeMutablePointer<AudioBufferList>,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      guard !isUnbuffered else {
        throw .converterOperation.because("the converter was made to convert whole buffers only")
      }
      let requested = Int(packets.pointee)
      packets.pointee = 0
      var made = 0
      defer { packets.pointee = UInt32(clamping: made) }
      if let encoding {
        try makePackets(requested, &made, encoding, source, list, descriptions)
      } else {
        let fitting = try room(in: list, for: requested)
        defer {
          for index in 0..<outputMemoryCount {
            list.buffers[index].mDataByteSize =
              UInt32(clamping: made) * outputFormat.mBytesPerPacket
          }
        }
        try makeFrames(fitting, &made, into: outputMemory, source)
      }
    }
  }

  /// [any thread] Memory for a direct copy of this many frames; nil when they have to be converted,
  /// or need more than one buffer.
  ///
  /// This saves a copy: the caller writes frames of the input's format into this memory, sets their
  /// byte count in the list, and does not call `fill`.
  package func room(
    forCopiesOf frames: Int, in list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UnsafeMutableRawBufferPointer? {
    try exclusively { () throws(AudioError) in
      guard encoding == nil, decoding == nil, self.frames.copies, outputMemoryCount == 1,
        input.count == 0, !input.hasEnded
      else { return nil }
      let count = try room(in: list, for: frames)
      return UnsafeMutableRawBufferPointer(
        start: outputMemory[0], count: count * Int(outputFormat.mBytesPerPacket))
    }
  }

  /// Buffers of the output.
  var outputMemoryCount: Int { frames.setup.destination.bufferCount }

  /// [any thread] Throws when one of the formats is compressed.
  public func requireLinear() throws(AudioError) {
    for format in [inputFormat, outputFormat] where format.mFormatID != kAudioFormatLinearPCM {
      throw .converterOperation.because(
        "\(StreamFormat.describe(format)): a render thread can only convert linear PCM")
    }
  }

  /// Points `outputMemory` to the memory of a buffer list; returns how many of the packets fit.
  private func room(in list: UnsafeMutablePointer<AudioBufferList>, for packets: Int)
    throws(AudioError) -> Int
  {
    let count = frames.setup.destination.bufferCount
    guard list.pointee.mNumberBuffers >= count else {
      throw .converterOutputSize.because(
        "the output list has \(list.pointee.mNumberBuffers) buffers, expected \(count)")
    }
    var packets = packets
    let bytes = Int(outputFormat.mBytesPerPacket)
    for index in 0..<count {
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
      outputMemory[index] = memory
    }
    return packets
  }

  /// Makes frames until `made` is the requested number or the input ends.
  private func makeFrames(
    _ requested: Int, _ made: inout Int, into memory: UnsafePointer<UnsafeMutableRawPointer>,
    _ source: some ConverterInput
  ) throws(AudioError) {
    // Read once, to count its references only once.
    let frames = frames
    while made < requested {
      let room = FrameRoom(memory, from: made, count: requested - made)
      if suppliedFrames == 0 {
        if decoding?.hasFinished ?? input.hasEnded {
          made += frames.drain(into: room)
          return
        }
        let missing = frames.inputFrames(for: room.count)
        if missing > 0 {
          try supply(missing, source)
          if suppliedFrames == 0 { continue }
        }
      }
      let span: FrameSpan
      if let decoding {
        decoding.updateBuffer()
        span = FrameSpan(decoding.buffer, from: 0, count: decoding.count)
      } else {
        span = FrameSpan(input.buffers, from: input.next, count: input.count)
      }
      let result = frames.convert(span, into: room)
      if let decoding { decoding.consume(result.consumed) } else { input.consume(result.consumed) }
      made += result.produced
    }
  }

  /// Frames that are ready to be converted.
  private var suppliedFrames: Int { decoding?.count ?? input.count }

  /// Supplies about this many more frames: requests input, and decodes.
  private func supply(_ frames: Int, _ source: some ConverterInput) throws(AudioError) {
    let framesPerPacket = decoding == nil ? 1 : Int(inputFormat.mFramesPerPacket)
    let packets = framesPerPacket > 0 ? (frames + framesPerPacket - 1) / framesPerPacket : 1
    if input.count == 0 {
      if input.hasEnded {
        try decoding?.finish()
        return
      }
      if input.isFailing { throw AudioError(status: input.consumeStatus()).fromInput }
      try input.request(for: packets, source)
    }
    guard let decoding, input.count > 0 else { return }
    // Packets of one size are adjacent.
    let count = input.bytesPerPacket > 0 ? min(packets, input.count) : 1
    // A packet that cannot be decoded is skipped, so that the next call does not fail again.
    defer { input.consume(count) }
    let packet = try input.nextPacket()
    try decoding.decode(
      count > 1
        ? UnsafeRawBufferPointer(start: packet.bytes.baseAddress, count: count * packet.bytes.count)
        : packet.bytes)
  }

  /// Makes packets, and their descriptions.
  private func makePackets(
    _ requested: Int, _ made: inout Int, _ encoding: PacketEncoding,
    _ source: some ConverterInput, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) {
    guard list.pointee.mNumberBuffers >= 1, let memory = list.buffers[0].mData else {
      throw .converterOutputSize.because("the output list has no buffer with memory")
    }
    guard descriptions != nil || requested <= 1 || outputFormat.mBytesPerPacket > 0 else {
      throw .converterDescriptions.because(
        "\(requested) packets of \(StreamFormat.describe(outputFormat)) are requested without "
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
          mVariableFramesInPacket: outputFormat.mFramesPerPacket > 0
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

extension AudioError {
  /// An error of the input function, passed on.
  var fromInput: AudioError { because("the input function returned \(StatusName.text(status))") }
}
