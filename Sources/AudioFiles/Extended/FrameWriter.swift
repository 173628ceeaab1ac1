// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox
import SignalProcessing

/// Converts frames from a client's format to the file's format and writes them.
final class FrameWriter {
  let converter: AudioConverterRef
  private let file: AudioFileObject
  private let fileFormat: AudioStreamBasicDescription
  private let clientFormat: AudioStreamBasicDescription
  private let memory: OwnedMemory
  private let output: UnsafeMutableRawBufferPointer
  private let descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>
  private let packetsAtOnce: Int
  private var packet = 0
  private var supply = Supply()
  private var cookie: [UInt8] = []
  /// Whether packets were written.
  private var isBegun = false

  /// Frames from the program that the converter has not consumed yet.
  private struct Supply {
    var list: UnsafePointer<AudioBufferList>?
    var frames = 0
    var isEnd = false
  }

  /// The status of the input function when all frames are consumed but more will follow.
  private static let noInputYet = OSStatus(bitPattern: 0x6e6f6e65)  // 'none'

  init(
    _ file: AudioFileObject, from client: AudioStreamBasicDescription
  ) throws(AudioError) {
    self.file = file
    clientFormat = client
    fileFormat = file.container.format
    converter = try Converter.make(from: client, to: fileFormat)
    packet = file.container.packetCount
    let largest =
      fileFormat.mBytesPerPacket > 0
      ? Int(fileFormat.mBytesPerPacket) : 65_536 * Int(max(1, fileFormat.mChannelsPerFrame))
    packetsAtOnce = max(1, 65_536 / largest)
    memory = OwnedMemory()
    output = memory.bytes(max(largest * packetsAtOnce, 16))
    descriptions = memory.room(packetsAtOnce, for: AudioStreamPacketDescription.self)
  }

  deinit {
    try? Converter.dispose(converter)
    memory.deallocate()
  }

  /// The next frame of the file to be written.
  var position: Int { packet * max(1, Int(fileFormat.mFramesPerPacket)) }

  func seek(to frame: Int) throws(AudioError) {
    let frames = Int(fileFormat.mFramesPerPacket)
    guard frames == 1, frame <= file.container.packetCount else {
      throw AudioError(status: kExtAudioFileError_InvalidSeek).because(
        "\(file.container.store.name): frame \(frame) cannot be written next")
    }
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
    supply = Supply(list: list, frames: frames)
    try convert()
  }

  /// Writes the frames that remain in the converter, and stores which frames are sound.
  func finish() throws(AudioError) {
    supply = Supply(isEnd: true)
    try convert()
    guard fileFormat.mFormatID != kAudioFormatLinearPCM else { return }
    try writeCookie()
    try writePacketInfo()
  }

  /// Writes the magic cookie, if it changed: before the packets, as some kinds of file require, and
  /// at the end, when it is more complete.
  private func writeCookie() throws(AudioError) {
    var size: UInt32 = 0
    var bytes = [UInt8](repeating: 0, count: 65_536)
    do throws(AudioError) {
      try Converter.use(converter) { converter throws(AudioError) in
        size = UInt32(bytes.count)
        try bytes.withUnsafeMutableBufferPointer { bytes throws(AudioError) in
          guard let start = bytes.baseAddress else { return }
          try converter.read(
            kAudioConverterCompressionMagicCookie, into: UnsafeMutableRawPointer(start),
            size: &size)
        }
      }
    } catch { return }
    let found = Array(bytes.prefix(Int(size)))
    guard !found.isEmpty, found != cookie else { return }
    cookie = found
    try file.locked { container throws(AudioError) in
      do throws(AudioError) { try container.setCookie(found) } catch {
        // It is no error if this kind of file cannot store it.
        guard error.status == kAudioFileOperationNotSupportedError else { throw error }
      }
    }
  }

  private func writePacketInfo() throws(AudioError) {
    var encoded: (delay: Int, frames: Int)?
    try Converter.use(converter) { converter in encoded = converter.encodedFrames }
    guard let encoded, fileFormat.mBytesPerPacket == 0 else { return }
    try file.locked { container throws(AudioError) in
      guard container.packetInfo == nil || isBegun else { return }
      let all = container.packetFrameCount
      let info = Container.PacketInfo(
        validFrames: encoded.frames, primingFrames: encoded.delay,
        remainderFrames: max(0, all - encoded.delay - encoded.frames))
      do throws(AudioError) { try container.setPacketInfo(info) } catch {
        guard error.status == kAudioFileOperationNotSupportedError else { throw error }
      }
    }
  }

  private func convert() throws(AudioError) {
    while true {
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: fileFormat.mChannelsPerFrame, mDataByteSize: UInt32(output.count),
          mData: output.baseAddress))
      var packets = UInt32(packetsAtOnce)
      var isDone = false
      let call = InputCall(
        Self.provideInput, Unmanaged.passUnretained(self).toOpaque(), for: converter)
      do throws(AudioError) {
        try Converter.use(converter) { converter throws(AudioError) in
          try converter.fill(
            call, packets: &packets, into: &list,
            descriptions: fileFormat.mBytesPerPacket == 0 ? descriptions : nil)
        }
        isDone = supply.isEnd && packets < UInt32(packetsAtOnce)
      } catch {
        guard error.status == Self.noInputYet else { throw error }
        isDone = true
      }
      if packets > 0 {
        if !isBegun, fileFormat.mFormatID != kAudioFormatLinearPCM { try writeCookie() }
        isBegun = true
        let bytes = UnsafeRawBufferPointer(
          rebasing: output[..<Int(list.mBuffers.mDataByteSize)])
        let written = try file.writePackets(
          from: Int64(packet), count: Int(packets), UnsafeRawBufferPointer(bytes),
          descriptions: fileFormat.mBytesPerPacket == 0 ? descriptions : nil)
        packet += written
      }
      if isDone { return }
    }
  }

  private static let provideInput: AudioConverterComplexInputDataProc = {
    _, packets, list, _, context in
    guard let context else { return kAudio_ParamError }
    let writer = Unmanaged<FrameWriter>.fromOpaque(context).takeUnretainedValue()
    return writer.provideInput(packets, list)
  }

  private func provideInput(
    _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    packets.pointee = 0
    guard let supplied = supply.list, supply.frames > 0 else {
      return supply.isEnd ? noErr : Self.noInputYet
    }
    let source = UnsafeMutablePointer(mutating: supplied).allBuffers
    let target = list.allBuffers
    for index in 0..<min(source.count, target.count) {
      target[index].mData = source[index].mData
      target[index].mDataByteSize = UInt32(supply.frames) * clientFormat.mBytesPerFrame
    }
    packets.pointee = UInt32(supply.frames)
    supply.frames = 0
    return noErr
  }
}
