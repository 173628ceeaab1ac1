// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Edits that fade, in graphs that the test pulls.
@Suite("Edits that fade")
struct EditFadeTests {
  /// The weight of the new sound at each frame of a fade of 5 ms at 44,100 Hz.
  private static let weights = (1...221).map { Float(fadeWeight(Double($0) / 221)) }

  enum Edit: CaseIterable {
    case insertFilter, removeFilter, insertLimiter, insertTimePitch, removeTimePitch, swapEffects
    case otherSource, newInput, removedInput

    /// Makes a graph and initialises it; returns the edit.
    func prepare(_ played: PlayedGraph) throws -> () throws -> Void {
      let sine = try played.addSine()
      switch self {
      case .insertFilter, .removeFilter, .insertLimiter, .insertTimePitch, .removeTimePitch:
        let unit =
          switch self {
          case .insertLimiter: try played.addEffect(kAudioUnitSubType_PeakLimiter)
          case .insertTimePitch, .removeTimePitch:
            try played.addEffect(
              kAudioUnitSubType_NewTimePitch, kAudioUnitType_FormatConverter)
          default: try played.addEffect(kAudioUnitSubType_LowPassFilter)
          }
        if [.removeFilter, .removeTimePitch].contains(self) {
          try played.connect(sine, unit)
          return {
            try check(played.graph.remove(unit))
            try played.connect(sine)
          }
        }
        try played.connect(sine)
        return { try played.connect(sine, unit) }
      case .swapEffects:
        let one = try played.addEffect(kAudioUnitSubType_LowPassFilter)
        let other = try played.addEffect(kAudioUnitSubType_Delay)
        try played.connect(sine, one, other)
        return { try played.connect(sine, other, one) }
      case .otherSource:
        try played.connect(sine)
        return { try played.connect(try played.addSine(700)) }
      case .newInput, .removedInput:
        let mixer = try played.addEffect(
          kAudioUnitSubType_MultiChannelMixer, kAudioUnitType_Mixer)
        try played.connect(sine, mixer)
        let other = try played.addSine(700)
        guard self == .removedInput else {
          return { try played.reconnect(other, to: mixer, 1) }
        }
        try played.reconnect(other, to: mixer, 1)
        return { try check(played.graph.disconnect(mixer, 1)) }
      }
    }
  }

  @Test("do not click", arguments: Edit.allCases, [64, 512])
  func click(edit: Edit, slice: Int) throws {
    let played = try PlayedGraph(slice: slice)
    let apply = try edit.prepare(played)
    try played.graph.initialize()
    // The beginning of the sound is no click: it is before what is measured.
    try played.play(12_288)
    let start = HighBand.peak(
      of: played.played.map(Double.init), in: 8_192..<played.played.count - 512)
    #expect(20 * log10(start) < -120)
    let before = played.played.count
    try apply()
    try played.update()
    let rest = played.played[(before - 1_024)...].map(Double.init)
    let peak = HighBand.peak(of: rest, in: 100..<rest.count - 100)
    #expect(20 * log10(max(peak, 1e-12)) < -80)
  }

  @Test("would click without a fade")
  func cut() throws {
    let played = try PlayedGraph(fades: .never)
    let apply = try Edit.removeTimePitch.prepare(played)
    try played.graph.initialize()
    try played.play(12_288)
    try apply()
    try played.update()
    let rest = played.played[11_264...].map(Double.init)
    #expect(20 * log10(HighBand.peak(of: rest, in: 100..<rest.count - 100)) > -60)
  }

