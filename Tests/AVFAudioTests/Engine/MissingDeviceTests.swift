// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioDevices
import AudioTestSupport
import Foundation
import Testing

@Suite("An engine whose device is missing")
struct MissingDeviceTests {
  /// What `start()` says on a device.
  private func complaint(_ device: String, uses input: Bool = false) -> String {
    var environment = DeviceEnvironment()
    environment.device = DeviceName(device)
    return environment.use {
      let engine = AVAudioEngine()
      _ = input ? engine.inputNode : engine.mainMixerNode
      let error = #expect(throws: NSError.self) { try engine.start() }
      #expect(error?.code == Int(kAudioUnitErr_InvalidPropertyValue))
      return error?.localizedDescription ?? ""
    }
  }

  @Test("says which device was asked for, and which there are")
  func unknown() {
    let text = complaint("nowhere")
    #expect(text.hasPrefix("AVAudioEngine.start(): there is no device with an output: "))
    #expect(
      text.contains("there is no device \"nowhere\"; there are \"") && text.contains("\"null\""))
  }

  @Test("says why a file cannot be the input")
  func files() throws {
    let tape = try Tape([[0, 0, 0]], sampleRate: 44_100)
    let text = complaint("file:,\(tape.path)", uses: true)
    #expect(text.contains("there is no device with an input: \(tape.path): has 44100.0 Hz"))
    #expect(text.contains("AUDIOTOOLBOX_RATE=44100 fits it"))
    #expect(complaint("file:,/nowhere/a.wav", uses: true).contains("/nowhere/a.wav: "))
  }

  @Test("names a device without an input")
  func noInput() throws {
    try SwitchedMachine().use {
      let engine = AVAudioEngine()
      _ = engine.inputNode
      let error = #expect(throws: NSError.self) { try engine.start() }
      let reason = "there is no device with an input: \"\(SwitchedMachine.loudspeaker)\" has none; "
      #expect(error?.localizedDescription.contains(reason) == true)
    }
  }
}
