// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import CRealTime
import Glibc
import SignalProcessing
import Synchronization

/// An instance in the process that runs a plug-in: its thread processes the blocks that the program hands over.
final class RemoteSession: PlugInClient, @unchecked Sendable {
  private let instance: PlugInInstance
  private let block: SharedBlock
  private let requests: PlugInRequests
  private let notices: Int32
  private let memory = OwnedMemory()
  private let outbox: UnsafeMutablePointer<HostedOutbox>
  private let changes: UnsafeMutablePointer<HostedChanges>
  private let isEnding = Atomic(false)
  private var thread: WorkerThread?

  init(
    _ instance: PlugInInstance, _ block: SharedBlock, _ requests: PlugInRequests, _ notices: Int32
  ) {
    self.instance = instance
    self.block = block
    self.requests = requests
    self.notices = notices
    outbox = memory.cell(HostedOutbox(in: memory))
    changes = memory.cell(HostedChanges(count: block.controlCount, in: memory))
  }

  deinit { memory.deallocate() }

  /// [main thread] Starts the thread that processes blocks.
  func start() throws(AudioError) {
    let thread = WorkerThread(name: "plug-in-render") { [self] _ in process() }
    try thread.start()
    self.thread = thread
    PlugInThread.shared.add(self)
  }

  /// [main thread] Ends it; the program hands no block over meanwhile.
  func end() {
    PlugInThread.shared.remove(self)
    isEnding.store(true, ordering: .sequentiallyConsistent)
    handover_ask(block.handover, block.handover.pointee.asked &+ 1)
    thread?.stop()
  }

  /// The values that the instance has.
  var controls: [Float] {
    Array(UnsafeBufferPointer(start: instance.controls, count: block.controlCount))
  }

  // MARK: Calls

  /// [main thread] The answer to a request about the instance.
  func answer(_ request: RemoteRequest, _ message: inout RemoteMessage) throws(AudioError)
    -> RemoteMessage
  {
    switch request {
    case .activate: try instance.activate()
    case .deactivate: instance.deactivate()
    case .latency: return .writing { $0.write(instance.latencyFrames) }
    case .tail: return .writing { $0.write(instance.tailFrames) }
    case .setOffline: instance.setOffline(message.readFlag())
    case .values: return .writing { $0.write(instance.values) }
    case .state: return .writing { $0.write(instance.state) }
    case .restore:
      let isRestored = instance.restore(message.readBytes())
      return .writing {
        $0.write(isRestored)
        $0.write(controls)
      }
    default: throw .invalidArgument
    }
    return RemoteMessage()
  }

  /// [plug-in thread] Makes the call that the plug-in has requested; tells the program of other requests.
  func serve() -> Bool {
    let bits = requests.take()
    if bits & UInt32(CLAPRequestCallback.rawValue) != 0 { instance.callBack() }
    let others = bits & ~UInt32(CLAPRequestCallback.rawValue)
    if others != 0 {
      block.addRequests(others)
      var byte: UInt8 = 1
      // If the pipe is full, the program knows already.
      _ = write(notices, &byte, 1)
    }
    return true
  }

  func callTimers() -> UInt64 { instance.callTimers(at: rt_host_time()) }

  // MARK: Blocks

  private func process() {
    var number: UInt32 = 0
    var isRealTime = false
    while true {
      let asked = handover_next(block.handover, number, 10_000_000_000)
      if isEnding.load(ordering: .sequentiallyConsistent) { return }
      guard asked != number else { continue }
      number = asked
      if block.job.pointee.isRealTime, !isRealTime {
        isRealTime = true
        // If it is refused, blocks may come late while the machine is busy.
        _ = ThreadScheduling.requestRealTime()
      }
      rt_enter()
      if block.job.pointee.kind == RemoteJob.Kind.reset {
        resetPlugIn(.passUnretained(instance))
      } else {
        run()
      }
      rt_leave()
      handover_answer(block.handover, number)
    }
  }

  private func run() {
    let job = block.job.pointee
    var part = PlugInBlock(
      inputs: UnsafePointer(block.inputs), outputs: UnsafePointer(block.outputs),
      frameCount: min(Int(job.frameCount), block.maximumFrames), offset: job.offset)
    part.events = block.events
    part.eventCount = min(Int(job.eventCount), SharedBlock.eventCapacity)
    part.outbox = outbox
    part.changes = changes
    part.position = job.hasPosition ? job.position : nil
    part.isNewPosition = job.isNewPosition
    part.isOffline = job.isOffline
    outbox.pointee.removeAll()
    instance.controls.update(from: block.controls, count: block.controlCount)
    _ = runPlugIn(.passUnretained(instance), part)
    block.controls.update(from: instance.controls, count: block.controlCount)
    let sent = min(outbox.pointee.count, SharedBlock.eventCapacity)
    for index in 0..<sent { block.sent[index] = outbox.pointee[index].pointee }
    block.job.pointee.sentCount = UInt32(truncatingIfNeeded: sent)
    guard !changes.pointee.isEmpty else { return }
    for index in 0..<block.controlCount where changes.pointee.remove(index) {
      block.changes[index] = 1
    }
    changes.pointee.end()
    block.job.pointee.hasChanges = 1
  }
}
