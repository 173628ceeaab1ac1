// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// To which output bus each channel plays. A channel that sounds moves to another bus in a crossfade, so
/// that nothing clicks; a further move waits for its end. A channel that is silent moves at once.
///
/// Plain pointers: the owner of the memory deallocates them.
struct GroupRoutes: BitwiseCopyable, @unchecked Sendable {
  private struct Route: BitwiseCopyable {
    var bus = 0
    var former = 0
    /// The frames of the crossfade that are left.
    var framesLeft = 0

    @_noLocks
    init() {}
  }

  let busCount: Int
  private let fadeFrames: Int
  private let routes: UnsafeMutablePointer<Route>

  /// [control thread] All channels on the first of `busCount` buses. A crossfade has `fadeFrames` frames.
  init(busCount: Int, fadeFrames: Int, in memory: OwnedMemory) {
    self.busCount = busCount
    self.fadeFrames = max(1, fadeFrames)
    routes = memory.array(SynthRack.channelCount, of: Route())
  }

  /// [render thread] Begins to move channels to the buses that their groups have now. `sounding` has a bit
  /// for each channel that sounds.
  @_noLocks
  func update(_ groups: GroupValues, sounding: UInt16) {
    for channel in 0..<SynthRack.channelCount {
      let wanted = groups[channel, GroupValues.bus]
      let bus = wanted < busCount ? wanted : 0
      let isSounding = sounding >> UInt16(clamping: channel) & 1 != 0
      if !isSounding { routes[channel].framesLeft = 0 }
      guard bus != routes[channel].bus, routes[channel].framesLeft == 0 else { continue }
      routes[channel].former = routes[channel].bus
      routes[channel].bus = bus
      routes[channel].framesLeft = isSounding ? fadeFrames : 0
    }
  }

  /// [render thread] Adds the samples of a channel to its bus, and during a crossfade to the former one
  /// too; returns a bit for each bus that it has filled.
  @_noLocks
  func add(
    _ channel: Int, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    to outputs: UnsafePointer<Slice>, _ count: Int
  ) -> UInt16 {
    let route = routes[channel]
    let fading = min(route.framesLeft, count)
    let (new, old) = (outputs[route.bus], outputs[route.former])
    let step = 1 / Float(fadeFrames)
    for frame in 0..<fading {
      let rest = Float(route.framesLeft - frame) * step
      new[0][frame] += left[frame] * (1 - rest)
      new[1][frame] += right[frame] * (1 - rest)
      old[0][frame] += left[frame] * rest
      old[1][frame] += right[frame] * rest
    }
    for frame in fading..<count {
      new[0][frame] += left[frame]
      new[1][frame] += right[frame]
    }
    routes[channel].framesLeft -= fading
    let filled = UInt16(1) << UInt16(clamping: route.bus)
    return fading > 0 ? filled | 1 << UInt16(clamping: route.former) : filled
  }
}
