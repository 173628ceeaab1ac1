// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Synchronization
import Testing

@Suite("A converter unit with equal formats")
struct PassThroughTests {
  private func converter() throws -> HostedUnit {
    try HostedUnit(kAudioUnitSubType_AUConverter, type: kAudioUnitType_FormatConverter)
  }

  /// An effect that processes its input in place.
  private func effect() throws -> HostedUnit {
    let effect = try HostedUnit(kAudioUnitSubType_LowPassFilter, type: kAudioUnitType_Effect)
    try check(
      AudioUnitSetParameter(
        effect.handle, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 1_000, 0))
    return effect
  }

  private static func noise(_ channel: Int, _ frame: Int) -> Float {
    Float((frame * 37 + channel * 11) % 1_000 - 500) / 512
  }

  private var noise: HostCallback {
    HostCallback { moment in
      moment.fill(Self.noise)
      return noErr
    }
  }

  /// Renders frames at a time; the first channel.
  private func render(
    _ unit: HostedUnit, _ frames: Int, at time: Double, isTimed: Bool = true
  ) throws -> [Float] {
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil)
    }
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = time
    if isTimed { stamp.mFlags = .sampleTimeValid }
    try check(
      AudioUnitRender(unit.handle, nil, &stamp, 0, UInt32(frames), list.unsafeMutablePointer))
    let samples = try #require(list[0].mData).assumingMemoryBound(to: Float.self)
    return Array(UnsafeBufferPointer(start: samples, count: frames))
  }

  @Test("passes bits on to connected units, in slices of any size", arguments: [1, 7, 64, 500])
  func bits(slice: Int) throws {
    let (converters, plain) = (try (0..<3).map { _ in try converter() }, try effect())
    let filtered = try effect()
    try converters[0].setCallback(noise)
    for index in 1..<3 { try converters[index].connect(converters[index - 1]) }
    try filtered.connect(converters[2])
    try plain.setCallback(noise)
    for unit in converters + [filtered, plain] { try unit.initialize() }
    for number in 0..<20 {
      let time = Double(number * slice)
      #expect(try render(filtered, slice, at: time) == render(plain, slice, at: time))
    }
    withExtendedLifetime(converters) {}
  }

  @Test("lets a reader process in place, although another unit reads the same source")
  func sharedSource() throws {
    let (source, passing) = (try effect(), try converter())
    let (first, second, alone) = (try effect(), try effect(), try effect())
    let copy = try effect()
    for unit in [source, copy] { try unit.setCallback(noise) }
    try passing.connect(source)
    try first.connect(passing)
    try second.connect(source)
    try alone.connect(copy)
    for unit in [source, copy, passing, first, second, alone] { try unit.initialize() }
    for time in stride(from: 0.0, to: 2_000, by: 100) {
      let expected = try render(alone, 100, at: time)
      #expect(try render(first, 100, at: time) == expected)
      #expect(try render(second, 100, at: time) == expected)
    }
    withExtendedLifetime((source, copy, passing)) {}
  }

  @Test("has two readers that get the same frames")
  func twoReaders() throws {
    let (passing, first, second) = (try converter(), try effect(), try effect())
    let callback = noise
    try passing.setCallback(callback)
    try first.connect(passing)
    try second.connect(passing)
    for unit in [passing, first, second] { try unit.initialize() }
    for time in stride(from: 0.0, to: 1_000, by: 100) {
      #expect(try render(first, 100, at: time) == render(second, 100, at: time))
    }
    #expect(callback.calls.count == 10)
    withExtendedLifetime(passing) {}
  }

  @Test("does not return the memory of a source that was disposed of")
  func disposed() throws {
    let (source, passing, reader) = (try effect(), try converter(), try effect())
    try source.setCallback(noise)
    try passing.connect(source)
    try reader.connect(passing)
    for unit in [source, passing, reader] { try unit.initialize() }
    _ = try render(reader, 100, at: 0)
    try source.dispose()
    #expect(throws: CallFailure.self) { _ = try render(passing, 100, at: 0) }
    #expect(throws: CallFailure.self) { _ = try render(reader, 100, at: 0) }
  }

  @Test("counts the frames of its input from zero if it is told to, also without a time")
  func times() throws {
    for (startsAtZero, isTimed, expected) in [
      (true, true, [0, 100, 200] as [Double]), (false, true, [5_000, 5_100, 7_000]),
      (true, false, [0, 100, 200]), (false, false, [0, 100, 200]),
    ] {
      let (passing, reader, callback) = (try converter(), try effect(), noise)
      try passing.set(
        kAudioOutputUnitProperty_StartTimestampsAtZero, to: UInt32(startsAtZero ? 1 : 0))
      try passing.setCallback(callback)
      try reader.connect(passing)
      try passing.initialize()
      try reader.initialize()
      for time in [5_000, 5_100, 7_000] as [Double] {
        _ = try render(isTimed ? reader : passing, 100, at: time, isTimed: isTimed)
      }
      #expect(callback.calls.map(\.time.mSampleTime) == expected)
      withExtendedLifetime(passing) {}
    }
  }

  @Test("passes errors and silence on, and goes on after them")
  func errors() throws {
    let (passing, reader) = (try converter(), try effect())
    let status = Atomic(noErr)
    try passing.setCallback(
      HostCallback { moment in
        moment.fill { _, _ in 1 }
        return status.load(ordering: .relaxed)
      })
    try reader.connect(passing)
    try passing.initialize()
    try reader.initialize()
    _ = try render(reader, 100, at: 0)
    status.store(77, ordering: .relaxed)
    #expect(throws: CallFailure.self) { _ = try render(reader, 100, at: 100) }
    status.store(noErr, ordering: .relaxed)
    _ = try render(reader, 100, at: 100)
    // Silence, although the buffers are not zero.
    try passing.set(
      kAudioUnitProperty_SetRenderCallback,
      to: AURenderCallbackStruct(
        inputProc: { _, flags, _, _, frames, list in
          for buffer in list.map({ Array(UnsafeMutableAudioBufferListPointer($0)) }) ?? [] {
            let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
            samples?.update(repeating: 9, count: Int(frames))
          }
          flags.pointee.insert(.unitRenderAction_OutputIsSilence)
          return noErr
        }, inputProcRefCon: nil), kAudioUnitScope_Input)
    #expect(try render(passing, 100, at: 200) == [Float](repeating: 0, count: 100))
  }

  @Test("uses no heap")
  func heap() throws {
    let (passing, reader) = (try converter(), try effect())
    let silence: AURenderCallback = { _, _, _, _, _, _ in noErr }
    try passing.set(
      kAudioUnitProperty_SetRenderCallback,
      to: AURenderCallbackStruct(inputProc: silence, inputProcRefCon: nil), kAudioUnitScope_Input)
    try reader.connect(passing)
    try passing.initialize()
    try reader.initialize()
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let before = heap_operations()
    for _ in 0..<50 {
      for channel in 0..<2 {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 400, mData: nil)
      }
      AudioUnitRender(reader.handle, nil, &stamp, 0, 100, list.unsafeMutablePointer)
      stamp.mSampleTime += 100
    }
    #expect(heap_operations() == before)
    withExtendedLifetime(passing) {}
  }
}
