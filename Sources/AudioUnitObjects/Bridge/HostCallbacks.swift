// SPDX-License-Identifier: Apache-2.0
import CoreAudio

extension AUAudioUnit {
  /// Lets the unit ask a C host for its tempo and its transport.
  final func takeHostCallbacks(_ info: HostCallbackInfo) {
    nonisolated(unsafe) let host = info.hostUserData
    if info.beatAndTempoProc == nil, info.musicalTimeLocationProc == nil {
      musicalContextBlock = nil
    } else {
      musicalContextBlock = { tempo, numerator, denominator, beat, offset, downbeat in
        var hasAny = false
        if let ask = info.beatAndTempoProc { hasAny = ask(host, beat, tempo) == noErr }
        if let ask = info.musicalTimeLocationProc {
          var (frames, upper, lower) = (0 as UInt32, 0 as Float32, 0 as UInt32)
          if ask(host, &frames, &upper, &lower, downbeat) == noErr {
            offset?.pointee = Int(frames)
            numerator?.pointee = Double(upper)
            denominator?.pointee = Int(lower)
            hasAny = true
          }
        }
        return hasAny
      }
    }
    if info.transportStateProc == nil, info.transportStateProc2 == nil {
      transportStateBlock = nil
    } else {
      transportStateBlock = { flags, position, start, end in
        var (plays, records, changed, cycles) = (false, false, false, false)
        let status =
          if let ask = info.transportStateProc2 {
            ask(host, &plays, &records, &changed, position, &cycles, start, end)
          } else {
            info.transportStateProc?(host, &plays, &changed, position, &cycles, start, end)
              ?? kAudio_UnimplementedError
          }
        guard status == noErr else { return false }
        var state: AUHostTransportStateFlags = []
        if changed { state.insert(.changed) }
        if plays { state.insert(.moving) }
        if records { state.insert(.recording) }
        if cycles { state.insert(.cycling) }
        flags?.pointee = state
        return true
      }
    }
  }
}
