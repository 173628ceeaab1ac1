// SPDX-License-Identifier: Apache-2.0

import AVFAudio
import AudioSupport
import AudioTestSupport
import AudioToolbox
import CRealTime
import Foundation
import PlugInHosting
import Synchronization
import Testing

@Suite("A plug-in in a process of its own")
struct OwnProcessTests {
  /// What the plug-in does in its next run; the numbers are those of hostile.c.
  enum Fault: Float, CaseIterable, Sendable {
    case aborts = 1
    case loops, exits, crashes, givesNaN, writesBeyond, overwritesAll, sleepsDeaf, forks
    case closesFiles, takesMemory, changesState, stopsItself, isLateOnce

    /// Those that end its process, or make it useless.
    static let fatal: [Self] = [
      .aborts, .loops, .exits, .crashes, .writesBeyond, .overwritesAll, .sleepsDeaf, .forks,
      .takesMemory, .stopsItself,
    ]
  }

  /// A plug-in whose process may take so many seconds for a call.
  private func hostile(_ label: String = "through", within seconds: Double = 10) throws
    -> HostileUnit
  {
    try TestPlugIn.$timeLimit.withValue(seconds) { try HostileUnit(label) }
  }

  /// As long as a test can wait for what hangs, and longer than the process of another takes to start.
  private let patience = 1.5

  private let ramp = (1...4_096).map(Float.init)

  @Test("gives the same sound, to the bit, in slices of any length")
  func sameSound() throws {
    let unit = try hostile()
    try unit.start(ramp)
    #expect(try unit.property(kAudioUnitProperty_LoadedOutOfProcess, 0 as UInt32) == 1)
    #expect(try unit.render([1, 512, 64, 7]) == Array(ramp[..<584]))
  }

  @Test(
    "may end or hang: its unit passes the input on, says so, and starts another one",
    arguments: Fault.fatal)
  func fatal(fault: Fault) throws {
    let hangs = [.loops, .sleepsDeaf, .stopsItself].contains(fault)
    let unit = try hostile(within: hangs ? patience : 10)
    let notification = Notified(unit)
    try unit.start(ramp)
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    try unit.set(fault.rawValue)
    let during = try unit.render([64])
    #expect(during.allSatisfy { $0 >= 0 && $0 <= 128 })
    try wait { notification.count == 1 }
    #expect(try unit.lastError == kAudioComponentErr_InstanceInvalidated)
    // After a crossfade of ten milliseconds it is the input.
    #expect(try unit.render([512, 64, 64])[512...] == ramp[640..<768])
    try unit.set(0)
    try check(AudioUnitInitialize(unit.handle))
    unit.input = ramp
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    #expect(try unit.lastError == noErr)
    #expect(notification.count == 1)
  }

  @Test(
    "fails an offline render when it ends or hangs, until its unit is initialized again",
    arguments: [Fault.aborts, .loops])
  func offline(fault: Fault) throws {
    let unit = try hostile(within: fault == .loops ? patience : 10)
    try unit.start(ramp)
    try unit.setOffline()
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    try unit.set(fault.rawValue)
    #expect(throws: CallFailure.self) { try unit.render([64]) }
    try wait { try unit.lastError == kAudioComponentErr_InstanceInvalidated }
    let failure = #expect(throws: CallFailure.self) { try unit.render([64]) }
    #expect(failure?.status == kAudioComponentErr_InstanceInvalidated)
    try unit.set(0)
    try check(AudioUnitInitialize(unit.handle))
    unit.input = ramp
    #expect(try unit.render([64]) == Array(ramp[..<64]))
  }

