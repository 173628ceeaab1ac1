// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Testing

@Suite("AVAudioChannelLayout")
struct ChannelLayoutTests {
  /// A layout with descriptions of channels.
  private static func layout(
    _ labels: [AudioChannelLabel], azimuth: Float = 0
  ) -> AVAudioChannelLayout {
    let size = 12 + 20 * max(1, labels.count)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    defer { memory.deallocate() }
    let layout = memory.assumingMemoryBound(to: AudioChannelLayout.self)
    layout.pointee.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelDescriptions
    layout.pointee.mNumberChannelDescriptions = UInt32(labels.count)
    for (index, label) in labels.enumerated() {
      (memory + 12 + 20 * index).storeBytes(of: label, as: UInt32.self)
      (memory + 12 + 20 * index + 8).storeBytes(of: azimuth, as: Float.self)
    }
    return AVAudioChannelLayout(layout: layout)
  }

  @Test("has the channels of a tag")
  func tag() throws {
    let layout = try #require(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_MPEG_5_1_A))
    #expect(layout.layoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(layout.channelCount == 6)
    #expect(layout.layout.pointee.mChannelLayoutTag == kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(layout.description.contains("5.1"))
  }

  @Test(
    "has no channels for tags that only announce them",
    arguments: [
      kAudioChannelLayoutTag_UseChannelDescriptions, kAudioChannelLayoutTag_UseChannelBitmap,
      kAudioChannelLayoutTag_DiscreteInOrder, kAudioChannelLayoutTag_Unknown,
    ])
  func noChannels(tag: AudioChannelLayoutTag) {
    #expect(AVAudioChannelLayout(layoutTag: tag) == nil)
  }

  @Test("gets the tag of its descriptions")
  func descriptions() throws {
    let layout = Self.layout([kAudioChannelLabel_Left, kAudioChannelLabel_Right])
    #expect(layout.layoutTag == kAudioChannelLayoutTag_Stereo)
    #expect(layout == AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    let other = Self.layout([kAudioChannelLabel_Right, kAudioChannelLabel_LFE2])
    #expect(other.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions)
    #expect(other.channelCount == 2)
    #expect(other != layout)
  }

  @Test("keeps the positions of loudspeakers, which no tag has")
  func positions() {
    let layout = Self.layout([kAudioChannelLabel_Left, kAudioChannelLabel_Right], azimuth: 30)
    #expect(layout.layoutTag == kAudioChannelLayoutTag_UseChannelDescriptions)
    #expect(layout.layout.pointee.mChannelDescriptions.mCoordinates.0 == 30)
    #expect(layout.channelCount == 2)
  }

  @Test("counts the bits of a bitmap, and is equal to their tag")
  func bitmap() {
    var layout = AudioChannelLayout()
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_UseChannelBitmap
    layout.mChannelBitmap = [.bit_Left, .bit_Right]
    let stereo = AVAudioChannelLayout(layout: &layout)
    #expect(stereo.channelCount == 2)
    #expect(stereo.layoutTag == kAudioChannelLayoutTag_UseChannelBitmap)
    #expect(stereo == AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo))
    #expect(stereo.hash == AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)?.hash)
  }

  @Test("ends the process if it has no channels")
  func empty() async {
    await #expect(processExitsWith: .failure) {
      var layout = AudioChannelLayout()
      _ = AVAudioChannelLayout(layout: &layout)
    }
  }

  @Test("survives an archive")
  func archive() throws {
    let layout = Self.layout([kAudioChannelLabel_Right, kAudioChannelLabel_LFE2])
    let data = try NSKeyedArchiver.archivedData(withRootObject: layout, requiringSecureCoding: true)
    let copy = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: AVAudioChannelLayout.self, from: data)
    #expect(copy == layout)
  }
}
