// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// The library holds none of its locks while it calls a function of the program. Here each such
/// function makes every call on another thread and waits for that thread.
@Suite("While a function of the program is called", .timeLimit(.minutes(60)))
struct EveryCallTests {
  /// An open graph: a source (node 1), a gain (node 2) and a generic output (node 3).
  private final class Program: @unchecked Sendable {
    let graph: Graph
    let gain: AudioUnit
    let output: AudioUnit
    private let blocked = Mutex<[String]>([])
    private let calls = Mutex(0)
    private let isRendering: Bool

    init(isRendering: Bool) throws {
      self.isRendering = isRendering
      graph = try Graph()
      let (source, gain, output) = (
        try graph.add(.steps), try graph.add(.gain), try graph.addOutput()
      )
      try graph.open()
      self.gain = try graph.unit(gain)
      self.output = try graph.unit(output)
      #expect(graph.connect(source, to: gain) == noErr)
      #expect(graph.connect(gain, to: output) == noErr)
    }

    /// The calls that did not return during the call of the function.
    var blockedCalls: [String] { blocked.withLock { $0 } }
    /// The number of calls of the function.
    var callCount: Int { calls.withLock { $0 } }

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Makes every call on another thread; only the first time.
    private func makeCalls() {
      let isFirst = calls.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return }
      let graph = graph
      var all = GraphCall.others + GraphCall.setup
      // During a render these wait for its end, as documented.
      if isRendering { all.removeAll { $0.name == "RemoveRenderNotify" } } else { all += teardown }
      let work = all.map { call in (call.name, { @Sendable () -> Void in _ = call(graph.handle) }) }
      for (name, call) in UnitCall.all(gain) + work { run(name, call) }
    }

    /// Without Close and Dispose, which would wait for this function.
    private var teardown: [GraphCall] { GraphCall.teardown.filter { $0.name == "Uninitialize" } }

    private func run(_ name: String, _ call: @escaping @Sendable () -> Void) {
      let isDone = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        call()
        isDone.signal()
      }
      guard isDone.wait(timeout: .now() + 20) != .success else { return }
      blocked.withLock { $0.append(name) }
    }

    private static let listener: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
      Unmanaged<Program>.fromOpaque(context).takeUnretainedValue().makeCalls()
    }

    private static let callback: AURenderCallback = { context, flags, _, _, _, _ in
      guard !flags.pointee.contains(.unitRenderAction_PostRender) else { return noErr }
      Unmanaged<Program>.fromOpaque(context).takeUnretainedValue().makeCalls()
      return noErr
    }

    func listen(_ unit: AudioUnit, _ id: AudioUnitPropertyID) -> OSStatus {
      AudioUnitAddPropertyListener(unit, id, Self.listener, context)
    }

    func stopListening(_ unit: AudioUnit, _ id: AudioUnitPropertyID) -> OSStatus {
      AudioUnitRemovePropertyListenerWithUserData(unit, id, Self.listener, context)
    }

    func notify(_ unit: AudioUnit) -> OSStatus {
      AudioUnitAddRenderNotify(unit, Self.callback, context)
    }

    func notifyGraph() -> OSStatus { AUGraphAddRenderNotify(graph.handle, Self.callback, context) }

    func feed(_ unit: AudioUnit) -> OSStatus {
      var input = AURenderCallbackStruct(inputProc: Self.callback, inputProcRefCon: context)
      return AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &input,
        UInt32(MemoryLayout.size(ofValue: input)))
    }
  }

  /// An event that calls a listener.
  enum Trigger: CaseIterable {
    case property, connection, start, stop, uninitialize, update, renderError

    /// The property whose listeners are called.
    var property: AudioUnitPropertyID {
      switch self {
      case .property: kAudioUnitProperty_MaximumFramesPerSlice
      case .connection: kAudioUnitProperty_StreamFormat
      case .start, .stop, .uninitialize: kAudioOutputUnitProperty_IsRunning
      case .update: kAudioUnitProperty_StreamFormat
      case .renderError: kAudioUnitProperty_LastRenderError
      }
    }
  }

  @Test("every call returns: a property listener", arguments: Trigger.allCases)
  func propertyListener(trigger: Trigger) throws {
    let program = try Program(isRendering: false)
    let graph = program.graph.handle
    let isGain = trigger == .property || trigger == .connection || trigger == .update
    let listened = isGain ? program.gain : program.output
    if trigger == .stop || trigger == .uninitialize {
      try program.graph.initialize()
      try program.graph.start()
    }
    if trigger == .update { try program.graph.setFormat(1, kAudioUnitScope_Output, rate: 48_000) }
    if trigger == .start || trigger == .renderError { try program.graph.initialize() }
    #expect(program.listen(listened, trigger.property) == noErr)
    switch trigger {
    case .property:
      try program.graph.set(2, kAudioUnitProperty_MaximumFramesPerSlice, UInt32(99))
    case .connection:
      #expect(AUGraphDisconnectNodeInput(graph, 2, 0) == noErr)
      try program.graph.setFormat(1, kAudioUnitScope_Output, channels: 1)
      #expect(AUGraphConnectNodeInput(graph, 1, 0, 2, 0) == noErr)
    case .start: #expect(AUGraphStart(graph) == noErr)
    case .stop: #expect(AUGraphStop(graph) == noErr)
    case .uninitialize: #expect(AUGraphUninitialize(graph) == noErr)
    // The gain has two rates: that is refused, after it has received the source's.
    case .update: #expect(AUGraphInitialize(graph) != noErr)
    case .renderError:
      #expect(AUGraphDisconnectNodeInput(graph, 3, 0) == noErr)
      #expect(AUGraphUpdate(graph, nil) == noErr)
      _ = try? renderSlice(program.output, 4, at: 0)
    }
    for _ in 0..<30_000 where program.callCount == 0 { usleep(1_000) }
    #expect(program.callCount > 0)
    // Waits for a call in progress on the notifier's thread.
    #expect(program.stopListening(listened, trigger.property) == noErr)
    #expect(program.blockedCalls.isEmpty, "\(program.blockedCalls) waited for the listener")
  }

  @Test("every call returns that does not wait for the render: a callback", arguments: 0..<3)
  func render(kind: Int) throws {
    let program = try Program(isRendering: true)
    switch kind {
    case 0: #expect(program.notify(program.gain) == noErr)
    case 1: #expect(program.notifyGraph() == noErr)
    default: break
    }
    try program.graph.initialize()
    if kind == 2 { #expect(program.feed(program.gain) == noErr) }
    _ = try? renderSlice(program.output, 4, at: 0)
    #expect(program.callCount > 0)
    #expect(program.blockedCalls.isEmpty, "\(program.blockedCalls) waited for the render")
  }
}

