// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import AudioToolbox
import CAllocationProbe
import Foundation
import Testing

@Suite("Audio file player")
struct FilePlayerTests {
  private func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  @Test("plays the exact samples of a file if the rates are equal", arguments: [512, 1_000, 37])
  func whole(slice: Int) throws {
    let file = try SoundFile(frames: 30_000, channels: 2)
    let host = try PlayerHost(channels: 2)
    let end = CallRecord()
    try host.use([file])
    try host.play(file, at: 100, end)
    try host.prime()
    try host.start()
    let output = try host.renderAll(30_200, slice: slice)
    for channel in 0..<2 {
      #expect(output[channel] == zeros(100) + file.samples[channel] + zeros(100))
    }
    #expect(end.wait() && end.status.load(ordering: .relaxed) == noErr)
    #expect(end.thread.load(ordering: .relaxed) != UInt(pthread_self()))
    #expect(end.locks.load(ordering: .relaxed) == 0)
    usleep(20_000)
    #expect(end.calls == 1)
    #expect(try host.playTime == 30_200)
  }

  /// A region of one of two files.
  struct Region {
    var file = 0
    var time: Double?
    var start: Int64 = 0
    var frames = UInt32.max
    var loops: UInt32 = 0
  }
  /// Regions, and the expected output from frame 0 on.
  struct Table: CustomTestStringConvertible {
    var testDescription: String
    var regions: [Region]
    /// Runs of frames of a file; nil for silent frames.
    var expected: [(file: Int?, frames: Range<Int>)]
  }

  static let tables: [Table] = [
    Table(
      testDescription: "regions that meet",
      regions: [
        .init(time: 0, start: 10, frames: 100), .init(file: 1, time: 100, frames: 50),
        .init(file: 0, start: 200, frames: 30),
      ], expected: [(0, 10..<110), (1, 0..<50), (0, 200..<230), (nil, 0..<20)]),
    Table(
      testDescription: "regions apart, scheduled in another order",
      regions: [
        .init(file: 1, time: 300, start: 5, frames: 10), .init(time: 20, start: 0, frames: 30),
      ], expected: [(nil, 0..<20), (0, 0..<30), (nil, 0..<250), (1, 5..<15), (nil, 0..<9)]),
    Table(
      testDescription: "regions that overlap: the second begins where the first ends",
      regions: [.init(time: 0, frames: 60), .init(file: 1, time: 40, frames: 60)],
      expected: [(0, 0..<60), (1, 20..<60), (nil, 0..<30)]),
    Table(
      testDescription: "a loop, and what follows it",
      regions: [
        .init(time: 5, start: 7, frames: 20, loops: 2), .init(file: 1, start: 3, frames: 4),
      ],
      expected: [
        (nil, 0..<5), (0, 7..<27), (0, 7..<27), (0, 7..<27), (1, 3..<7), (nil, 0..<10),
      ]),
    Table(
      testDescription:
        "the last frames of a file, whatever length is requested, and then silence",
      regions: [.init(time: 0, start: 19_990, frames: 1_000)],
      expected: [(0, 19_990..<20_000), (nil, 0..<100)]),
    Table(
      testDescription: "a region whose start was missed",
      regions: [.init(time: -30, frames: 100)], expected: [(0, 30..<100), (nil, 0..<20)]),
    Table(
      testDescription: "an empty region, whatever number of loops is requested",
      regions: [.init(time: 0, start: 20_000, loops: 5)], expected: [(nil, 0..<20)]),
  ]

