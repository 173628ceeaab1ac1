// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// The properties of MusicTrackGetProperty and MusicTrackSetProperty, which ignore sizes.
extension EventTrack {
  /// The value of a property, in as many bytes as its type has.
  package func property(_ id: UInt32) throws(AudioError) -> [UInt8] {
    func plain<Value: BitwiseCopyable>(_ value: Value) -> [UInt8] {
      withUnsafeBytes(of: value) { Array($0) }
    }
    let settings = settings
    switch id {
    case kSequenceTrackProperty_LoopInfo:
      // The structure ends with unused bytes.
      return plain(settings.loopDuration) + plain(settings.loopCount) + plain(0 as Int32)
    case kSequenceTrackProperty_OffsetTime: return plain(settings.offset)
    case kSequenceTrackProperty_MuteStatus: return plain(settings.isMuted)
    case kSequenceTrackProperty_SoloStatus: return plain(settings.isSoloed)
    case kSequenceTrackProperty_AutomatedParameters:
      return plain((settings.isAutomated ? 1 : 0) as UInt32)
    case kSequenceTrackProperty_TrackLength: return plain(length)
    case kSequenceTrackProperty_TimeResolution where isTempo:
      return plain(sequence?.resolution ?? 480)
    default: throw .invalidProperty.because("a track has no property \(id)")
    }
  }

  /// Sets a property from a value of its type.
  package func setProperty(_ id: UInt32, _ data: UnsafeRawPointer) throws(AudioError) {
    switch id {
    case kSequenceTrackProperty_LoopInfo:
      let info = data.loadUnaligned(as: MusicTrackLoopInfo.self)
      try setLoop(info.loopDuration, count: info.numberOfLoops)
    case kSequenceTrackProperty_OffsetTime:
      try setOffset(data.loadUnaligned(as: Double.self))
    case kSequenceTrackProperty_MuteStatus:
      let isMuted = data.load(as: UInt8.self) != 0
      try set { $0.isMuted = isMuted }
    case kSequenceTrackProperty_SoloStatus:
      let isSoloed = data.load(as: UInt8.self) != 0
      try set { $0.isSoloed = isSoloed }
    case kSequenceTrackProperty_AutomatedParameters:
      try setAutomated(data.loadUnaligned(as: UInt32.self) != 0)
    case kSequenceTrackProperty_TrackLength:
      try setLength(data.loadUnaligned(as: Double.self))
    case kSequenceTrackProperty_TimeResolution where isTempo:
      throw .propertyNotWritable.because("the resolution of a sequence")
    default: throw .invalidProperty.because("a track has no property \(id)")
    }
  }

  /// Sets the beats at its end that repeat, and how often they are played; 0 for without end.
  package func setLoop(_ duration: Double, count: Int32) throws(AudioError) {
    guard duration >= 0, duration < EventTime.limit, count >= 0 else {
      throw .invalidPropertyValue.because("a loop of \(duration) beats, \(count) times")
    }
    try set { settings in
      (settings.loopDuration, settings.loopCount) = (duration, count)
      (settings.loopStart, settings.loopEnd) = (nil, nil)
    }
  }

  /// Sets by how many beats its events come later.
  package func setOffset(_ offset: Double) throws(AudioError) {
    guard abs(offset) < EventTime.limit else {
      throw .invalidPropertyValue.because("an offset of \(offset) beats")
    }
    try set { $0.offset = offset }
  }

  /// Sets its length; it stays at least as long as its events.
  package func setLength(_ length: Double) throws(AudioError) {
    guard length >= 0, !length.isNaN else {
      throw .invalidPropertyValue.because("a length of \(length) beats")
    }
    try set { $0.length = min(length, EventTime.limit) }
  }

  /// Sets whether its parameters are points of curves. It must have no other events.
  package func setAutomated(_ isAutomated: Bool) throws(AudioError) {
    let hasOthers = events.contains { event in
      if case .parameter = event.message { false } else { true }
    }
    guard !isAutomated || !hasOthers else {
      throw .invalidEventType.because("the track has events other than parameters")
    }
    try set { $0.isAutomated = isAutomated }
  }
}
