// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import Testing

@testable import AudioQueues

@Suite("Channels of a queue on a device")
struct ChannelAssignmentsTests {
  private func layout(_ tag: AudioChannelLayoutTag) -> [UInt8] {
    [tag, 0, 0, 0, 0, 0, 0, 0].withUnsafeBytes { Array($0) }
  }

  @Test("follow an assignment that has as many channels as the device")
  func assigned() {
    let map: [Int32] = [1, 0, -1]
    #expect(ChannelAssignments.map(map, nil, channelCount: 2, to: 3) == map)
    #expect(ChannelAssignments.map(map, nil, channelCount: 2, to: 2) == nil)
  }

  @Test("follow their labels if the device has all of them, and their order otherwise")
  func labeled() {
    let surround = layout(kAudioChannelLayoutTag_MPEG_5_1_B)
    #expect(ChannelAssignments.map(nil, nil, channelCount: 6, to: 6) == nil)
    let map = ChannelAssignments.map(nil, surround, channelCount: 6, to: 6)
    #expect(map.map(Set.init) == [0, 1, 2, 3, 4, 5] && map != [0, 1, 2, 3, 4, 5])
    #expect(ChannelAssignments.map(nil, surround, channelCount: 6, to: 2) == nil)
  }
}
