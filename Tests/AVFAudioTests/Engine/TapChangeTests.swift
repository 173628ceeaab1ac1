// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import Testing

@Suite("Taps of a bus whose format changes")
struct TapChangeTests {
  private static func mono() throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
  }

  /// A mixer of which something else happens while a tap asks what to copy.
  private final class SlowMixer: AVAudioMixerNode, @unchecked Sendable {
    let meanwhile = Meanwhile()

    override func tapSource(_ bus: AVAudioNodeBus) -> TapSource? {
      let source = super.tapSource(bus)
      meanwhile.happen()
      return source
    }
  }

  @Test("copy the format that another thread sets while they are installed")
  func raced() throws {
    let offline = try Offline()
    let (engine, mixer, source) = (offline.engine, SlowMixer(), Counter().node())
    for node in [mixer, source] as [AVAudioNode] { engine.attach(node) }
    engine.connect(source, to: mixer, format: nil)
    engine.connect(mixer, to: engine.mainMixerNode, format: nil)
    try engine.start()
    let format = try Self.mono()
    mixer.meanwhile.set { engine.connect(mixer, to: engine.mainMixerNode, format: format) }
    let log = TapLog()
    mixer.installTap(onBus: 0, bufferSize: 512, format: nil) { log.add($0, $1) }
    mixer.meanwhile.join()
    _ = try offline.render(512)
    mixer.removeTap(onBus: 0)
    let isComplete = log.samples == Counter.samples(512)
    #expect(isComplete)
  }

  @Test("deliver the frames of before in the format of the tap, too")
  func pending() throws {
    let offline = try Offline()
    let (engine, source, log) = (offline.engine, Counter().node(), TapLog())
    engine.attach(source)
    engine.connect(source, to: engine.mainMixerNode, format: nil)
    source.installTap(onBus: 0, bufferSize: 512, format: offline.format) { log.add($0, $1) }
    try engine.start()
    _ = try offline.render(100)
    engine.connect(source, to: engine.mainMixerNode, format: try Self.mono())
    _ = try offline.render(100)
    source.removeTap(onBus: 0)
    let isComplete = log.samples == Counter.samples(200)
    #expect(isComplete)
  }
}
