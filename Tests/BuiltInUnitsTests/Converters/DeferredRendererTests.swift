// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// A gate at which a source can be stopped.
private final class SourceGate: @unchecked Sendable {
  let isOpen = Atomic(true)
  let entered = Atomic(0)
  let left = Atomic(0)

  func pass() {
    entered.wrappingAdd(1, ordering: .sequentiallyConsistent)
    while !isOpen.load(ordering: .sequentiallyConsistent) { usleep(200) }
    left.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Waits until a thread is inside.
  func waitUntilEntered() -> Bool {
    for _ in 0..<50_000 {
      let inside = entered.load(ordering: .acquiring) > left.load(ordering: .acquiring)
      if inside { return true }
      usleep(200)
    }
    return false
  }
}

@Suite("Deferred renderer")
struct DeferredRendererTests {
  /// A different value for each frame and channel, never 0.
  private static func sample(_ channel: Int, _ frame: Int) -> Float {
    Float(1 + (frame * 7 + channel * 3) % 1_000) / 1_024
  }

  private func host(pull: UInt32? = nil, extra: UInt32? = nil) throws -> MixerHost {
    let host = try MixerHost(
      kAudioUnitSubType_DeferredRenderer, type: kAudioUnitType_FormatConverter)
    if let pull { try host.unit.set(kAudioUnitProperty_DeferredRendererPullSize, to: pull) }
    if let extra { try host.unit.set(kAudioUnitProperty_DeferredRendererExtraLatency, to: extra) }
    return host
  }

  private func latency(_ host: MixerHost) throws -> Int {
    Int((try host.latency).rounded())
  }

  /// The expected output from frame `first` on.
  private func expected(_ first: Int, _ count: Int, _ latency: Int, _ channel: Int = 0) -> [Double]
  {
    (first..<first + count).map {
      $0 < latency ? 0 : Double(Self.sample(channel, $0 - latency))
    }
  }

  @Test(
    "outputs its input unchanged, delayed by the reported latency, in slices of any size",
    arguments: [(16, 0), (512, 0), (700, 5), (4_096, 300)] as [(UInt32, UInt32)],
    [[512], [1, 64, 1_156, 7], [1_000]])
  func delay(sizes: (UInt32, UInt32), slices: [Int]) throws {
    let host = try host(pull: sizes.0, extra: sizes.1)
    try host.feed(0) { Self.sample($0, $1) }
    try host.initialize()
    let latency = try latency(host)
    #expect(latency == max(Int(sizes.0), 1_156) + Int(sizes.1))
    let output = try host.render(12_000, slices: slices)
    for channel in 0..<2 {
      #expect(Array(output[channel].samples) == expected(0, 12_000, latency, channel))
    }
  }

  @Test("pulls consecutive whole blocks, on its own thread")
  func pulls() throws {
    let host = try host(pull: 700)
    let source = try host.feed(0) { Self.sample($0, $1) }
    try host.initialize()
    _ = try host.render(7_000, slices: [333, 500])
    let calls = source.calls
    #expect(calls.count == 10 && calls.allSatisfy { $0.frames == 700 })
    #expect(calls.map(\.time.mSampleTime) == (0..<10).map { Double($0 * 700) })
    #expect(Set(calls.map(\.thread)).count == 1 && calls[0].thread != UInt(pthread_self()))
  }

  @Test("restarts after a reset")
  func reset() throws {
    let host = try host(pull: 64)
    let source = try host.feed(0) { Self.sample($0, $1) }
    try host.initialize()
    _ = try host.render(640, slices: [64])
    try check(AudioUnitReset(host.unit.handle, kAudioUnitScope_Global, 0))
    let latency = try latency(host)
    let output = try host.render(latency + 64, slices: [64])[0]
    #expect(output.samples.prefix(latency).allSatisfy { $0 == 0 })
    #expect(output.samples[latency] == Double(Self.sample(0, 640)))
    #expect(source.calls[10].time.mSampleTime == 640)
  }

