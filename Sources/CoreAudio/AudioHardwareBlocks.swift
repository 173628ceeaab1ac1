// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSupport
public import CAudioToolbox
import CBlocks
import CRealTime
@_spi(TrappingConversions) import CheckedNumbers
import CoreFoundationBridge
public import Dispatch
import Glibc
import Synchronization

// The functions of AudioHardwareIO.h with block parameters. In C, queues and blocks are objects of
// the program's own libdispatch; in Swift, they are those of Dispatch.

/// Called when properties of an audio object have changed.
public typealias AudioObjectPropertyListenerBlock =
  @convention(block) (UInt32, UnsafePointer<AudioObjectPropertyAddress>) -> Void

/// Called for each cycle of a device.
public typealias AudioDeviceIOBlock =
  @convention(block) (
    UnsafePointer<AudioTimeStamp>, UnsafePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>,
    UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>
  ) -> Void

/// A dispatch queue of a Swift or C program. Without a queue, the calling thread runs the jobs.
package struct BlockQueue: @unchecked Sendable {
  private let queue: DispatchQueue?
  private let raw: UnsafeMutableRawPointer?

  private typealias Perform =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer?,
      @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> Void
  private typealias PerformLater =
    @convention(c) (
      UInt64, UnsafeMutableRawPointer, UnsafeMutableRawPointer?,
      @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> Void
  private typealias TimeFromNow = @convention(c) (UInt64, Int64) -> UInt64
  private typealias Count = @convention(c) (UnsafeMutableRawPointer) -> Void
  private static let mark = DispatchSpecificKey<UInt>()
  private typealias Label = @convention(c) (UnsafeMutableRawPointer?) -> UnsafePointer<CChar>?

  package init(_ queue: DispatchQueue?) { (self.queue, raw) = (queue, nil) }

  /// A C program's queue, which is retained until `release`.
  package init(raw: UnsafeMutableRawPointer?) {
    (queue, self.raw) = (nil, raw)
    if let raw { Self.function("dispatch_retain", Count.self)?(raw) }
  }

  /// Whether the program is linked with libdispatch for C.
  package static var isAvailableInC: Bool { function("dispatch_async_f", Perform.self) != nil }

  /// Releases the queue of a C program.
  package func release() {
    if let raw { Self.function("dispatch_release", Count.self)?(raw) }
  }

  /// A number that identifies the queue.
  package var key: UInt {
    queue.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
      ?? UInt(bitPattern: raw)
  }

  /// A function of the program's own libdispatch: queues of one copy of the library do not work
  /// with another.
  private static func function<Function>(_ name: String, _: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
  }

  /// Whether the calling code runs on the queue.
  package var isCurrent: Bool {
    if let queue {
      // A specific value identifies the queue; the C label is not available in Swift.
      queue.setSpecific(key: Self.mark, value: key)
      return DispatchQueue.getSpecific(key: Self.mark) == key
    }
    guard let raw, let label = Self.function("dispatch_queue_get_label", Label.self) else {
      return true
    }
    // Each queue has its own label pointer, even when the texts are equal.
    return label(nil) == label(raw)
  }

  private final class Job {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs `body` later on the queue; without a queue, immediately.
  package func async(_ body: @escaping @Sendable () -> Void) {
    if let queue { return queue.async(execute: body) }
    guard let raw, let perform = Self.function("dispatch_async_f", Perform.self) else {
      return body()
    }
    perform(raw, Unmanaged.passRetained(Job(body)).toOpaque()) { job in
      if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
    }
  }

  /// Runs `body` on the queue after this many seconds.
  package func async(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    guard seconds > 0 else { return async(body) }
    if let queue { return queue.asyncAfter(deadline: .now() + seconds, execute: body) }
    guard let raw, let perform = Self.function("dispatch_after_f", PerformLater.self),
      let time = Self.function("dispatch_time", TimeFromNow.self)
    else { return body() }
    perform(
      time(0, Int64(saturating: min(seconds, 1e9) * 1e9)), raw,
      Unmanaged.passRetained(Job(body)).toOpaque()
    ) { job in
      if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().body() }
    }
  }

  /// Runs `body` on the queue, and waits until it has returned.
  package func sync(_ body: () -> Void) {
    if let queue { return queue.sync(execute: body) }
    guard let raw, let perform = Self.function("dispatch_sync_f", Perform.self) else {
      return body()
    }
    withoutActuallyEscaping(body) { body in
      let job = Job(body)
      perform(raw, Unmanaged.passUnretained(job).toOpaque()) { job in
        if let job { Unmanaged<Job>.fromOpaque(job).takeUnretainedValue().body() }
      }
    }
  }
}

// MARK: Listeners

private func add(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?,
  _ queue: BlockQueue, _ block: @escaping AudioObjectPropertyListenerBlock, key: UInt,
  in call: StaticString = #function
) -> OSStatus {
  beginHardware()
  return deviceStatus(in: call) { () throws(AudioError) in
    guard let address else { throw .null("inAddress") }
    nonisolated(unsafe) let block = block
    let isActive = ActiveFlag()
    try AudioObjectListeners.shared.add(
      object, address.pointee,
      .init(
        key: key, queue: queue.key,
        call: { addresses in
          queue.async {
            guard isActive.value.load(ordering: .acquiring) else { return }
            addresses.withUnsafeBufferPointer { addresses in
              if let first = addresses.baseAddress {
                block(UInt32(clamping: addresses.count), first)
              }
            }
          }
        },
        end: {
          isActive.value.store(false, ordering: .releasing)
          queue.release()
        }))
  }
}

/// Whether a listener has not been removed. Calls that are still in a queue check it first.
private final class ActiveFlag: Sendable {
  let value = Atomic(true)
}

private func remove(
  _ object: AudioObjectID, _ address: UnsafePointer<AudioObjectPropertyAddress>?, _ queue: UInt,
  _ block: UInt, in call: StaticString = #function
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    guard let address else { throw .null("inAddress") }
    try AudioObjectListeners.shared.remove(object, address.pointee, key: block, queue: queue)
  }
}

