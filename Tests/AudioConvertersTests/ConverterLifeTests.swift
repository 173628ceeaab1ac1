// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioSupport
import CAllocationProbe
import CAudioToolbox
import Testing

@Suite("Life of a converter")
struct ConverterLifeTests {
  /// The user data of an input function that supplies silence without allocating.
  private struct Silence {
    var memory: UnsafeMutableRawPointer
    var frames: UInt32
    var disposes: Bool
    var status: OSStatus = noErr
  }

  private static let provideInput: AudioConverterComplexInputDataProc = {
    handle, packets, list, _, data in
    guard let silence = data?.assumingMemoryBound(to: Silence.self) else {
      return kAudio_ParamError
    }
    packets.pointee = min(packets.pointee, silence.pointee.frames)
    let buffers = UnsafeMutableRawPointer(list).advanced(by: 8).assumingMemoryBound(
      to: AudioBuffer.self)
    for index in 0..<Int(list.pointee.mNumberBuffers) {
      buffers[index].mData = silence.pointee.memory
      buffers[index].mDataByteSize = packets.pointee * 8
    }
    if silence.pointee.disposes {
      silence.pointee.disposes = false
      do throws(AudioError) {
        try Converter.dispose(handle)
      } catch {
        silence.pointee.status = error.status
      }
    }
    return noErr
  }

