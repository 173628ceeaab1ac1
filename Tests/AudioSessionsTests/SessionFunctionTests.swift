// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import Foundation
import Testing

/// A session reports changes on its own thread. An observer may make every call, on that thread and
/// on other threads for which it waits.
@Suite("During a notification of a session", .timeLimit(.minutes(60)))
struct SessionFunctionTests {
  private static func calls(_ session: AVAudioSession) -> [MeanwhileCall] {
    func call(_ name: String, _ body: @escaping @Sendable (AVAudioSession) throws -> Void)
      -> MeanwhileCall
    {
      MeanwhileCall(name) { try? body(session) }
    }
    return [
      call("setCategory") { try $0.setCategory(.playback) },
      call("setMode") { try $0.setMode(.default) },
      call("setActive") { try $0.setActive(true) },
      call("setActive false") { try $0.setActive(false) },
      call("setPreferredSampleRate") { try $0.setPreferredSampleRate(44_100) },
      call("setPreferredIOBufferDuration") { try $0.setPreferredIOBufferDuration(0.01) },
      call("setPreferredInput") { try $0.setPreferredInput(nil) },
      call("setPreferredOutputNumberOfChannels") {
        try $0.setPreferredOutputNumberOfChannels(2)
      },
      call("setInputGain") { try $0.setInputGain(0.5) },
      call("overrideOutputAudioPort") { try $0.overrideOutputAudioPort(.none) },
      call("currentRoute") { _ = $0.currentRoute.outputs.count },
      call("availableInputs") { _ = $0.availableInputs?.count },
      call("outputDataSources") { _ = $0.outputDataSources?.count },
      call("latencies") { _ = $0.inputLatency + $0.outputLatency + $0.ioBufferDuration },
      call("outputVolume") { _ = $0.outputVolume },
      call("sampleRate") { _ = $0.sampleRate },
      call("isOtherAudioPlaying") { _ = $0.isOtherAudioPlaying },
      call("requestRecordPermission") { $0.requestRecordPermission { _ in } },
    ]
  }

  @Test("every call returns while a change of the route is reported, and no lock is held")
  func notifications() throws {
    try withSession { session in
      let watch = FunctionWatch()
      let center = NotificationCenter()
      session.post(to: center)
      let token = center.addObserver(
        forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
      ) { _ in watch.wasCalled("observer") }
      defer { center.removeObserver(token) }
      watch.arm("observer", Self.calls(session))
      try session.setCategory(.playAndRecord)
      for _ in 0..<24_000 where watch.callCount == 0 { usleep(5_000) }
      #expect(watch.callCount > 0)
      #expect(watch.problems.isEmpty)
    }
  }
}
