// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Checks the times that a function is called with.
private final class CallTimes: @unchecked Sendable {  // only the device's thread writes
  let calls = Atomic(0)
  let backward = Atomic(0)
  private var last = (sample: -1.0, host: UInt64(0))

  static let function: AudioDeviceIOProc = { _, _, _, _, _, time, me in
    guard let me else { return kAudio_ParamError }
    let it = Unmanaged<CallTimes>.fromOpaque(me).takeUnretainedValue()
    let now = (sample: time.pointee.mSampleTime, host: time.pointee.mHostTime)
    if now.sample <= it.last.sample || now.host <= it.last.host {
      it.backward.wrappingAdd(1, ordering: .relaxed)
    }
    it.last = now
    it.calls.wrappingAdd(1, ordering: .releasing)
    return noErr
  }

  var callCount: Int { calls.load(ordering: .acquiring) }
}

extension Servers {
  /// The notifications of a session while the sinks of a PulseAudio server change.
  @Suite("Audio session on PulseAudio", .serialized)
  struct PulseSessionTests {
    private func output(_ session: AVAudioSession) -> String? {
      session.currentRoute.outputs.first?.uid
    }

    @Test("reports a sink that is added, made the default, removed and added again, in this order")
    func sinks() throws {
      let server = try PulseFixture()
      try withServerSession("pulse") { session, posts in
        #expect(output(session) == "pulse:one")
        try server.addSink("extra")
        #expect(wait { posts.all == ["route newDeviceAvailable from pulse:one"] }, "\(posts.all)")
        posts.clear()
        try server.makeDefault("extra")
        #expect(wait { posts.all == ["route override from pulse:one"] }, "\(posts.all)")
        #expect(output(session) == "pulse:extra")
        posts.clear()
        try server.remove("extra")
        #expect(
          wait { posts.all == ["route oldDeviceUnavailable from pulse:extra"] }, "\(posts.all)")
        #expect(output(session) != "pulse:extra")
        posts.clear()
        try server.addSink("extra")
        #expect(
          wait { posts.all.first?.hasPrefix("route newDeviceAvailable from") ?? false },
          "\(posts.all)")
      }
    }

    @Test("reports the loss and the reset of the server, while the time of a function continues")
    func killed() throws {
      let server = try PulseFixture()
      try withServerSession("pulse") { session, posts in
        // The cached devices may still be valid.
        #expect(wait { (try? HardwareObject("pulse:one")) != nil })
        let device = try HardwareObject("pulse:one").id
        let times = CallTimes()
        let context = Unmanaged.passUnretained(times).toOpaque()
        var id: AudioDeviceIOProcID?
        #expect(AudioDeviceCreateIOProcID(device, CallTimes.function, context, &id) == noErr)
        #expect(AudioDeviceStart(device, id) == noErr)
        var (time, last, backward) = (AudioTimeStamp(), -1.0, 0)
        func becomesTrue(_ condition: () -> Bool) -> Bool {
          wait(seconds: 60) {
            if AudioDeviceGetCurrentTime(device, &time) == noErr {
              if time.mSampleTime < last { backward += 1 }
              last = time.mSampleTime
            }
            return condition()
          }
        }
        #expect(becomesTrue { last > 4_800 })
        posts.clear()
        server.stop()
        #expect(becomesTrue { posts.all == ["MediaServicesWereLost"] }, "\(posts.all)")
        let (before, calls) = (last, times.callCount)
        try server.start()
        #expect(becomesTrue { posts.all.count > 1 })
        #expect(becomesTrue { times.callCount > calls + 50 })
        try session.setActive(true)
        // Its time continues as if there had been no gap.
        #expect(last > before)
        #expect(backward == 0 && times.backward.load(ordering: .relaxed) == 0)
        #expect(
          posts.all == ["MediaServicesWereLost", "MediaServicesWereReset"], "\(posts.all)")
        let name = try #require(id)
        #expect(AudioDeviceDestroyIOProcID(device, name) == noErr)
        withExtendedLifetime(times) {}
      }
    }

    @Test("reports when another program starts and stops playing, and the volume")
    func others() throws {
      let server = try PulseFixture(hasListeners: false)
      try withServerSession("pulse") { session, posts in
        #expect(wait { !session.isOtherAudioPlaying })
        #expect(!session.secondaryAudioShouldBeSilencedHint)
        posts.clear()
        let other = try server.program(playingTo: "one")
        #expect(wait(seconds: 30) { posts.all.contains("hint begin") }, "\(posts.all)")
        #expect(session.isOtherAudioPlaying)
        other.end(by: SIGTERM)
        #expect(wait(seconds: 30) { posts.all.contains("hint end") }, "\(posts.all)")
        #expect(posts.all == ["hint begin", "hint end"])
        #expect(!session.isOtherAudioPlaying)
        try server.run("pactl", "set-sink-volume", "one", "40%")
        #expect(wait(seconds: 30) { abs(session.outputVolume - 0.4) < 0.01 })
      }
    }

    @Test("requests a cycle size near the preferred one, and reports the granted one")
    func cycle() throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      try withServerSession("pulse") { session, _ in
        try session.setPreferredSampleRate(44_100)
        try session.setPreferredIOBufferDuration(0.005)
        #expect(session.preferredSampleRate == 44_100)
        // The sink has a fixed rate, and the stream uses it without resampling in the server.
        #expect(session.sampleRate == 48_000)
        let before = session.ioBufferDuration
        #expect(abs(before * 48_000 - 256) < 1e-6)
        let unit = try PlayingUnit("pulse", frames: 256)
        try unit.start()
        #expect(unit.waits(forFrames: 4_800))
        let granted = session.ioBufferDuration * 48_000
        #expect(granted == granted.rounded() && granted >= 256, "\(granted)")
        try unit.stop()
      }
    }
  }
}
