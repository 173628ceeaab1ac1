// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// An input function of the older interface, which counts bytes: the user data of `supply`, which
/// counts packets.
struct ByteInput {
  let function: AudioConverterInputDataProc
  let userData: UnsafeMutableRawPointer?
  let bytesPerPacket: UInt32

  /// Calls the function of the `ByteInput` behind the user data. It is a C function, so that an
  /// exception of the program's function passes through (`InputCall`).
  static let supply: AudioConverterComplexInputDataProc = {
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