  @Test("refuses sizes that are not possible, and changes while it is initialized")
  func arguments() throws {
    let host = try host()
    let id = kAudioUnitProperty_DeferredRendererPullSize
    let extra = kAudioUnitProperty_DeferredRendererExtraLatency
    #expect(host.unit.setting(id, to: UInt32(15)) == kAudioUnitErr_InvalidPropertyValue)
    #expect(host.unit.setting(id, to: UInt32(65_537)) == kAudioUnitErr_InvalidPropertyValue)
    #expect(host.unit.setting(extra, to: UInt32(2_000_000)) == kAudioUnitErr_InvalidPropertyValue)
    try host.initialize()
    #expect(host.unit.setting(id, to: UInt32(64)) == kAudioUnitErr_Initialized)
    #expect(host.unit.setting(extra, to: UInt32(64)) == kAudioUnitErr_Initialized)
    #expect(try host.unit.get(id, as: UInt32(0)) == 512)
    try host.unit.uninitialize()
    try host.unit.set(kAudioUnitProperty_SampleRate, to: 44_100.0, kAudioUnitScope_Output, 0)
    #expect(AudioUnitInitialize(host.unit.handle) == kAudioUnitErr_FormatNotSupported)
    #expect(lastReason().contains("does not convert rates"))
  }

  @Test("returns the error of its source, after the latency")
  func errors() throws {
    let host = try host(pull: 64)
    try host.initialize()
    let none = #expect(throws: CallFailure.self) { _ = try host.render(64) }
    #expect(none?.status == kAudioUnitErr_NoConnection)
    let failing = HostCallback { _ in -1 }
    try host.unit.setCallback(failing)
    let failed = #expect(throws: CallFailure.self) { _ = try host.render(2_000, slices: [64]) }
    #expect(failed?.status == -1)
    let error = try host.unit.get(kAudioUnitProperty_LastRenderError, as: OSStatus(0))
    #expect(error == kAudioUnitErr_NoConnection || error == -1)
  }

  @Test("is silent while its input is late, counts the gap, and stays in time")
  func lateness() throws {
    let host = try host(pull: 128, extra: 128)
    let gate = SourceGate()
    let source = HostCallback { moment in
      gate.pass()
      // The samples of the requested time, so that skipped frames are detected.
      let first = Int(moment.time.pointee.mSampleTime) - moment.position
      moment.fill { Self.sample($0, $1 + first) }
      return noErr
    }
    try host.unit.setCallback(source)
    try host.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(0))
    try host.initialize()
    let latency = try latency(host)
    let notifications = CallRecord()
    try check(
      AudioUnitAddPropertyListener(
        host.unit.handle, kAUDiagnosticsProperty_Xruns,
        { context, _, _, _, _ in
          Unmanaged<CallRecord>.fromOpaque(context).takeUnretainedValue().note(noErr)
        }, notifications.context))
    gate.isOpen.store(false, ordering: .sequentiallyConsistent)
    let first = try host.render(latency + 6_400, slices: [128])[0]
    #expect(first.samples.allSatisfy { $0 == 0 })
    let zero = AUDiagnosticsXruns()
    #expect(try host.unit.get(kAUDiagnosticsProperty_Xruns, as: zero).mCount == 1)
    gate.isOpen.store(true, ordering: .sequentiallyConsistent)
    #expect(notifications.wait())
    var place = latency + 6_400
    var isInTime = false
    for _ in 0..<20_000 where !isInTime {
      let output = try host.render(128)[0]
      let expectedSamples = expected(place, 128, latency)
      #expect(zip(output.samples, expectedSamples).allSatisfy { $0 == 0 || $0 == $1 })
      isInTime = Array(output.samples) == expectedSamples
      place += 128
      usleep(200)
    }
    #expect(isInTime)
    var text: Unmanaged<CFString>?
    var size = UInt32(MemoryLayout.size(ofValue: text))
    try check(
      AudioUnitGetProperty(
        host.unit.handle, kAUDiagnosticsProperty_Interruption, kAudioUnitScope_Global, 0, &text,
        &size))
    #expect("\(try #require(text).takeRetainedValue())".contains("ExtraLatency"))
  }

  /// A call that ends or changes something that a pull may be using.
  enum End: String, CaseIterable, Sendable {
    case uninitialize, dispose, disconnect, uninitializeSource, disposeSource
  }

