// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

extension Servers {
  @Suite("PipeWire", .serialized)
  struct PipeWireTests {
    @Test("plays a tone in tune, on both channels, without a gap")
    func tone() throws {
      let server = try PipeWireFixture(quantum: 1024)
      let unit = try PlayingUnit("pipewire", frames: 1024)
      try unit.start()
      // The server counts only after it was requested.
      #expect(
        try wait {
          try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns()).mServerReports == 1
        })
      try Servers.expectTone(seconds: 2.8, late: { unit.lateCycles }) {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 3)
      }
      try Servers.expectToneElsewhere {
        let recorder = try PipeWireRecorder(server)
        #expect(unit.waits(forFrames: 44_000))
        return recorder.channels()
      }
      try unit.stop()
      let calls = unit.statistics.calls
      usleep(50_000)
      #expect(unit.statistics.calls == calls)
      #expect(unit.statistics.breaks == 0)
      #expect(unit.statistics.heapOperations == 0)
    }

    @Test("plays 44,100 Hz in tune on a sink of 48,000 Hz, and reports the sink's rate")
    func converted() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let unit = try PlayingUnit("pipewire", frames: 1_024, rate: 44_100)
      #expect(unit.deviceRate == 48_000)
      try unit.start()
      #expect(unit.deviceRate == 48_000)
      try Servers.expectTone(late: { unit.lateCycles }) {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 1.2)
      }
      withExtendedLifetime(server) {}
      try unit.stop()
      #expect(unit.statistics.breaks == 0 && unit.statistics.heapOperations == 0)
    }

    @Test("lists devices by name, with channels, rate and defaults, and reports changes")
    func devices() throws {
      let server = try PipeWireFixture()
      let backend = try PipeWireBackend(in: .current())
      let changeCount = Atomic(0)
      let token = backend.observeDevices { changeCount.wrappingAdd(1, ordering: .relaxed) }
      defer { withExtendedLifetime(token) {} }
      let devices = try backend.devices()
      #expect(
        devices.map(\.uid) == [
          "pipewire:null1", "pipewire:null2", "pipewire:null1.monitor", "pipewire:null2.monitor",
        ])
      #expect(devices.map(\.isDefaultOutput) == [true, false, false, false])
      let first = try #require(devices.first)
      #expect(first.name == "Sink null1")
      #expect(first.outputChannelCount == 2 && first.inputChannelCount == 0)
      #expect(first.sampleRate == 48_000 && first.cycleFramesRange == 32...8_192)

      var before = changeCount.load(ordering: .relaxed)
      try server.addSink("extra")
      #expect(try wait { try backend.devices().contains { $0.uid == "pipewire:extra" } })
      #expect(changeCount.load(ordering: .relaxed) > before)
      before = changeCount.load(ordering: .relaxed)
      try server.makeDefault("null2")
      #expect(try wait { try backend.devices().first?.uid == "pipewire:null2" })
      #expect(changeCount.load(ordering: .relaxed) > before)
      before = changeCount.load(ordering: .relaxed)
      try server.remove("extra")
      #expect(try wait { try !backend.devices().contains { $0.uid == "pipewire:extra" } })
      #expect(changeCount.load(ordering: .relaxed) > before)
    }

    @Test("lists the devices if the named one is absent")
    func absent() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("pipewire:speakers")
      let error = #expect(throws: ServerFailure.self) { try unit.start() }
      #expect(error?.description.contains("no device \"pipewire:speakers\"") == true)
      #expect(error?.description.contains("\"pipewire:null1\", \"pipewire:null2\"") == true)
    }

    @Test("captures the sound that a sink plays")
    func capture() throws {
      let server = try PipeWireFixture(quantum: 1024)
      defer { withExtendedLifetime(server) {} }
      let player = try PlayingUnit("pipewire:null1", frames: 1024)
      let listener = try PlayingUnit(
        "pipewire:null1.monitor", .capture, frames: 1024, playsOutput: false)
      try player.start()
      try listener.start()
      Servers.expectTone(late: { player.lateCycles + listener.lateCycles }) {
        #expect(listener.waits(forFrames: 56_000))
        return Recording(channels: [Signal(listener.captured)])
      }
      try listener.stop()
      try player.stop()
      #expect(listener.statistics.failures == 0 && listener.statistics.heapOperations == 0)
    }

    @Test(
      "passes samples from input to output on one clock, exactly one cycle later",
      arguments: [256, 1024])
    func duplex(frames: Int) throws {
      let server = try PipeWireFixture(quantum: frames)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("pipewire:null1+null1.monitor", .loop, frames: frames)
      try unit.start()
      unit.expectRoundTrip(of: frames)
      try unit.stop()
      let statistics = unit.statistics
      #expect(statistics.failures == 0 && statistics.breaks == 0)
      #expect(statistics.heapOperations == 0)
    }

    @Test("passes the sound of one sink to another through a duplex unit")
    func passThrough() throws {
      let server = try PipeWireFixture(quantum: 1024)
      let player = try PlayingUnit("pipewire:null2", frames: 1024)
      let carrier = try PlayingUnit("pipewire:null1+null2.monitor", .passThrough, frames: 1024)
      try player.start()
      try carrier.start()
      try Servers.expectTone(late: { player.lateCycles + carrier.lateCycles }) {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 1.2)
      }
      withExtendedLifetime(server) {}
      try carrier.stop()
      try player.stop()
    }

    @Test("reports the missing session manager")
    func withoutManager() throws {
      let server = try PipeWireFixture(manager: false)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("pipewire")
      let error = #expect(throws: ServerFailure.self) { try unit.start() }
      #expect(error?.description.contains("session manager") == true)
    }

    @Test("reports the gap that a late callback causes, as the library and the server count it")
    func late() throws {
      let server = try PipeWireFixture(quantum: 256)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("pipewire", frames: 256)
      unit.delay(call: 400)
      try unit.start()
      #expect(
        try wait {
          let xruns = try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns())
          return xruns.mCount > 0 && xruns.mServerReports == 1 && xruns.mServerCount > 0
        })
      try unit.stop()
    }

    @Test("reports latency for each direction, and the real-time priority of its thread")
    func figures() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("pipewire:null1+null1.monitor", .loop)
      try unit.start()
      #expect(unit.waits(forFrames: 4_800))
      let output = try unit.get(
        kAudioUnitProperty_PresentationLatency, -1.0, kAudioUnitScope_Output, 0)
      let input = try unit.get(
        kAudioUnitProperty_PresentationLatency, -1.0, kAudioUnitScope_Input, 1)
      #expect((0..<1).contains(output) && (0..<1).contains(input))
      #expect(unit.name(kAudioUnitScope_Output, 0) == "Sink null1")
      #expect(unit.name(kAudioUnitScope_Input, 1) == "Monitor of Sink null1")
      #expect(
        try wait {
          try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns()).mServerReports == 1
        })
      try unit.stop()
    }
  }
}
