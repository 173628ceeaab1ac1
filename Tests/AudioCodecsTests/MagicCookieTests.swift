// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import Testing

@Suite("Magic cookies")
struct MagicCookieTests {
  @Test("are read in each of their forms")
  func forms() throws {
    let config: [UInt8] = [0x12, 0x10]
    let stream = MagicCookies.elementaryStream(config, bitRate: 128_000)
    #expect(MagicCookies.audioSpecificConfig(stream) == config)
    #expect(MagicCookies.audioSpecificConfig(config) == config)
    let lossless = [UInt8](1...24)
    let atom = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + lossless
    let old = [0, 0, 0, 12] + Array("frma".utf8) + Array("alac".utf8) + atom
    for form in [lossless, atom, old] { #expect(MagicCookies.losslessConfig(form) == lossless) }
  }
}