  @Test("such a call waits for a running pull", arguments: End.allCases)
  func waiting(end: End) throws {
    let gate = SourceGate()
    let deferred = try host(pull: 128)
    let source = try HostedUnit(
      kAudioUnitSubType_PeakLimiter, type: kAudioUnitType_Effect)
    let feed = HostCallback { moment in
      gate.pass()
      moment.fill { Self.sample($0, $1) }
      return noErr
    }
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try source.set(kAudioUnitProperty_SampleRate, to: 48_000.0, scope, 0)
    }
    try source.setCallback(feed)
    try source.initialize()
    try deferred.unit.connect(source)
    try deferred.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(0))
    try deferred.initialize()
    gate.isOpen.store(false, ordering: .sequentiallyConsistent)
    _ = try deferred.render(128)
    #expect(gate.waitUntilEntered())
    let hasReturned = Atomic(false)
    let leftBefore = Atomic(-1)
    let done = DispatchSemaphore(value: 0)
    let unit = deferred.unit
    Thread.detachNewThread {
      switch end {
      case .uninitialize: try? unit.uninitialize()
      case .dispose: try? unit.dispose()
      case .disconnect:
        _ = unit.setting(
          kAudioUnitProperty_MakeConnection,
          to: AudioUnitConnection(
            sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0),
          kAudioUnitScope_Input)
      case .uninitializeSource: try? source.uninitialize()
      case .disposeSource: try? source.dispose()
      }
      leftBefore.store(gate.left.load(ordering: .acquiring), ordering: .relaxed)
      hasReturned.store(true, ordering: .releasing)
      done.signal()
    }
    usleep(20_000)
    let isEarly = hasReturned.load(ordering: .acquiring)
    #expect(!isEarly)
    gate.isOpen.store(true, ordering: .sequentiallyConsistent)
    #expect(done.wait(timeout: .now() + 20) == .success)
    let left = leftBefore.load(ordering: .relaxed)
    #expect(left >= 1)
  }

  @Test("renders without using the heap at the pace of a device")
  func heap() throws {
    let host = try host(pull: 256)
    try host.feedSine(0, 440)
    try host.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(0))
    try host.initialize()
    #expect(try heapOperations(rendering: host.unit, slices: 200, of: 128) == 0)
  }

  @Test("survives concurrent renders, connections and uninitialisations")
  func storm() throws {
    let deferred = try host(pull: 64)
    let tones = try (0..<2).map { _ in try HostedUnit.tone() }
    for tone in tones {
      try tone.set(kAudioUnitProperty_SampleRate, to: 48_000.0, kAudioUnitScope_Output, 0)
      try tone.initialize()
    }
    try deferred.unit.set(kAudioUnitProperty_OfflineRender, to: UInt32(0))
    try deferred.unit.connect(tones[0])
    try deferred.initialize()
    let isOver = Atomic(false)
    let done = DispatchSemaphore(value: 0)
    let unit = deferred.unit
    Thread.detachNewThread {
      let list = AudioBufferList.allocate(maximumBuffers: 2)
      var stamp = AudioTimeStamp()
      stamp.mFlags = .sampleTimeValid
      while !isOver.load(ordering: .relaxed) {
        for channel in 0..<2 {
          list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
        }
        _ = AudioUnitRender(unit.handle, nil, &stamp, 0, 64, list.unsafeMutablePointer)
        stamp.mSampleTime += 64
        usleep(100)
      }
      free(list.unsafeMutablePointer)
      done.signal()
    }
    for round in 0..<150 {
      switch round % 5 {
      case 0: try deferred.unit.connect(tones[round % 2])
      case 1: try tones[round % 2].uninitialize()
      case 2: try tones[(round + 1) % 2].initialize()
      case 3: try deferred.unit.uninitialize()
      default:
        try deferred.initialize()
        try check(AudioUnitReset(unit.handle, kAudioUnitScope_Global, 0))
      }
      usleep(300)
    }
    isOver.store(true, ordering: .relaxed)
    #expect(done.wait(timeout: .now() + 20) == .success)
    for tone in tones { try tone.initialize() }
    let output = try withExtendedLifetime(tones) { try deferred.render(48_000, slices: [512]) }
    #expect(output[0].samples.count == 48_000)
  }
}
