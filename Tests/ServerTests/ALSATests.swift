// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import AudioSupport
import CAudioToolbox
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// ALSA's plug-ins, one of which plays to the tests' PulseAudio server, so that no sound card is
  /// needed.
  @Suite("ALSA's plug-ins", .serialized)
  struct ALSATests {
    private let server: PulseFixture

    init() throws {
      server = try PulseFixture(countsUnderruns: true)
      let text = """
        pcm.null { type null }
        pcm.recorder { type file slave.pcm "null" file "\(server.folder)/out.raw" format "raw" }
        pcm.player { type file slave.pcm "null" file "/dev/null" infile "\(server.folder)/in.raw" \
        format "raw" }
        pcm.sixteen { type upmix slave.pcm recorder channels 6 }
        pcm.speakers { type pulse device one }
        pcm.microphone { type pulse device one.monitor }
        pcm.headset { type asym playback.pcm speakers capture.pcm microphone }
        pcm.!default { type asym playback.pcm speakers capture.pcm microphone }
        """
      try text.write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
    }

    private func scratch(_ name: String) -> String { "\(server.folder)/\(name)" }

    private func run(
      _ device: String, _ handler: StreamRecorder, input: Bool = false, output: Bool = true,
      until isDone: () -> Bool
    ) throws -> any DeviceStream {
      try onDevice(device) {
        let stream = try Backends.named("alsa").open(
          StreamRequest(usesInput: input, usesOutput: output), handler)
        try stream.start()
        let hasCome = wait(seconds: 30, until: isDone)
        #expect(hasCome)
        stream.stop()
        return stream
      }
    }

    @Test("file: writes the played samples exactly, at the pace of the clock")
    func file() throws {
      let handler = StreamRecorder()
      let stream = try run("alsa:recorder", handler) { handler.playedFrames >= 24_000 }
      #expect(stream.device.sampleRate == 48_000)
      #expect(stream.device.outputChannelCount == 2)
      // Without pacing, such a device accepts an hour of sound in a second.
      #expect(handler.playedFrames < 10 * 48_000)
      let data = try Data(contentsOf: URL(fileURLWithPath: scratch("out.raw")))
      let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      #expect(samples.count >= 2 * 20_000)
      for frame in 0..<20_000 {
        let value = Float(0.5 * sin(2 * .pi * 440 * Double(frame) / 48_000))
        #expect(
          abs(samples[2 * frame] - value) < 1e-6 && samples[2 * frame] == samples[2 * frame + 1])
        if abs(samples[2 * frame] - value) >= 1e-6 { break }
      }
      #expect(handler.disorderCount == 0)
    }

    /// The first channel of a quiet tone that a device with 16 bits has played.
    private func quietTone(dither: UInt32) throws -> Signal {
      let unit = try PlayingUnit(
        "alsa:sixteen", .sine, frames: 1_024, amplitude: pow(10, -90.0 / 20))
      try unit.set(kAudioConverterPropertyDithering, dither, kAudioUnitScope_Global, 0)
      try unit.start()
      #expect(unit.waits(forFrames: 56_000))
      try unit.stop()
      #expect(unit.statistics.heapOperations == 0)
      let data = try Data(contentsOf: URL(fileURLWithPath: scratch("out.raw")))
      // The plug-in adds four channels, and copies the first two.
      let samples = data.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count - 11, by: 12).map {
          Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self)))
            / 32_768
        }
      }
      return Signal(samples).dropping(4_800)[0..<43_636]
    }

    @Test("a device with 16 bits gets a quiet tone without harmonics if it is dithered")
    func dither() throws {
      func harmonics(_ signal: Signal) -> Double {
        [3.0, 5, 7].map { decibels(signal.tone(at: $0 * 440).amplitude) }.max() ?? 0
      }
      let dithered = try quietTone(dither: UInt32(kDitherAlgorithm_TPDF))
      let tone = decibels(dithered.tone(at: 440).amplitude)
      #expect(abs(tone + 90) < 0.3)
      #expect(harmonics(dithered) < -122)
      // The noise has the power of half a step.
      let noise = dithered.distortionAndNoise(at: 440) + tone - decibels(2.0.squareRoot())
      #expect(abs(noise - decibels(exp2(-16))) < 0.4)
      let rounded = try quietTone(dither: UInt32(kDitherAlgorithm_None))
      #expect(harmonics(rounded) > -112)
    }

    @Test("file: captures a known signal exactly")
    func capture() throws {
      let known = (0..<96_000).map { Float($0 % 9_973) / 10_000 }
      let bytes = known.withUnsafeBufferPointer { samples in
        Data(
          samples.flatMap { sample in
            withUnsafeBytes(of: sample) { Array($0) + Array($0) }
          })
      }
      try bytes.write(to: URL(fileURLWithPath: scratch("in.raw")))
      let handler = StreamRecorder()
      _ = try run("alsa:player", handler, input: true, output: false) {
        handler.capturedFrames >= 20_000
      }
      #expect(handler.signal.floats.prefix(20_000).elementsEqual(known.prefix(20_000)))
    }

    @Test("null: plays and captures at the pace of the clock")
    func nothing() throws {
      let handler = StreamRecorder()
      let stream = try run("alsa:null", handler, input: true) { handler.playedFrames >= 24_000 }
      #expect(handler.playedFrames < 10 * 48_000)
      #expect(handler.capturedFrames > 0)
      #expect(stream.device.inputChannelCount == 2)
      #expect(handler.disorderCount == 0)
    }

    @Test("pulse: plays a tone in tune and without a gap", arguments: ["alsa:speakers", "alsa"])
    func tone(device: String) throws {
      try Servers.expectTone(amplitude: 0.5, late: { server.underruns }) {
        let handler = StreamRecorder(playing: 440)
        let channels = try server.recording("one") {
          let stream = try run(device, handler) { handler.playedFrames >= 60_000 }
          #expect(stream.latency(.output) > 0)
        }
        return Recording(channels: channels)
      }
    }

    @Test("a unit plays through it and passes its input on, without heap operations")
    func unit() throws {
      for (device, task) in [("alsa:null", PlayingUnit.Task.sine), ("alsa:null", .passThrough)] {
        let unit = try PlayingUnit(device, task, frames: 1_024)
        try unit.start()
        #expect(unit.waits(forFrames: 24_000))
        try unit.stop()
        #expect(unit.statistics.heapOperations == 0)
        #expect(unit.statistics.failures == 0 && unit.statistics.breaks == 0)
      }
    }

    @Test(
      "pulse: plays and captures simultaneously, on two clocks",
      arguments: ["alsa:headset", "alsa:speakers+microphone"])
    func duplex(device: String) throws {
      try Servers.expectTone(frequency: 1_000, amplitude: 0.5, late: { server.underruns }) {
        let handler = StreamRecorder(playing: 1_000)
        let stream = try run(device, handler, input: true) {
          handler.capturedFrames >= 84_000 && handler.playedFrames >= 84_000
        }
        #expect(!stream.device.hasOneClock)
        #expect(handler.disorderCount == 0)
        return Recording(channels: [handler.signal]) { stream.serverXrunCount ?? 0 }
      }
    }

    @Test("an error about an absent PCM lists the present ones")
    func absent() throws {
      let reported = explanation {
        _ = try onDevice("alsa:theremin") { try Backends.named("alsa").devices() }
      }
      #expect(reported.contains("alsa:theremin"))
      #expect(reported.contains("\"alsa\""))
    }
  }
}
