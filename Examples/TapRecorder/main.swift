// SPDX-License-Identifier: Apache-2.0
// Records the microphone to a sound file: TapRecorder FILE [SECONDS]
import AVFoundation
import ExampleSupport

/// Writes buffers to a file, on the thread of a tap.
final class Recording: @unchecked Sendable {  // one thread writes, and ends before it is read
  private let file: AVAudioFile
  private(set) var frames: AVAudioFramePosition = 0
  private(set) var failure: (any Error)?

  init(_ path: String, _ format: AVAudioFormat) throws {
    file = try AVAudioFile(
      forWriting: URL(fileURLWithPath: path),
      settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: format.sampleRate,
        AVNumberOfChannelsKey: format.channelCount, AVLinearPCMBitDepthKey: 24,
      ])
  }

  func append(_ buffer: AVReadOnlyAudioPCMBuffer) {
    guard failure == nil else { return }
    do {
      try file.write(from: buffer)
      frames += AVAudioFramePosition(buffer.frameLength)
    } catch { failure = error }
  }
}

run("TapRecorder FILE [SECONDS]") { arguments in
  _ = try activateSession(.record)
  let engine = AVAudioEngine()
  let input = engine.inputNode
  // Throws if there is no input, and says why; before that, no file is made.
  try engine.start()
  let recording = try Recording(arguments.text("FILE"), input.outputFormat(forBus: 0))
  try input.installAudioTap(onBus: 0, bufferSize: 4_096, format: nil) { buffer, _ in
    recording.append(buffer)
  }
  wait(seconds: try arguments.number("SECONDS", in: 0...86_400, default: 5))
  engine.stop()
  // What the tap still has is delivered first.
  input.removeTap(onBus: 0)
  if let failure = recording.failure { throw failure }
  show("\(recording.frames) frames")
}
