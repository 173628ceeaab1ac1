// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Synchronization
import Testing

/// What a converter requests from its source, and what it reports about its output.
@Suite("A converter and its source")
struct ConverterSourceTests {
  private final class PullRecord: Sendable {
    let pulls = Mutex<[(time: Double, frames: Int)]>([])
    let reports = Mutex<[(first: Double, count: Double)]>([])
    let sourceStatus = Atomic(Int32(noErr))
    let isSilent = Atomic(false)
  }

  private func fed(maximum: UInt32 = 64) throws -> (Host, PullRecord) {
    let (host, record) = (try Host(.decimator), PullRecord())
    #expect(host.setFormat(kAudioUnitScope_Output, rate: 22_050) == noErr)
    #expect(host.set(kAudioUnitProperty_MaximumFramesPerSlice, maximum) == noErr)
    let source = Callback { call in
      record.pulls.withLock { $0.append((call.time.mSampleTime, call.frameCount)) }
      let start = Int(call.time.mSampleTime)
      let isSilent = record.isSilent.load(ordering: .relaxed)
      // A source that promises silence may not have written the zeros.
      call.fill { isSilent ? 9 : Float(start + $0 + 1) }
      if isSilent { call.flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return record.sourceStatus.load(ordering: .relaxed)
    }
    #expect(host.feed(source) == noErr)
    host.retain(record)
    return (host, record)
  }

  @Test("gives it time stamps that count its own frames, and follow jumps of the caller's time")
  func time() throws {
    let (host, record) = try fed()
    #expect(host.initialize() == noErr)
    for time in [100, 110, 4_000] { #expect(host.render(10, at: Double(time)).status == noErr) }
    let pulls = record.pulls.withLock { $0 }
    #expect(pulls.map(\.time) == [100, 120, 4_000] && pulls.allSatisfy { $0.frames == 20 })
  }

  @Test("renders each time once, and continues after an error of the source where it stopped")
  func errors() throws {
    let (host, record) = try fed()
    #expect(host.initialize() == noErr)
    let first = host.render(10, at: 0)
    #expect(host.render(10, at: 0)[0] == first[0])
    #expect(record.pulls.withLock { $0.count } == 1)
    record.sourceStatus.store(-17, ordering: .relaxed)
    #expect(host.render(10, at: 10).status == -17)
    record.sourceStatus.store(noErr, ordering: .relaxed)
    let rest: [Float] = (0..<10).map { Float(21 + 2 * $0) }
    #expect(host.render(10, at: 10)[0] == rest)
  }

  @Test("is silent when its source is, even if the source has not written the zeros")
  func silence() throws {
    let (host, record) = try fed()
    #expect(host.initialize() == noErr)
    #expect(!host.render(10, at: 0).isSilent)
    record.isSilent.store(true, ordering: .relaxed)
    #expect(host.render(10, at: 10)[0].allSatisfy { $0 == 0 })
    let rendered = host.render(10, at: 20)
    #expect(rendered.isSilent && rendered[0].allSatisfy { $0 == 0 })
    record.isSilent.store(false, ordering: .relaxed)
    #expect(!host.render(10, at: 30).isSilent)
  }

  @Test("reports the input frames of its output to the current listener")
  func inputSamples() throws {
    let (host, record) = try fed()
    let property = kAudioUnitProperty_InputSamplesInOutput
    var listener = AUInputSamplesInOutputCallbackStruct(
      inputToOutputCallback: { context, time, first, count in
        let record = Unmanaged<PullRecord>.fromOpaque(context).takeUnretainedValue()
        record.reports.withLock { $0.append((first, count)) }
      }, userData: Unmanaged.passUnretained(record).toOpaque())
    #expect(host.set(property, listener) == noErr)
    #expect(host.initialize() == noErr)
    for slice in 0..<3 { _ = host.render(10, at: Double(10 * slice)) }
    let reports = record.reports.withLock { $0 }
    #expect(reports.map(\.first) == [0, 20, 40] && reports.allSatisfy { $0.count == 20 })
    listener = try host.get(property, as: AUInputSamplesInOutputCallbackStruct.self)
    #expect(listener.userData == Unmanaged.passUnretained(record).toOpaque())
    #expect(host.set(property, (0, 0)) == noErr)
    _ = host.render(10, at: 30)
    #expect(record.reports.withLock { $0.count } == 3)
    #expect(try Host(.echo).statusOfGetting(property) == kAudioUnitErr_InvalidProperty)
  }

  @Test("refuses a source of another rate unless it converts rates")
  func rates() throws {
    var varispeed = AudioComponentDescription()
    varispeed.componentSubType = kAudioUnitSubType_Varispeed
    let host = try Host(AudioComponentFindNext(nil, &varispeed))
    #expect(host.setFormat(kAudioUnitScope_Input, rate: 48_000) == noErr)
    #expect(host.initialize() == kAudioUnitErr_FormatNotSupported)
    #expect(host.setFormat(kAudioUnitScope_Output, rate: 48_000) == noErr)
    #expect(host.initialize() == noErr)
  }
}
