// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CPlugIns
import CRealTime
import Glibc

/// An instance of a plug-in in a process of its own. Blocks are handed over in shared memory: a render makes no
/// system call but those that wake the other process and wait for it, and ten times a second those that tell the
/// priority of its thread.
///
/// A block that comes too late, or never, is replaced by the input of an effect, delayed by its latency, or by
/// silence.
final class RemoteInstance: PlugInInstance, RemoteClient, @unchecked Sendable {
  private let plugIn: RemotePlugIn
  private let process: RemoteProcess
  private let block: SharedBlock
  private let number: Int
  private let requests: PlugInRequests?
  private let canResetInRenders: Bool
  private let sampleRate: Double
  /// Written by renders: the number of the last block, and the host time since which it is late; 0: it is not.
  private var asked: UInt32 = 0
  private var lateSince: UInt64 = 0
  /// What replaces blocks that are missing.
  private var dry: DrySignal
  private let setupLatency: Int

  /// The part of a block's duration for which a live render waits.
  private static let patience = 0.25
  /// A live plug-in that is late for so many nanoseconds has stopped.
  private static let longestDelay: UInt64 = 2_000_000_000

  /// [control thread] Makes an instance in the process of a plug-in.
  init(_ plugIn: RemotePlugIn, _ setup: InstanceSetup) throws(AudioError) {
    self.plugIn = plugIn
    process = plugIn.process
    requests = setup.requests
    sampleRate = setup.sampleRate
    setupLatency = setup.latencyFrames
    let (block, file) = try SharedBlock.make(plugIn.plugIn, maximumFrames: setup.maximumFrames)
    defer { close(file) }
    self.block = block
    let made = try plugIn.process.call(.makeInstance, file: file) { message in
      var setup = setup
      message.pass(&setup)
    } answer: {
      ($0.readNumber(), $0.readFlag(), $0.readFloats())
    }
    (number, canResetInRenders) = (made.0, made.1)
    dry = DrySignal(
      plugIn.plugIn, latency: setup.latencyFrames, maximumFrames: setup.maximumFrames,
      sampleRate: setup.sampleRate)
    super.init(plugIn.plugIn, setup)
    for (index, value) in made.2.prefix(block.controlCount).enumerated() { controls[index] = value }
    process.add(self)
  }

  deinit {
    process.remove(self)
    try? process.call(.freeInstance) {
      $0.write(number)
    } answer: { _ in
    }
    dry.deallocate()
  }

  // MARK: Control

  override func activate() throws(AudioError) {
    try process.call(.activate) {
      $0.write(number)
    } answer: { _ in
    }
    dry.deallocate()
    dry = DrySignal(
      plugIn.plugIn, latency: latencyFrames ?? setupLatency, maximumFrames: block.maximumFrames,
      sampleRate: sampleRate)
  }

  override func deactivate() {
    try? process.call(.deactivate) {
      $0.write(number)
    } answer: { _ in
    }
  }

  override var latencyFrames: Int? { ask(.latency) { $0.readNumberOrNone() } }
  override var tailFrames: Int? { ask(.tail) { $0.readNumberOrNone() } }
  override func setOffline(_ isOffline: Bool) {
    try? process.call(.setOffline) {
      $0.write(number)
      $0.write(isOffline)
    } answer: { _ in
    }
  }

  override var values: [Float]? {
    let values = ask(.values) { $0.readFloatsOrNone() }
    return values?.count == block.controlCount ? values : nil
  }
  override var state: [UInt8]? { ask(.state) { $0.readBytesOrNone() } }

  override func restore(_ state: [UInt8]) -> Bool {
    let restored = try? process.call(.restore) {
      $0.write(number)
      $0.write(state)
    } answer: {
      ($0.readFlag(), $0.readFloats())
    }
    guard let restored, restored.0 else { return false }
    for (index, value) in restored.1.prefix(block.controlCount).enumerated() {
      controls[index] = value
    }
    return true
  }

  private func ask<Answer>(
    _ request: RemoteRequest, _ answer: (inout RemoteMessage) -> Answer?
  ) -> Answer? {
    do throws(AudioError) {
      return try process.call(request, { $0.write(number) }, answer: answer)
    } catch { return nil }
  }

  // MARK: From the other process

  /// [watch] Makes a render that waits go on.
  func interrupt() { handover_interrupt(block.handover) }

  /// What a plug-in may request: it may write any bits.
  private static let knownRequests = UInt32(
    CLAPRequestRestart.rawValue | CLAPRequestValues.rawValue | CLAPRequestTail.rawValue)

  /// [watch] Passes on what the plug-in has requested.
  func takeRequests() {
    let bits = block.takeRequests() & Self.knownRequests
    guard bits != 0, let requests else { return }
    requests.add(bits)
    wakePlugInThread(PlugInThread.shared.wake)
  }

  // MARK: Renders

