// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioToolbox
import Foundation
import Testing

@Suite("The route of an audio session")
struct SessionRouteTests {
  @Test(
    "has the directions of the category",
    arguments: [
      (AVAudioSession.Category.ambient, 0, 1), (.soloAmbient, 0, 1), (.playback, 0, 1),
      (.record, 1, 0), (.playAndRecord, 1, 1), (.multiRoute, 1, 1), (.audioProcessing, 0, 0),
    ])
  func directions(category: AVAudioSession.Category, inputs: Int, outputs: Int) throws {
    try withSession { session in
      try session.setCategory(category)
      #expect(session.currentRoute.inputs.count == inputs)
      #expect(session.currentRoute.outputs.count == outputs)
      // There is an input, but a category that only plays cannot choose one.
      #expect(session.isInputAvailable)
      #expect(session.availableInputs?.count == (inputs > 0 ? 1 : nil))
    }
  }

  @Test("describes its ports")
  func ports() throws {
    try withSession(channels: 6, device: "null") { session in
      try session.setCategory(.playAndRecord)
      let output = try #require(session.currentRoute.outputs.first)
      #expect(output.portType == .virtual)
      #expect(output.uid == "null" && output.portName == "null")
      let channels = try #require(output.channels)
      #expect(channels.map(\.channelNumber) == [1, 2, 3, 4, 5, 6])
      #expect(channels[3].channelName == "LFE")
      #expect(channels[3].channelLabel == kAudioChannelLabel_LFEScreen)
      #expect(channels.allSatisfy { $0.owningPortUID == "null" })
      #expect(session.currentRoute == session.currentRoute)
      // The same device, but two ports.
      #expect(session.currentRoute.inputs.first != output)
    }
  }

  @Test("has the data sources of its devices, and no polar patterns")
  func sources() throws {
    try withSession { session in
      try session.setCategory(.playAndRecord)
      let sources = try #require(session.inputDataSources)
      let source = try #require(session.inputDataSource)
      #expect(sources.contains(source))
      try session.setInputDataSource(source)
      try session.setInputDataSource(nil)
      #expect(source.supportedPolarPatterns == nil)
      #expect(failure { try source.setPreferredPolarPattern(.cardioid) }?.code == 0x2172_6573)
    }
  }

  @Test("uses a preferred input that is present, until it is reset")
  func preferred() throws {
    try withSession { session in
      try session.setCategory(.playAndRecord)
      #expect(session.preferredInput == nil)
      let input = try #require(session.availableInputs?.first)
      try session.setPreferredInput(input)
      #expect(session.preferredInput == input)
      #expect(session.currentRoute.inputs == [input])
      try session.setPreferredInput(nil)
      #expect(session.preferredInput == nil)
      try session.setCategory(.playback)
      #expect(failure { try session.setPreferredInput(input) }?.code == -50)
    }
  }

  @Test("is reported when the category changes, with the previous route")
  func categoryChange() throws {
    try withSession { session in
      let posts = Posts(of: session)
      try session.setCategory(.record)
      try #require(posts.wait(for: 1))
      try session.setCategory(.playAndRecord)
      try #require(posts.wait(for: 2))
      // Setting the same category again is not a change.
      try session.setCategory(.playAndRecord, mode: .voiceChat)
      let changes = posts.all.filter { $0.name == AVAudioSession.routeChangeNotification }
      #expect(
        changes.map { $0.numbers[AVAudioSessionRouteChangeReasonKey] } == [
          AVAudioSession.RouteChangeReason.categoryChange.rawValue,
          AVAudioSession.RouteChangeReason.categoryChange.rawValue,
        ])
      #expect(changes.map { $0.previous?.inputs.count } == [0, 1])
      #expect(changes.map { $0.previous?.outputs.count } == [1, 0])
    }
  }
}