  @Test("fails the offline render of an engine")
  func engine() throws {
    let unit = try hostile()
    let codes = try unit.codes
    let engine = AVAudioEngine()
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    let source = AVAudioSourceNode(format: format) { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        buffer.mData?.assumingMemoryBound(to: Float.self).update(repeating: 0.5, count: Int(frames))
      }
      return noErr
    }
    let made = Made()
    AVAudioUnit.instantiate(with: codes, options: .loadOutOfProcess) { effect, _ in
      made.unit.withLock { $0 = effect }
    }
    try wait { made.unit.withLock { $0 != nil } }
    let effect = try #require(made.unit.withLock { $0 })
    for node in [source, effect] { engine.attach(node) }
    engine.connect(source, to: effect, format: format)
    engine.connect(effect, to: engine.mainMixerNode, format: format)
    try engine.start()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
    #expect(try engine.renderOffline(512, to: buffer) == .success)
    let sample = try #require(buffer.floatChannelData)[0][511]
    #expect(sample == 0.5)
    try check(
      AudioUnitSetParameter(
        effect.audioUnit, unit.faultID, kAudioUnitScope_Global, 0, Fault.aborts.rawValue, 0))
    #expect(throws: (any Error).self) { try engine.renderOffline(512, to: buffer) }
    #expect(throws: (any Error).self) { try engine.renderOffline(512, to: buffer) }
    engine.stop()
  }

  @Test("gives silence for samples that are not finite, and lives on", arguments: [Fault.givesNaN])
  func notFinite(fault: Fault) throws {
    let unit = try hostile()
    try unit.start(ramp)
    try unit.set(fault.rawValue)
    #expect(try unit.render([64]) == [Float](repeating: 0, count: 64))
    try unit.set(0)
    #expect(try unit.render([64]) == Array(ramp[64..<128]))
  }

  @Test("may change its own state", arguments: [Fault.changesState, .closesFiles])
  func ownState(fault: Fault) throws {
    let unit = try hostile()
    try unit.start(ramp)
    let folder = FileManager.default.currentDirectoryPath
    try unit.set(fault.rawValue)
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    try unit.set(0)
    // Without its files it can still render, or the program has noticed and passes the input on.
    #expect(try unit.render([640])[512...] == ramp[576..<704])
    #expect(FileManager.default.currentDirectoryPath == folder)
    try check(AudioUnitUninitialize(unit.handle))
    unit.input = ramp
    try check(AudioUnitInitialize(unit.handle))
    #expect(try unit.render([64]) == Array(ramp[..<64]))
  }

  @Test(
    "that fails before it runs is an error with a reason",
    arguments: [
      "aborts in make", "hangs in make", "exits in make", "aborts in activate", "hangs in activate",
    ])
  func early(label: String) throws {
    let unit = try hostile(label, within: label.hasPrefix("hangs") ? patience : 10)
    let failure = #expect(throws: CallFailure.self) { try unit.start(ramp) }
    #expect(failure?.status == kAudioComponentErr_InstanceInvalidated)
    #expect("\(try #require(failure))".contains("the plug-in's process has ended"))
    // Its unit remains usable, and tries again.
    #expect(AudioUnitInitialize(unit.handle) == kAudioComponentErr_InstanceInvalidated)
  }

  @Test("that fails when it is freed disturbs nobody")
  func late() throws {
    let unit = try hostile("aborts in cleanup")
    try unit.start(ramp)
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    try check(AudioUnitUninitialize(unit.handle))
    try check(AudioUnitInitialize(unit.handle))
    unit.input = ramp
    #expect(try unit.render([64]) == Array(ramp[..<64]))
  }

  @Test("that is late once costs one cycle of a live render")
  func lateBlock() throws {
    let unit = try hostile()
    try unit.start(ramp)
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    try unit.set(Fault.isLateOnce.rawValue)
    try live { _ = try unit.render([64]) }
    #expect(try unit.lastError == kAudioUnitErr_RenderTimeout)
    // Not live, it waits for what is due.
    var last: [Float] = []
    try wait {
      unit.input = ramp
      last = try unit.render([640])
      return try unit.lastError == noErr
    }
    #expect(last[512...] == ramp[512..<640])
  }

  @Test("ends with its unit, and leaves no file")
  func noLeaks() throws {
    var process: pid_t = 0
    do {
      let unit = try hostile()
      try unit.start(ramp)
      _ = try unit.render([64])
      process = try unit.process
      #expect(process != getpid() && kill(process, 0) == 0)
    }
    try wait { kill(process, 0) != 0 }
    // Other tests may be making some now.
    try wait {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").allSatisfy { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(name)")
        return target?.contains("memfd:plug-in") != true
      }
    }
  }

  @Test("is missed although nobody renders")
  func killed() throws {
    let unit = try hostile()
    try unit.start(ramp)
    #expect(try unit.render([64]) == Array(ramp[..<64]))
    kill(try unit.process, SIGKILL)
    try wait { try unit.lastError == kAudioComponentErr_InstanceInvalidated }
    #expect(try unit.render([640])[512...] == ramp[576..<704])
  }

  /// Runs `body` as a device's cycle.
  private func live(_ body: () throws -> Void) rethrows {
    LiveCycle.enter()
    defer { LiveCycle.leave() }
    try body()
  }

  private func wait(_ done: () throws -> Bool) throws {
    // Not asked again after it was true: some answers are given once.
    for _ in 0..<5_000 {
      if try done() { return }
      usleep(1_000)
    }
    Issue.record("it did not come")
  }
}