  @Test("go from the old value to the new one within 5 ms", arguments: [1, 7, 64, 512])
  func weights(slice: Int) throws {
    let played = try PlayedGraph(slice: slice)
    let (source, gain) = (try played.graph.add(.steps), try played.graph.add(.gain))
    try played.graph.setParameter(gain, 0, 4)
    try played.connect(source)
    try played.graph.initialize()
    try played.play(slice)
    try played.connect(source, gain)
    try played.update()
    let faded = played.played.dropFirst(slice)
    for (value, weight) in zip(faded, Self.weights) { #expect(abs(value - 1 - 3 * weight) < 1e-5) }
    #expect(faded.dropFirst(220).allSatisfy { $0 == 4 })
  }

  @Test("render what both graphs need once", arguments: [1, 3])
  func shared(threads: UInt32) throws {
    let played = try PlayedGraph(slice: 50)
    try check(AUGraphSetRenderThreads(played.graph.handle, threads))
    let sum = try played.graph.add(.sum)
    let counters = try (0..<2).map { _ in
      let counter = try played.graph.add(.steps)
      try played.graph.setParameter(counter, 0, 1)
      return counter
    }
    for (input, counter) in counters.enumerated() {
      try played.reconnect(counter, to: sum, UInt32(input))
    }
    try played.connect(sum)
    try played.graph.initialize()
    try played.play(100)
    // Both inputs change their sources, so each source has an old and a new reader.
    for input in 0..<2 as Range<UInt32> { try check(played.graph.disconnect(sum, input)) }
    for (input, counter) in counters.reversed().enumerated() {
      try played.reconnect(counter, to: sum, UInt32(input))
    }
    let gain = try played.graph.add(.gain)
    try played.connect(sum, gain)
    try played.update()
    for (frame, value) in played.played.enumerated() {
      #expect(value == 2 * Steps.value(frame, step: 1, start: 1), "frame \(frame)")
    }
  }

  @Test(
    "wait for the latency of new units, with and without compensation", arguments: [true, false])
  func latency(compensates: Bool) throws {
    let played = try PlayedGraph(slice: 64)
    try check(AUGraphSetLatencyCompensation(played.graph.handle, compensates))
    let (sum, lag) = (try played.graph.add(.sum), try played.graph.add(.lag))
    let sources = [try played.graph.add(.steps), try played.graph.add(.steps)]
    for (input, source) in sources.enumerated() {
      try played.reconnect(source, to: sum, UInt32(input))
    }
    try played.connect(sum)
    try played.graph.initialize()
    try played.play(128)
    try check(played.graph.disconnect(sum))
    try played.reconnect(sources[0], to: lag)
    try played.reconnect(lag, to: sum)
    try played.update()
    #expect(played.played.allSatisfy { $0 == 2 })
    // Without the unit, the other branch needs no delay any more.
    try check(played.graph.remove(lag))
    try played.reconnect(sources[0], to: sum)
    try played.update()
    #expect(played.played.allSatisfy { $0 == 2 })
  }

  @Test("call a callback once for each frame, where only its reader changes")
  func callback() throws {
    let played = try PlayedGraph(slice: 64)
    let times = Mutex<[(start: Int, count: Int)]>([])
    let callback = Callback { time, _, list in
      times.withLock {
        $0.append((Int(time.mSampleTime), Int(list[0].mDataByteSize) / 4))
      }
      for buffer in list { UnsafeMutableBufferPointer<Float>(buffer).update(repeating: 1) }
    }
    let gain = try played.graph.add(.gain)
    #expect(played.graph.feed(played.output, 0, callback) == noErr)
    try played.graph.initialize()
    try played.play(128)
    #expect(played.graph.disconnect(played.output) == noErr)
    #expect(played.graph.feed(gain, 0, callback) == noErr)
    try played.connect(gain)
    try played.update()
    let calls = times.withLock { $0 }
    for (call, next) in zip(calls, calls.dropFirst()) { #expect(call.start < next.start) }
    // Faded out and in again.
    #expect(played.played.prefix(128).allSatisfy { $0 == 1 })
    #expect(played.played.contains(0) && played.played.last == 1)
    for (value, next) in zip(played.played, played.played.dropFirst()) {
      #expect(abs(next - value) < 0.01)
    }
  }

  @Test("are off unless a device plays, and can be switched")
  func option() throws {
    let graph = try Graph()
    var fades = AUGraphEditFades.never
    #expect(AUGraphGetEditFades(graph.handle, &fades) == noErr)
    #expect(fades == .onDevices)
    for new in [AUGraphEditFades.never, .always, .onDevices] {
      #expect(AUGraphSetEditFades(graph.handle, new) == noErr)
      #expect(AUGraphGetEditFades(graph.handle, &fades) == noErr)
      #expect(fades == new)
    }
    let unknown = unsafeBitCast(UInt32(3), to: AUGraphEditFades.self)
    #expect(AUGraphSetEditFades(graph.handle, unknown) == kAudio_ParamError)
    #expect(explanation.contains("3 is not one of"))
    let played = try PlayedGraph(slice: 64, fades: .onDevices)
    let (source, gain) = (try played.graph.add(.steps), try played.graph.add(.gain))
    try played.graph.setParameter(gain, 0, 4)
    try played.connect(source)
    try played.graph.initialize()
    try played.graph.start()
    try played.play(64)
    try played.connect(source, gain)
    try played.update()
    #expect(played.played.dropFirst(64).allSatisfy { $0 == 4 })
  }

  @Test("end when the graph is uninitialised, and begin again with the next edit")
  func interrupted() throws {
    let played = try PlayedGraph(slice: 64)
    let (source, gain) = (try played.graph.add(.steps), try played.graph.add(.gain))
    try played.connect(source)
    try played.graph.initialize()
    try played.play(64)
    try played.connect(source, gain)
    try check(played.graph.update())
    try check(AUGraphUninitialize(played.graph.handle))
    try played.graph.setParameter(gain, 0, 3)
    try played.graph.initialize()
    try played.play(64)
    #expect(played.played.suffix(64).allSatisfy { $0 == 3 })
    try check(played.graph.disconnect(gain))
    try played.connect(source)
    // A second update cuts the fade of the first one: nothing paces this graph.
    try check(played.graph.update())
    try played.connect(source, gain)
    try played.update()
    #expect(played.played.last == 3)
  }
}
