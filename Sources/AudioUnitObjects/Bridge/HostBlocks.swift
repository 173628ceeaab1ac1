// SPDX-License-Identifier: Apache-2.0
import CoreAudio

/// The blocks of a host that know its tempo and its transport, as functions for a C unit.
///
/// It must live as long as the unit may call the functions.
final class HostBlocks: @unchecked Sendable {  // nothing changes; the blocks are for render threads
  private let musicalContext: AUHostMusicalContextBlock?
  private let transportState: AUHostTransportStateBlock?

  init(
    _ musicalContext: AUHostMusicalContextBlock?, _ transportState: AUHostTransportStateBlock?
  ) {
    self.musicalContext = musicalContext
    self.transportState = transportState
  }

  /// The functions; none for a block that does not exist.
  var info: HostCallbackInfo {
    var info = HostCallbackInfo()
    info.hostUserData = Unmanaged.passUnretained(self).toOpaque()
    if musicalContext != nil {
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
    if transportState != nil {
      info.transportStateProc = { context, plays, changed, position, cycles, start, end in
        HostBlocks.answer(context) {
          $0.transport(plays, nil, changed, position, cycles, start, end)
        }
      }
      info.transportStateProc2 = {
        context, plays, records, changed, position, cycles, start, end in
        HostBlocks.answer(context) {
          $0.transport(plays, records, changed, position, cycles, start, end)
        }
      }
    }
    return info
  }

  /// [render thread] The status of a function that asks a block, which returns false if it has no
  /// answer.
  private static func answer(
    _ context: UnsafeMutableRawPointer?, _ ask: (HostBlocks) -> Bool?
  ) -> OSStatus {
    guard let context else { return kAudio_ParamError }
    let hasAny = Unmanaged<HostBlocks>.fromOpaque(context)._withUnsafeGuaranteedRef { ask($0) }
    return hasAny == true ? noErr : kAudioUnitErr_CannotDoInCurrentContext
  }

  private func transport(
    _ plays: UnsafeMutablePointer<Bool>?, _ records: UnsafeMutablePointer<Bool>?,
    _ changed: UnsafeMutablePointer<Bool>?, _ position: UnsafeMutablePointer<Double>?,
    _ cycles: UnsafeMutablePointer<Bool>?, _ start: UnsafeMutablePointer<Double>?,
    _ end: UnsafeMutablePointer<Double>?
  ) -> Bool {
    var state: AUHostTransportStateFlags = []
    guard transportState?(&state, position, start, end) == true else { return false }
    plays?.pointee = state.contains(.moving)
    records?.pointee = state.contains(.recording)
    changed?.pointee = state.contains(.changed)
    cycles?.pointee = state.contains(.cycling)
    return true
  }
}
