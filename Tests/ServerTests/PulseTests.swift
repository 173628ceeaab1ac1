// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import AudioToolbox
import AudioSupport
import Foundation
import Synchronization
import Testing

extension Servers {
  @Suite("PulseAudio", .serialized)
  struct PulseTests {
    private let server: PulseFixture

    init() throws { server = try PulseFixture(countsUnderruns: true) }

    @Test("plays a tone in tune, at its level, in both channels, without a gap")
    func tone() throws {
      try Servers.expectTone(distortion: -120, seconds: 2.8, late: { server.underruns }) {
        var late = 0
        let channels = try server.recording("one") {
          let unit = try PlayingUnit("pulse:one", frames: 2_048)
          try unit.start()
          #expect(unit.waits(forFrames: 150_000))
          late = unit.lateCycles
          try unit.stop()
          #expect(unit.statistics.breaks == 0)
          #expect(unit.statistics.heapOperations == 0)
        }
        return Recording(channels: channels) { late }
      }
    }

    @Test("captures the sound of another program")
    func capture() throws {
      try Servers.expectTone(frequency: 1_000, amplitude: 0.5, late: { server.underruns }) {
        let player = StreamRecorder(playing: 1_000)
        let recorder = StreamRecorder()
        return try onDevice("pulse") {
          let backend = try Backends.named("pulse")
          let playing = try backend.open(
            StreamRequest(uid: "pulse:one", owner: "a player"), player)
          let capturing = try backend.open(
            StreamRequest(uid: "pulse:one.monitor", usesInput: true, usesOutput: false), recorder)
          #expect(capturing.device.inputChannelCount == 2)
          #expect(capturing.device.outputChannelCount == 0)
          try playing.start()
          try capturing.start()
          #expect(wait(seconds: 30) { recorder.capturedFrames > 84_000 })
          capturing.stop()
          playing.stop()
          #expect(recorder.disorderCount == 0 && player.disorderCount == 0)
          #expect(recorder.events.isEmpty && player.events.isEmpty)
          return Recording(channels: recorder.channels) { capturing.serverXrunCount ?? 0 }
        }
      }
    }

    @Test("passes the sound of one sink to the other, on two clocks, without heap operations")
    func passThrough() throws {
      let player = try PlayingUnit("pulse:one", frames: 1_024)
      let carrier = try PlayingUnit("pulse:two+one.monitor", .passThrough, frames: 1_024)
      try player.start()
      try carrier.start()
      #expect(carrier.waits(forFrames: 48_000))
      try carrier.stop()
      try player.stop()
      for statistics in [player.statistics, carrier.statistics] {
        #expect(
          statistics.heapOperations == 0 && statistics.failures == 0 && statistics.breaks == 0)
      }
    }

    @Test("restarts at sample time 0 after a stop, and plays no old samples")
    func restart() throws {
      let first = StreamRecorder(playing: 500)
      try onDevice("pulse:one") {
        let stream = try Backends.named("pulse").open(StreamRequest(), first)
        try stream.start()
        try stream.start()  // does nothing while it runs
        #expect(wait { first.playedFrames > 24_000 })
        stream.stop()
        stream.stop()
        let frames = first.playedFrames
        usleep(100_000)
        #expect(first.playedFrames == frames)
        #expect(stream.latency(.output) > 0 && stream.latency(.output) < 1)
        #expect(stream.scheduling != nil)
        #expect(stream.serverXrunCount != nil)
        first.frequency = 800
        var restarts = 0
        try Servers.expectTone(
          frequency: 800, amplitude: 0.5, distortion: -80, late: { server.underruns }
        ) {
          let before = first.playedFrames
          let channels = try server.recording("one") {
            usleep(200_000)
            try stream.start()
            #expect(wait { first.playedFrames > before + 60_000 })
            stream.stop()
          }
          restarts += 1
          // It contains no sample of the earlier tone, only the new one.
          let start = channels[0].samples.firstIndex { abs($0) > 1e-6 } ?? 0
          let end = min(start + 30_000, channels[0].count)
          return Recording(channels: [channels[0][min(start + 2, end)..<end]])
        }
        // Its times restarted, which is the one break in their order.
        #expect(first.disorderCount == restarts)
      }
    }

