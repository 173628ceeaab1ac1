// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import Synchronization

/// The blocks of a host that know its tempo and its transport, as functions for a C unit.
///
/// It must live as long as the unit may call the functions, on any threads. The blocks may change meanwhile.
final class HostBlocks: @unchecked Sendable {  // published, or guarded by the lock
  private struct Blocks {
    let musicalContext: AUHostMusicalContextBlock?
    let transportState: AUHostTransportStateBlock?
  }

  private let lock = Lock()
  private let current = Published()
  /// How many threads are calling a block.
  private let callers = Atomic<Int>(0)

  /// [control thread] Replaces the blocks, and returns their functions for the unit: none for a block that
  /// does not exist. Old blocks are freed when no thread is calling one.
  func replace(
    _ musicalContext: AUHostMusicalContextBlock?, _ transportState: AUHostTransportStateBlock?
  ) -> HostCallbackInfo {
    let new = ImmutableCell(
      Blocks(musicalContext: musicalContext, transportState: transportState))
    // Freed after the lock is released: what the program's blocks capture ends with them.
    let unused = lock.withLock {
      current.publish(new) { 0 }
      return current.takeUnused { _, _ in callers.load(ordering: .sequentiallyConsistent) == 0 }
    }
    for blocks in unused { blocks.deallocate() }
    return info(musicalContext != nil, transportState != nil)
  }

  private func info(_ hasContext: Bool, _ hasTransport: Bool) -> HostCallbackInfo {
    var info = HostCallbackInfo()
    info.hostUserData = Unmanaged.passUnretained(self).toOpaque()
    if hasContext {
      info.beatAndTempoProc = { context, beat, tempo in
        HostBlocks.answer(context) { $0.musicalContext?(tempo, nil, nil, beat, nil, nil) }
      }
      info.musicalTimeLocationProc = { context, offset, numerator, denominator, downbeat in
        HostBlocks.answer(context) { blocks in
          var (upper, lower, frames) = (0.0, 0, 0)
          let hasAny = blocks.musicalContext?(nil, &upper, &lower, nil, &frames, downbeat)
          guard hasAny == true else { return false }
          offset?.pointee = UInt32(clamping: frames)
          numerator?.pointee = Float32(upper)
          denominator?.pointee = UInt32(clamping: lower)
          return true
        }
      }
    }
    if hasTransport {
      info.transportStateProc = { context, plays, changed, position, cycles, start, end in
        HostBlocks.answer(context) {
          HostBlocks.transport($0, plays, nil, changed, position, cycles, start, end)
        }
      }
      info.transportStateProc2 = {
        context, plays, records, changed, position, cycles, start, end in
        HostBlocks.answer(context) {
          HostBlocks.transport($0, plays, records, changed, position, cycles, start, end)
        }
      }
    }
    return info
  }

  /// [any thread] The status of a function that asks a block, which returns false if it has no answer.
  private static func answer(
    _ context: UnsafeMutableRawPointer?, _ ask: (Blocks) -> Bool?
  ) -> OSStatus {
    guard let context else { return kAudio_ParamError }
    let hasAny = Unmanaged<HostBlocks>.fromOpaque(context)._withUnsafeGuaranteedRef { host in
      host.callers.add(1, ordering: .sequentiallyConsistent)
      defer { host.callers.subtract(1, ordering: .sequentiallyConsistent) }
      return host.current.loadIfAny().flatMap {
        ask($0.assumingMemoryBound(to: Blocks.self).pointee)
      }
    }
    return hasAny == true ? noErr : kAudioUnitErr_CannotDoInCurrentContext
  }

  private static func transport(
    _ blocks: Blocks, _ plays: UnsafeMutablePointer<Bool>?, _ records: UnsafeMutablePointer<Bool>?,
    _ changed: UnsafeMutablePointer<Bool>?, _ position: UnsafeMutablePointer<Double>?,
    _ cycles: UnsafeMutablePointer<Bool>?, _ start: UnsafeMutablePointer<Double>?,
    _ end: UnsafeMutablePointer<Double>?
  ) -> Bool {
    var state: AUHostTransportStateFlags = []
    guard blocks.transportState?(&state, position, start, end) == true else { return false }
    plays?.pointee = state.contains(.moving)
    records?.pointee = state.contains(.recording)
    changed?.pointee = state.contains(.changed)
    cycles?.pointee = state.contains(.cycling)
    return true
  }
}
