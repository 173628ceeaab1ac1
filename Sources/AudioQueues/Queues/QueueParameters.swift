// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
internal import CAudioToolbox
import Synchronization

/// The parameters of a queue: set by any thread, read by the render thread.
struct QueueParameters: ~Copyable {
  private let volume = Atomic(Float(1).bitPattern)
  private let playRate = Atomic(Float(1).bitPattern)
  private let pitch = Atomic(Float(0).bitPattern)
  private let rampTime = Atomic(Float(0).bitPattern)
  private let pan = Atomic(Float(0).bitPattern)

  /// [any thread] The value that a parameter was set to; nil when there is no such parameter.
  @_noLocks
  borrowing func value(_ id: AudioQueueParameterID) -> Float? {
    switch id {
    case kAudioQueueParam_Volume: Float(bitPattern: volume.load(ordering: .relaxed))
    case kAudioQueueParam_PlayRate: Float(bitPattern: playRate.load(ordering: .relaxed))
    case kAudioQueueParam_Pitch: Float(bitPattern: pitch.load(ordering: .relaxed))
    case kAudioQueueParam_VolumeRampTime: Float(bitPattern: rampTime.load(ordering: .relaxed))
    case kAudioQueueParam_Pan: Float(bitPattern: pan.load(ordering: .relaxed))
    default: nil
    }
  }

  /// [any thread] Sets a parameter; false when there is no such parameter.
  @_noLocks
  borrowing func set(_ id: AudioQueueParameterID, _ value: Float) -> Bool {
    let bits = value.bitPattern
    switch id {
    case kAudioQueueParam_Volume: volume.store(bits, ordering: .relaxed)
    case kAudioQueueParam_PlayRate: playRate.store(bits, ordering: .relaxed)
    case kAudioQueueParam_Pitch: pitch.store(bits, ordering: .relaxed)
    case kAudioQueueParam_VolumeRampTime: rampTime.store(bits, ordering: .relaxed)
    case kAudioQueueParam_Pan: pan.store(bits, ordering: .relaxed)
    default: return false
    }
    return true
  }

  /// [any thread] Throws unless a parameter exists and can have a value.
  borrowing func check(_ id: AudioQueueParameterID, _ value: Float) throws(AudioError) {
    guard value.isFinite else {
      throw .queueParameter.because("parameter \(id): \(value) is not a number")
    }
    guard self.value(id) != nil else { throw Self.unknown(id) }
  }

  /// The error for a parameter that does not exist.
  static func unknown(_ id: AudioQueueParameterID) -> AudioError {
    .queueParameter.because("queues have no parameter \(id)")
  }

  /// [any thread] The effective value of a parameter, within its range.
  @_noLocks
  borrowing func limited(_ id: AudioQueueParameterID) -> Float {
    let value = value(id) ?? 0
    switch id {
    case kAudioQueueParam_Volume: return min(max(value, 0), 1)
    case kAudioQueueParam_PlayRate: return min(max(value, 0.5), 2)
    case kAudioQueueParam_Pitch: return min(max(value, -2_400), 2_400)
    case kAudioQueueParam_VolumeRampTime: return min(max(value, 0), 60)
    default: return min(max(value, -1), 1)
    }
  }
}
