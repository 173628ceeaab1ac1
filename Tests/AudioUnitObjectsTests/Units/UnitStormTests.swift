// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Synchronization
import Testing

/// All that several threads may do with a unit while it renders, for half a second, or for as many seconds
/// as `AUDIOTOOLBOX_TEST_STORM_SECONDS` says.
@Suite("Threads at a unit")
struct UnitStormTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_STORM_SECONDS"].flatMap { Double($0) }
    ?? 0.5

  /// What makes the unit.
  enum Kind: CaseIterable, Sendable {
    /// A C unit of the library, and a subclass of the program.
    case builtIn, subclass
    /// A subclass inside a C unit, as an object.
    case hosted
  }

  /// A gain, whose threads share nothing but atomics.
  private final class AtomicGain: AUAudioUnit {
    final class State: Sendable {
      let gain = Atomic<UInt32>(AUValue(1).bitPattern)
      let events = Atomic<Int>(0)
    }

    let state = State()
    private var inputs: AUAudioUnitBusArray?
    private var outputs: AUAudioUnitBusArray?

    override init(
      componentDescription: AudioComponentDescription, options: AudioComponentInstantiationOptions
    ) throws {
      try super.init(componentDescription: componentDescription, options: options)
      let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
      inputs = AUAudioUnitBusArray(
        audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
      outputs = AUAudioUnitBusArray(
        audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
      let gain = AUParameterTree.createParameter(
        withIdentifier: "gain", name: "Gain", address: 0, min: 0, max: 4, unit: .linearGain,
        unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp],
        valueStrings: nil, dependentParameters: nil)
      let tree = AUParameterTree.createTree(withChildren: [gain])
      tree.implementorValueObserver = { [state] _, value in
        state.gain.store(value.bitPattern, ordering: .relaxed)
      }
      tree.implementorValueProvider = { [state] _ in
        AUValue(bitPattern: state.gain.load(ordering: .relaxed))
      }
      parameterTree = tree
    }

    override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
    override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }

    override var internalRenderBlock: AUInternalRenderBlock {
      { [state] flags, time, frames, bus, output, events, pull in
        guard let pull else { return kAudioUnitErr_NoConnection }
        let status = pull(flags, time, frames, 0, output)
        guard status == noErr else { return status }
        var event = events
        while let next = event {
          let change = next.pointee.parameter
          if change.eventType == .parameter || change.eventType == .parameterRamp {
            state.gain.store(change.value.bitPattern, ordering: .relaxed)
          }
          state.events.wrappingAdd(1, ordering: .relaxed)
          event = UnsafePointer(next.pointee.head.next)
        }
        let gain = AUValue(bitPattern: state.gain.load(ordering: .relaxed))
        for buffer in UnsafeMutableAudioBufferListPointer(output) {
          let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
          for frame in 0..<Int(frames) { samples?[frame] *= gain }
        }
        return noErr
      }
    }
  }

  /// A unit, and what each thread does with it.
  private final class Storm: @unchecked Sendable {  // each thread calls what is safe on it
    let unit: AUAudioUnit
    let parameter: AUParameter
    let calls = Atomic<Int>(0)
    private let schedule: AUScheduleParameterBlock
    private let scheduleMIDI: AUScheduleMIDIEventBlock?
    private let tree: AUParameterTree

    init(_ unit: AUAudioUnit) throws {
      self.unit = unit
      tree = try #require(unit.parameterTree)
      parameter = try #require(tree.parameter(withAddress: 0))
      schedule = unit.scheduleParameterBlock
      scheduleMIDI = unit.scheduleMIDIEventBlock
    }

    var roles: [@Sendable (Int) -> Void] {
      [
        control, value, value, observers, schedules, renderObservers, fromC, texts, render,
      ]
    }

    @Sendable private func render(_ round: Int) {
      let result = status { _ = try unit.render(64, at: Double(round * 64)) }
      #expect(
        [noErr, kAudioUnitErr_Uninitialized, kAudioUnitErr_CannotDoInCurrentContext]
          .contains(result))
    }

    /// What belongs to one control thread.
    @Sendable private func control(_ round: Int) {
      switch round % 9 {
      case 0, 5: try? unit.allocateRenderResources()
      case 1: unit.reset()
      case 2: unit.fullState = unit.fullState
      case 3:
        unit.musicalContextBlock = { tempo, _, _, _, _, _ in
          tempo?.pointee = 90
          return true
        }
        unit.transportStateBlock = { _, _, _, _ in true }
      case 4: unit.deallocateRenderResources()
      case 6:
        let observation = unit.observe(\.contextName, options: [.old, .new]) { _, _ in }
        unit.contextName = "\(round)"
        observation.invalidate()
      case 7: unit.shouldBypassEffect = round % 2 == 0
      default:
        if round % 4 == 0 { unit.deallocateRenderResources() }
        unit.maximumFramesToRender = AUAudioFrameCount(64 + round % 8 * 64)
      }
    }

    @Sendable private func value(_ round: Int) {
      parameter.value = AUValue(round % 4)
      _ = parameter.value + (tree.allParameters.first?.value ?? 0)
    }

    @Sendable private func observers(_ round: Int) {
      let one = parameter.token(byAddingParameterObserver: { [self] _, _ in
        calls.wrappingAdd(1, ordering: .relaxed)
      })
      let all = tree.token(byAddingParameterAutomationObserver: { [self] count, _ in
        calls.wrappingAdd(count, ordering: .relaxed)
      })
      parameter.setValue(AUValue(round % 3), originator: one)
      if round % 8 == 0 { usleep(100) }
      parameter.removeParameterObserver(one)
      tree.removeParameterObserver(all)
    }

    @Sendable private func schedules(_ round: Int) {
      schedule(
        round % 2 == 0 ? AUEventSampleTimeImmediate : AUEventSampleTime(round * 64),
        AUAudioFrameCount(round % 3 * 16), 0, AUValue(round % 4))
      let bytes = [0x90, UInt8(round % 128), 64] as [UInt8]
      _ = scheduleMIDI?(AUEventSampleTimeImmediate, 0, 3, bytes)
      usleep(20)
    }

    @Sendable private func renderObservers(_ round: Int) {
      let token = unit.token(byAddingRenderObserver: { [self] _, _, _, _ in
        calls.wrappingAdd(1, ordering: .relaxed)
      })
      if round % 4 == 0 { usleep(50) }
      unit.removeRenderObserver(token)
    }

    @Sendable private func fromC(_ round: Int) {
      guard let handle = (unit as? AUAudioUnitV2Bridge)?.audioUnit else {
        usleep(1_000)
        return
      }
      var place = AudioUnitParameter(
        mAudioUnit: handle, mParameterID: 0, mScope: kAudioUnitScope_Global, mElement: 0)
      AUParameterSet(nil, nil, &place, AUValue(round % 4), 0)
      AudioUnitSetParameter(handle, 0, kAudioUnitScope_Global, 0, AUValue(round % 3), 0)
      var value: AUValue = 0
      AudioUnitGetParameter(handle, 0, kAudioUnitScope_Global, 0, &value)
      if round % 16 == 0 { AudioUnitReset(handle, kAudioUnitScope_Global, 0) }
    }

    @Sendable private func texts(_ round: Int) {
      _ = parameter.string(fromValue: nil)
      _ = parameter.displayName(withLength: 4)
      _ = tree.value(forKeyPath: parameter.keyPath + ".value")
    }
  }

  private func unit(_ kind: Kind) throws -> AUAudioUnit {
    guard kind != .builtIn else {
      return try AUAudioUnitV2Bridge(
        componentDescription: .apple(kAudioUnitSubType_LowPassFilter))
    }
    // Those of a music effect take MIDI too.
    let codes = AudioComponentDescription.test("ston", type: kAudioUnitType_MusicEffect)
    AUAudioUnit.registerSubclass(AtomicGain.self, as: codes, name: "Tests: Storm", version: 1)
    return kind == .hosted
      ? try AUAudioUnitV2Bridge(componentDescription: codes)
      : try AtomicGain(componentDescription: codes, options: [])
  }

  @Test("do all that they may beside renders, and the unit is in order", arguments: Kind.allCases)
  func storm(kind: Kind) throws {
    let unit = try unit(kind)
    let storm = try Storm(unit)
    let end = Date().addingTimeInterval(Self.seconds)
    let threads = storm.roles.map { role in
      OwnThread {
        var round = 0
        repeat {
          for _ in 0..<16 {
            role(round)
            round += 1
          }
        } while Date() < end
      }
    }
    for thread in threads { thread.join() }
    unit.deallocateRenderResources()
    unit.shouldBypassEffect = false
    // What was scheduled last would come after the value.
    unit.reset()
    try unit.allocateRenderResources()
    _ = try unit.render(64, at: 0)
    let received = Received<AUValue>()
    let token = storm.parameter.token(byAddingParameterObserver: { received.add($1) })
    storm.parameter.value = 3
    #expect(storm.parameter.value == max(storm.parameter.minValue, 3))
    let samples = try unit.render(64, at: 64)
    #expect(kind == .builtIn || samples == [Float](repeating: 3, count: 64))
    #expect(wait { received.all.last == storm.parameter.value })
    storm.parameter.removeParameterObserver(token)
  }
}
