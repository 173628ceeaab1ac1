// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioSupport
import CAudioToolbox

/// A program that uses a converter: controls what its input function supplies, and in which pieces.
final class ConverterProgram {
  let handle: AudioConverterRef
  let input: AudioStreamBasicDescription
  let output: AudioStreamBasicDescription
  /// The input: a buffer for each buffer of the format, and the number of frames.
  var source: [[UInt8]] = []
  var frameCount = 0
  var position = 0
  /// How many frames the next call supplies, from the number requested.
  var supply: (Int) -> Int = { $0 }
  /// The status that the next call returns, with what it supplies.
  var status: () -> OSStatus = { noErr }
  var callCount = 0
  /// Copies that the input function supplies and frees at its next call, to detect late reads.
  private var supplied: [UnsafeMutableRawPointer] = []

  init(_ input: AudioStreamBasicDescription, _ output: AudioStreamBasicDescription)
    throws(AudioError)
  {
    handle = try Converter.make(from: input, to: output)
    self.input = input
    self.output = output
  }

  deinit {
    try? Converter.dispose(handle)
    for memory in supplied { memory.deallocate() }
  }

  var inputBuffers: Int {
    input.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 ? Int(input.mChannelsPerFrame) : 1
  }
  var outputBuffers: Int {
    output.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 ? Int(output.mChannelsPerFrame) : 1
  }

  private func provideInput(
    _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>
  )
    -> OSStatus
  {
    callCount += 1
    for memory in supplied { memory.deallocate() }
    supplied = []
    let count = min(max(0, supply(Int(packets.pointee))), frameCount - position)
    let bytes = Int(input.mBytesPerFrame)
    let buffers = UnsafeMutableRawPointer(list).advanced(by: 8).assumingMemoryBound(
      to: AudioBuffer.self)
    for index in 0..<inputBuffers where count > 0 {
      let memory = UnsafeMutableRawPointer.allocate(byteCount: count * bytes, alignment: 16)
      source[index].withUnsafeBytes {
        guard let start = $0.baseAddress else { return }
        memory.copyMemory(from: start + position * bytes, byteCount: count * bytes)
      }
      supplied.append(memory)
      buffers[index].mData = memory
      buffers[index].mDataByteSize = UInt32(count * bytes)
    }
    position += count
    packets.pointee = UInt32(count)
    return status()
  }

  /// Calls `fill` once; returns its output, buffer by buffer, and its status.
  func fill(_ frames: Int) -> (data: [[UInt8]], status: OSStatus) {
    let bytes = Int(output.mBytesPerFrame)
    let raw = UnsafeMutableRawPointer.allocate(byteCount: 8 + 16 * outputBuffers, alignment: 8)
    defer { raw.deallocate() }
    let list = raw.bindMemory(to: AudioBufferList.self, capacity: 1)
    list.pointee.mNumberBuffers = UInt32(outputBuffers)
    let buffers = (raw + 8).assumingMemoryBound(to: AudioBuffer.self)
    for index in 0..<outputBuffers {
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: max(1, frames * bytes), alignment: 16)
      buffers[index] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * bytes), mData: memory)
    }
    defer { for index in 0..<outputBuffers { buffers[index].mData?.deallocate() } }
    var packets = UInt32(frames)
    var status = noErr
    do throws(AudioError) {
      try Converter.use(handle) { converter throws(AudioError) in
        let call = InputCall(
          { _, packets, list, _, userData in
            guard let userData else { return kAudio_ParamError }
            return Unmanaged<ConverterProgram>.fromOpaque(userData).takeUnretainedValue()
              .provideInput(packets, list)
          }, Unmanaged.passUnretained(self).toOpaque(), for: handle)
        try converter.fill(call, packets: &packets, into: list, descriptions: nil)
      }
    } catch {
      status = error.status
    }
    let data = (0..<outputBuffers).map { index in
      [UInt8](UnsafeRawBufferPointer(start: buffers[index].mData, count: Int(packets) * bytes))
    }
    return (data, status)
  }

  /// Sets a property.
  func set<Value>(_ id: AudioConverterPropertyID, _ value: Value) throws(AudioError) {
    try Converter.use(handle) { converter throws(AudioError) in
      let bytes = withUnsafeBytes(of: value) { Array($0) }
      try write(converter, id, bytes)
    }
  }

  /// Sets a property to an array.
  func set<Value>(_ id: AudioConverterPropertyID, array: [Value]) throws(AudioError) {
    try Converter.use(handle) { converter throws(AudioError) in
      try write(converter, id, array.withUnsafeBytes { Array($0) })
    }
  }

  private func write(_ converter: Converter, _ id: AudioConverterPropertyID, _ bytes: [UInt8])
    throws(AudioError)
  {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(1, bytes.count), alignment: 8)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    try converter.write(id, UnsafeRawBufferPointer(rebasing: memory[..<bytes.count]))
  }

  /// Reads a property.
  func get<Value: BitwiseCopyable>(_ id: AudioConverterPropertyID, _ value: Value)
    throws(AudioError) -> Value
  {
    var value = value
    var size = UInt32(MemoryLayout<Value>.size)
    try Converter.use(handle) { converter throws(AudioError) in
      try converter.read(id, into: &value, size: &size)
    }
    return value
  }
}

