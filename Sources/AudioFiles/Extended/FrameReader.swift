// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Reads frames of a file in a client's format, from any position.
final class FrameReader {
  /// Supplies PCM at the file's rate.
  private let source: FrameSource
  let converter: AudioConverterRef
  private let ratio: Double
  private let clientFormat: AudioStreamBasicDescription
  /// The frame of the file at which reading began, and client frames read since.
  private var start = 0
  private var count = 0

  init(
    _ file: AudioFileObject, to client: AudioStreamBasicDescription, _ bufferByteCount: Int
  ) throws(AudioError) {
    source = try FrameSource(file, bufferByteCount)
    clientFormat = client
    ratio = source.format.mSampleRate / client.mSampleRate
    converter = try Converter.make(from: source.format, to: client)
  }

  deinit { try? Converter.dispose(converter) }

  /// The next frame of the file.
  var position: Int {
    start + min(Int(saturating: (Double(count) * ratio).rounded()), source.frameCount - start)
  }

  func seek(to frame: Int) throws(AudioError) {
    try source.seek(to: frame)
    try Converter.use(converter) { converter throws(AudioError) in try converter.reset() }
    start = frame
    count = 0
  }

  func read(
    _ requested: UInt32, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UInt32 {
    var frames = requested
    source.failure = nil
    let call = InputCall(Self.supply, Unmanaged.passUnretained(source).toOpaque(), for: converter)
    do throws(AudioError) {
      try Converter.use(converter) { converter throws(AudioError) in
        // Frames that need no conversion are read directly into the client's memory.
        if let room = try converter.room(forCopiesOf: Int(requested), in: list) {
          frames = UInt32(clamping: try source.read(into: room))
          list.pointee.mBuffers.mDataByteSize = frames * source.format.mBytesPerPacket
        } else {
          try converter.fill(call, packets: &frames, into: list, descriptions: nil)
        }
      }
    } catch { throw source.failure ?? error }
    count += Int(frames)
    return frames
  }

  private static let supply: AudioConverterComplexInputDataProc = {
    _, packets, list, _, context in
    guard let context else { return kAudio_ParamError }
    let source = Unmanaged<FrameSource>.fromOpaque(context).takeUnretainedValue()
    do throws(AudioError) {
      let part = try source.next(Int(packets.pointee))
      packets.pointee = UInt32(clamping: part.frames)
      list.pointee.mBuffers.mData = part.memory
      list.pointee.mBuffers.mDataByteSize =
        packets.pointee * source.format.mBytesPerPacket
      return noErr
    } catch {
      source.failure = error
      packets.pointee = 0
      return error.status
    }
  }
}
