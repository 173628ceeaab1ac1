// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("AVAudioRecorder")
struct RecorderTests {
  private static let sound = noise(480_000)
  private static var settings: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
    ]
  }

  private let input: Tape
  private let file = Tape()

  init() throws {
    MainQueue.prepare()
    input = try Tape([Self.sound])
  }

  private func recorder() throws -> AVAudioRecorder {
    try AVAudioRecorder(url: file.url, settings: Self.settings)
  }

  @Test("records the bits of the device, without a gap")
  func bits() throws {
    try onDevice(input: input, channels: 1) {
      let recorder = try recorder()
      #expect(recorder.prepareToRecord())
      #expect(FileManager.default.fileExists(atPath: file.path))
      #expect(recorder.record() && recorder.isRecording)
      #expect(holds { recorder.currentTime > 1 })
      recorder.stop()
      #expect(!recorder.isRecording && recorder.currentTime == 0)
      recorder.stop()
    }
    let recorded = try file.samples()[0]
    #expect(recorded.count > 48_000)
    #expect(recorded.prefix(480_000) == Self.sound.prefix(recorded.count))
  }

  @Test("records exactly a duration")
  func duration() throws {
    let delegate = Delegate()
    try onDevice(input: input, channels: 1) {
      let recorder = try recorder()
      recorder.delegate = delegate
      #expect(recorder.record(forDuration: 0.51))
      #expect(holds { !recorder.isRecording })
      #expect(delegate.events.wait(for: 1) == ["finished true on main"])
    }
    #expect(try file.samples()[0] == Array(Self.sound.prefix(24_480)))
  }

  @Test("encodes, and converts the rate and the channels")
  func formats() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).caf")
    defer { try? FileManager.default.removeItem(at: url) }
    let tone = try Tape([Signal.sine(1_000, amplitude: 0.5, count: 480_000).floats])
    try onDevice(input: tone, channels: 1) {
      let recorder = try AVAudioRecorder(
        url: url,
        settings: [
          AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 24_000.0,
          AVNumberOfChannelsKey: 2, AVEncoderBitDepthHintKey: 16,
        ])
      #expect(recorder.record(forDuration: 1))
      #expect(holds { !recorder.isRecording })
    }
    let file = try AVAudioFile(forReading: url)
    #expect(file.length == 24_000 && file.processingFormat.channelCount == 2)
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 24_000))
    try file.read(into: buffer)
    let samples = UnsafeBufferPointer(start: buffer.floatChannelData?[0], count: 24_000)
    let heard = Signal(samples.map { Double($0) }, sampleRate: 24_000)[4_000..<20_000]
      .tone(near: 1_000)
    #expect(abs(heard.frequency - 1_000) < 0.05 && abs(heard.amplitude - 0.5) < 1e-3)
  }

  @Test("pauses, and continues in the same file")
  func pause() throws {
    try onDevice(input: input, channels: 1, clock: .paced) {
      let recorder = try recorder()
      recorder.record()
      #expect(holds { recorder.currentTime > 0.05 })
      recorder.pause()
      #expect(!recorder.isRecording)
      usleep(50_000)
      let paused = recorder.currentTime
      usleep(50_000)
      #expect(recorder.currentTime == paused)
      #expect(!recorder.deleteRecording())
      #expect(recorder.record())
      #expect(holds { recorder.currentTime > paused + 0.05 })
      recorder.stop()
    }
    #expect(try file.samples()[0].count > 4_800)
  }

  @Test("begins at a time of the device")
  func startTime() throws {
    try onDevice(input: input, channels: 1, clock: .paced) {
      let recorder = try recorder()
      let start = recorder.deviceCurrentTime + 0.1
      #expect(recorder.record(atTime: start, forDuration: 0.1) && recorder.isRecording)
      #expect(holds { !recorder.isRecording })
      #expect(recorder.deviceCurrentTime > start)
    }
    #expect(try file.samples()[0].count == 4_800)
  }

  @Test("deletes the file when it does not record")
  func delete() throws {
    try onDevice(input: input, channels: 1) {
      let recorder = try recorder()
      #expect(!recorder.deleteRecording())
      recorder.record()
      #expect(!recorder.deleteRecording())
      recorder.stop()
      #expect(recorder.deleteRecording() && !recorder.deleteRecording())
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test("measures levels when it is told to")
  func levels() throws {
    let tone = try Tape([Signal.sine(1_000, amplitude: 0.5, count: 480_000).floats])
    try onDevice(input: tone, channels: 1, clock: .paced) {
      let recorder = try recorder()
      recorder.isMeteringEnabled = true
      recorder.updateMeters()
      #expect(recorder.averagePower(forChannel: 0) == -160)
      recorder.record()
      let isLoud = holds {
        recorder.updateMeters()
        return abs(recorder.peakPower(forChannel: 0) + 6) < 1
      }
      #expect(isLoud && recorder.averagePower(forChannel: 0) < -6)
      recorder.stop()
    }
  }

  @Test("describes the file, and refuses settings that are none")
  func settings() throws {
    let recorder = try recorder()
    #expect(recorder.url == file.url && recorder.format.sampleRate == 48_000)
    #expect(recorder.settings[AVLinearPCMBitDepthKey] as? Int == 32)
    #expect(!recorder.isRecording && recorder.currentTime == 0)
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 8_000, channels: 2))
    #expect(try AVAudioRecorder(url: file.url, format: format).format.channelCount == 2)
    #expect(throws: NSError.self) { _ = try AVAudioRecorder(url: file.url, settings: [:]) }
    for key in [AVSampleRateKey, AVNumberOfChannelsKey] {
      let settings = Self.settings.merging([key: 0]) { $1 }
      #expect(throws: NSError.self) { _ = try AVAudioRecorder(url: file.url, settings: settings) }
    }
    let odd = URL(fileURLWithPath: "/tmp/sound.odd")
    #expect(throws: NSError.self) { _ = try AVAudioRecorder(url: odd, settings: Self.settings) }
  }

  @Test("cannot record into a folder that does not exist, or for no time")
  func failure() throws {
    try onDevice(input: input, channels: 1) {
      let url = URL(fileURLWithPath: "/nonexistent/sound.wav")
      let homeless = try AVAudioRecorder(url: url, settings: Self.settings)
      #expect(!homeless.record() && !homeless.isRecording)
      let recorder = try recorder()
      for seconds in [0, -1, .nan, .infinity] as [Double] {
        #expect(!recorder.record(forDuration: seconds) && !recorder.isRecording)
      }
      for time in [.nan, .infinity] as [Double] {
        #expect(!recorder.record(atTime: time) && !recorder.isRecording)
      }
    }
  }

  @Test("a duration that is refused leaves the last recording as it is")
  func refusedDuration() throws {
    try onDevice(input: input, channels: 1) {
      let recorder = try recorder()
      #expect(recorder.record(forDuration: 0.1))
      #expect(holds { !recorder.isRecording })
      for seconds in [0, -1, .nan, .infinity] as [Double] {
        #expect(!recorder.record(forDuration: seconds))
        #expect(try file.samples()[0].count == 4_800)
      }
    }
  }

  @Test("completes its file when nobody holds it any more")
  func release() throws {
    try onDevice(input: input, channels: 1) {
      var recorder: AVAudioRecorder? = try recorder()
      recorder?.record()
      #expect(holds { (recorder?.currentTime ?? 1) > 0.5 })
      recorder = nil
    }
    let recorded = try file.samples()[0]
    #expect(recorded.count > 24_000 && recorded.prefix(24_000) == Self.sound.prefix(24_000))
  }

  /// A file whose disk stalls once, during the fifth write.
  private final class StallingFile: AVAudioFile {
    private var writes = 0
    var failure: NSError?
    let hasStalled = Shared(false)

    override func write(from buffer: AVAudioPCMBuffer) throws {
      writes += 1
      if writes == 5 {
        hasStalled.value = true
        usleep(800_000)
        if let failure { throw failure }
      }
      try super.write(from: buffer)
    }
  }

  private func stallingFile() throws -> StallingFile {
    try StallingFile(
      forWriting: file.url, settings: Self.settings, commonFormat: .pcmFormatFloat32,
      interleaved: true)
  }

  @Test("loses nothing when it is stopped while the disk stalls")
  func stall() throws {
    try onDevice(input: input, channels: 1) {
      let stalling = try stallingFile()
      let queue = try RecorderQueue(stalling) { _ in }
      try queue.start(at: nil, frameCount: nil)
      #expect(holds { stalling.hasStalled.value && queue.feed.acceptedFrames > 200_000 })
      #expect(queue.finish() == nil)
      let recorded = try file.samples()[0]
      #expect(recorded.count > 200_000 && recorded.count == Int(queue.feed.acceptedFrames))
      #expect(recorded.prefix(480_000) == Self.sound.prefix(recorded.count))
    }
  }

  @Test("reports a disk that fails while it is stopped")
  func failingDisk() throws {
    try onDevice(input: input, channels: 1) {
      let stalling = try stallingFile()
      stalling.failure = NSError(domain: NSPOSIXErrorDomain, code: 5)
      let queue = try RecorderQueue(stalling) { _ in }
      try queue.start(at: nil, frameCount: nil)
      #expect(holds { stalling.hasStalled.value })
      #expect(queue.finish()?.code == 5)
      #expect(queue.finish()?.code == 5)  // as often as one asks
    }
  }

  @Test("ends by itself when the disk fails")
  func endingDisk() throws {
    let ends = Shared<[Int]>([])
    try onDevice(input: input, channels: 1) {
      let stalling = try stallingFile()
      stalling.failure = NSError(domain: NSPOSIXErrorDomain, code: 28)
      let queue = try RecorderQueue(stalling) { end in
        if case .unwritable(let error) = end { ends.change { $0.append(error.code) } }
      }
      try queue.start(at: nil, frameCount: nil)
      #expect(holds { ends.value == [28] })
      #expect(queue.finish()?.code == 28)
      #expect(ends.value == [28])
    }
  }

  private final class Delegate: NSObject, AVAudioRecorderDelegate {
    let events = Events()

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
      events.add("finished \(flag)\(MainQueue.isCurrent ? " on main" : "")")
    }
  }
}
