// SPDX-License-Identifier: Apache-2.0

import CoreAudioTypes
import Testing

/// The names for a program that imports only CoreAudioTypes.
@Suite("Module CoreAudioTypes")
struct CoreAudioTypesTests {
  @Test("has the types of formats, buffers, layouts and times, and status codes")
  func types() {
    let format = AudioStreamBasicDescription()
    let list = AudioBufferList()
    let layout = AudioChannelLayout()
    let time = AudioTimeStamp()
    let result: OSStatus = noErr
    #expect(format.mSampleRate == 0 && list.mNumberBuffers == 0)
    #expect(layout.mNumberChannelDescriptions == 0 && time.mFlags == [] && result == 0)
    #expect(kAudioFormatFlagsNativeFloatPacked == 9)
  }
}