  override var resetsInRenders: Bool { canResetInRenders }

  override func reset() {
    guard isFree else { return }
    block.job.pointee.kind = RemoteJob.Kind.reset
    _ = handOver(frames: block.maximumFrames, isOffline: false)
    dry.reset()
  }

  override func run(_ given: PlugInBlock) {
    // A block that is still being processed is late already.
    guard isFree else { return replace(given) }
    write(given)
    guard handOver(frames: given.frameCount, isOffline: given.isOffline) else {
      return replace(given)
    }
    read(given)
    dry.apply(given, isMissing: false)
    renderStatus = noErr
  }

  /// Whether the other process has answered the last block, and lives.
  private var isFree: Bool {
    guard shared_bits(process.endWord) == 0 else { return false }
    guard !handover_is_answered(block.handover, asked) else {
      lateSince = 0
      return true
    }
    return false
  }

  /// Hands the job over, and waits; false: the answer did not come in time.
  private func handOver(frames: Int, isOffline: Bool) -> Bool {
    let now = rt_host_time()
    let isLive = !isOffline && (rt_current().pointee.cycles > 0 || rt_is_real_time())
    let seconds = isLive ? Double(frames) / sampleRate * Self.patience : process.timeLimit
    asked &+= 1
    handover_ask(block.handover, asked)
    let deadline = now + UInt64(min(max(seconds, 0), 1e6) * 1e9)
    if handover_wait(block.handover, asked, deadline, process.endWord) { return true }
    if shared_bits(process.endWord) == 0 {
      lateSince = now
      if !isLive { stop() }
    }
    return false
  }

  /// The output of a block that is missing.
  private func replace(_ given: PlugInBlock) {
    let hasEnded = shared_bits(process.endWord) != 0
    // Live, the end of the process is an error once, which the watch records.
    renderStatus =
      !hasEnded
      ? kAudioUnitErr_RenderTimeout
      : given.isOffline ? kAudioComponentErr_InstanceInvalidated : noErr
    if !hasEnded, lateSince != 0, rt_host_time() - lateSince > Self.longestDelay { stop() }
    for channel in 0..<block.outputCount {
      given.outputs[channel].update(repeating: 0, count: given.frameCount)
    }
    dry.apply(given, isMissing: true)
  }

  /// Makes another thread end a process that does not answer.
  private func stop() {
    guard let requests else { return }
    lateSince = 0
    requests.add(RenderRequest.giveUp)
    wakePlugInThread(PlugInThread.shared.wake)
  }

  private func write(_ given: PlugInBlock) {
    let job = block.job
    job.pointee.kind = RemoteJob.Kind.run
    job.pointee.frameCount = UInt32(truncatingIfNeeded: given.frameCount)
    job.pointee.offset = given.offset
    job.pointee.hasPosition = given.position != nil
    if let position = given.position { job.pointee.position = position }
    job.pointee.isNewPosition = given.isNewPosition
    job.pointee.isOffline = given.isOffline
    job.pointee.isRealTime = rt_is_real_time()
    job.pointee.sentCount = 0
    job.pointee.hasChanges = 0
    let count = given.events == nil ? 0 : min(given.eventCount, SharedBlock.eventCapacity)
    if let events = given.events { block.events.update(from: events, count: count) }
    job.pointee.eventCount = UInt32(truncatingIfNeeded: count)
    block.controls.update(from: controls, count: block.controlCount)
    for channel in 0..<block.inputCount {
      block.inputs[channel].update(from: given.inputs[channel], count: given.frameCount)
    }
  }

  /// Takes over what the plug-in has made. It may have written anything.
  private func read(_ given: PlugInBlock) {
    for channel in 0..<block.outputCount {
      given.outputs[channel].update(from: block.outputs[channel], count: given.frameCount)
    }
    controls.update(from: block.controls, count: block.controlCount)
    let sent = min(Int(block.job.pointee.sentCount), SharedBlock.eventCapacity)
    if sent > 0, let outbox = given.outbox {
      for index in 0..<sent { append(block.sent[index], to: outbox, given) }
    }
    guard block.job.pointee.hasChanges != 0, let changes = given.changes else { return }
    for index in 0..<block.controlCount where block.changes[index] == 1 {
      block.changes[index] = 0
      changes.pointee.add(index)
    }
  }

  private func append(
    _ event: HostedEvent, to outbox: UnsafeMutablePointer<HostedOutbox>, _ given: PlugInBlock
  ) {
    let last = given.offset + given.frameCount - 1
    let frame = min(max(event.frame, given.offset), max(last, given.offset))
    withUnsafeBytes(of: event.bytes) { memory in
      let bytes = memory.bindMemory(to: UInt8.self)
      outbox.pointee.append(
        UnsafeBufferPointer(rebasing: bytes[..<min(max(event.count, 0), bytes.count)]), at: frame)
    }
  }
}
