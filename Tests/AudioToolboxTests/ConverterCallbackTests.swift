// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Callbacks of a program for converters and file streams. Each has another thread make every call
/// on the object that invoked it, and waits for that thread; then it makes the calls itself.
@Suite("During a callback of a converter or file stream", .timeLimit(.minutes(60)))
struct ConverterCallbackTests {
  /// The context of a converter's input callback.
  private final class Input: @unchecked Sendable {
    let watch = FunctionWatch()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 16)
    deinit { memory.deallocate() }

    static let supply: AudioConverterComplexInputDataProc = { _, packets, list, _, context in
      guard let context else { return kAudio_ParamError }
      let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
      input.watch.wasCalled("input")
      packets.pointee = min(packets.pointee, 256)
      list.pointee.mBuffers.mData = input.memory
      list.pointee.mBuffers.mDataByteSize = packets.pointee * 4
      return noErr
    }
  }

  @Test("every call on the converter returns, and no lock is held", arguments: [false, true])
  func converters(disposes: Bool) throws {
    let input = Input()
    input.memory.initializeMemory(as: UInt8.self, repeating: 0, count: 4_096)
    var (from, to) = (WatchedBytes.format, WatchedBytes.format)
    to.mSampleRate = 44_100
    var made: AudioConverterRef?
    try #require(AudioConverterNew(&from, &to, &made) == noErr)
    let converter = try #require(made)
    let number = UInt(bitPattern: converter)
    func call(_ name: String, _ body: @escaping @Sendable (AudioConverterRef) -> Void)
      -> MeanwhileCall
    {
      MeanwhileCall(name) {
        if let converter = AudioConverterRef(bitPattern: number) { body(converter) }
      }
    }
    let calls =
      disposes
      ? [call("Dispose") { AudioConverterDispose($0) }]
      : [
        call("GetProperty") { converter in
          var size = UInt32(40)
          var value = [UInt8](repeating: 0, count: 40)
          AudioConverterGetProperty(
            converter, kAudioConverterCurrentInputStreamDescription, &size, &value)
        },
        call("SetProperty") { converter in
          var quality = kAudioConverterQuality_Low
          AudioConverterSetProperty(
            converter, kAudioConverterSampleRateConverterQuality, 4, &quality)
        },
        call("Reset") { AudioConverterReset($0) },
      ]
    input.watch.arm("input", calls)
    var memory = [UInt8](repeating: 0, count: 4_000)
    try memory.withUnsafeMutableBytes { memory in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: 4_000, mData: memory.baseAddress))
      var packets = UInt32(1_000)
      let status = AudioConverterFillComplexBuffer(
        converter, Input.supply, Unmanaged.passUnretained(input).toOpaque(), &packets, &list, nil)
      try #require(status == noErr && packets == 1_000)
    }
    #expect((AudioConverterDispose(converter) == noErr) == !disposes)
    #expect(input.watch.callCount > 0)
    #expect(input.watch.problems.isEmpty)
  }

  // MARK: Streams

  @Test("every call on the file stream returns, and no lock is held", arguments: [false, true])
  func streams(disposes: Bool) throws {
    let bytes = WatchedBytes()
    let made = try bytes.create(kAudioFileWAVEType)
    var size = UInt32(4_000)
    AudioFileWriteBytes(made, false, 0, &size, [UInt8](repeating: 7, count: 4_000))
    AudioFileClose(made)
    var file = [UInt8](repeating: 0, count: bytes.count)
    var readCount = UInt32(0)
    _ = WatchedBytes.read(bytes.pointer, 0, UInt32(file.count), &file, &readCount)
    for function in ["property", "packets"] {
      let watch = FunctionWatch()
      var opened: AudioFileStreamID?
      let context = Unmanaged.passUnretained(watch).toOpaque()
      let status = AudioFileStreamOpen(
        context,
        { context, _, _, _ in
          Unmanaged<FunctionWatch>.fromOpaque(context).takeUnretainedValue().wasCalled("property")
        },
        { context, _, _, _, _ in
          Unmanaged<FunctionWatch>.fromOpaque(context).takeUnretainedValue().wasCalled("packets")
        }, 0, &opened)
      try #require(status == noErr)
      let stream = try #require(opened)
      let number = UInt(bitPattern: stream)
      func call(_ name: String, _ body: @escaping @Sendable (AudioFileStreamID) -> Void)
        -> MeanwhileCall
      {
        MeanwhileCall(name) {
          if let stream = AudioFileStreamID(bitPattern: number) { body(stream) }
        }
      }
      watch.arm(
        function,
        disposes
          ? [call("Close") { AudioFileStreamClose($0) }]
          : [
            call("GetProperty") { stream in
              var (size, format) = (UInt32(40), AudioStreamBasicDescription())
              AudioFileStreamGetProperty(
                stream, kAudioFileStreamProperty_DataFormat, &size, &format)
            },
            call("ParseBytes") { AudioFileStreamParseBytes($0, 1, [0], []) },
            call("Seek") { stream in
              var (offset, flags) = (Int64(0), AudioFileStreamSeekFlags())
              AudioFileStreamSeek(stream, 0, &offset, &flags)
            },
          ])
      _ = AudioFileStreamParseBytes(stream, UInt32(file.count), file, [])
      #expect((AudioFileStreamClose(stream) == noErr) == !disposes)
      #expect(watch.callCount > 0)
      #expect(watch.problems.isEmpty)
    }
  }
}
