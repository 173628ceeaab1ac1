// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// The older interface, which counts input and output in bytes.
extension Converter {
  /// An input function that counts bytes: the user data of `supplyBytes`, which counts packets.
  private struct ByteInput {
    let function: AudioConverterInputDataProc
    let userData: UnsafeMutableRawPointer?
    let bytesPerPacket: UInt32
  }

  /// [any thread] Converts frames, as `AudioConverterFillBuffer` does.
  public func fillBytes(
    _ function: @escaping AudioConverterInputDataProc, _ userData: UnsafeMutableRawPointer?,
    for handle: AudioConverterRef, into memory: UnsafeMutableRawPointer,
    size: UnsafeMutablePointer<UInt32>
  ) throws(AudioError) {
    let packetSize = outputFormat.mBytesPerPacket
    guard packetSize > 0, inputFormat.mBytesPerPacket > 0, outputMemoryCount == 1,
      input.bufferCount == 1
    else {
      throw .converterOperation.because(
        "bytes alone do not describe these formats; use AudioConverterFillComplexBuffer")
    }
    var source = ByteInput(
      function: function, userData: userData, bytesPerPacket: inputFormat.mBytesPerPacket)
    var packets = size.pointee / packetSize
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: outputFormat.mChannelsPerFrame, mDataByteSize: size.pointee, mData: memory)
    )
    defer { size.pointee = packets * packetSize }
    do {
      let call = InputCall(Self.supplyBytes, &source, for: handle)
      try fill(call, packets: &packets, into: &list, descriptions: nil)
    }
  }

  // A C function, so that an exception of the program's function passes through (`InputCall`).
  private static let supplyBytes: AudioConverterComplexInputDataProc = {
    converter, packets, list, _, userData in
    guard let source = userData?.assumingMemoryBound(to: ByteInput.self).pointee else {
      return kAudio_ParamError
    }
    var size = packets.pointee &* source.bytesPerPacket
    var memory = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    let status = source.function(converter, &size, &memory, source.userData)
    packets.pointee = size / source.bytesPerPacket
    list.pointee.mBuffers.mData = memory
    list.pointee.mBuffers.mDataByteSize = size
    return status
  }
}
