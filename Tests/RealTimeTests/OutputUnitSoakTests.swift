// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Storms: many threads make random permitted calls on running units, for some seconds or for
/// `AUDIOTOOLBOX_TEST_MINUTES` minutes.
@Suite("Output unit in a storm", .serialized)
struct OutputUnitSoakTests {
  private static var seconds: Double {
    let minutes = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"]
    return minutes.flatMap { Double($0) }.map { $0 * 60 } ?? 2
  }

  /// Runs threads that make random calls until the time is over.
  private func storm(threads: Int = 4, _ act: @escaping @Sendable (inout RandomNumbers) -> Void) {
    let end = Date().addingTimeInterval(Self.seconds)
    DispatchQueue.concurrentPerform(iterations: threads) { number in
      var random = RandomNumbers(state: UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15)
      onNullDevice { while Date() < end { act(&random) } }
    }
  }

  @Test("survives random calls from four threads while it plays and captures")
  func controlStorm() throws {
    let unit = try Probed.make(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
    let tone = try Probed.make(kAudioUnitType_Generator, kAudioUnitSubType_ToneGenerator)
    #expect(AudioUnitInitialize(tone) == noErr)
    try Probed.set(unit, kAudioOutputUnitProperty_EnableIO, UInt32(1), kAudioUnitScope_Input, 1)
    let context = UnsafeMutableRawPointer(unit)
    try Probed.set(
      unit, kAudioOutputUnitProperty_SetInputCallback,
      AURenderCallbackStruct(inputProc: Storm.readInput, inputProcRefCon: context))
    onNullDevice { #expect(AudioUnitInitialize(unit) == noErr) }
    let (played, source) = (UnitReference(unit), UnitReference(tone))
    storm { Storm.act(on: played.handle, source.handle, &$0) }
    #expect(AudioOutputUnitStop(unit) == noErr)
    #expect(AudioComponentInstanceDispose(tone) == noErr)
    #expect(AudioComponentInstanceDispose(unit) == noErr)
  }

  @Test("is disposed of by one thread while others continue to use it")
  func disposeStorm() throws {
    let current = Atomic<UInt>(0)
    storm { random in
      let handle = AudioUnit(bitPattern: current.load(ordering: .acquiring))
      if let handle, random.next(8) != 0 {
        Storm.act(on: handle, handle, &random)
        return
      }
      guard
        let fresh = try? Probed.make(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
      else { return }
      AudioUnitInitialize(fresh)
      let old = current.exchange(UInt(bitPattern: fresh), ordering: .acquiringAndReleasing)
      if let old = AudioUnit(bitPattern: old) { AudioComponentInstanceDispose(old) }
    }
    if let last = AudioUnit(bitPattern: current.load(ordering: .acquiring)) {
      #expect(AudioComponentInstanceDispose(last) == noErr)
    }
  }

  @Test("is stopped, uninitialized and disposed of by its own callback, over and over")
  func insideStorm() {
    storm { random in
      guard let unit = try? Probed.make(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO) else {
        return
      }
      let callbacks: [AURenderCallback] = [
        Storm.stopInside, Storm.uninitializeInside, Storm.disposeInside,
      ]
      let callback = AURenderCallbackStruct(
        inputProc: callbacks[random.next(3)], inputProcRefCon: UnsafeMutableRawPointer(unit))
      _ = try? Probed.set(
        unit, kAudioUnitProperty_SetRenderCallback, callback, kAudioUnitScope_Input, 0)
      AudioUnitInitialize(unit)
      AudioOutputUnitStart(unit)
      usleep(UInt32(random.next(500)))
      if random.next(2) == 0 { AudioOutputUnitStop(unit) }
      AudioComponentInstanceDispose(unit)
    }
  }
}

/// A handle for other threads: the C API may be called from any thread.
struct UnitReference: @unchecked Sendable {
  let handle: AudioUnit

  init(_ handle: AudioUnit) { self.handle = handle }
}

/// A repeatable random number generator.
struct RandomNumbers {
  var state: UInt64

  /// A number from zero to below `limit`.
  mutating func next(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % limit
  }
}

/// The random calls of the threads.
enum Storm {
  /// Makes a random call, which may fail.
  static func act(on unit: AudioUnit, _ tone: AudioUnit, _ random: inout RandomNumbers) {
    let context = UnsafeMutableRawPointer(unit)
    switch random.next(16) {
    case 0, 1, 2: AudioOutputUnitStart(unit)
    case 3: AudioOutputUnitStop(unit)
    case 4:
      AudioUnitSetParameter(
        unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, Float(random.next(100)) / 100, 0)
    case 5:
      var event = AudioUnitParameterEvent()
      event.parameter = kHALOutputParam_Volume
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.durationInFrames = UInt32(random.next(2_000))
      event.eventValues.ramp.endValue = 1
      AudioUnitScheduleParameters(unit, &event, 1)
    case 6:
      var callback = AURenderCallbackStruct(
        inputProc: random.next(2) == 0 ? readInput : CycleProbe.silence, inputProcRefCon: context)
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(MemoryLayout.size(ofValue: callback)))
    case 7:
      setFormat(unit, kAudioUnitScope_Input, 0, &random)
    case 8:
      setFormat(unit, kAudioUnitScope_Output, 1, &random)
    case 9:
      var connection = AudioUnitConnection(
        sourceAudioUnit: random.next(3) == 0 ? nil : tone, sourceOutputNumber: 0,
        destInputNumber: 0)
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
        UInt32(MemoryLayout.size(ofValue: connection)))
    case 10: AudioUnitAddRenderNotify(unit, CycleProbe.silentNotify, context)
    case 11: AudioUnitRemoveRenderNotify(unit, CycleProbe.silentNotify, context)
    case 12: AudioUnitReset(unit, kAudioUnitScope_Global, 0)
    case 13:
      if random.next(4) == 0 {
        AudioUnitUninitialize(unit)
        AudioUnitInitialize(unit)
      }
    case 14:
      var value = AudioStreamBasicDescription()
      var size = UInt32(MemoryLayout.size(ofValue: value))
      AudioUnitGetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &value, &size)
    default: _ = readInput(context, &flags, &stamp, 1, 64, nil)
    }
  }

