// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("Mistakes in the use of examples")
struct ExampleMistakeTests {
  @Test(
    "are told with what was expected, and end the program with status 1",
    arguments: [
      ("PassThrough", ["-1"], "SECONDS: from 0 to 3600, not -1"),
      ("PassThrough", ["1", "2"], "2: one word too many; usage: PassThrough [SECONDS]"),
      ("PassThroughMixer", ["left"], "PAN: from -1 to 1, not left"),
      ("PassThroughMixer", ["0", "7"], "VOLUME: from 0 to 1, not 7"),
      ("RingModulator", ["nan"], "FREQUENCY: from 0 to 20000, not nan"),
      ("InputMeter", ["1e30"], "SECONDS: from 0 to 3600, not 1e30"),
      ("OfflineRender", [], "FILE is missing; usage: OfflineRender FILE [SECONDS]"),
      (
        "OfflineRender", ["/nowhere/a.wav"], "Can't write /nowhere/a.wav: No such file or directory"
      ),
      ("OfflineRender", ["/dev/null", "inf"], "SECONDS: from 0 to 3600, not inf"),
      ("MixerEQ", ["Loud"], "There is no preset Loud; MixerEQ alone lists them."),
      ("MixerEQ", ["Rock", "0", "gain=99"], "gain: from -20.0 dB to 20.0 dB, not 99.0"),
      (
        "MixerEQ", ["Rock", "0", "treble=3"],
        "not understood: treble=3; MixerEQ alone lists the parameters"
      ),
      ("ToneSwift", ["440", "-1"], "SECONDS: from 0 to 3600, not -1"),
    ])
  func words(program: String, words: [String], complaint: String) throws {
    let run = try Run(program, words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.code == 1)
    #expect(run.errors == complaint + "\n")
    #expect(run.output.isEmpty)
  }

  @Test(
    "a device that is not there is told by its name, with the call that failed",
    arguments: [
      ("TenLines", []), ("ToneSwift", []), ("PassThrough", []), ("PassThroughMixer", []),
      ("RingModulator", []), ("InputMeter", []), ("MixerHost", []), ("MixerEQ", ["Rock"]),
    ] as [(String, [String])])
  func device(program: String, words: [String]) throws {
    let run = try Run(program, words, environment: ["AUDIOTOOLBOX_DEVICE": "nowhere"])
    #expect(run.code == 1)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(run.errors)")
    let expected = /(AudioUnit|AUGraph)\w+: kAudioUnitErr_\w+ \(-\d+\): .*no device "nowhere".*/
    #expect(try expected.wholeMatch(in: try #require(lines.first)) != nil, "\(run.errors)")
  }
}
