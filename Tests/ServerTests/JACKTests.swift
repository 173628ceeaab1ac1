// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  @Suite("JACK", .serialized)
  struct JACKTests {
    @Test("plays a tone in tune, on both channels, without a gap")
    func tone() throws {
      let server = try JACKFixture(period: 512)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("jack")
      try unit.start()
      try Servers.expectTone(seconds: 2.8, late: { unit.lateCycles }) {
        let recorders = try ["left", "right"].map { try JACKPeer($0, records: true) }
        for (recorder, output) in zip(recorders, recorders[0].ports(":output_[12]$")) {
          #expect(recorder.connect(output, recorder.portName))
        }
        #expect(recorders[0].ports("system:playback").count == 2)
        #expect(wait(seconds: 30) { recorders.allSatisfy { $0.count > 150_000 } })
        return Recording(channels: recorders.map(\.signal)) {
          recorders.map(\.lostCycles).reduce(0, +)
        }
      }
      // The names of its threads tell their owner, also those of the library.
      #expect(ServerResources.threadNames.contains { $0.hasPrefix("audio jack") })
      try unit.stop()
      let calls = unit.statistics.calls
      #expect(unit.statistics.calls == calls)
      #expect(unit.statistics.breaks == 0)
      #expect(unit.statistics.heapOperations == 0)
    }

    @Test("lists the devices if the named one is absent")
    func absent() throws {
      let server = try JACKFixture()
      defer { withExtendedLifetime(server) {} }
      let devices = try JACKBackend(in: .current()).devices()
      #expect(devices.map(\.uid) == ["jack:system"])
      #expect(devices[0].inputChannelCount == 2 && devices[0].outputChannelCount == 2)
      #expect(devices[0].isDefaultInput && devices[0].isDefaultOutput)
      let unit = try PlayingUnit("jack:speakers")
      let error = #expect(throws: ServerFailure.self) { try unit.start() }
      #expect(error?.description.contains("there is \"jack:system\"") == true)
    }

    @Test("captures exactly the samples that another client sends")
    func capture() throws {
      let server = try JACKFixture(period: 512)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("jack", .capture, playsOutput: false)
      try unit.start()
      let source = try JACKPeer("source", records: false)
      // To both ports, because the one channel of the program is the mean of two.
      for input in source.ports(":input_[12]$") {
        #expect(source.connect(source.portName, input))
      }
      Servers.expectEverySample(late: { unit.lateCycles + source.lostCycles }) {
        #expect(unit.waits(forFrames: 60_000))
        // The frames after both are connected.
        return unit.captured.suffix(40_000)
      }
      try unit.stop()
      #expect(unit.statistics.failures == 0 && unit.statistics.heapOperations == 0)
    }

    @Test("has a round trip of exactly one period", arguments: [128, 512])
    func duplex(period: Int) throws {
      let server = try JACKFixture(period: period)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("jack", .loop)
      try unit.start()
      let peer = try JACKPeer("patch", records: true)
      for (output, input) in zip(peer.ports(":output_[12]$"), peer.ports(":input_[12]$")) {
        #expect(peer.connect(output, input))
      }
      unit.expectRoundTrip(of: period)
      try unit.stop()
      let statistics = unit.statistics
      #expect(statistics.failures == 0 && statistics.breaks == 0)
      #expect(statistics.heapOperations == 0)
    }

    @Test("reports the gap that a late callback causes, as the library and the server count it")
    func late() throws {
      let server = try JACKFixture(period: 256)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("jack")
      unit.delay(call: 100)
      try unit.start()
      #expect(
        try wait {
          let xruns = try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns())
          return xruns.mCount > 0 && xruns.mServerCount > 0
        })
      try unit.stop()
    }

    @Test("reports latency and both counts of xruns")
    func figures() throws {
      let server = try JACKFixture(period: 512)
      defer { withExtendedLifetime(server) {} }
      let unit = try PlayingUnit("jack", .loop)
      try unit.start()
      #expect(unit.waits(forFrames: 4_800))
      let output = try unit.get(
        kAudioUnitProperty_PresentationLatency, -1.0, kAudioUnitScope_Output, 0)
      let input = try unit.get(
        kAudioUnitProperty_PresentationLatency, -1.0, kAudioUnitScope_Input, 1)
      // The dummy driver assumes two periods of playback latency and one of capture latency.
      #expect(abs(output - 2 * 512 / 48_000) < 1e-9)
      #expect(abs(input - 512.0 / 48_000) < 1e-9)
      let xruns = try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns())
      #expect(xruns.mServerReports == 1)
      // Not every cycle is late: the server's clock is not the host's.
      #expect(
        try wait {
          let late = try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns()).mCount
          return Int(late) < unit.statistics.calls / 2
        })
      try unit.stop()
    }
  }
}
