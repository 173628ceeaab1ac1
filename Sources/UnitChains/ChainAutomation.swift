// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import AudioUnitCore
internal import CAudioToolbox

/// The events of one call, which slices get one after the other.
struct ChainAutomation {
  /// The values of one parameter, and which of them is next.
  private struct Track {
    let values: AUChainParameter
    let interval: Int
    let count: Int
    /// How many frames the unit lags the input.
    let delay: Int
    var next = 0
  }

  private var tracks: [Track]
  private let messages: UnsafeBufferPointer<AUChainMessage>
  private var nextMessage = 0
  private let delays: [Int]
  /// The most frames of a slice: a unit's queue must have room for all of its events.
  let sliceFrames: Int

  /// The most events of a slice; a unit accepts at least so many.
  private static let mostEvents = 900

  /// Checks the events of a call.
  init(_ call: AUChainCall, _ chain: UnitChain) throws(AudioError) {
    delays = chain.delays
    tracks = []
    var events = 0.0
    for values in try Self.array(call.mParameters, Int(call.mParameterCount), "mParameters") {
      try Self.checkUnit(values.mUnit, chain)
      guard values.mInterval > 0 else {
        throw .invalidArgument.because("parameter \(values.mID): mInterval is 0")
      }
      guard values.mValueCount > 0, values.mValueCount < 1 << 48, !isNull(values.mValues) else {
        throw .invalidArgument.because("parameter \(values.mID): there is no value")
      }
      events += 1 / Double(values.mInterval)
      tracks.append(
        Track(
          values: values, interval: Int(values.mInterval), count: Int(values.mValueCount),
          delay: delays[Int(values.mUnit)]))
    }
    guard call.mMessageCount < 1 << 40 else {
      throw .invalidArgument.because("there are \(call.mMessageCount) messages")
    }
    messages = try Self.array(call.mMessages, Int(call.mMessageCount), "mMessages")
    for (index, message) in messages.enumerated() {
      try Self.checkUnit(message.mUnit, chain)
      guard index == 0 || messages[index - 1].mFrame <= message.mFrame else {
        throw .invalidArgument.because("message \(index) is earlier than the one before it")
      }
    }
    let room = Double(max(1, Self.mostEvents - 2 * tracks.count))
    sliceFrames = max(1, min(UnitChain.sliceFrames, events > 0 ? Int(room / events) : .max))
  }

  private static func array<Element>(
    _ start: UnsafePointer<Element>?, _ count: Int, _ name: String
  ) throws(AudioError) -> UnsafeBufferPointer<Element> {
    guard count == 0 || start != nil else { throw .null(name) }
    return UnsafeBufferPointer(start: count == 0 ? nil : start, count: count)
  }

  private static func checkUnit(_ unit: UInt32, _ chain: UnitChain) throws(AudioError) {
    guard unit < UInt32(clamping: chain.nodes.count) else {
      throw .invalidArgument.because(
        "there is no unit \(unit); the chain has \(chain.nodes.count)")
    }
  }

  /// Sends the events of the next `frames` frames, the first of which is `start`.
  mutating func send(_ units: [Unmanaged<UnitInstance>], from start: Int, frames: Int)
    throws(AudioError)
  {
    for index in tracks.indices {
      try send(&tracks[index], to: units, from: start, frames: frames)
    }
    while nextMessage < messages.count {
      let message = messages[nextMessage]
      let unit = Int(message.mUnit)
      let time = Int(clamping: message.mFrame).addingReportingOverflow(delays[unit])
      guard !time.overflow, time.partialValue < start + frames else { break }
      nextMessage += 1
      let (status, data1, data2, _) = message.mBytes
      let instrument = units[unit].takeUnretainedValue()
      do throws(AudioError) {
        try instrument.receiveMIDIEvent(
          UInt32(status), UInt32(data1), UInt32(data2),
          offset: UInt32(clamping: time.partialValue - start))
      } catch { throw error.of(instrument.title) }
    }
  }

  private func send(
    _ track: inout Track, to units: [Unmanaged<UnitInstance>], from start: Int, frames: Int
  ) throws(AudioError) {
    let values = track.values
    while track.next < track.count {
      let (distance, isFar) = track.next.multipliedReportingOverflow(by: track.interval)
      guard !isFar, distance + track.delay < start + frames else { return }
      let offset = max(0, distance + track.delay - start)
      let value = values.mValues[track.next]
      track.next += 1
      var event = AudioUnitParameterEvent()
      event.scope = values.mScope
      event.element = values.mElement
      event.parameter = values.mID
      if values.mRamps != 0, track.next < track.count {
        event.eventType = .parameterEvent_Ramped
        event.eventValues.ramp = .init(
          startBufferOffset: Int32(clamping: offset), durationInFrames: values.mInterval,
          startValue: value, endValue: values.mValues[track.next])
      } else {
        event.eventType = .parameterEvent_Immediate
        event.eventValues.immediate = .init(bufferOffset: UInt32(clamping: offset), value: value)
      }
      let unit = units[Int(values.mUnit)].takeUnretainedValue()
      do throws(AudioError) {
        try withUnsafePointer(to: event) { event throws(AudioError) in
          try unit.schedule(UnsafeBufferPointer(start: event, count: 1))
        }
      } catch { throw error.of(unit.title) }
    }
  }
}
