// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Synchronization

/// Reads what the device captures, in each of its cycles, for taps of the input node and for sink
/// nodes. It is the input callback of the device's unit.
///
/// A connection from the input node reads the same frames again.
final class InputPump: @unchecked Sendable {  // lists are published, the rest is the cycle's
  /// What gets the frames of a cycle, for the render thread.
  private struct Readers: Publishable, BitwiseCopyable {
    private struct Memory {
      let recorders: UnsafeMutableBufferPointer<Unmanaged<TapRecorder>>
      let sinks: UnsafeMutableBufferPointer<Unmanaged<SinkFeed>>
    }
    let address: UnsafeMutableRawPointer
    private var memory: UnsafeMutablePointer<Memory> {
      @_noLocks get { address.assumingMemoryBound(to: Memory.self) }
    }

    @_noLocks
    init(address: UnsafeMutableRawPointer) { self.address = address }

    init(_ recorders: [TapRecorder], _ sinks: [SinkFeed]) {
      let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
      memory.initialize(
        to: Memory(
          recorders: .allocate(capacity: recorders.count), sinks: .allocate(capacity: sinks.count)))
      _ = memory.pointee.recorders.initialize(from: recorders.map { .passUnretained($0) })
      _ = memory.pointee.sinks.initialize(from: sinks.map { .passUnretained($0) })
      address = UnsafeMutableRawPointer(memory)
    }

    /// [render thread] Passes captured frames to the recorders.
    @_noLocks
    func record(
      _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
      _ list: UnsafeMutablePointer<AudioBufferList>
    ) {
      let recorders = memory.pointee.recorders
      for index in 0..<recorders.count {
        recorders[index]._withUnsafeGuaranteedRef { $0.record(time, Int(frames), list) }
      }
    }

    /// [render thread] Makes the sinks pull.
    @_noLocks
    func pull(_ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32) {
      let sinks = memory.pointee.sinks
      for index in 0..<sinks.count {
        sinks[index]._withUnsafeGuaranteedRef { $0.pull(time, frames) }
      }
    }

    /// [render thread] Whether there are recorders.
    var haveRecorders: Bool { @_noLocks get { memory.pointee.recorders.count > 0 } }

    func deallocate() {
      memory.pointee.recorders.deallocate()
      memory.pointee.sinks.deallocate()
      memory.deallocate()
    }
  }

  private let lock = Lock()
  private var recorders: [TapRecorder] = []
  private var sinks: [SinkFeed] = []
  private let readers = Published(Readers([], []))
  private let gate = RenderGate()
  /// A list without memory, which the unit provides. Only as long as the unit is stopped is it made.
  private var list: UnsafeMutablePointer<AudioBufferList>?
  private var unit: AudioUnit?
  private let time = Atomic<UInt64>(0)

  /// The time of the last frames that were captured.
  var lastTime: Double { Double(bitPattern: time.load(ordering: .acquiring)) }

  deinit { list?.deallocate() }

  // MARK: Readers

  /// Passes captured frames to a recorder.
  func add(_ recorder: TapRecorder) { change { recorders.append(recorder) } }

  /// On return the recorder is not used any more.
  func remove(_ recorder: TapRecorder) { change { recorders.removeAll { $0 === recorder } } }

  /// Passes captured frames to sinks, with their numbers of channels. On return, others are not used
  /// any more.
  func setSinks(_ new: [(sink: SinkFeed, channels: Int)]) {
    let isEqual = lock.withLock {
      new.elementsEqual(sinks) { $0.sink === $1 && $0.channels == $1.channels }
    }
    guard !isEqual else { return }
    change { sinks = [] }
    for (sink, channels) in new { sink.prepare(channels: channels) }
    change { sinks = new.map(\.sink) }
  }

  private func change(_ body: () -> Void) {
    lock.withLock {
      body()
      readers.publish(Readers(recorders, sinks), isQuiet: { gate.isIdle })
    }
    guard !gate.isHeldByThisThread else { return }
    gate.waitUntilIdle()
  }

  // MARK: Cycles

  /// Makes it the input callback of a unit, which is stopped and captures a number of channels.
  func attach(to unit: NodeUnit, channels: Int) -> OSStatus {
    list?.deallocate()
    list = .allocate(bufferCount: channels)
    for index in 0..<channels { list?.buffers[index].mNumberChannels = 1 }
    self.unit = unit.handle
    let callback = AURenderCallbackStruct(
      inputProc: { context, _, time, _, frames, _ in
        Unmanaged<InputPump>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.read(time, frames)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    return unit.set(
      kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0, callback)
  }

  /// [while the unit is stopped] Is no longer the input callback of a unit.
  func detach(from unit: NodeUnit) {
    unit.set(
      kAudioOutputUnitProperty_SetInputCallback, kAudioUnitScope_Global, 0,
      AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil))
  }

  /// [render thread] Passes the frames of one cycle to all readers.
  @_noLocks
  private func read(_ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32) -> OSStatus {
    guard gate.tryEnter() else { return kAudioUnitErr_CannotDoInCurrentContext }
    defer { gate.leave() }
    self.time.store(time.pointee.mSampleTime.bitPattern, ordering: .releasing)
    let readers = Readers(address: readers.load())
    var status = noErr
    if readers.haveRecorders, let list, let unit {
      list.emptyBuffers(frames)
      status = renderUnit(unit, time, bus: 1, frames, list)
      if status == noErr { readers.record(time, frames, list) }
    }
    readers.pull(time, frames)
    return status
  }
}