/// A unit of a hostile plug-in, with an input.
private final class HostileUnit: @unchecked Sendable {
  let handle: AudioUnit
  /// What it gets from the next frame on.
  var input: [Float] = [] { didSet { start = position } }
  private var start = 0
  private var position = 0
  private var time = AudioTimeStamp()
  private let unit: AudioTestSupport.HostedUnit
  private let fault: AudioUnitParameterID
  private let meter: AudioUnitParameterID

  init(_ label: String) throws {
    let plugIn = try TestPlugIn.$isApart.withValue(true) {
      try TestPlugIn(.ladspa, at: TestLibrary.hostile, ":\(label)")
    }
    unit = plugIn.unit
    handle = unit.handle
    fault = try plugIn.id("Fault")
    meter = try plugIn.id("Process")
  }

  func start(_ samples: [Float]) throws {
    input = samples
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setFormat(.linear(48_000, channels: 1), scope)
    }
    try unit.setCallback(
      HostCallback { [unowned self] moment in
        moment.fill { _, frame in frame - start < input.count ? input[frame - start] : 0 }
        return noErr
      })
    try unit.initialize()
  }

  /// What it makes of the next frames, in slices of these lengths.
  func render(_ slices: [Int]) throws -> [Float] {
    var result: [Float] = []
    for frames in slices {
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: nil))
      var flags = AudioUnitRenderActionFlags(rawValue: 0)
      time.mFlags = .sampleTimeValid
      // Also a render that fails has taken its input.
      position += frames
      try check(AudioUnitRender(handle, &flags, &time, 0, UInt32(frames), &list))
      let samples = try #require(list.mBuffers.mData).assumingMemoryBound(to: Float.self)
      result += UnsafeBufferPointer(start: samples, count: frames)
      time.mSampleTime += Double(frames)
    }
    return result
  }

  func setOffline() throws {
    try unit.set(kAudioUnitProperty_OfflineRender, to: 1 as UInt32)
  }

  /// The codes of its component, and its parameter that makes it misbehave.
  var codes: AudioComponentDescription {
    get throws {
      var codes = AudioComponentDescription()
      try check(
        AudioComponentGetDescription(AudioComponentInstanceGetComponent(handle), &codes))
      return codes
    }
  }
  var faultID: AudioUnitParameterID { fault }

  func set(_ value: Float) throws {
    try check(AudioUnitSetParameter(handle, fault, kAudioUnitScope_Global, 0, value, 0))
  }

  /// The process in which it has run last.
  var process: pid_t {
    get throws {
      var value: Float = 0
      try check(AudioUnitGetParameter(handle, meter, kAudioUnitScope_Global, 0, &value))
      return pid_t(value)
    }
  }

  func property<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, _ value: Value) throws -> Value {
    try unit.get(id, as: value)
  }

  var lastError: OSStatus { get throws { try unit.lastRenderError } }
}

/// The unit that is made elsewhere.
private final class Made: Sendable {
  let unit = Guarded<AVAudioUnit?>(nil)
}

/// Counts the notifications about the end of a unit's process.
private final class Notified: Sendable {
  private let counter = Atomic(0)
  private nonisolated(unsafe) var token: (any NSObjectProtocol)?

  init(_ unit: HostileUnit) {
    let handle = Int(bitPattern: unit.handle)
    token = NotificationCenter.default.addObserver(
      forName: Notification.Name("\(kAudioComponentInstanceInvalidationNotification)"),
      object: nil, queue: nil
    ) { [counter = Unmanaged.passUnretained(self)] notification in
      guard let ended = notification.userInfo?["audioUnit"] as? AudioUnit,
        Int(bitPattern: ended) == handle
      else { return }
      counter.takeUnretainedValue().counter.wrappingAdd(1, ordering: .relaxed)
    }
  }

  deinit { token.map { NotificationCenter.default.removeObserver($0) } }

  var count: Int { counter.load(ordering: .relaxed) }
}

private enum LiveCycle {
  static func enter() { rt_current().pointee.cycles += 1 }
  static func leave() { rt_current().pointee.cycles -= 1 }
}