/// Formats of linear PCM.
enum Linear {
  static func format(
    _ rate: Double = 44_100, channels: Int = 2, bits: Int, bytes: Int? = nil, float: Bool = false,
    unsigned: Bool = false, bigEndian: Bool = false, planar: Bool = false, high: Bool = false,
    fraction: Int = 0
  ) -> AudioStreamBasicDescription {
    let bytes = bytes ?? (bits + 7) / 8
    var flags: AudioFormatFlags = 0
    if float { flags |= kAudioFormatFlagIsFloat }
    if !float, !unsigned { flags |= kAudioFormatFlagIsSignedInteger }
    if bigEndian { flags |= kAudioFormatFlagIsBigEndian }
    if planar { flags |= kAudioFormatFlagIsNonInterleaved }
    if bits == bytes * 8 { flags |= kAudioFormatFlagIsPacked }
    if high { flags |= kAudioFormatFlagIsAlignedHigh }
    flags |= AudioFormatFlags(fraction << 7)
    let frame = UInt32(planar ? bytes : bytes * channels)
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags,
      mBytesPerPacket: frame, mFramesPerPacket: 1, mBytesPerFrame: frame,
      mChannelsPerFrame: UInt32(channels), mBitsPerChannel: UInt32(bits), mReserved: 0)
  }

  static func float(_ rate: Double = 44_100, channels: Int = 2, planar: Bool = false)
    -> AudioStreamBasicDescription
  { format(rate, channels: channels, bits: 32, float: true, planar: planar) }

  static func int16(_ rate: Double = 44_100, channels: Int = 2) -> AudioStreamBasicDescription {
    format(rate, channels: channels, bits: 16)
  }

  /// Every kind of sample, in both byte orders, interleaved and not.
  static func all(channels: Int, rate: Double = 44_100) -> [AudioStreamBasicDescription] {
    var formats: [AudioStreamBasicDescription] = []
    for planar in [false, true] {
      for bigEndian in [false, true] {
        func add(
          _ bits: Int, bytes: Int? = nil, float: Bool = false, unsigned: Bool = false,
          high: Bool = false, fraction: Int = 0
        ) {
          formats.append(
            format(
              rate, channels: channels, bits: bits, bytes: bytes, float: float, unsigned: unsigned,
              bigEndian: bigEndian, planar: planar, high: high, fraction: fraction))
        }
        for bits in [8, 16, 24, 32] {
          add(bits)
          add(bits, unsigned: true)
        }
        add(24, bytes: 4)
        add(24, bytes: 4, high: true)
        add(20, bytes: 3, high: true)
        add(12, bytes: 2)
        add(32, fraction: 24)
        add(32, float: true)
        add(64, float: true)
      }
    }
    return formats
  }
}
