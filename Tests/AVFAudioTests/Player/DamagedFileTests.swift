// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("Players and recorders of files that fail")
struct DamagedFileTests {
  private final class Delegate: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate {
    let events = Events()

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
      events.add("finished \(flag)")
    }

    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
      events.add("decode error \((error as NSError?)?.localizedDescription.isEmpty == false)")
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
      events.add("finished \(flag)")
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
      events.add("encode error \((error as NSError?)?.localizedDescription.isEmpty == false)")
    }
  }

  @Test("a file that cannot be decoded further ends the player with an error")
  func decoding() throws {
    MainQueue.prepare()
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).caf")
    defer { try? FileManager.default.removeItem(at: url) }
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 48_000.0,
      AVNumberOfChannelsKey: 1, AVEncoderBitDepthHintKey: 16,
    ]
    let file = try AVAudioFile(forWriting: url, settings: settings)
    let buffer = try PlayerNodeTests.buffer(noise(480_000), channels: 1)
    try file.write(from: buffer)
    file.close()
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange(500_000..<600_000, with: Data(repeating: 0x12, count: 100_000))
    let delegate = Delegate()
    try onDevice(Tape(), channels: 1) {
      let player = try AVAudioPlayer(data: bytes)
      player.delegate = delegate
      #expect(player.play())
      #expect(delegate.events.wait(for: 2) == ["decode error true", "finished false"])
      #expect(!player.isPlaying)
    }
  }

  @Test("a file that cannot be written further ends the recorder with an error")
  func encoding() async {
    await #expect(processExitsWith: .success) {
      MainQueue.prepare()
      signal(SIGXFSZ, SIG_IGN)
      let input = try Tape([noise(480_000)])
      let (file, delegate) = (Tape(), Delegate())
      var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try onDevice(input: input, channels: 1) {
        let recorder = try AVAudioRecorder(
          url: file.url,
          settings: [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0,
            AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 32,
          ])
        recorder.delegate = delegate
        #expect(recorder.record(forDuration: 5))
        let events = delegate.events.wait(for: 2)
        guard events == ["encode error true", "finished false"] else { fatalError("\(events)") }
      }
    }
  }
}
