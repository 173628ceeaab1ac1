// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// Compares the reported latency of a unit with the time of an impulse from its callback through
  /// a sink and back.
  @Suite("Reported latency of a unit", .serialized)
  struct LatencyTests {
    /// Expects that three impulses in a row return after the reported latency, to a cycle.
    private func expectReportedLatency(
      _ device: String, frames: Int, _ place: SourceLocation = #_sourceLocation
    ) throws {
      let unit = try PlayingUnit(device, .loop, frames: frames)
      try unit.start()
      defer { try? unit.stop() }
      func reported(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws -> Double {
        try unit.get(kAudioUnitProperty_PresentationLatency, -1.0, scope, element) * 48_000
      }
      var figures: [String] = []
      var (seen, inRow) = (0, 0)
      let isReported = try wait(seconds: 60) {
        let delays = unit.statistics.delays
        guard delays.count > seen else { return false }
        seen = delays.count
        let out = try reported(kAudioUnitScope_Output, 0)
        let back = try reported(kAudioUnitScope_Input, 1)
        figures.append("\(delays.last): \(out.rounded()) + \(back.rounded())")
        // An impulse that takes longer than the interval between two counts as the return of a
        // later one.
        let error = (delays.last - out - back).remainder(dividingBy: 12_000)
        inRow = abs(error) <= Double(frames) ? inRow + 1 : 0
        return inRow >= 3
      }
      #expect(
        isReported, "measured: reported latency of \(device): \(figures.suffix(12))",
        sourceLocation: place
      )
    }

    @Test("equals the measured one on PipeWire, to a cycle", arguments: [256, 1_024])
    func pipeWire(frames: Int) throws {
      let server = try PipeWireFixture(quantum: frames)
      defer { withExtendedLifetime(server) {} }
      try expectReportedLatency("pipewire:null1+null1.monitor", frames: frames)
    }

    @Test("equals the measured one on PulseAudio, to a cycle", arguments: [512, 1_024])
    func pulse(frames: Int) throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      try expectReportedLatency("pulse:one+one.monitor", frames: frames)
    }

    @Test("equals the measured one on ALSA's plug-ins, to a cycle", arguments: [512, 1_024])
    func alsa(frames: Int) throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      let text = """
        pcm.speakers { type pulse device one }
        pcm.microphone { type pulse device one.monitor }
        """
      try text.write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
      try expectReportedLatency("alsa:speakers+microphone", frames: frames)
    }
  }
}
