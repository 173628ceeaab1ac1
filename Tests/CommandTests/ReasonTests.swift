// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Why a command fails")
struct ReasonTests {
  private static let kinds = "Known are WAVE, RF64,"

  @Test(
    "is one sentence, without the failed call and the name of its status",
    arguments: [
      (["play", "no.wav"], "no.wav: cannot be opened: No such file or directory\n"),
      (["convert", "no.wav", "-o", "x.flac"], "cannot be opened: No such file or directory\n"),
      (
        ["info", "text.wav"],
        "is not a sound file of a known kind: it is a text, and begins with 'rubb'. \(kinds)"
      ),
      (["play", "bytes.wav"], "of a known kind: it begins with bytes 47 0f 00 1b. \(kinds)"),
      (["info", "folder"], "there is no sound file in folder\n"),
      (["plot", "splt"], "'splt' has 1 input and 2 outputs: only units with one of each"),
      (["plot", "dls"], "'dls' has 0 inputs and 1 output: only units with one of each"),
      (
        ["graph", "cut.json"], "cut.json: line 1: expected ',' or '}', found the end of the text\n"
      ),
      (["play", "text.wav", "--device", "nowhere"], "text.wav: is not a sound file"),
    ])
  func reason(words: [String], text: String) throws {
    try withFolder { folder in
      try Data("rubbish".utf8).write(to: URL(fileURLWithPath: "\(folder)/text.wav"))
      try Data([0x47, 0x0F, 0, 0x1B, 9]).write(to: URL(fileURLWithPath: "\(folder)/bytes.wav"))
      try Data("{\"nodes\": 3".utf8).write(to: URL(fileURLWithPath: "\(folder)/cut.json"))
      try FileManager.default.createDirectory(
        atPath: "\(folder)/folder", withIntermediateDirectories: false)
      // In the folder, as a user would.
      let line = "cd \(folder) && \(Run.path("au")) " + words.joined(separator: " ")
      let run = try Run(path: "/bin/sh", ["-c", line])
      #expect(run.code == 1 && run.errors.contains(text), "\(run.errors)")
      #expect(!run.errors.contains("kAudio") && !run.errors.contains("AudioFileOpenURL"))
      #expect(!run.errors.contains(folder), "\(run.errors)")
    }
  }

  @Test("names the missing device")
  func device() throws {
    try withFolder { folder in
      let made = try Run("au", ["tone", "--seconds", "0.1", "-o", "\(folder)/in.wav"])
      try #require(made.code == 0, "\(made.errors)")
      let run = try Run("au", ["play", "\(folder)/in.wav", "--device", "nowhere"])
      #expect(run.code == 1)
      #expect(
        run.errors.contains(
          "Can't open the output: DefaultOutputUnit: there is no device \"nowhere\""),
        "\(run.errors)")
    }
  }
}
