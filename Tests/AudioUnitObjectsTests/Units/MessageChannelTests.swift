// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Foundation
import Testing

/// A unit with a channel that adds numbers, and asks its host for a name.
private final class TalkingUnit: AUAudioUnit {
  private final class Adder: AUMessageChannel {
    var callHostBlock: CallHostBlock?

    func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any] {
      guard let numbers = message["numbers"] as? [Int] else { return ["error": "no numbers"] }
      let name = callHostBlock?(["question": "name"])["name"] as? String
      return ["sum": numbers.reduce(0, +), "for": name ?? "nobody"]
    }
  }

  private let adder = Adder()

  override func messageChannel(for channelName: String) -> any AUMessageChannel {
    channelName == "adder" ? adder : super.messageChannel(for: channelName)
  }
}

@Suite("Message channels")
struct MessageChannelTests {
  @Test("a host and its unit send messages to each other")
  func bothWays() async throws {
    let unit: TalkingUnit = try await AUAudioUnit.registered("msg1")
    let channel = unit.messageChannel(for: "adder")
    #expect(channel.callAudioUnit(["numbers": [1, 2, 3]])["for"] as? String == "nobody")
    channel.callHostBlock = { $0["question"] as? String == "name" ? ["name": "desk"] : [:] }
    let reply = channel.callAudioUnit(["numbers": [1, 2, 3]])
    #expect(reply["sum"] as? Int == 6 && reply["for"] as? String == "desk")
    #expect(channel.callAudioUnit([:])["error"] as? String == "no numbers")
    #expect(channel === unit.messageChannel(for: "adder"))
  }

  @Test("a unit without a channel of that name replies with nothing")
  func unknown() async throws {
    let talking: TalkingUnit = try await AUAudioUnit.registered("msg2")
    let units = [
      talking,
      try AUAudioUnit(
        componentDescription: AudioComponentDescription(
          componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_Delay,
          componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
          componentFlagsMask: 0)),
    ]
    for unit in units {
      let channel = unit.messageChannel(for: "none")
      channel.callHostBlock = { _ in [:] }
      #expect(channel.callAudioUnit(["numbers": [1]]).isEmpty)
      #expect(channel.callHostBlock == nil)
    }
  }
}
