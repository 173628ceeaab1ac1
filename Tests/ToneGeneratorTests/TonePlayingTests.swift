// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import Foundation
import Testing
import ToneModel

// Time passes as with a sound card; the expectations do not depend on how much.
@Suite("Playing a tone")
struct TonePlayingTests {
  @Test("records the frequency and the level on every channel")
  func tone() throws {
    let file = try recording {
      let model = ToneModel(Tone(frequency: 997, level: -12))
      try model.play(for: 1)
      #expect(model.isPlaying)
      model.waitUntilOver()
      #expect(!model.isPlaying)
    }
    #expect(file.channels.count == 2)
    #expect(file.channels[0].samples == file.channels[1].samples)
    let steady = file.channels[0][4_000..<44_000]
    let fit = steady.tone(near: 997)
    #expect(abs(fit.frequency - 997) < 1e-5)
    #expect(abs(fit.amplitude - Decibels.ratio(-12)) < 1e-7)
    #expect(fit.distortionAndNoise < -145)
  }

  @Test("is free of clicks through changes, stop and play")
  func clicks() throws {
    let file = try recording {
      let model = ToneModel(Tone(frequency: 440, level: -6))
      try model.play()
      play(seconds: 0.15)
      model.frequency = 1_000
      play(seconds: 0.1)
      model.step(decibels: -6)
      play(seconds: 0.15)
      model.stop()
      try model.play()
      play(seconds: 0.15)
      model.stop()
    }
    let all = file.channels[0]
    #expect(all.largestBend(frequency: 1_000, amplitude: Decibels.ratio(-6)) < 1.01)
    #expect(all.samples.last == 0)
  }

  @Test("renders nothing after stop")
  func silence() throws {
    var counts: [Int] = []
    _ = try recording {
      let output = try ToneOutput([Tone()])
      try output.start()
      play(seconds: 0.05)
      output.stop()
      counts.append(output.mix.frameCount)
      play(seconds: 0.05)
      counts.append(output.mix.frameCount)
      #expect(!output.isRunning)
    }
    #expect(counts[0] > 0)
    #expect(counts[0] == counts[1])
  }

  @Test("follows the device's rate, so that samples reach it unchanged")
  func rate() throws {
    let file = try recording(rate: 96_000) {
      let model = ToneModel(Tone(frequency: 997, level: -6))
      try model.play(for: 0.5)
      #expect(model.device?.sampleRate == 96_000)
      model.waitUntilOver()
    }
    #expect(file.sampleRate == 96_000)
    #expect(file.channels[0][5_000..<40_000].distortionAndNoise(at: 997) < -145)
  }

  @Test("a device that cannot be written to is reported, and nothing plays")
  func fullDevice() throws {
    var environment = DeviceEnvironment()
    environment.device = DeviceName(backend: "file", device: "/dev/full")
    environment.use {
      let model = ToneModel()
      #expect(throws: ToneError.self) { try model.play() }
      #expect(!model.isPlaying)
    }
  }

  @Test("reports the step that failed, and why")
  func failure() throws {
    var environment = DeviceEnvironment()
    environment.device = DeviceName(backend: "nowhere")
    environment.use {
      let error = #expect(throws: ToneError.self) { try ToneModel().play() }
      #expect(error?.description.contains("nowhere") == true)
      #expect(error?.step.hasPrefix("Can't") == true)
    }
  }

  @Test("plays and stops any number of times, and leaves no thread behind")
  func cycles() async {
    await #expect(processExitsWith: .success) {
      _ = try recording {
        let model = ToneModel()
        try model.play()
        model.stop()
        let before = ProcessState().threadCount
        for _ in 1...20 {
          try model.play()
          model.stop()
        }
        // A joined thread may still be in the list for a moment.
        var count = ProcessState().threadCount
        for _ in 0..<3_000 where count > before {
          usleep(10_000)
          count = ProcessState().threadCount
        }
        #expect(count <= before)
      }
    }
  }
}
