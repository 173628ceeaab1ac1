// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// The last scheduled change of each parameter of a C unit, so that a ramp starts where the parameter
/// is at that frame. [render thread]
///
/// All memory is allocated with it. Of more than 64 parameters, those whose ramps have ended are
/// forgotten first.
struct ScheduledChanges: ~Copyable {
  private struct Change: BitwiseCopyable {
    var address: AUParameterAddress = 0
    var start: AUValue = 0
    var end: AUValue = 0
    var time: AUEventSampleTime = 0
    /// The frames of a ramp; 0 for a change at once.
    var frames: AUEventSampleTime = 0
  }

  private static var capacity: Int { 64 }

  private let changes: UnsafeMutablePointer<Change>
  private var count = 0
  /// Which change is forgotten next, if all ramps still run.
  private var oldest = 0

  /// [control thread] No changes yet.
  init() {
    changes = .allocate(capacity: Self.capacity)
    changes.initialize(repeating: Change(), count: Self.capacity)
  }

  deinit { changes.deallocate() }

  /// The value that a parameter has at a time because of a change that was still running when the
  /// render cycle began, or began later; nil if there is none.
  borrowing func value(
    of address: AUParameterAddress, at time: AUEventSampleTime, in cycle: AUEventSampleTime
  ) -> AUValue? {
    for index in 0..<count where changes[index].address == address {
      let change = changes[index]
      guard change.time <= time else { return nil }
      let elapsed = time &- change.time
      guard elapsed >= change.frames else {
        let part = AUValue(elapsed) / AUValue(change.frames)
        return change.start + (change.end - change.start) * part
      }
      return change.time &+ change.frames >= cycle ? change.end : nil
    }
    return nil
  }

  /// Stores a change.
  mutating func record(
    _ address: AUParameterAddress, from start: AUValue, to end: AUValue,
    at time: AUEventSampleTime, frames: AUAudioFrameCount
  ) {
    changes[place(for: address, at: time)] = Change(
      address: address, start: start, end: end, time: time, frames: AUEventSampleTime(frames))
  }

  private mutating func place(for address: AUParameterAddress, at time: AUEventSampleTime) -> Int {
    for index in 0..<count where changes[index].address == address { return index }
    guard count == Self.capacity else {
      count += 1
      return count - 1
    }
    for index in 0..<count where changes[index].time &+ changes[index].frames < time {
      return index
    }
    oldest = (oldest + 1) % Self.capacity
    return oldest
  }
}
