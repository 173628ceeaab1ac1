// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import Glibc
import SignalProcessing
import Synchronization

/// Runs the instances of a plug-in: the part that the kernels of all shapes have in common.
struct HostedProcessor: ~Copyable {
  /// A value that passes between the unit and the plug-in.
  private struct Control: BitwiseCopyable {
    /// Its index among the controls of an instance.
    var index: Int
    /// The slot of the unit's parameter; below zero for values that hosts do not see.
    var slot: Int
    var defaultValue: Float
    var purpose: Purpose
    var isInteger: Bool
    var isReadOnly: Bool
  }

  private enum Purpose: BitwiseCopyable { case value, trigger, enabled, bypass, offline, latency }

  /// After so many slices in a row whose output is not finite, the plug-in is reset.
  private static var toleratedFailures: Int { @_noLocks get { 8 } }

  private let shared: UnsafeMutablePointer<HostedRuntime.Shared>
  private let side: UnsafeMutablePointer<RenderSide>
  private let outbox: UnsafeMutablePointer<HostedOutbox>
  private let changes: UnsafeMutablePointer<HostedChanges>
  private let requests: UnsafeMutablePointer<Atomic<UInt32>>
  private let wake: UnsafeMutablePointer<sem_t>
  private let instances: UnsafeMutablePointer<Unmanaged<PlugInInstance>>
  private let values: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let instanceCount: Int
  private let controls: UnsafeMutablePointer<Control>
  private let controlCount: Int
  private let memory = OwnedMemory()
  private var generation: UInt32?
  private var failuresInARow = 0
  private var events: HostedEvents
  private var transport: HostedTransport
  private let usesPosition: Bool
  private let resetsInRenders: Bool
  /// Whether the instances must forget their history before they run.
  private var mustReset = false

  /// [control thread] Uses the instances of a runtime; without instances it is silent, for queries.
  init(_ runtime: HostedRuntime, sampleRate: Double) {
    shared = runtime.shared
    side = runtime.side
    outbox = runtime.outbox
    changes = runtime.changes
    requests = runtime.requests.cell
    wake = PlugInThread.shared.wake
    resetsInRenders = runtime.instances.allSatisfy(\.resetsInRenders)
    instances = memory.array(runtime.instances.map { .passUnretained($0) })
    values = memory.array(runtime.instances.map(\.controls))
    instanceCount = runtime.instances.count
    var slot = -1
    let all = runtime.plugIn.parameters.enumerated().map { index, parameter in
      if parameter.isVisible { slot += 1 }
      return Control(
        index: index, slot: parameter.isVisible ? slot : -1,
        defaultValue: parameter.defaultValue, purpose: Self.purpose(parameter.purpose),
        isInteger: parameter.isInteger, isReadOnly: parameter.isReadOnly)
    }
    controls = memory.array(all)
    events = HostedEvents(in: memory)
    transport = HostedTransport(sampleRate: sampleRate)
    usesPosition = runtime.plugIn.usesPosition
    controlCount = all.count
  }

  deinit { memory.deallocate() }

  private static func purpose(_ purpose: PlugInParameter.Purpose) -> Purpose {
    switch purpose {
    case .value: .value
    case .trigger: .trigger
    case .enabled: .enabled
    case .bypass: .bypass
    case .offline: .offline
    case .latency: .latency
    }
  }

  /// [any thread] The latency that the plug-in has reported.
  var latencyFrames: Int { shared.pointee.latency.load(ordering: .relaxed) }

  /// [render thread] Whether hosts bypass it.
  var isBypassed: Bool { @_noLocks get { shared.pointee.isBypassed.load(ordering: .relaxed) } }

  /// [render thread] Forgets the history of the signal.
  @_noLocks
  mutating func reset() {
    failuresInARow = 0
    events.removeAll()
    transport.reset()
    dropOldEvents()
    mustReset = true
  }

  /// Drops the messages that were sent before the host asked for the reset.
  @_noLocks
  private func dropOldEvents() {
    let end = shared.pointee.firstNewEvent.load(ordering: .acquiring)
    while shared.pointee.events.removedCount() < end, shared.pointee.events.pop() != nil {}
  }

  /// Resets the instances if they have a history. If somebody waits for the render, plug-ins that have no function
  /// for that are reset by another thread. Returns whether they can run.
  @_noLocks
  private func resetInstances() -> Bool {
    guard shared.pointee.hasRun.load(ordering: .relaxed) else { return true }
    guard resetsInRenders || shared.pointee.isOffline.load(ordering: .relaxed) else {
      shared.pointee.awaitsReset.store(true, ordering: .sequentiallyConsistent)
      requests.pointee.bitwiseOr(RenderRequest.reset, ordering: .releasing)
      wakePlugInThread(wake)
      return false
    }
    shared.pointee.hasRun.store(false, ordering: .relaxed)
    for index in 0..<instanceCount { resetPlugIn(instances[index]) }
    return true
  }

