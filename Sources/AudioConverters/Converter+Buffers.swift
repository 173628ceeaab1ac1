// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
public import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Conversion of whole buffers at once.
extension Converter {
  /// [any thread] Converts one buffer, as `AudioConverterConvertBuffer` does.
  public func convert(
    _ source: UnsafeRawBufferPointer, into destination: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      try checkWholeBuffers()
      let (from, to) = (frames.setup.source, frames.setup.destination)
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
      inputMemory[0] = memory
      outputMemory[0] = destination
      run(count)
      size.pointee = UInt32(clamping: count * to.bytesPerFrame)
    }
  }

  /// [any thread] Converts frames, as `AudioConverterConvertComplexBuffer` does.
  public func convert(
    _ count: Int, from source: UnsafePointer<AudioBufferList>,
    into destination: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) {
    try exclusively { () throws(AudioError) in
      try checkWholeBuffers()
      let (from, to) = (frames.setup.source, frames.setup.destination)
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
        inputMemory[index] = UnsafeRawPointer(memory)
      }
      for index in 0..<to.bufferCount {
        let buffer = destination.buffers[index]
        try check(buffer.mData == nil ? 0 : Int(buffer.mDataByteSize), for: count, buffer: index)
        if let memory = buffer.mData { outputMemory[index] = memory }
      }
      run(count)
      for index in 0..<to.bufferCount {
        destination.buffers[index].mDataByteSize = UInt32(clamping: count * to.bytesPerFrame)
      }
    }
  }

  private func run(_ count: Int) {
    _ = frames.convert(
      FrameSpan(inputMemory, from: 0, count: count),
      into: FrameRoom(outputMemory, from: 0, count: count))
  }

  private func checkWholeBuffers() throws(AudioError) {
    guard inputFormat.mSampleRate == outputFormat.mSampleRate else {
      throw .converterOperation.because(
        "whole buffers cannot be converted from \(inputFormat.mSampleRate.plainText) to "
          + "\(outputFormat.mSampleRate.plainText) Hz; AudioConverterFillComplexBuffer changes the "
          + "rate")
    }
  }

  private func check(_ bytes: Int, for count: Int, buffer: Int) throws(AudioError) {
    let needed = count * frames.setup.destination.bytesPerFrame
    guard bytes >= needed else {
      throw .converterOutputSize.because(
        "buffer \(buffer) of the output has \(bytes) bytes, \(count) frames have \(needed)")
    }
  }
}
