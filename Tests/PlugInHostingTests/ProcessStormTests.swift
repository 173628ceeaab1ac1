// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import AudioToolbox
import Foundation
import PlugInHosting
import Testing

/// Plug-ins are loaded, rendered, killed, restarted and disposed of on several threads at once.
@Suite("Processes of plug-ins, storm")
struct ProcessStormTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"] == nil ? 6 : 60

  @Test("survives any order of loading, rendering, killing, restarting and disposing")
  func storm() throws {
    // Registered before threads look for it.
    _ = try unit()
    let threads = (0..<4).map { thread in
      OwnThread { [self] () -> String in
        var generator = SeededOrder(UInt64(thread) + 1)
        do {
          for _ in 0..<Self.rounds { try round(&generator) }
          return ""
        } catch { return "\(error)" }
      }
    }
    #expect(threads.map { $0.join() } == threads.map { _ in "" })
  }

  private func unit() throws -> AudioTestSupport.HostedUnit {
    try TestPlugIn.$isApart.withValue(true) {
      try TestPlugIn(.ladspa, at: TestLibrary.hostile, ":through").unit
    }
  }

  /// One unit: it renders while another thread kills its process, and starts again.
  private func round(_ generator: inout SeededOrder) throws {
    let unit = try unit()
    try unit.setCallback(
      HostCallback { moment in
        moment.fill { _, _ in 0.25 }
        return noErr
      })
    for _ in 0..<2 {
      try unit.initialize()
      let output = try render(unit, 4)
      #expect(output.allSatisfy { $0 == 0.25 })
      let (process, delay) = (try process(of: unit), UInt32(generator.next(2_000)))
      let killer = OwnThread { () -> Bool in
        usleep(delay)
        return process > 1 && kill(process, SIGKILL) == 0
      }
      // Whatever has ended, the samples are the input or silence.
      for _ in 0..<20 { #expect(try render(unit, 1).allSatisfy { (0...0.25).contains($0) }) }
      if generator.next(2) == 0 { try unit.uninitialize() }
      _ = killer.join()
      if generator.next(4) == 0 { break }
      for _ in 0..<2_000 where !hasEnded(unit) { usleep(1_000) }
    }
    try unit.dispose()
  }

  private func hasEnded(_ unit: AudioTestSupport.HostedUnit) -> Bool {
    (try? unit.lastRenderError) == kAudioComponentErr_InstanceInvalidated
  }

  private func render(_ unit: AudioTestSupport.HostedUnit, _ count: Int) throws -> [Float] {
    var result: [Float] = []
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    for index in 0..<count {
      time.mSampleTime = Double(index * 64) + Double.random(in: 0...1e6).rounded()
      let list = AudioBufferList.allocate(maximumBuffers: 2)
      defer { free(list.unsafeMutablePointer) }
      for channel in 0..<2 {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 256, mData: nil)
      }
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      try check(AudioUnitRender(unit.handle, &flags, &time, 0, 64, list.unsafeMutablePointer))
      let samples = try #require(list[0].mData).assumingMemoryBound(to: Float.self)
      result += UnsafeBufferPointer(start: samples, count: 64)
    }
    return result
  }

  /// The process in which a unit runs.
  private func process(of unit: AudioTestSupport.HostedUnit) throws -> pid_t {
    let ids = try unit.getArray(
      kAudioUnitProperty_ParameterList, of: AudioUnitParameterID(0), kAudioUnitScope_Global, 0)
    var value: Float = 0
    try check(
      AudioUnitGetParameter(
        unit.handle, try #require(ids.last), kAudioUnitScope_Global, 0, &value))
    return pid_t(value)
  }
}

/// Numbers that are the same in each run.
private struct SeededOrder {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
