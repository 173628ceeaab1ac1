// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("au session")
struct SessionTests {
  private func report(_ words: [String], _ environment: [String: String] = [:]) throws
    -> [String: Any]
  {
    let run = try Run(
      "au", ["session", "--json"] + words,
      environment: ["AUDIOTOOLBOX_DEVICE": "null"].merging(environment) { $1 })
    #expect(run.code == 0, "\(run.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func entry(_ words: [String], _ environment: [String: String] = [:]) throws
    -> [String: Any]
  {
    let categories = try #require(
      try report(words, environment)["categories"] as? [[String: Any]])
    return try #require(categories.first)
  }

  @Test("shows each category with its directions")
  func categories() throws {
    let categories = try #require(try report([])["categories"] as? [[String: Any]])
    #expect(
      categories.map { $0["category"] as? String } == [
        "ambient", "soloAmbient", "playback", "record", "playAndRecord", "multiRoute",
      ])
    #expect(categories.map { $0["outputChannels"] as? Int } == [2, 2, 2, 0, 2, 2])
    #expect(categories.map { $0["inputChannels"] as? Int } == [0, 0, 0, 2, 2, 2])
  }

  @Test("shows the granted rate and cycle")
  func preferences() throws {
    let free = try entry(["--rate", "44.1k", "--cycle", "5ms", "--category", "playback"])
    #expect(free["sampleRate"] as? Double == 44_100)
    #expect(free["cycleFrames"] as? Int == 256)
    let fixed = try entry(
      ["--rate", "44.1k", "--cycle", "5ms", "--category", "playback"],
      ["AUDIOTOOLBOX_RATE": "96000", "AUDIOTOOLBOX_FRAMES": "480"])
    #expect(fixed["sampleRate"] as? Double == 96_000)
    #expect(fixed["cycleFrames"] as? Int == 480)
  }

  @Test("prints a table")
  func text() throws {
    let run = try Run("au", ["session"], environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(run.output.contains("playAndRecord"))
    #expect(run.output.contains("null (Virtual, 2)"))
  }

  @Test("reports why a category cannot be active, and invalid combinations")
  func mistakes() throws {
    let run = try Run(
      "au", ["session", "--category", "record"],
      environment: ["AUDIOTOOLBOX_DEVICE": "file:/nowhere/out.wav,/nowhere/in.wav"])
    #expect(run.code == 0)
    #expect(run.output.contains("AVAudioSessionErrorCodeCannotStartRecording"))
    let illegal = try Run(
      "au", ["session", "--category", "playback", "--mode", "voiceChat"],
      environment: ["AUDIOTOOLBOX_DEVICE": "null"])
    #expect(illegal.code == 1)
    #expect(illegal.errors.contains("VoiceChat is for PlayAndRecord"))
    #expect(try Run("au", ["session", "--mode", "voiceChat"]).code == 2)
  }
}
