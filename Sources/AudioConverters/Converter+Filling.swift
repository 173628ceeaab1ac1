// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
public import CAudioToolbox

// What makes output of what an input function supplies.
extension Converter {
  /// [any thread] Makes packets, as `AudioConverterFillComplexBuffer` does: `packets` is how many are
  /// wanted and then how many were made, also where an error ends it.
  public func fill(
    _ call: InputCall, packets: UnsafeMutablePointer<UInt32>,
    into list: UnsafeMutablePointer<AudioBufferList>,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      guard !isUnbuffered else {
        throw .converterOperation.because("the converter was made to convert whole buffers alone")
      }
      let wanted = try room(in: list, for: Int(packets.pointee))
      packets.pointee = 0
      var made = 0
      defer {
        packets.pointee = UInt32(made)
        for index in 0..<frames.setup.destination.bufferCount {
          list.buffers[index].mDataByteSize = UInt32(made) * outputFormat.mBytesPerPacket
        }
      }
      try makeFrames(wanted, &made, call)
    }
  }

  /// Buffers of the output.
  var outputMemoryCount: Int { frames.setup.destination.bufferCount }

  /// [any thread] Refuses where one of the formats is compressed.
  public func requireLinear() throws(AudioError) {
    for format in [inputFormat, outputFormat] where format.mFormatID != kAudioFormatLinearPCM {
      throw .converterOperation.because(
        "\(StreamFormat.describe(format)): a render thread converts linear PCM alone")
    }
  }

  /// Takes over the memory of a buffer list; answers how many of the packets it holds.
  private func room(in list: UnsafeMutablePointer<AudioBufferList>, for packets: Int)
    throws(AudioError) -> Int
  {
    let count = frames.setup.destination.bufferCount
    guard list.pointee.mNumberBuffers >= count else {
      throw .converterOutputSize.because(
        "the output list has \(list.pointee.mNumberBuffers) buffers, \(count) are expected")
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
          "buffer \(index) of the output list has \(buffer.mDataByteSize) bytes, a packet has \(bytes)"
        )
      }
      packets = min(packets, fitting)
      outputMemory[index] = memory
    }
    return packets
  }

  /// Makes frames into the output's memory.
  private func makeFrames(_ wanted: Int, _ made: inout Int, _ call: InputCall) throws(AudioError) {
    while made < wanted {
      let room = FrameRoom(outputMemory, from: made, count: wanted - made)
      if input.count == 0 {
        if input.hasEnded {
          made += frames.drain(into: room)
          return
        }
        if input.isFailing { throw AudioError(status: input.takeStatus()).fromInput }
        let missing = frames.inputFrames(for: room.count)
        if missing > 0 {
          try input.ask(for: missing, call)
          if input.count == 0 { continue }
        }
      }
      let span = FrameSpan(input.buffers, from: input.next, count: input.count)
      let result = frames.convert(span, into: room)
      input.use(result.taken)
      made += result.made
    }
  }
}

extension AudioError {
  /// An error that the input function gave, passed on.
  var fromInput: AudioError { because("the input function returned \(StatusName.text(status))") }
}
