// SPDX-License-Identifier: Apache-2.0
// Shows the level of the microphone for some seconds: MicrophoneStream [SECONDS]
import AVFoundation
import ExampleSupport

/// The microphone as a sequence of buffers. The engine runs as long as somebody reads them.
func microphone() throws -> AsyncStream<Level> {
  let engine = AVAudioEngine()
  let (stream, continuation) = AsyncStream.makeStream(of: Level.self)
  try engine.inputNode.installAudioTap(onBus: 0, bufferSize: 4_800, format: nil) { buffer, time in
    continuation.yield(Level(of: buffer, at: time))
  }
  continuation.onTermination = { _ in
    engine.stop()
    engine.inputNode.removeTap(onBus: 0)
  }
  try engine.start()
  return stream
}

/// The level of a buffer.
struct Level: Sendable {
  let seconds: Double
  let decibels: Double

  init(of buffer: AVReadOnlyAudioPCMBuffer, at time: AVAudioTime) {
    var energy = 0.0
    if case .float(let samples) = buffer.channelData(0) {
      for frame in samples.indices { energy += Double(samples[frame]) * Double(samples[frame]) }
    }
    decibels = 10 * log10(max(energy / Double(max(buffer.frameLength, 1)), 1e-12))
    seconds = Double(time.sampleTime) / time.sampleRate
  }
}

do {
  let seconds = try CommandLine.arguments.dropFirst().first.map {
    try readNumber("SECONDS", $0, in: 0...86_400)
  }
  _ = try activateSession(.record)
  for await level in try microphone() {
    show(String(format: "%6.1f s  %6.1f dB", level.seconds, level.decibels))
    if level.seconds >= seconds ?? 5 { break }
  }
} catch {
  FileHandle.standardError.write(Data("MicrophoneStream: \(error)\n".utf8))
  exit(error is UsageFailure ? 64 : 1)
}
