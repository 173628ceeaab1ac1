// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import Foundation
import Synchronization

/// The arguments of a callback.
package struct CallbackArguments {
  package var flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
  package var time: UnsafePointer<AudioTimeStamp>
  package var bus: UInt32
  package var frames: Int
  package var list: UnsafeMutablePointer<AudioBufferList>?

  /// The number of frames that were requested in all previous calls.
  package var position: Int

  package var buffers: UnsafeMutableAudioBufferListPointer? {
    UnsafeMutableAudioBufferListPointer(list)
  }

  /// Fills every channel of planar Float32.
  package func fill(_ sample: (_ channel: Int, _ frame: Int) -> Float) {
    guard let buffers else { return }
    for (channel, buffer) in buffers.enumerated() {
      guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<frames { data[frame] = sample(channel, position + frame) }
    }
  }
}

/// A C callback that calls a closure, and records its calls.
package final class HostCallback: @unchecked Sendable {
  package typealias Body = @Sendable (CallbackArguments) -> OSStatus

  /// A recorded call.
  package struct Call {
    package var time: AudioTimeStamp
    package var frames: Int
    package var bus: UInt32
    package var flags: UInt32
    package var byteSizes: [UInt32]
    package var now: UInt64
    package var thread: UInt
  }

  private let body: Body
  private let lock = Lock()
  private var recorded: [Call] = []
  private let frameCount = Atomic(0)
  private let callCount = Atomic(0)

  package init(_ body: @escaping Body = { _ in noErr }) { self.body = body }

  /// Plays planar Float32 samples once, and then silence, slowly so that a fast clock does not run
  /// far ahead.
  package static func playing(_ samples: [[Float]]) -> HostCallback {
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
  package var frames: Int { frameCount.load(ordering: .acquiring) }
  package var count: Int { callCount.load(ordering: .acquiring) }
  package var calls: [Call] { lock.withLock { recorded } }

  package var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  package var callbackStruct: AURenderCallbackStruct {
    AURenderCallbackStruct(inputProc: Self.function, inputProcRefCon: context)
  }

  package static let function: AURenderCallback = { context, flags, time, bus, frames, list in
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
package final class PropertyChangeCounter: @unchecked Sendable {
  private let callCount = Atomic(0)
  package var count: Int { callCount.load(ordering: .acquiring) }

  package static let function: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
    Unmanaged<PropertyChangeCounter>.fromOpaque(context).takeUnretainedValue()
      .callCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  package init(_ unit: HostedUnit, _ id: AudioUnitPropertyID) throws {
    unit.retain(self)
    try check(
      AudioUnitAddPropertyListener(
        unit.handle, id, Self.function, Unmanaged.passUnretained(self).toOpaque()))
  }
}

/// Waits until a condition is true; returns false after a timeout.
@discardableResult
package func wait(seconds: Double = 30, until condition: () throws -> Bool) rethrows -> Bool {
  let end = Date().addingTimeInterval(seconds)
  while Date() < end {
    if try condition() { return true }
    usleep(500)
  }
  return try condition()
}
