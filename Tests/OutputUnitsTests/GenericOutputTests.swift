// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Generic output")
struct GenericOutputTests {
  private func make(
    _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription,
    maximum: UInt32 = 1_156, _ callback: HostCallback
  ) throws -> HostedUnit {
    let unit = try HostedUnit(kAudioUnitSubType_GenericOutput)
    try unit.setFormat(source)
    try unit.setFormat(target, kAudioUnitScope_Output, 0)
    try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: maximum)
    try unit.setCallback(callback)
    try unit.initialize()
    return unit
  }

  private func sine(_ frequency: Double, _ rate: Double) -> HostCallback {
    HostCallback { moment in
      moment.fill { _, frame in Float(0.5 * sin(2 * .pi * frequency * Double(frame) / rate)) }
      return noErr
    }
  }

  /// Renders one channel of planar Float32 in slices of the sizes in turn.
  private func pull(
    _ unit: HostedUnit, frames: Int, slices: [Int], from start: Double = 0
  ) throws -> [Float] {
    var rendered: [Float] = []
    var turn = 0
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    defer { free(list.unsafeMutablePointer) }
    while rendered.count < frames {
      let count = min(slices[turn % slices.count], frames - rendered.count)
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = start + Double(rendered.count)
      stamp.mFlags = .sampleTimeValid
      var flags = AudioUnitRenderActionFlags()
      try check(
        AudioUnitRender(
          unit.handle, &flags, &stamp, 0, UInt32(count), list.unsafeMutablePointer), "render")
      let data = list[0].mData?.assumingMemoryBound(to: Float.self)
      #expect(Int(list[0].mDataByteSize) == count * 4)
      rendered += UnsafeBufferPointer(start: data, count: count)
      turn += 1
    }
    return rendered
  }

  private static let rates: [Double] = [8_000, 44_100, 48_000, 192_000]

  @Test(
    "converts between rates without an alias, in pieces no longer than the maximum slice",
    arguments: rates, rates)
  func betweenRates(from: Double, to: Double) throws {
    let frequency = (0.2 * min(from, to)).rounded() + 1
    let callback = sine(frequency, from)
    let unit = try make(
      .linear(from, channels: 1), .linear(to, channels: 1), maximum: 300, callback)
    let rendered = Signal(
      try pull(unit, frames: 80_000, slices: [300]), sampleRate: to)[12_000..<77_536]
    #expect(abs(decibels(rendered.tone(at: frequency).amplitude / 0.5)) < 0.1)
    #expect(decibels(Spectrum(rendered).highest(except: [frequency]).amplitude / 0.5) < -100)
    var time = 0.0
    for call in callback.calls {
      #expect(call.frames <= 300)
      #expect(call.time.mSampleTime == time)
      time += Double(call.frames)
    }
  }

  @Test("outputs the same bits in every run and in slices of any size", arguments: rates, rates)
  func sameEachTime(from: Double, to: Double) throws {
    let renders = try [[1_000], [1_000], [1, 7, 512, 33], [999, 1]].map { slices in
      let unit = try make(
        .linear(from, channels: 1), .linear(to, channels: 1), maximum: 1_000, sine(440, from))
      return try pull(unit, frames: 20_000, slices: slices)
    }
    for render in renders.dropFirst() { #expect(render == renders[0]) }
  }

  @Test("converts between all sample formats", arguments: SampleCoding.all, [true, false])
  func formats(coding: SampleCoding, isInterleaved: Bool) throws {
    let samples = [noise(1_000).map { $0 * 1.5 }, noise(1_000, seed: 2)]
    let callback = HostCallback { moment in
      moment.fill { samples[$0][$1] }
      return noErr
    }
    let unit = try make(
      .linear(44_100), coding.format(44_100, channels: 2, isInterleaved: isInterleaved), callback)
    let count = isInterleaved ? 1 : 2
    let list = AudioBufferList.allocate(maximumBuffers: count)
    defer { free(list.unsafeMutablePointer) }
    // An odd address, because the caller's memory need not be aligned.
    let size = 1_000 * coding.bytes * 2 + 1
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * size, alignment: 16)
    defer { memory.deallocate() }
    for index in 0..<count {
      list[index] = AudioBuffer(
        mNumberChannels: isInterleaved ? 2 : 1, mDataByteSize: UInt32(size - 1),
        mData: memory + index * size + 1)
    }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    try check(
      AudioUnitRender(unit.handle, nil, &stamp, 0, 1_000, list.unsafeMutablePointer))
    for channel in 0..<2 {
      let rendered = (0..<1_000).compactMap { frame in
        coding.place(list, channel, frame, 2).map { place -> Float in
          // Copied to aligned memory, so that it can be read as a number.
          var number: UInt64 = 0
          memcpy(&number, place, coding.bytes)
          return withUnsafeBytes(of: &number) {
            coding.read($0.baseAddress ?? UnsafeRawPointer(place))
          }
        }
      }
      #expect(rendered == samples[channel].map(coding.quantized))
    }
    #expect(list[0].mDataByteSize == UInt32(1_000 * coding.bytes * (isInterleaved ? 2 : 1)))
  }

  @Test("passes the caller's time on, also when it jumps")
  func times() throws {
    let callback = sine(440, 96_000)
    let unit = try make(.linear(96_000, channels: 1), .linear(48_000, channels: 1), callback)
    _ = try pull(unit, frames: 1_000, slices: [500])
    _ = try pull(unit, frames: 500, slices: [500], from: 48_000)
    let calls = callback.calls
    #expect(calls.first?.time.mSampleTime == 0)
    #expect(calls.contains { $0.time.mSampleTime == 96_000 })
    let equal = sine(440, 48_000)
    let other = try make(.linear(48_000, channels: 1), .linear(48_000, channels: 1), equal)
    _ = try pull(other, frames: 1_000, slices: [100], from: 777)
    #expect(equal.calls.map(\.time.mSampleTime) == (0..<10).map { 777 + 100 * Double($0) })
  }

  @Test("can be started and stopped, like a graph's output")
  func startAndStop() throws {
    let unit = try HostedUnit(kAudioUnitSubType_GenericOutput)
    let changes = try PropertyChangeCounter(unit, kAudioOutputUnitProperty_IsRunning)
    #expect(AudioOutputUnitStart(unit.handle) == kAudioUnitErr_Uninitialized)
    #expect(AudioOutputUnitStop(unit.handle) == noErr)
    try unit.initialize()
    #expect(try !unit.isRunning)
    try unit.start()
    try unit.start()
    #expect(try unit.isRunning)
    #expect(changes.count == 1)
    try unit.stop()
    #expect(try !unit.isRunning)
    #expect(changes.count == 2)
    try unit.start()
    try unit.uninitialize()
    #expect(try !unit.isRunning)
  }

  @Test("returns the documented errors for wrong calls")
  func errors() throws {
    let unit = try HostedUnit(kAudioUnitSubType_GenericOutput)
    #expect(render(unit, bus: 0) == kAudioUnitErr_Uninitialized)
    try unit.initialize()
    #expect(render(unit, bus: 0) == kAudioUnitErr_NoConnection)
    try unit.setCallback(sine(440, 44_100))
    #expect(render(unit, bus: 0) == noErr)
    #expect(render(unit, bus: 1) == kAudioUnitErr_InvalidElement)
    #expect(render(unit, bus: 0, frames: 1_157) == kAudioUnitErr_TooManyFramesToProcess)
    #expect(render(unit, bus: 0, channels: 1) == kAudio_ParamError)
    #expect(
      unit.setting(
        kAudioUnitProperty_StreamFormat, to: AudioStreamBasicDescription.linear(48_000),
        kAudioUnitScope_Input, 0) == kAudioUnitErr_PropertyNotWritable)
    try unit.setCallback(HostCallback { _ in -77 })
    #expect(render(unit, bus: 0) == -77)
  }

  @Test("trusts a promise of silence, and makes one itself unless a filter rings on")
  func silence() throws {
    let silent = HostCallback { moment in
      moment.fill { _, _ in 0.7 }
      moment.flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      return noErr
    }
    for (rate, isSilent) in [(44_100.0, true), (48_000, false)] {
      let unit = try make(.linear(44_100, channels: 1), .linear(rate, channels: 1), silent)
      let list = AudioBufferList.allocate(maximumBuffers: 1)
      defer { free(list.unsafeMutablePointer) }
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      var flags = AudioUnitRenderActionFlags()
      try check(AudioUnitRender(unit.handle, &flags, &stamp, 0, 512, list.unsafeMutablePointer))
      #expect(flags.contains(.unitRenderAction_OutputIsSilence) == isSilent)
      let data = try #require(list[0].mData?.assumingMemoryBound(to: Float.self))
      #expect((0..<512).allSatisfy { data[$0] == 0 })
    }
  }

  @Test("restarts after a reset")
  func reset() throws {
    let callback = HostCallback { moment in
      moment.fill { _, _ in moment.time.pointee.mSampleTime == 0 ? 1 : 0 }
      return noErr
    }
    let unit = try make(.linear(44_100, channels: 1), .linear(48_000, channels: 1), callback)
    let first = try pull(unit, frames: 400, slices: [100])
    try check(AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0))
    #expect(try pull(unit, frames: 400, slices: [100]) == first)
  }

  @Test("uses the source's memory if it must not allocate")
  func sourceMemory() throws {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0.125, count: 512)
    let address = UInt(bitPattern: memory)
    let callback = HostCallback { moment in
      guard let buffers = moment.buffers, buffers[0].mData == nil else { return -1 }
      buffers[0].mData = UnsafeMutableRawPointer(bitPattern: address)
      return noErr
    }
    let unit = try HostedUnit(kAudioUnitSubType_GenericOutput)
    try unit.setFormat(.linear(44_100, channels: 1))
    try unit.setFormat(.linear(44_100, channels: 1), kAudioUnitScope_Output, 0)
    try unit.set(kAudioUnitProperty_ShouldAllocateBuffer, to: UInt32(0), kAudioUnitScope_Input, 0)
    try unit.setCallback(callback)
    try unit.initialize()
    #expect(try pull(unit, frames: 512, slices: [512]).allSatisfy { $0 == 0.125 })
  }
}
