// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Works with sound in memory and in files, without an engine: buffers filled through channel
// pointers, extensions of the program on Apple's classes, settings, a converter, and a file.
// Prints 2 ch,  44100 Hz, Float32, deinterleaved
// Prints loudest 0\.50
// Prints 1 ch,  16000 Hz, Int16
// Prints converted 8000 frames
// Prints read 22050 frames of 22050
// Prints 0\.25 s later

import AVFoundation

extension AVAudioPCMBuffer {
  /// The program's own member, as many have it.
  func append(_ buffer: AVAudioPCMBuffer) {
    guard format == buffer.format, frameLength + buffer.frameLength <= frameCapacity,
      let target = floatChannelData, let source = buffer.floatChannelData
    else { return }
    for channel in 0..<Int(format.channelCount) {
      memcpy(
        target[channel].advanced(by: Int(frameLength)), source[channel],
        Int(buffer.frameLength) * MemoryLayout<Float>.size)
    }
    frameLength += buffer.frameLength
  }

  var loudest: Float {
    guard let channels = floatChannelData else { return 0 }
    return (0..<Int(format.channelCount)).reduce(0) { loudest, channel in
      UnsafeBufferPointer(start: channels[channel], count: Int(frameLength))
        .reduce(loudest) { max($0, abs($1)) }
    }
  }
}

let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
print(format)

let part = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(4_410))!
part.frameLength = part.frameCapacity
for channel in UnsafeMutableAudioBufferListPointer(part.mutableAudioBufferList) {
  let samples = UnsafeMutableBufferPointer<Float>(channel)
  for frame in samples.indices {
    samples[frame] = 0.5 * Float(sin(2 * .pi * 441 * Double(frame) / format.sampleRate))
  }
}
let whole = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 22_050)!
for _ in 0..<5 { whole.append(part.copy() as! AVAudioPCMBuffer) }
print(String(format: "loudest %.2f", whole.loudest))

// Speech recognisers want 16 kHz integers.
let speech = AVAudioFormat(
  commonFormat: .pcmFormatInt16, sampleRate: 16_000, channels: 1, interleaved: false)!
print(speech)
/// A buffer in another format, from one call of the converter.
func converted(_ buffer: AVAudioPCMBuffer, to format: AVAudioFormat) -> AVAudioPCMBuffer {
  let converter = AVAudioConverter(from: buffer.format, to: format)!
  let ratio = format.sampleRate / buffer.format.sampleRate
  let converted = AVAudioPCMBuffer(
    pcmFormat: format, frameCapacity: AVAudioFrameCount(Double(buffer.frameLength) * ratio + 16))!
  var error: NSError?
  // The block is called on this thread.
  nonisolated(unsafe) var isSupplied = false
  nonisolated(unsafe) let source = buffer
  let status = converter.convert(to: converted, error: &error) { _, outStatus in
    if isSupplied {
      outStatus.pointee = .endOfStream
      return nil
    }
    isSupplied = true
    outStatus.pointee = .haveData
    return source
  }
  guard status != .error, error == nil else { fatalError("\(String(describing: error))") }
  return converted
}

let words = converted(whole, to: speech)
guard let samples = words.int16ChannelData else { fatalError("no samples of 16 bits") }
let bytes = Data(bytes: samples[0], count: Int(words.frameLength) * MemoryLayout<Int16>.size)
print("converted \(bytes.count / 2) frames")

let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("\(UUID()).wav")
do {
  let settings: [String: Any] = [
    AVFormatIDKey: Int(kAudioFormatLinearPCM),
    AVSampleRateKey: format.sampleRate,
    AVNumberOfChannelsKey: format.channelCount,
    AVLinearPCMBitDepthKey: 16,
    AVLinearPCMIsFloatKey: false,
    AVLinearPCMIsBigEndianKey: false,
    AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
  ]
  let output = try AVAudioFile(forWriting: url, settings: settings)
  try output.write(from: whole)
}
let file = try AVAudioFile(forReading: url)
let buffer = AVAudioPCMBuffer(
  pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length))!
try file.read(into: buffer)
print("read \(buffer.frameLength) frames of \(file.length)")
try FileManager.default.removeItem(at: url)

let start = AVAudioTime(hostTime: AudioGetCurrentHostTime(), sampleTime: 0, atRate: 44_100)
let later = AVAudioTime(sampleTime: 11_025, atRate: 44_100).extrapolateTime(fromAnchor: start)!
let seconds = AVAudioTime.seconds(forHostTime: later.hostTime - start.hostTime)
print(String(format: "%.2f s later", seconds))
