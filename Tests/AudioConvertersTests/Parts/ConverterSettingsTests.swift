// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import CAudioToolbox
import Testing

@testable import AudioConverters

@Suite("Settings of a converter")
struct ConverterSettingsTests {
  private func layout(_ tag: AudioChannelLayoutTag) -> [UInt8] {
    [tag, 0, 0, 0, 0, 0, 0, 0].withUnsafeBytes { Array($0) }
  }

  @Test("mix channels in their order unless told otherwise")
  func natural() {
    var settings = ConverterSettings()
    #expect(settings.mixing(from: 2, to: 2) == .natural)
    settings.inputLayout = layout(kAudioChannelLayoutTag_Stereo)
    #expect(settings.mixing(from: 2, to: 2) == .natural)
  }

  @Test("mix by the map, then by the gains, then by the layouts")
  func order() {
    var settings = ConverterSettings()
    settings.performsDownmix = true
    guard case .matrix(let gains) = settings.mixing(from: 2, to: 1) else {
      Issue.record("no matrix")
      return
    }
    #expect(gains.count == 2 && gains[0] > 0 && gains[0] == gains[1])
    settings.mixMap = [1, 0.25]
    #expect(settings.mixing(from: 2, to: 1) == .matrix([1, 0.25]))
    settings.channelMap = [1]
    #expect(settings.mixing(from: 2, to: 1) == .map([1]))
  }

  @Test("only reorder channels that both layouts have")
  func reordered() {
    var settings = ConverterSettings()
    settings.inputLayout = layout(kAudioChannelLayoutTag_MPEG_5_1_A)  // L R C LFE Ls Rs
    settings.outputLayout = layout(kAudioChannelLayoutTag_MPEG_5_1_B)  // L R Ls Rs C LFE
    #expect(settings.mixing(from: 6, to: 6) == .map([0, 1, 4, 5, 2, 3]))
  }
}
