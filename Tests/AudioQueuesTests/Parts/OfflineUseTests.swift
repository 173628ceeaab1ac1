// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioSupport
import CRealTime
import Testing

@testable import AudioQueues

@Suite("Rendering of a queue to memory")
struct OfflineUseTests {
  @Test("is refused to other threads while one renders, and to all that change the format")
  func threads() throws {
    var use = OfflineUse()
    try use.requireNoRender(onAnyThread: true)
    use.thread = rt_thread_id()
    try use.requireNoRender()
    #expect(throws: AudioError.self) { try use.requireNoRender(onAnyThread: true) }
    use.thread = .max
    #expect(throws: AudioError.self) { try use.requireNoRender() }
  }

  @Test("runs only with a format, and inside a call")
  func running() throws {
    var use = OfflineUse()
    use.thread = 1
    #expect(!use.isOn && !use.isRendering)
    let format = StreamFormat(sampleRate: 44_100, channelCount: 1)
    use.rendering = try OfflineRendering(format, from: format, mixing: .natural)
    #expect(use.isOn && use.isRendering)
    use.thread = 0
    #expect(use.isOn && !use.isRendering)
  }
}