  nonisolated(unsafe) private static var flags = AudioUnitRenderActionFlags()
  nonisolated(unsafe) private static var stamp = AudioTimeStamp()

  private static func setFormat(
    _ unit: AudioUnit, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ random: inout RandomNumbers
  ) {
    var format = AudioStreamBasicDescription(
      mSampleRate: [8_000, 44_100, 48_000, 192_000][random.next(4)],
      mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
        | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(random.next(4) + 1), mBitsPerChannel: 32, mReserved: 0)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, scope, element, &format,
      UInt32(MemoryLayout.size(ofValue: format)))
  }

  /// Reads the input in its current format; the context is the unit.
  static let readInput: AURenderCallback = { context, flags, time, _, frames, list in
    let unit = AudioUnit(context)
    for count in 1...4 {
      let list = AudioBufferList.allocate(maximumBuffers: count)
      defer { free(list.unsafeMutablePointer) }
      for index in 0..<count {
        list[index] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      }
      let status = AudioUnitRender(unit, flags, time, 1, frames, list.unsafeMutablePointer)
      guard status == noErr else { continue }
      // Every sample can be read.
      for buffer in list {
        let data = buffer.mData?.assumingMemoryBound(to: Float.self)
        for frame in 0..<Int(frames) where data?[frame].isNaN ?? false { return -1 }
      }
    }
    return noErr
  }

  static let stopInside: AURenderCallback = { unit, _, _, _, _, _ in
    AudioOutputUnitStop(AudioUnit(unit))
  }
  static let uninitializeInside: AURenderCallback = { unit, _, _, _, _, _ in
    AudioUnitUninitialize(AudioUnit(unit))
  }
  static let disposeInside: AURenderCallback = { unit, _, _, _, _, _ in
    AudioComponentInstanceDispose(AudioUnit(unit))
  }
}
