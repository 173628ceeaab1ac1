// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import AudioSupport
import AudioUnitCore
import Foundation
import Synchronization

/// The arguments of a callback.
struct CallbackArguments {
  var flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  var time: UnsafePointer<AudioTimeStamp>
  var bus: UInt32
  var frames: Int
  var list: UnsafeMutablePointer<AudioBufferList>?

  /// The number of frames that were requested in all previous calls.
  var position: Int

  var buffers: UnsafeMutableAudioBufferListPointer? { UnsafeMutableAudioBufferListPointer(list) }

  /// Fills every channel of planar Float32.
  func fill(_ sample: (_ channel: Int, _ frame: Int) -> Float) {
    guard let buffers else { return }
    for (channel, buffer) in buffers.enumerated() {
      guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<frames { data[frame] = sample(channel, position + frame) }
    }
  }
}

/// A C callback that calls a closure, and records its calls.
final class HostCallback: @unchecked Sendable {
  typealias Body = @Sendable (CallbackArguments) -> OSStatus

  /// A recorded call.
  struct Call {
    var time: AudioTimeStamp
    var frames: Int
    var bus: UInt32
    var flags: UInt32
    var byteSizes: [UInt32]
    var now: UInt64
    var thread: UInt
  }

  private let body: Body
  private let lock = Lock()
  private var recorded: [Call] = []
  private let frameCount = Atomic(0)
  private let callCount = Atomic(0)

  init(_ body: @escaping Body = { _ in noErr }) { self.body = body }

  /// Plays planar Float32 samples once, and then silence, slowly so that a fast clock does not run
  /// far ahead.
  static func playing(_ samples: [[Float]]) -> HostCallback {
    HostCallback { moment in
      let count = samples.first?.count ?? 0
      if moment.position >= count { usleep(2_000) }
      moment.fill { channel, frame in
        frame < count ? samples[min(channel, samples.count - 1)][frame] : 0
      }
      return noErr
    }
  }

  /// The number of frames requested so far.
  var frames: Int { frameCount.load(ordering: .acquiring) }
  var count: Int { callCount.load(ordering: .acquiring) }
  var calls: [Call] { lock.withLock { recorded } }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  var callbackStruct: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: Self.function, inputProcRefCon: context)
  }

  static let function: AURenderCallback = { context, flags, time, bus, frames, list in
    Unmanaged<HostCallback>.fromOpaque(context)._withUnsafeGuaranteedRef {
      $0.call(flags, time, bus, Int(frames), list)
    }
  }

  private func call(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>,
    _ bus: UInt32, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?
  ) -> OSStatus {
    let sizes = UnsafeMutableAudioBufferListPointer(list)?.map(\.mDataByteSize) ?? []
    lock.withLock {
      guard recorded.count < 100_000 else { return }
      recorded.append(
        Call(
          time: time.pointee, frames: frames, bus: bus, flags: flags.pointee.rawValue,
          byteSizes: sizes, now: AudioGetCurrentHostTime(), thread: UInt(pthread_self())))
    }
    let status = body(
      CallbackArguments(
        flags: flags, time: time, bus: bus, frames: frames, list: list,
        position: frameCount.load(ordering: .relaxed)))
    frameCount.wrappingAdd(frames, ordering: .acquiringAndReleasing)
    callCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
    return status
  }
}

/// Counts the changes of a property with a listener.
final class PropertyChangeCounter: @unchecked Sendable {
  private let callCount = Atomic(0)
  var count: Int { callCount.load(ordering: .acquiring) }

  static let function: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
    Unmanaged<PropertyChangeCounter>.fromOpaque(context).takeUnretainedValue()
      .callCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  init(_ unit: HostedUnit, _ id: AudioUnitPropertyID) throws {
    unit.retain(self)
    try check(
      AudioUnitAddPropertyListener(
        unit.handle, id, Self.function, Unmanaged.passUnretained(self).toOpaque()))
  }
}

/// Waits until a condition is true; returns false after a timeout.
@discardableResult
func wait(seconds: Double = 30, until condition: () throws -> Bool) rethrows -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if try condition() { return true }
    usleep(500)
  }
  return try condition()
}