  private func fill(_ handle: AudioConverterRef, _ silence: inout Silence, frames: Int)
    throws(AudioError) -> Int
  {
    let output = UnsafeMutableRawPointer.allocate(byteCount: frames * 16, alignment: 16)
    defer { output.deallocate() }
    var packets = UInt32(frames)
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 2, mDataByteSize: UInt32(frames * 16), mData: output))
    try Converter.use(handle) { converter throws(AudioError) in
      try converter.fill(
        InputCall(Self.provideInput, &silence, for: handle), packets: &packets, into: &list,
        descriptions: nil)
    }
    return Int(packets)
  }

  @Test("allocates nothing while it converts", arguments: FillingTests.pairs.indices)
  func heap(index: Int) throws {
    let (input, output) = FillingTests.pairs[index]
    guard output.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 else { return }
    let handle = try Converter.make(from: input, to: output)
    defer { try? Converter.dispose(handle) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << 16)
    let result = UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer {
      memory.deallocate()
      result.deallocate()
    }
    var silence = Silence(memory: memory, frames: 300, disposes: false)
    var operations: Int64 = 0
    try Converter.use(handle) { converter throws(AudioError) in
      for round in 0..<20 {
        var packets: UInt32 = 512
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 1 << 16, mData: result))
        let before = heap_operations()
        try converter.fill(
          InputCall(Self.provideInput, &silence, for: handle), packets: &packets, into: &list,
          descriptions: nil)
        // The first rounds may allocate what is needed only once.
        if round > 1 { operations += heap_operations() - before }
      }
    }
    #expect(operations == 0)
  }

  @Test("may be disposed of inside its input function, and ends when the conversion returns")
  func disposal() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 14, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1 << 14)
    defer { memory.deallocate() }
    let handle = try Converter.make(from: Linear.float(), to: Linear.float(48_000))
    var silence = Silence(memory: memory, frames: 100, disposes: true)
    #expect(try fill(handle, &silence, frames: 400) == 400)
    #expect(silence.status == noErr)
    #expect(throws: AudioError.self) { try Converter.use(handle) { _ in } }
    #expect(throws: AudioError.self) { try Converter.dispose(handle) }
  }

  @Test("refuses handles that are stale or invented")
  func handles() throws {
    let handle = try Converter.make(from: Linear.float(), to: Linear.int16())
    try Converter.dispose(handle)
    for other in [handle, try #require(OpaquePointer(bitPattern: 0x1000))] {
      #expect(throws: AudioError.self) { try Converter.use(other) { _ in } }
      #expect(throws: AudioError.self) { try Converter.dispose(other) }
    }
  }

  @Test("refuses a call from inside its input function")
  func reentrance() throws {
    let program = try ConverterProgram(Linear.float(), Linear.int16())
    program.source = [[UInt8](repeating: 0, count: 8_000)]
    program.frameCount = 1_000
    var refused = noErr
    program.status = {
      do throws(AudioError) {
        try Converter.use(program.handle) { converter throws(AudioError) in try converter.reset() }
      } catch {
        refused = error.status
      }
      return noErr
    }
    #expect(program.fill(100).status == noErr)
    #expect(refused == kAudioConverterErr_OperationNotSupported)
    program.status = { noErr }
  }

  @Test("refuses invalid formats, each with a reason")
  func formats() throws {
    var odd = Linear.float()
    odd.mBytesPerFrame = 7
    var wrongRate = Linear.float()
    wrongRate.mSampleRate = .nan
    var channels = Linear.float()
    channels.mChannelsPerFrame = 100_000
    for format in [odd, wrongRate, channels] {
      do throws(AudioError) {
        _ = try Converter.make(from: format, to: Linear.float())
        Issue.record("a converter was made")
      } catch {
        #expect(error.status == kAudioConverterErr_FormatNotSupported)
        #expect(!error.explanation.isEmpty)
      }
    }
    do throws(AudioError) {
      _ = try Converter.make(from: Linear.float(1_000), to: Linear.float(384_000))
      Issue.record("a converter was made")
    } catch {
      #expect(error.status == kAudioConverterErr_OutputSampleRateOutOfRange)
    }
  }

  @Test("refuses output buffers without memory, and inconsistent input")
  func supplies() throws {
    let program = try ConverterProgram(Linear.float(), Linear.int16())
    program.source = [[UInt8](repeating: 0, count: 8_000)]
    program.frameCount = 1_000
    try Converter.use(program.handle) { converter throws(AudioError) in
      var packets: UInt32 = 10
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 40, mData: nil))
      let lie: AudioConverterComplexInputDataProc = { _, packets, list, _, _ in
        packets.pointee = 1_000
        list.pointee.mBuffers.mDataByteSize = 8_000
        list.pointee.mBuffers.mData = nil
        return noErr
      }
      let call = InputCall(lie, nil, for: program.handle)
      do throws(AudioError) {
        try converter.fill(call, packets: &packets, into: &list, descriptions: nil)
        Issue.record("there is no memory")
      } catch { #expect(error.status == kAudioConverterErr_InvalidOutputSize) }
      #expect(packets == 0)
      packets = 10
      withUnsafeTemporaryAllocation(byteCount: 40, alignment: 8) { memory in
        list.mBuffers.mData = memory.baseAddress
        list.mBuffers.mDataByteSize = 40
        do throws(AudioError) {
          try converter.fill(call, packets: &packets, into: &list, descriptions: nil)
          Issue.record("there is no input")
        } catch { #expect(error.status == kAudioConverterErr_InvalidInputSize) }
      }
    }
  }

  @Test("converts whole buffers, and refuses those that do not fit")
  func buffers() throws {
    let program = try ConverterProgram(Linear.int16(), Linear.float())
    try Converter.use(program.handle) { converter throws(AudioError) in
      let samples: [Int16] = [16_384, -32_768, 0, 8_192]
      var output = [Float](repeating: 9, count: 4)
      var size: UInt32 = 16
      let input = samples.withUnsafeBytes { Array($0) }
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
      defer { memory.deallocate() }
      memory.copyBytes(from: input)
      try converter.convert(UnsafeRawBufferPointer(memory), into: &output, size: &size)
      #expect(output == [0.5, -1, 0, 0.25] && size == 16)
      size = 15
      do throws(AudioError) {
        try converter.convert(UnsafeRawBufferPointer(memory), into: &output, size: &size)
        Issue.record("15 bytes hold no 4 samples")
      } catch { #expect(error.status == kAudioConverterErr_InvalidOutputSize) }
      do throws(AudioError) {
        try converter.convert(
          UnsafeRawBufferPointer(rebasing: memory[..<7]), into: &output, size: &size)
        Issue.record("7 bytes are no frames")
      } catch { #expect(error.status == kAudioConverterErr_InvalidInputSize) }
    }
  }

  @Test("returns each property with its size, and refuses others")
  func properties() throws {
    let program = try ConverterProgram(Linear.int16(44_100), Linear.float(48_000))
    for id in [
      kAudioConverterCurrentInputStreamDescription, kAudioConverterCurrentOutputStreamDescription,
      kAudioConverterPropertyMinimumInputBufferSize, kAudioConverterPropertyMinimumOutputBufferSize,
      kAudioConverterPropertyMaximumInputPacketSize, kAudioConverterPropertyMaximumOutputPacketSize,
      kAudioConverterSampleRateConverterQuality, kAudioConverterSampleRateConverterComplexity,
      kAudioConverterPrimeMethod, kAudioConverterPrimeInfo, kAudioConverterChannelMap,
      kAudioConverterInputChannelLayout, kAudioConverterOutputChannelLayout,
      kAudioConverterPropertyDithering, kAudioConverterPropertyBitDepthHint,
      kAudioConverterPropertyDitherBitDepth, kAudioConverterSampleRateConverterAlgorithm,
      kAudioConverterSampleRateConverterInitialPhase,
    ] {
      try Converter.use(program.handle) { converter throws(AudioError) in
        let information = try converter.information(of: id)
        #expect(information.size > 0)
        let memory = UnsafeMutableRawPointer.allocate(
          byteCount: information.size, alignment: 8)
        defer { memory.deallocate() }
        var size = UInt32(information.size)
        try converter.read(id, into: memory, size: &size)
        #expect(Int(size) == information.size)
        var short = UInt32(information.size - 1)
        do throws(AudioError) {
          try converter.read(id, into: memory, size: &short)
          Issue.record("there is no room")
        } catch { #expect(error.status == kAudioConverterErr_BadPropertySizeError) }
        if information.isWritable {
          try converter.write(id, UnsafeRawBufferPointer(start: memory, count: Int(size)))
        }
      }
    }
    #expect(throws: AudioError.self) { try program.set(AudioConverterPropertyID(1), UInt32(0)) }
    #expect(throws: AudioError.self) {
      try program.set(kAudioConverterChannelMap, array: [0, 2] as [Int32])
    }
    let bytes = try program.get(kAudioConverterPropertyCalculateOutputBufferSize, UInt32(4_410 * 4))
    #expect(bytes == 4_800 * 8)
  }
}
