// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

@Suite("Render events")
struct RenderEventTests {
  @Test("are laid out as in C")
  func layout() {
    #expect(MemoryLayout<AUParameterEvent>.size == 36)
    #expect(MemoryLayout<AUParameterEvent>.offset(of: \.parameterAddress) == 24)
    #expect(MemoryLayout<AUParameterEvent>.offset(of: \.value) == 32)
    #expect(MemoryLayout<AUMIDIEvent>.offset(of: \.length) == 18)
    #expect(MemoryLayout<AUMIDIEvent>.offset(of: \.cable) == 20)
    #expect(MemoryLayout<AUMIDIEvent>.offset(of: \.data) == 21)
    #expect(MemoryLayout<AUHostTransportStateFlags>.size == MemoryLayout<UInt>.size)
  }
}
