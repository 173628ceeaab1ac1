// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Counts the calls of a listener.
private final class Listener: Sendable {
  let count = Atomic(0)

  static let function: AudioObjectPropertyListenerProc = { _, _, _, me in
    guard let me else { return noErr }
    Unmanaged<Listener>.fromOpaque(me).takeUnretainedValue().count
      .wrappingAdd(1, ordering: .relaxed)
    return noErr
  }
}

extension Servers {
  /// The effect of a session's preferred rate on PipeWire. It is measured by the format of a sink
  /// that has no rate of its own.
  @Suite("Preferred sample rate on PipeWire", .serialized)
  struct PreferredRateTests {
    private func withSession(
      rates: [Int] = [44_100, 48_000],
      _ body: (PipeWireFixture, AVAudioSession) throws -> Void
    ) throws {
      let server = try PipeWireFixture(quantum: 1_024, rates: rates)
      try server.addSink("extra")
      try withServerSession("pipewire:extra") { session, _ in try body(server, session) }
    }

    /// Plays with a unit and expects that the reported rate is that of the graph, and that the tone
    /// is in tune.
    private func expectTone(
      _ server: PipeWireFixture, _ session: AVAudioSession, at rate: Int,
      _ place: SourceLocation = #_sourceLocation
    ) throws {
      let unit = try PlayingUnit("pipewire:extra", frames: 1_024)
      try unit.start()
      #expect(unit.waits(forFrames: 9_600, seconds: 60), sourceLocation: place)
      #expect(wait { session.sampleRate == Double(rate) }, sourceLocation: place)
      #expect(try wait { try server.graphRate("extra") == rate }, sourceLocation: place)
      #expect(wait { unit.deviceRate == Double(rate) }, sourceLocation: place)
      #expect(wait { abs(session.ioBufferDuration * Double(rate) - 1_024) < 1e-6 })
      var pitch: Double?
      let isInTune = try wait(seconds: 60) {
        let recorder = try PipeWireRecorder(server, of: "extra")
        guard unit.waits(forFrames: 48_000, seconds: 60) else { return false }
        let channels = recorder.channels()
        guard let signal = channels.first?.sounding, signal.count > 12_000 else { return false }
        pitch = signal.tone(near: 440).frequency
        return abs((pitch ?? 0) - 440) < 0.2
      }
      #expect(isInTune, "\(String(describing: pitch)) Hz", sourceLocation: place)
      try unit.stop()
    }

    /// Waits until the server reports that nothing plays to the sink any more.
    private func waitUntilIdle() throws {
      let device = try HardwareObject("pipewire:extra")
      #expect(
        try wait(seconds: 60) {
          try device.get(kAudioDevicePropertyDeviceIsRunningSomewhere, UInt32(0)) == 0
        })
    }

    @Test("is granted to the only program, reported while it plays, and sent to listeners")
    func alone() throws {
      try withSession { server, session in
        let device = try HardwareObject("pipewire:extra").id
        var address = AudioObjectPropertyAddress(
          mSelector: kAudioDevicePropertyNominalSampleRate,
          mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
        let listener = Listener()
        let context = Unmanaged.passUnretained(listener).toOpaque()
        #expect(
          AudioObjectAddPropertyListener(device, &address, Listener.function, context) == noErr)
        defer {
          _ = AudioObjectRemovePropertyListener(device, &address, Listener.function, context)
          withExtendedLifetime(listener) {}
        }
        // A rate that the server's configuration does not allow is stored but not granted.
        try session.setPreferredSampleRate(96_000)
        #expect(session.preferredSampleRate == 96_000)
        try expectTone(server, session, at: 48_000)
        #expect(listener.count.load(ordering: .relaxed) == 0)
        try waitUntilIdle()
        try session.setPreferredSampleRate(44_100)
        // Until something plays, the server keeps its own rate.
        #expect(session.sampleRate == 48_000)
        try session.setActive(true)
        try expectTone(server, session, at: 44_100)
        #expect(wait { listener.count.load(ordering: .relaxed) > 0 })
        #expect(wait { session.sampleRate == 48_000 })
      }
    }

    @Test("is not granted while another program plays, whose rate is reported")
    func others() throws {
      try withSession { server, session in
        try session.setPreferredSampleRate(44_100)
        let other = try server.program(playingTo: "extra", rate: 48_000)
        #expect(try wait { try server.graphRate("extra") == 48_000 }, "\(other.output)")
        try expectTone(server, session, at: 48_000)
        other.end()
        try waitUntilIdle()
        let third = try server.program(playingTo: "null2", rate: 44_100)
        try expectTone(server, session, at: 44_100)
        third.end()
      }
    }

    @Test("reports the rate of another program before this one plays")
    func foreign() throws {
      try withSession { server, session in
        #expect(session.sampleRate == 48_000)
        let other = try server.program(playingTo: "extra", rate: 44_100)
        #expect(wait(seconds: 30) { session.sampleRate == 44_100 }, "\(other.output)")
        try expectTone(server, session, at: 44_100)
        #expect(session.sampleRate == 44_100)
        other.end()
        #expect(wait(seconds: 30) { session.sampleRate == 48_000 })
      }
    }

    @Test("is not granted if the server has one rate")
    func oneRate() throws {
      try withSession(rates: [48_000]) { server, session in
        try session.setPreferredSampleRate(44_100)
        try expectTone(server, session, at: 48_000)
      }
    }

    @Test("is granted to functions on a device")
    func function() throws {
      try withSession { server, session in
        try session.setPreferredSampleRate(44_100)
        let device = try HardwareObject("pipewire:extra")
        let meter = Unmanaged.passRetained(RateMeter())
        defer { meter.release() }
        var id: AudioDeviceIOProcID?
        #expect(
          AudioDeviceCreateIOProcID(device.id, RateMeter.function, meter.toOpaque(), &id) == noErr)
        #expect(AudioDeviceStart(device.id, id) == noErr)
        #expect(wait(seconds: 60) { meter.takeUnretainedValue().frames > 44_100 })
        #expect(try wait { try server.graphRate("extra") == 44_100 })
        #expect(
          try wait { try device.get(kAudioDevicePropertyNominalSampleRate, 0.0) == 44_100 })
        // Compares frames with nanoseconds.
        #expect(abs(meter.takeUnretainedValue().measuredRate - 44_100) < 441)
        let name = try #require(id)
        #expect(AudioDeviceDestroyIOProcID(device.id, name) == noErr)
      }
    }
  }
}

/// Measures a device's rate: frames of its sample time per second of its host time.
// The device's thread writes, others read later.
private final class RateMeter: @unchecked Sendable {
  private let count = Atomic(0)
  private let rate = Atomic(UInt64(0))
  private var first: (sample: Double, host: UInt64)?

  static let function: AudioDeviceIOProc = { _, _, _, _, _, time, me in
    guard let me else { return noErr }
    let it = Unmanaged<RateMeter>.fromOpaque(me).takeUnretainedValue()
    let now = (sample: time.pointee.mSampleTime, host: time.pointee.mHostTime)
    guard let first = it.first else {
      it.first = now
      return noErr
    }
    let rate = (now.sample - first.sample) / (Double(now.host - first.host) * 1e-9)
    it.rate.store(rate.bitPattern, ordering: .relaxed)
    it.count.store(Int(now.sample - first.sample), ordering: .releasing)
    return noErr
  }

  var frames: Int { count.load(ordering: .acquiring) }
  var measuredRate: Double { Double(bitPattern: rate.load(ordering: .relaxed)) }
}