  @Test("places regions to the frame", arguments: tables.indices, [64, 17])
  func places(index: Int, slice: Int) throws {
    let table = Self.tables[index]
    // As small as possible, so that regions consist of many pieces.
    let (host, files) = try withSmallPieces(20_000)
    let ends = table.regions.map { _ in CallRecord() }
    for (region, end) in zip(table.regions, ends) {
      try host.play(
        files[region.file], at: region.time, from: region.start, frames: region.frames,
        loops: region.loops, end)
    }
    try host.start()
    let expected = table.expected.flatMap { run in
      run.file.map { Array(files[$0].samples[0][run.frames]) } ?? zeros(run.frames.count)
    }
    #expect(try host.render(expected.count, slice: slice) == expected)
    for end in ends { #expect(end.wait() && end.calls == 1) }
  }

  /// A player that reads pieces of 16 frames, two ahead.
  private func withSmallPieces(_ frames: Int) throws -> (PlayerHost, [SoundFile]) {
    let files = try (0..<2).map { number in
      try SoundFile(frames: frames) { _, frame in Float(frame + 1) + Float(number) * 100_000 }
    }
    let host = try PlayerHost()
    try host.unit.set(kAudioUnitProperty_ScheduledFileBufferSizeFrames, to: UInt32(16))
    try host.unit.set(kAudioUnitProperty_ScheduledFileNumberBuffers, to: UInt32(2))
    try host.use(files)
    return (host, files)
  }

  @Test("a region that was read first waits for one that begins earlier", arguments: [64, 17])
  func waits(slice: Int) throws {
    let (host, files) = try withSmallPieces(400)
    try host.play(files[1], at: 50, frames: 300)
    // Its first pieces are read before the player knows the other region.
    try host.unit.set(kAudioUnitProperty_ScheduledFilePrime, to: UInt32(32))
    try host.play(files[0], at: 0, frames: 100)
    try host.start()
    let expected = files[0].samples[0][..<100] + files[1].samples[0][50..<300] + zeros(30)
    #expect(try host.render(380, slice: slice) == Array(expected))
  }

  @Test("what is read while other regions are scheduled does not become silence")
  func meanwhile() throws {
    let (host, files) = try withSmallPieces(400)
    for _ in 0..<300 {
      for number in 0..<4 { try host.play(files[number % 2], at: Double(20 * number), frames: 20) }
      host.jump(to: 0)
      try host.start()
      let expected = (0..<4).flatMap { files[$0 % 2].samples[0][..<20] }
      guard try host.render(80, slice: 40) == expected else {
        Issue.record("frames are missing")
        return
      }
      try host.reset()
    }
  }

  @Test("repeats a region until it is reset")
  func endless() throws {
    let file = try SoundFile(frames: 100)
    let host = try PlayerHost()
    let end = CallRecord()
    try host.use([file])
    try host.play(file, at: 0, frames: 30, loops: .max, end)
    try host.start()
    let region = file.samples[0][..<30]
    #expect(try host.render(900) == (0..<30).flatMap { _ in region })
    #expect(end.calls == 0)
    try host.reset()
    #expect(end.wait() && end.status.load(ordering: .relaxed) == userCanceledErr)
    #expect(try host.render(100) == zeros(100))
    // And plays again from any position.
    try host.play(file, at: 0, from: 50)
    try host.start()
    #expect(try host.render(60) == Array(file.samples[0][50...]) + zeros(10))
    #expect(end.calls == 1)
  }

  @Test("converts the rate and channels of a file exactly like an audio converter")
  func conversion() throws {
    let file = try SoundFile(frames: 20_000, sampleRate: 44_100) { _, frame in
      Float(sin(Double(frame) / 20)) / 2
    }
    let host = try PlayerHost(sampleRate: 48_000, channels: 2)
    try host.use([file])
    try host.play(file, at: 0)
    try host.start()
    let frames = (20_000 * 480 + 440) / 441
    let output = try host.renderAll(frames + 100)

    var from = AudioStreamBasicDescription.linear(44_100, channels: 1)
    var to = AudioStreamBasicDescription.linear(48_000, channels: 2)
    var converter: AudioConverterRef?
    try check(AudioConverterNew(&from, &to, &converter))
    let made = try #require(converter)
    defer { AudioConverterDispose(made) }
    var quality: UInt32 = 96
    try check(
      AudioConverterSetProperty(made, kAudioConverterSampleRateConverterQuality, 4, &quality))
    final class Input {
      let samples: UnsafeMutableBufferPointer<Float>
      var isSupplied = false
      init(_ values: [Float]) {
        samples = .allocate(capacity: values.count)
        _ = samples.initialize(from: values)
      }
    }
    let input = Input(file.samples[0])
    defer { input.samples.deallocate() }
    let supply: AudioConverterComplexInputDataProc = { _, packets, list, _, context in
      guard let context else { return kAudio_ParamError }
      let input = Unmanaged<Input>.fromOpaque(context).takeUnretainedValue()
      packets.pointee = input.isSupplied ? 0 : UInt32(input.samples.count)
      list.pointee.mBuffers.mData = UnsafeMutableRawPointer(input.samples.baseAddress)
      list.pointee.mBuffers.mDataByteSize = 4 * packets.pointee
      input.isSupplied = true
      return noErr
    }
    let memory = (0..<2).map { _ in
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: frames + 100)
      memory.initialize(repeating: 0, count: frames + 100)
      return memory
    }
    defer { for channel in memory { channel.deallocate() } }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    for channel in 0..<2 {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * (frames + 100)),
        mData: memory[channel])
    }
    var count = UInt32(frames + 100)
    try check(
      AudioConverterFillComplexBuffer(
        made, supply, Unmanaged.passUnretained(input).toOpaque(), &count,
        list.unsafeMutablePointer, nil))
    #expect(Int(count) == frames)
    for channel in 0..<2 {
      let worst = (0..<frames + 100).map { abs(output[channel][$0] - memory[channel][$0]) }.max()
      #expect(worst == 0, "channel \(channel)")
    }
  }

  @Test("loops a tone at another rate without an audible joint")
  func seamlessLoop() throws {
    // Ten periods, so that the joint is continuous.
    let file = try SoundFile(frames: 441, sampleRate: 44_100) { _, frame in
      Float(sin(2 * .pi * Double(frame) / 44.1)) / 2
    }
    let host = try PlayerHost()
    try host.use([file])
    try host.play(file, at: 0, loops: 99)
    try host.start()
    let output = try host.render(48_000)
    let worst = (1_000..<47_000).map { frame in
      abs(output[frame] - Float(sin(2 * .pi * Double(frame) / 48)) / 2)
    }.max()
    #expect(try #require(worst) < 2e-6)
  }

  @Test("plays silence while the file is not read in time, reports it, and stays in time")
  func slowFile() throws {
    let slow = SlowFile(frames: 200_000)
    let host = try PlayerHost()
    try host.unit.set(kAudioUnitProperty_ScheduledFileBufferSizeFrames, to: UInt32(1_024))
    try host.unit.set(kAudioUnitProperty_ScheduledFileNumberBuffers, to: UInt32(4))
    try check(
      host.unit.setArray(
        kAudioUnitProperty_ScheduledFileIDs, to: [slow.id], kAudioUnitScope_Global, 0))
    let notifications = CallRecord()
    let listener: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
      Unmanaged<CallRecord>.fromOpaque(context).takeUnretainedValue().note(noErr)
    }
    try check(
      AudioUnitAddPropertyListener(
        host.unit.handle, kAUDiagnosticsProperty_Xruns, listener, notifications.context))
    let region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: slow.id, mLoopCount: 0, mStartFrame: 0, mFramesToPlay: .max)
    try host.unit.set(kAudioUnitProperty_ScheduledFileRegion, to: region)
    try host.prime(2_048)
    try host.start()
    // As in a device's cycle, where a render must not wait.
    let output = try asDevice {
      slow.setStuck(true)
      var output = try host.render(40_960)
      slow.setStuck(false)
      usleep(100_000)
      for _ in 0..<200 {
        output += try host.render(64)
        usleep(2_000)
      }
      return output
    }
    let lost = output.indices.filter { output[$0] == 0 }
    #expect(lost.count > 30_000 && lost.count < output.count - 8_000)
    // Each frame that is not silent is the right one for its time.
    #expect(output.indices.allSatisfy { output[$0] == 0 || output[$0] == SlowFile.value($0) })
    #expect(output[output.count - 1] != 0)
    #expect(notifications.wait())
    let misses = try host.unit.get(
      kAUDiagnosticsProperty_Xruns,
      as: AUDiagnosticsXruns(mCount: 0, mServerCount: 0, mServerReports: 0))
    #expect(misses.mCount >= 1)
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout.size(ofValue: text))
    try check(
      AudioUnitGetProperty(
        host.unit.handle, kAUDiagnosticsProperty_Interruption, kAudioUnitScope_Global, 0, &text,
        &size))
    let explanation = "\(try #require(text).takeRetainedValue())"
    #expect(explanation.contains("not read in time"))
  }

  @Test("does not use the heap while it plays, from the first render on")
  func heap() throws {
    let file = try SoundFile(frames: 100_000)
    let host = try PlayerHost()
    try host.use([file])
    try host.play(file, at: 0, loops: 3)
    try host.prime(20_000)
    try host.start()
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    defer { free(list.unsafeMutablePointer) }
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    let before = heap_operations()
    for _ in 0..<200 {
      list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
      AudioUnitRender(host.unit.handle, nil, &stamp, 0, 512, list.unsafeMutablePointer)
      stamp.mSampleTime += 512
    }
    #expect(heap_operations() == before)
  }

  @Test("refuses invalid regions with a reason")
  func refusals() throws {
    let file = try SoundFile(frames: 100)
    let host = try PlayerHost()
    func region(start: Int64 = 0) -> ScheduledAudioFileRegion {
      .init(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
        mAudioFile: file.id, mLoopCount: 0, mStartFrame: start, mFramesToPlay: .max)
    }
    func refusal(_ region: ScheduledAudioFileRegion) -> String {
      let status = host.unit.setting(kAudioUnitProperty_ScheduledFileRegion, to: region)
      return "\(status) \(lastReason())"
    }
    #expect(refusal(region()).contains("ScheduledFileIDs"))
    try host.use([file])
    #expect(refusal(region(start: 101)).contains("has 100 frames"))
    #expect(refusal(region(start: -1)).contains("mStartFrame is -1"))
    #expect(
      host.unit.setting(kAudioUnitProperty_ScheduledFileBufferSizeFrames, to: UInt32(8))
        == kAudioUnitErr_InvalidPropertyValue)
    let wrong = host.unit.setArray(
      kAudioUnitProperty_ScheduledFileIDs, to: [UInt(77)], kAudioUnitScope_Global, 0)
    #expect(wrong == kAudioUnitErr_InvalidPropertyValue)
    let kept = try host.unit.getArray(
      kAudioUnitProperty_ScheduledFileIDs, of: UInt(0), kAudioUnitScope_Global, 0)
    #expect(kept == [UInt(bitPattern: file.id)])
    try host.unit.uninitialize()
    #expect(refusal(region()).contains("initialize the unit"))
  }
}