  /// [render thread] Processes a slice from the channels of `inputs` to those of `outputs`. With several
  /// instances, each has one channel.
  @_noLocks
  mutating func run(_ block: PlugInBlock, _ outputCount: Int, _ values: HostedValues) {
    var part = block
    if part.offset == 0 {
      events.beginRender(shared.pointee.events)
      outbox.pointee.removeAll()
      if usesPosition { part.isNewPosition = transport.begin(musicalPosition(shared)) }
    }
    part.position = transport.position
    transport.advance(part.frameCount)
    let due = events.due(before: part.offset + part.frameCount)
    defer { events.removeFirst(due.count) }
    // Sequentially consistent: a control thread that pauses then waits for the current render.
    guard instanceCount > 0, !shared.pointee.isPaused.load(ordering: .sequentiallyConsistent),
      !shared.pointee.awaitsReset.load(ordering: .sequentiallyConsistent)
    else { return clear(block, outputCount) }
    if mustReset {
      mustReset = false
      guard resetInstances() else { return clear(block, outputCount) }
    }
    (part.events, part.eventCount) = due
    part.outbox = outbox
    part.changes = changes
    part.isOffline = shared.pointee.isOffline.load(ordering: .relaxed)
    shared.pointee.hasRun.store(true, ordering: .relaxed)
    if generation != values.generation {
      generation = values.generation
      setControls(values)
    }
    setOwnControls()
    for index in 0..<instanceCount {
      let status = runPlugIn(instances[index], part)
      if status != noErr { record(status, isOffline: part.isOffline) }
      part.inputs += 1
      part.outputs += 1
    }
    readControls(values)
    checkOutput(block, outputCount)
  }

  /// Records why an instance has made nothing. Offline, the render fails if its sound is missing: nobody hears
  /// that it is another one.
  @_noLocks
  private func record(_ status: OSStatus, isOffline: Bool) {
    let isMissing =
      status == kAudioComponentErr_InstanceInvalidated || status == kAudioUnitErr_RenderTimeout
    guard isOffline, isMissing else { return side.pointee.recordError(status) }
    side.pointee.failRender(status)
  }

  @_noLocks
  private func clear(_ block: PlugInBlock, _ outputCount: Int) {
    for channel in 0..<outputCount {
      block.outputs[channel].update(repeating: 0, count: block.frameCount)
    }
  }

  /// Passes the values of the unit to the plug-in.
  @_noLocks
  private func setControls(_ read: HostedValues) {
    for index in 0..<controlCount where controls[index].slot >= 0 && !controls[index].isReadOnly {
      let control = controls[index]
      let value = read[slot: control.slot]
      set(control.index, to: control.isInteger ? wholeNumber(value) : value)
    }
  }

  /// Passes what hosts set by properties.
  @_noLocks
  private func setOwnControls() {
    for index in 0..<controlCount where controls[index].slot < 0 {
      switch controls[index].purpose {
      case .enabled:
        set(index, to: shared.pointee.isBypassed.load(ordering: .relaxed) ? 0 : 1)
      case .bypass:
        set(index, to: shared.pointee.isBypassed.load(ordering: .relaxed) ? 1 : 0)
      case .offline:
        set(index, to: shared.pointee.isOffline.load(ordering: .relaxed) ? 1 : 0)
      case .value, .trigger, .latency: break
      }
    }
  }

  @_noLocks
  private func set(_ control: Int, to value: Float) {
    for index in 0..<instanceCount { values[index][control] = value }
  }

  /// Publishes the values that the plug-in has written, and the latency if it has changed.
  @_noLocks
  private func readControls(_ read: HostedValues) {
    for index in 0..<controlCount {
      let control = controls[index]
      if control.isReadOnly {
        var value = values[0][control.index]
        // Of several channels the highest.
        for other in 1..<instanceCount { value = max(value, values[other][control.index]) }
        if case .latency = control.purpose { setLatency(value) }
        if control.slot >= 0 { read.publish(HostedKey(slot: control.slot), value) }
      } else if case .trigger = control.purpose, values[0][control.index] != control.defaultValue {
        set(control.index, to: control.defaultValue)
        read.publish(HostedKey(slot: control.slot), control.defaultValue)
      }
    }
    if !changes.pointee.isEmpty { publishChanges(read) }
  }

  /// Publishes the values of parameters that the plug-in has changed by itself.
  @_noLocks
  private func publishChanges(_ read: HostedValues) {
    for index in 0..<controlCount where changes.pointee.remove(index) {
      guard controls[index].slot >= 0 else { continue }
      read.publish(HostedKey(slot: controls[index].slot), values[0][index])
    }
    changes.pointee.end()
  }

  @_noLocks
  private func setLatency(_ value: Float) {
    guard let frames = reportedLatency(value) else { return }
    guard shared.pointee.latency.exchange(frames, ordering: .relaxed) != frames else { return }
    side.pointee.post(kAudioUnitProperty_Latency)
  }

  /// Replaces output that is not finite by silence, and resets a plug-in that makes nothing else.
  @_noLocks
  private mutating func checkOutput(_ block: PlugInBlock, _ outputCount: Int) {
    let output = Slice(
      channels: block.outputs, channelCount: outputCount, frameCount: block.frameCount)
    guard !output.isFinite else {
      failuresInARow = 0
      return
    }
    output.clear()
    side.pointee.recordError(kAudioUnitErr_InvalidParameterValue)
    failuresInARow += 1
    guard failuresInARow >= Self.toleratedFailures else { return }
    failuresInARow = 0
    _ = resetInstances()
  }
}

/// [any thread] The nearest integer, as the plug-in reads it.
@_noLocks
func wholeNumber(_ value: Float) -> Float {
  // Larger numbers are integers.
  guard value > -8_388_608, value < 8_388_608 else { return value }
  return Float(Int32(value < 0 ? value - 0.5 : value + 0.5))
}

/// The values of a unit that hosts a plug-in.
typealias HostedValues = KernelValues<HostedKey, NoSettings>

/// A parameter of a unit that hosts a plug-in: known by its slot only.
struct HostedKey: ParameterKey {
  let slot: Int

  @_noLocks
  init(slot: Int) { self.slot = slot }

  init?(rawValue: AudioUnitParameterID) { nil }
  var rawValue: AudioUnitParameterID { .max }
  static let allCases: [HostedKey] = []
  var spec: ParameterSpec { .init("", .generic, 0...1, default: 0) }
}
