// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import Glibc
import SignalProcessing

/// What the process of a plug-in shall do with a block. It is in memory that both processes have.
struct RemoteJob: BitwiseCopyable {
  /// What is to be done.
  enum Kind {
    static var run: UInt32 { 0 }
    static var reset: UInt32 { 1 }
  }

  var kind: UInt32 = 0
  var frameCount: UInt32 = 0
  /// Frames since the start of the render.
  var offset = 0
  var eventCount: UInt32 = 0
  /// Whether the position is known, does not follow from that before, and the host renders offline.
  var hasPosition = false
  var isNewPosition = false
  var isOffline = false
  /// Whether the thread of the host has real-time priority.
  var isRealTime = false
  var position = MusicalPosition()
  /// Written by the other process: how many messages the plug-in has sent, and whether it has changed
  /// parameters.
  var sentCount: UInt32 = 0
  var hasChanges: UInt32 = 0
  /// Bits of `CLAPRequest`, which the other process adds and the host takes.
  var requests: UInt32 = 0
}

/// Memory that the host and the process of a plug-in share for one instance: the job, the controls, the
/// messages and the samples of a block.
///
/// Each process calculates where the parts are, and keeps that in memory of its own: the other one can change
/// samples and numbers, but not what is read or written.
final class SharedBlock: @unchecked Sendable {
  let handover: UnsafeMutablePointer<Handover>
  let job: UnsafeMutablePointer<RemoteJob>
  let controls: UnsafeMutablePointer<Float>
  /// 1 for each parameter that the plug-in has changed.
  let changes: UnsafeMutablePointer<UInt8>
  /// The messages for the plug-in, and those that it sends.
  let events: UnsafeMutablePointer<HostedEvent>
  let sent: UnsafeMutablePointer<HostedEvent>
  /// The channels of all buses, as in `PlugInBlock`.
  let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let inputCount: Int
  let outputCount: Int
  let controlCount: Int
  let maximumFrames: Int

  private let address: UnsafeMutableRawPointer
  private let byteCount: Int
  private let own = OwnedMemory()

  /// The most messages of a block in one direction.
  static var eventCapacity: Int { @_noLocks get { 1_024 } }
  /// More than any plug-in needs, in bytes.
  private static let longest = 1 << 32

  /// [control thread] Memory for an instance of a plug-in, and its file, which the caller closes.
  /// - Throws: `outOfMemory` if there is none.
  static func make(_ plugIn: PlugInDescription, maximumFrames: Int) throws(AudioError) -> (
    block: SharedBlock, file: Int32
  ) {
    let size = try Places(plugIn, maximumFrames).byteCount
    let file = shared_memory_make(size)
    guard file >= 0 else { throw failure() }
    do throws(AudioError) {
      let block = try SharedBlock(plugIn, maximumFrames: maximumFrames, file: file)
      block.handover.initialize(to: Handover())
      block.job.initialize(to: RemoteJob())
      return (block, file)
    } catch {
      close(file)
      throw error
    }
  }

  /// [control thread] The memory that the other process has made.
  init(_ plugIn: PlugInDescription, maximumFrames: Int, file: Int32) throws(AudioError) {
    let places = try Places(plugIn, maximumFrames)
    guard let memory = shared_memory_map(file, places.byteCount) else { throw Self.failure() }
    address = memory
    byteCount = places.byteCount
    self.maximumFrames = maximumFrames
    (inputCount, outputCount) = (places.inputCount, places.outputCount)
    controlCount = plugIn.parameters.count
    func at<Value>(_ place: Int, _ type: Value.Type) -> UnsafeMutablePointer<Value> {
      (memory + place).assumingMemoryBound(to: type)
    }
    handover = at(0, Handover.self)
    job = at(places.job, RemoteJob.self)
    controls = at(places.controls, Float.self)
    changes = at(places.changes, UInt8.self)
    events = at(places.events, HostedEvent.self)
    sent = at(places.sent, HostedEvent.self)
    inputs = own.array((0..<places.inputCount).map { at(places.sample($0), Float.self) })
    outputs = own.array(
      (0..<places.outputCount).map { at(places.sample(places.inputCount + $0), Float.self) })
  }

  deinit {
    shared_memory_unmap(address, byteCount)
    own.deallocate()
  }

  private var requests: UnsafeMutablePointer<UInt32> {
    let offset = MemoryLayout<RemoteJob>.offset(of: \.requests) ?? 0
    return (UnsafeMutableRawPointer(job) + offset).assumingMemoryBound(to: UInt32.self)
  }

  /// [any thread of the other process] Adds requests of the plug-in.
  func addRequests(_ bits: UInt32) { shared_bits_add(requests, bits) }

  /// [watch] Takes the requests of the plug-in.
  func takeRequests() -> UInt32 { shared_bits_take(requests) }

  private static func failure() -> AudioError {
    .outOfMemory.because(
      "no memory to share with another process: \(String(cString: strerror(errno)))")
  }

  /// Where the parts are, in bytes; each begins a cache line.
  private struct Places {
    let inputCount: Int
    let outputCount: Int
    let job = MemoryLayout<Handover>.size
    let controls: Int
    let changes: Int
    let events: Int
    let sent: Int
    private let samples: Int
    private let channelBytes: Int

    init(_ plugIn: PlugInDescription, _ maximumFrames: Int) throws(AudioError) {
      func lines(_ bytes: Int) -> Int { (bytes + 63) / 64 * 64 }
      inputCount = plugIn.inputs.reduce(0) { $0 + $1.channelCount }
      outputCount = plugIn.outputs.reduce(0) { $0 + $1.channelCount }
      let count = plugIn.parameters.count
      let eventBytes = SharedBlock.eventCapacity * MemoryLayout<HostedEvent>.stride
      controls = job + lines(MemoryLayout<RemoteJob>.size)
      changes = controls + lines(count * 4)
      events = changes + lines(count)
      sent = events + lines(eventBytes)
      samples = sent + lines(eventBytes)
      guard (0...1 << 24).contains(maximumFrames), inputCount + outputCount <= 1 << 16 else {
        throw .outOfMemory.because(
          "\(maximumFrames) frames of \(inputCount + outputCount) channels")
      }
      channelBytes = lines(maximumFrames * 4)
      guard byteCount <= SharedBlock.longest else {
        throw .outOfMemory.because("\(byteCount) bytes for blocks of the plug-in")
      }
    }

    func sample(_ channel: Int) -> Int { samples + channel * channelBytes }
    var byteCount: Int { sample(inputCount + outputCount) }
  }
}
