// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// The conversion of whole buffers at once, without an input function.
final class WholeBuffers {
  private let path: SignalPath
  private let memory = OwnedMemory()
  /// The addresses of the buffers.
  private let input: UnsafeMutablePointer<UnsafeRawPointer>
  private let output: UnsafeMutablePointer<UnsafeMutableRawPointer>

  init(_ path: SignalPath) {
    self.path = path
    input = memory.room(path.frames.setup.source.bufferCount, for: UnsafeRawPointer.self)
    output = memory.room(
      path.frames.setup.destination.bufferCount, for: UnsafeMutableRawPointer.self)
  }

  deinit { memory.deallocate() }

  /// Converts one buffer, and sets `size` to the bytes of the result.
  func convert(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    try checkRates()
    let (from, to) = (path.frames.setup.source, path.frames.setup.destination)
    guard from.bufferCount == 1, to.bufferCount == 1 else {
      throw .converterOperation.because(
        "\(from.bufferCount) buffers of input and \(to.bufferCount) of output; "
          + "use AudioConverterConvertComplexBuffer for more than one")
    }
    guard source.count % from.bytesPerFrame == 0 else {
      throw .converterInputSize.because(
        "\(source.count) bytes of input are not whole frames of \(from.bytesPerFrame) bytes")
    }
    let count = source.count / from.bytesPerFrame
    guard let memory = source.baseAddress, count > 0 else {
      size.pointee = 0
      return
    }
    try check(Int(size.pointee), for: count, buffer: 0)
    input[0] = memory
    output[0] = destination
    run(count)
    size.pointee = UInt32(clamping: count * to.bytesPerFrame)
  }

  /// Converts frames of a buffer list into another, and sets the sizes there.
  func convert(
    _ count: Int, from source: UnsafePointer<AudioBufferList>,
    into destination: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) {
    try checkRates()
    let (from, to) = (path.frames.setup.source, path.frames.setup.destination)
    let source = UnsafeMutablePointer(mutating: source)
    guard source.pointee.mNumberBuffers >= from.bufferCount else {
      throw .converterInputSize.because(
        "\(source.pointee.mNumberBuffers) buffers of input, expected \(from.bufferCount)")
    }
    guard destination.pointee.mNumberBuffers >= to.bufferCount else {
      throw .converterOutputSize.because(
        "\(destination.pointee.mNumberBuffers) buffers of output, expected \(to.bufferCount)")
    }
    for index in 0..<from.bufferCount {
      let buffer = source.buffers[index]
      guard let memory = buffer.mData, Int(buffer.mDataByteSize) / from.bytesPerFrame >= count
      else {
        throw .converterInputSize.because(
          "buffer \(index) of the input has \(buffer.mDataByteSize) bytes, \(count) frames have "
            + "\(count * from.bytesPerFrame)")
      }
      input[index] = UnsafeRawPointer(memory)
    }
    for index in 0..<to.bufferCount {
      let buffer = destination.buffers[index]
      try check(buffer.mData == nil ? 0 : Int(buffer.mDataByteSize), for: count, buffer: index)
      if let memory = buffer.mData { output[index] = memory }
    }
    run(count)
    for index in 0..<to.bufferCount {
      destination.buffers[index].mDataByteSize = UInt32(clamping: count * to.bytesPerFrame)
    }
  }

  private func run(_ count: Int) {
    _ = path.frames.convert(
      FrameSpan(input, from: 0, count: count), into: FrameRoom(output, from: 0, count: count))
  }

  private func checkRates() throws(AudioError) {
    let (from, to) = (path.formats.input.mSampleRate, path.formats.output.mSampleRate)
    guard from == to else {
      throw .converterOperation.because(
        "whole buffers cannot be converted from \(from.plainText) to \(to.plainText) Hz; "
          + "AudioConverterFillComplexBuffer changes the rate")
    }
  }

  private func check(_ bytes: Int, for count: Int, buffer: Int) throws(AudioError) {
    let needed = count * path.frames.setup.destination.bytesPerFrame
    guard bytes >= needed else {
      throw .converterOutputSize.because(
        "buffer \(buffer) of the output has \(bytes) bytes, \(count) frames have \(needed)")
    }
  }
}