    @Test(
      "lists sinks and sources, the default ones first; an error about an absent one lists them"
    )
    func devices() throws {
      try server.makeDefault("two")
      defer { try? server.makeDefault("one") }
      try onDevice("pulse") {
        let devices = try Backends.named("pulse").devices()
        let output = try #require(devices.first { $0.isDefaultOutput })
        #expect(output.uid == "pulse:two")
        #expect(output.outputChannelCount == 2 && output.inputChannelCount == 0)
        #expect(output.sampleRate == 48_000)
        #expect(output.cycleFrames == 2_048)
        #expect(devices.contains { $0.uid == "pulse:one.monitor" && $0.inputChannelCount == 2 })
        #expect(devices.filter(\.isDefaultOutput).count == 1)
        // The server has only monitors to capture from.
        #expect(devices.allSatisfy { !$0.isDefaultInput })
        let reported = explanation {
          _ = try Backends.named("pulse").open(
            StreamRequest(uid: "pulse:theremin"), StreamRecorder())
        }
        for name in ["pulse:theremin", "pulse:one", "pulse:two"] {
          #expect(reported.contains(name))
        }
      }
    }

    @Test("reports added and removed devices and a changed default")
    func watch() throws {
      try onDevice("pulse") {
        let count = Mutex(0)
        let token = try Backends.named("pulse").observeDevices { count.withLock { $0 += 1 } }
        defer { withExtendedLifetime(token) {} }
        func isReported(_ act: () throws -> Void) rethrows -> Bool {
          usleep(200_000)
          let before = count.withLock { $0 }
          try act()
          return wait { count.withLock { $0 } > before }
        }
        #expect(wait { count.withLock { $0 } > 0 })  // until it has started
        #expect(try isReported { try server.addSink("three") })
        #expect(try Backends.named("pulse").devices().contains { $0.uid == "pulse:three" })
        #expect(try isReported { try server.makeDefault("three") })
        #expect(try isReported { try server.remove("three") })
        #expect(try !Backends.named("pulse").devices().contains { $0.uid == "pulse:three" })
        try server.makeDefault("one")
      }
    }

    @Test("programs that list devices are notified when one arrives")
    func listeners() throws {
      var address = AudioObjectPropertyAddress(
        mSelector: kAudioHardwarePropertyDevices, mScope: kAudioObjectPropertyScopeGlobal,
        mElement: kAudioObjectPropertyElementMain)
      let system = AudioObjectID(kAudioObjectSystemObject)
      let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      count.initialize(to: 0)
      defer { count.deallocate() }
      let listener: AudioObjectPropertyListenerProc = { object, number, addresses, count in
        guard object == 1, number == 1, addresses[0].mSelector == kAudioHardwarePropertyDevices
        else { return -1 }
        count?.assumingMemoryBound(to: Int.self).pointee += 1
        return noErr
      }
      #expect(AudioObjectAddPropertyListener(system, &address, listener, count) == noErr)
      // Again and again, because the watch may start later than the first one arrives.
      let before = count.pointee
      let isReported = try wait {
        try server.remove("three")
        try server.addSink("three")
        return wait(seconds: 1) { count.pointee > before }
      }
      #expect(isReported)
      #expect(AudioObjectRemovePropertyListener(system, &address, listener, count) == noErr)
      let after = count.pointee
      try server.remove("three")
      usleep(300_000)
      #expect(count.pointee == after)
      #expect(
        AudioObjectRemovePropertyListener(system, &address, listener, count) == kAudio_ParamError)
    }

    @Test("measures the round trip of a loopback through both clocks")
    func loopback() throws {
      let tool = try ServerProcess(
        [
          program("au"), "loopback", "--device", "pulse:one+one.monitor", "--json", "--rounds", "2",
        ],
        environment: ["AUDIOTOOLBOX_FRAMES": "1024"], folder: server.folder)
      let printed = tool.result()
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any], "\(printed)")
      let frames = try #require(report["roundTripFrames"] as? [Int])
      try #require(frames.count >= 1)  // a busy machine may lose one
      let output = try #require(report["claimedOutputLatency"] as? Double)
      let input = try #require(report["claimedInputLatency"] as? Double)
      let claimed = (output + input) * 48_000
      let measured = Double(frames.sorted()[frames.count / 2])
      // The claimed latencies were read at one moment. A cycle of either side may lie between.
      #expect(abs(measured - claimed) < 3 * 1_024, "measured \(measured), claimed \(claimed)")
    }
  }
}

/// The path of a program that was built with the tests.
func program(_ name: String) -> String {
  URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .appendingPathComponent(name).path
}
