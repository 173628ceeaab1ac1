// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The instances that a unit and its kernel share.
///
/// The unit makes them when it is initialised, before its kernel, and frees them after it.
final class HostedRuntime: @unchecked Sendable {
  /// What control threads and the render thread share.
  struct Shared: ~Copyable {
    /// The frames by which the output lags, and of the tail, as the plug-in last reported them.
    let latency = Atomic<Int>(0)
    let tail = Atomic<Int>(0)
    /// Whether hosts bypass it, and whether they render offline.
    let isBypassed = Atomic<Bool>(false)
    let isOffline = Atomic<Bool>(false)
    /// Whether a control thread uses the instances, so that renders must not.
    let isPaused = Atomic<Bool>(false)
    /// The functions with which renders ask the host.
    let host = PublishedValue<HostCallbackInfo>()
    /// MIDI messages for the next render.
    let events = MessageQueue<HostedEvent>(capacity: 1_024)
    /// How many messages had been sent when the host last asked for a reset.
    let firstNewEvent = Atomic<Int>(0)
    /// Whether the instances have a history, as they have run since they were activated or reset.
    let hasRun = Atomic<Bool>(false)
    /// Whether a render waits for another thread to reset the instances.
    let awaitsReset = Atomic<Bool>(false)
  }

  let plugIn: PlugInDescription
  let shape: HostedShape
  let shared: UnsafeMutablePointer<Shared>
  /// The part of the unit that render threads use; it lives as long as the unit.
  let side: UnsafeMutablePointer<RenderSide>
  /// What the plug-in has sent during the last render, and the host's function for it.
  let outbox: UnsafeMutablePointer<HostedOutbox>
  /// The parameters that the plug-in has changed during the last slice.
  let changes: UnsafeMutablePointer<HostedChanges>
  /// What the plug-in and renders request.
  let requests = PlugInRequests()
  let receiver = PublishedValue<AUMIDIOutputCallbackStruct>()
  /// [under the unit's lock] Set when the unit is opened.
  var loaded: (any LoadedPlugIn)?
  private let memory = OwnedMemory()
  /// Changed only while nothing renders.
  private(set) var instances: [PlugInInstance] = []

  init(_ plugIn: PlugInDescription, _ side: UnsafeMutablePointer<RenderSide>) {
    self.plugIn = plugIn
    shape = HostedShape(plugIn)
    self.side = side
    shared = .cell(Shared())
    outbox = memory.cell(HostedOutbox(in: memory))
    changes = memory.cell(HostedChanges(count: plugIn.parameters.count, in: memory))
    shared.pointee.latency.store(plugIn.latencyFrames ?? 0, ordering: .relaxed)
  }

  deinit {
    shared.endCell()
    memory.deallocate()
  }

  /// [control thread] The text of a value of a parameter, and the value of a text; nil: the plug-in has none.
  func text(of id: AudioUnitParameterID, _ value: Float) -> String? {
    plugIn.parameters.firstIndex { $0.id == id }.flatMap { loaded?.text(of: $0, value) }
  }
  func value(of id: AudioUnitParameterID, _ text: String) -> Float? {
    plugIn.parameters.firstIndex { $0.id == id }.flatMap { loaded?.value(of: $0, text) }
  }

  /// What hosts switch on and off by properties.
  enum Flag: Sendable { case bypass, offline }

  /// [any thread] Whether it is on.
  func isOn(_ flag: Flag) -> Bool {
    switch flag {
    case .bypass: shared.pointee.isBypassed.load(ordering: .relaxed)
    case .offline: shared.pointee.isOffline.load(ordering: .relaxed)
    }
  }

  /// [control thread] Switches it on or off from the next slice on.
  func set(_ flag: Flag, _ isOn: Bool) {
    switch flag {
    case .bypass: shared.pointee.isBypassed.store(isOn, ordering: .relaxed)
    case .offline:
      shared.pointee.isOffline.store(isOn, ordering: .relaxed)
      for instance in instances { instance.setOffline(isOn) }
    }
  }

  /// [control thread, while nothing renders] Uses other instances, which it activates.
  /// - Throws: `failedInitialization` if one refuses; then there are none.
  func replace(_ new: [PlugInInstance]) throws(AudioError) {
    for instance in instances { instance.deactivate() }
    instances = []
    for instance in new { try instance.activate() }
    instances = new
    instancesActivated()
  }

  /// [control thread, while nothing renders] Deactivates and activates the instances, which forget their history.
  /// - Throws: `failedInitialization` if one refuses; it is silent from then on.
  func restart() throws(AudioError) {
    for instance in instances { instance.deactivate() }
    for instance in instances { try instance.activate() }
    instancesActivated()
  }

  private func instancesActivated() {
    shared.pointee.hasRun.store(false, ordering: .relaxed)
    shared.pointee.awaitsReset.store(false, ordering: .sequentiallyConsistent)
    if let frames = instances.first?.latencyFrames {
      let known = reportedLatency(Float(frames)) ?? 0
      if shared.pointee.latency.exchange(known, ordering: .relaxed) != known {
        side.pointee.post(kAudioUnitProperty_Latency)
      }
    }
    readTail()
  }

  /// [control thread] Reads the tail again.
  func readTail() {
    guard let frames = instances.first?.tailFrames else { return }
    if shared.pointee.tail.exchange(frames, ordering: .relaxed) != frames {
      side.pointee.post(kAudioUnitProperty_TailTime)
    }
  }
}

/// [any thread] The frames of latency that a plug-in reports; nil if it cannot be so.
@_noLocks
func reportedLatency(_ value: Float) -> Int? { value >= 0 && value < 1e7 ? Int(value) : nil }