/// Adds a block that is called when a property has changed: on the queue, or without one on a
/// thread of the library. [control thread]
///
/// To remove the block, keep it in a variable of type `AudioObjectPropertyListenerBlock`: a closure
/// becomes a different block each time it is passed.
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inDispatchQueue: the queue on which it is called, or nil.
///   - inListener: the block.
/// - Returns: as AudioObjectAddPropertyListener.
@discardableResult
public func AudioObjectAddPropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
  add(
    inObjectID, inAddress, BlockQueue(inDispatchQueue), inListener,
    key: unsafeBitCast(inListener, to: UInt.self))
}

/// Removes a block that was added with the same queue; it is not called any more. [control thread]
///
/// - Parameters:
///   - inObjectID: the object, such as kAudioObjectSystemObject.
///   - inAddress: the property, with scope and element.
///   - inDispatchQueue: the queue on which it is called, or nil.
///   - inListener: the block.
/// - Returns: as AudioObjectRemovePropertyListener.
@discardableResult
public func AudioObjectRemovePropertyListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inDispatchQueue: DispatchQueue?, _ inListener: @escaping AudioObjectPropertyListenerBlock
) -> OSStatus {
  remove(
    inObjectID, inAddress, BlockQueue(inDispatchQueue).key,
    unsafeBitCast(inListener, to: UInt.self))
}

@_cdecl("AudioObjectAddPropertyListenerBlock")
public func addListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>?,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inListener: UnsafeRawPointer?
) -> OSStatus {
  guard let inListener else { return kAudio_ParamError }
  let heap = block_copy(inListener)
  defer { block_release(heap) }
  let block = unsafeBitCast(heap, to: AudioObjectPropertyListenerBlock.self)
  return add(
    inObjectID, inAddress, BlockQueue(raw: inDispatchQueue), block,
    key: UInt(bitPattern: inListener), in: "AudioObjectAddPropertyListenerBlock")
}

@_cdecl("AudioObjectRemovePropertyListenerBlock")
public func removeListenerBlock(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>?,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inListener: UnsafeRawPointer?
) -> OSStatus {
  remove(
    inObjectID, inAddress, UInt(bitPattern: inDispatchQueue), UInt(bitPattern: inListener),
    in: "AudioObjectRemovePropertyListenerBlock")
}

// MARK: IO procs

/// A block that a device calls in each cycle.
private final class IOBlock {
  private let block: AudioDeviceIOBlock
  private let queue: BlockQueue?

  init(_ block: @escaping AudioDeviceIOBlock, _ queue: BlockQueue?) {
    self.block = block
    self.queue = queue
  }

  deinit { queue?.release() }

  static let function: AudioDeviceIOProc = { _, now, input, inputTime, output, outputTime, me in
    guard let me else { return kAudio_ParamError }
    let it = Unmanaged<IOBlock>.fromOpaque(me).takeUnretainedValue()
    if let queue = it.queue {
      queue.sync { it.block(now, input, inputTime, output, outputTime) }
    } else {
      it.block(now, input, inputTime, output, outputTime)
    }
    return noErr
  }
}

private func create(
  _ id: UnsafeMutablePointer<AudioDeviceIOProcID?>?, _ device: AudioObjectID,
  _ queue: BlockQueue?, _ block: @escaping AudioDeviceIOBlock,
  in call: StaticString = #function
) -> OSStatus {
  beginHardware()
  return deviceStatus(in: call) { () throws(AudioError) in
    guard let id else { throw .null("outIOProcID") }
    let owner = IOBlock(block, queue)
    let number = try DeviceIOs.add(
      IOBlock.function, Unmanaged.passUnretained(owner).toOpaque(), owner: owner, to: device)
    id.pointee = unsafeBitCast(number, to: AudioDeviceIOProcID?.self)
  }
}

/// Adds a block that a device calls in each cycle: on the queue, while the device waits, or without
/// a queue on the device's own thread. [control thread]
///
/// - Parameters:
///   - outIOProcID: the identifier.
///   - inDevice: the device.
///   - inDispatchQueue: the queue on which it is called, or nil.
///   - inIOBlock: called in each cycle.
/// - Returns: as AudioDeviceCreateIOProcID.
@discardableResult
public func AudioDeviceCreateIOProcIDWithBlock(
  _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>, _ inDevice: AudioObjectID,
  _ inDispatchQueue: DispatchQueue?, _ inIOBlock: @escaping AudioDeviceIOBlock
) -> OSStatus {
  create(outIOProcID, inDevice, inDispatchQueue.map { BlockQueue($0) }, inIOBlock)
}

@_cdecl("AudioDeviceCreateIOProcIDWithBlock")
public func createIOProcWithBlock(
  _ outIOProcID: UnsafeMutablePointer<AudioDeviceIOProcID?>?, _ inDevice: AudioObjectID,
  _ inDispatchQueue: UnsafeMutableRawPointer?, _ inIOBlock: UnsafeRawPointer?
) -> OSStatus {
  guard let inIOBlock else { return kAudio_ParamError }
  let heap = block_copy(inIOBlock)
  defer { block_release(heap) }
  return create(
    outIOProcID, inDevice, inDispatchQueue.map { BlockQueue(raw: $0) },
    unsafeBitCast(heap, to: AudioDeviceIOBlock.self),
    in: "AudioDeviceCreateIOProcIDWithBlock")
}
