// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox

/// Reads frames of a file in a client's format, from any frame on.
final class FrameReader {
  /// What brings PCM of the file's rate.
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

  /// The frame of the file that comes next.
  var position: Int {
    min(start + Int((Double(count) * ratio).rounded()), source.frameCount)
  }

  func seek(to frame: Int) throws(AudioError) {
    try source.seek(to: frame)
    try Converter.use(converter) { converter throws(AudioError) in try converter.reset() }
    start = frame
    count = 0
  }

  func read(
    _ wanted: UInt32, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UInt32 {
    if let frames = try readDirectly(wanted, into: list) { return frames }
    var frames = wanted
    source.failure = nil
    let context = Unmanaged.passUnretained(source).toOpaque()
    let call = InputCall(Self.supply, context, for: converter)
    do throws(AudioError) {
      try Converter.use(converter) { converter throws(AudioError) in
        try converter.fill(call, packets: &frames, into: list, descriptions: nil)
      }
    } catch { throw source.failure ?? error }
    count += Int(frames)
    return frames
  }

  /// Reads into the client's memory what need not be converted; nil where it must be.
  private func readDirectly(
    _ wanted: UInt32, into list: UnsafeMutablePointer<AudioBufferList>
  ) throws(AudioError) -> UInt32? {
    var room: UnsafeMutableRawBufferPointer?
    try Converter.use(converter) { converter throws(AudioError) in
      room = try converter.room(forCopiesOf: Int(wanted), in: list)
    }
    guard let room else { return nil }
    let frames = try source.read(into: room)
    list.pointee.mBuffers.mDataByteSize = UInt32(frames) * source.format.mBytesPerPacket
    count += frames
    return UInt32(frames)
  }

  private static let supply: AudioConverterComplexInputDataProc = {
    _, packets, list, _, context in
    guard let context else { return kAudio_ParamError }
    let source = Unmanaged<FrameSource>.fromOpaque(context).takeUnretainedValue()
    do throws(AudioError) {
      let part = try source.next(Int(packets.pointee))
      packets.pointee = UInt32(part.frames)
      list.pointee.mBuffers.mData = part.memory
      list.pointee.mBuffers.mDataByteSize =
        UInt32(part.frames) * source.format.mBytesPerPacket
      return noErr
    } catch {
      source.failure = error
      packets.pointee = 0
      return error.status
    }
  }
}

/// PCM of the file's rate: read as it is, or decoded from packets; without a codec's own frames.
package final class FrameSource {
  /// What comes out: interleaved.
  package let format: AudioStreamBasicDescription
  package let frameCount: Int
  var failure: AudioError?
  private let file: AudioFileObject
  private let memory: UnsafeMutableRawBufferPointer
  private let decoder: FileDecoder?
  /// The next frame.
  private var position = 0

  /// [control thread] Frames of a file, read in pieces of at most so many bytes.
  package init(_ file: AudioFileObject, _ bufferByteCount: Int) throws(AudioError) {
    self.file = file
    let container = file.container
    frameCount = container.frameCount
    if container.format.mFormatID == kAudioFormatLinearPCM {
      format = container.format
      decoder = nil
    } else {
      let made = try FileDecoder(file)
      format = made.format
      decoder = made
    }
    let bytes = max(bufferByteCount, Int(format.mBytesPerPacket))
    memory = .allocate(byteCount: bytes, alignment: 16)
  }

  deinit { memory.deallocate() }

  /// [one thread at a time] Moves to a frame.
  package func seek(to frame: Int) throws(AudioError) {
    position = frame
    try decoder?.seek(to: frame)
  }

  /// [one thread at a time] The next frames, at most so many; none at the end.
  package func next(_ wanted: Int) throws(AudioError) -> (
    frames: Int, memory: UnsafeMutableRawPointer?
  ) {
    let count = min(wanted, memory.count / Int(format.mBytesPerPacket))
    let bytes = UnsafeMutableRawBufferPointer(
      rebasing: memory[..<(max(0, count) * Int(format.mBytesPerPacket))])
    return (try read(into: bytes), memory.baseAddress)
  }

  /// [one thread at a time] Fills memory with the next frames, as far as there are any; answers how many.
  func read(into room: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let size = Int(format.mBytesPerPacket)
    var count = min(room.count / size, frameCount - position)
    guard count > 0 else { return 0 }
    let bytes = UnsafeMutableRawBufferPointer(rebasing: room[..<(count * size)])
    if let decoder {
      count = try decoder.decode(count, into: bytes)
    } else {
      let start = position * size
      _ = try file.locked { container throws(AudioError) in
        try container.readData(bytes, at: start)
      }
    }
    position += count
    return count
  }
}
