// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Mistakes in the use of examples")
struct ExampleMistakeTests {
  @Test(
    "are reported with the expected values, and end the program with status 64",
    arguments: [
      ("PassThrough", ["-1"], "SECONDS is \"-1\": expected a number from 0 to 3600"),
      ("PassThrough", ["1", "2"], "\"2\": one argument too many"),
      ("PassThroughMixer", ["left"], "PAN is \"left\": expected a number from -1 to 1"),
      ("PassThroughMixer", ["0", "7"], "VOLUME is \"7\": expected a number from 0 to 1"),
      ("RingModulator", ["nan"], "FREQUENCY is \"nan\": expected a number from 0 to 20000"),
      ("InputMeter", ["1e30"], "SECONDS is \"1e30\": expected a number from 0 to 3600"),
      ("OfflineRender", [], "FILE is missing"),
      (
        "OfflineRender", ["/dev/null", "inf"],
        "SECONDS is \"inf\": expected a number from 0 to 3600"
      ),
      ("MixerEQ", ["Loud"], "PRESET is \"Loud\": expected a preset; MixerEQ alone lists them"),
      (
        "MixerEQ", ["Rock", "0", "treble=3"],
        "NAME=VALUE is \"treble=3\": expected a parameter; MixerEQ alone lists them"
      ),
      (
        "CallbackEffects", ["flanger"],
        "EFFECT is \"flanger\": expected tremolo, vibrato, echo, spectrum or convolution"
      ),
      ("CallbackEffects", [], "EFFECT is missing"),
      ("ToneSwift", ["440", "-1"], "SECONDS is \"-1\": expected a number from 0 to 3600"),
    ])
  func words(program: String, words: [String], complaint: String) throws {
    let run = try Run(program, words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 64)
    #expect(run.errors == "\(program): \(complaint)\nTry `\(program) --help`.\n")
    #expect(run.output.isEmpty)
  }

  @Test(
    "and other failures are reported with their program's name, and end it with status 1",
    arguments: [
      (
        "OfflineRender", ["/nowhere/a.wav"],
        "/nowhere/a.wav: cannot be written: No such file or directory"
      ),
      ("OfflineRender", ["/dev/full"], "/dev/full: cannot be written: No space left on device"),
      (
        "MixerEQ", ["Rock", "0", "volume=99"],
        "volume is 99.0: expected a number from 0.00 to 1.00"
      ),
    ])
  func failures(program: String, words: [String], complaint: String) throws {
    let run = try Run(program, words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 1)
    #expect(run.errors == "\(program): \(complaint)\n")
  }

  @Test(
    "a missing device is reported by its name, with the call that failed",
    arguments: [
      ("TenLines", []), ("ToneSwift", []), ("PassThrough", []), ("PassThroughMixer", []),
      ("RingModulator", []), ("CallbackEffects", ["echo"]), ("InputMeter", []), ("MixerHost", []),
      ("MixerEQ", ["Rock"]), ("Mixer3D", []), ("mixer_host", []), ("mixer_eq", ["Rock"]),
      ("mixer_3d", []), ("TapRecorder", ["/nowhere/take.wav"]),
    ] as [(String, [String])])
  func device(program: String, words: [String]) throws {
    let run = try Run(program, words, environment: ["AUDIOTOOLBOX_DEVICE": "nowhere"])
    #expect(run.code == 1)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(run.errors)")
    // Where there is a session, it is the first to need a device.
    let expected =
      /(\w+: )?((AudioUnit|AUGraph)\w+: kAudioUnitErr_\w+ \(-\d+\): )?.*no device "nowhere".*/
    #expect(try expected.wholeMatch(in: try #require(lines.first)) != nil, "\(run.errors)")
  }
}