/// Calls of the functions that do not have a graph argument. None waits for a render of `unit`.
enum UnitCall {
  static func all(_ unit: AudioUnit) -> [(String, @Sendable () -> Void)] {
    let number = UInt(bitPattern: unit)
    return calls.map { name, call in
      (name, { AudioUnit(bitPattern: number).map { call($0) } })
    }
  }

  private static let size = kAudioUnitProperty_MaximumFramesPerSlice
  private static let ignoreProperty: AudioUnitPropertyListenerProc = { _, _, _, _, _ in }
  private static let ignoreRender: AURenderCallback = { _, _, _, _, _, _ in noErr }

  private static let calls: [(String, @Sendable (AudioUnit) -> Void)] = [
    ("GetPropertyInfo", { _ = AudioUnitGetPropertyInfo($0, size, 0, 0, nil, nil) }),
    (
      "GetProperty",
      { unit in
        var (value, bytes) = (UInt32(0), UInt32(4))
        _ = AudioUnitGetProperty(unit, size, 0, 0, &value, &bytes)
      }
    ),
    (
      "SetProperty",
      { unit in
        var value: UInt32 = 512
        _ = AudioUnitSetProperty(unit, size, 0, 0, &value, 4)
      }
    ),
    ("AddPropertyListener", { _ = AudioUnitAddPropertyListener($0, size, ignoreProperty, nil) }),
    ("RemovePropertyListener", { _ = AudioUnitRemovePropertyListener($0, size, ignoreProperty) }),
    (
      "RemovePropertyListenerWithUserData",
      { _ = AudioUnitRemovePropertyListenerWithUserData($0, size, ignoreProperty, nil) }
    ),
    ("AddRenderNotify", { _ = AudioUnitAddRenderNotify($0, ignoreRender, nil) }),
    (
      "GetParameter",
      { unit in
        var value = Float()
        _ = AudioUnitGetParameter(unit, 0, 0, 0, &value)
      }
    ),
    ("SetParameter", { _ = AudioUnitSetParameter($0, 0, 0, 0, 1, 0) }),
    (
      "ScheduleParameters",
      { unit in
        var event = AudioUnitParameterEvent()
        _ = AudioUnitScheduleParameters(unit, &event, 1)
      }
    ),
    ("Reset", { _ = AudioUnitReset($0, 0, 0) }),
    (
      "Render", { _ = try? renderSlice($0, 4, at: 9) }
    ),
    ("CanDo", { _ = AudioComponentInstanceCanDo($0, 1) }),
    (
      "the whole life of another unit",
      { unit in
        let component = AudioComponentInstanceGetComponent(unit)
        var other: AudioUnit?
        guard AudioComponentInstanceNew(component, &other) == noErr, let other else { return }
        _ = AudioUnitInitialize(other)
        _ = AudioUnitUninitialize(other)
        _ = AudioComponentInstanceDispose(other)
      }
    ),
    (
      "the whole life of another graph",
      { _ in
        var graph: AUGraph?
        guard NewAUGraph(&graph) == noErr, let graph else { return }
        _ = AUGraphOpen(graph)
        _ = AUGraphClose(graph)
        _ = DisposeAUGraph(graph)
      }
    ),
    (
      "AUParameterSet",
      { unit in
        var parameter = AudioUnitParameter(
          mAudioUnit: unit, mParameterID: 0, mScope: 0, mElement: 0)
        _ = AUParameterSet(nil, nil, &parameter, 0.5, 0)
      }
    ),
    (
      "the whole life of a parameter listener",
      { unit in
        var listener: AUParameterListenerRef?
        _ = AUListenerCreateWithDispatchQueue(&listener, 0, .global()) { _, _, _ in }
        guard let listener else { return }
        var parameter = AudioUnitParameter(
          mAudioUnit: unit, mParameterID: 0, mScope: 0, mElement: 0)
        _ = AUListenerAddParameter(listener, nil, &parameter)
        _ = AUListenerDispose(listener)
      }
    ),
  ]
}
