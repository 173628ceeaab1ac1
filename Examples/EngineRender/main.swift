// SPDX-License-Identifier: Apache-2.0
// Adds echoes to a sound file, faster than real time: EngineRender IN OUT [DELAY]
//
// In manual rendering an engine plays to no device: the program pulls frames as fast as it can.
import AVFoundation
import ExampleSupport

run("EngineRender IN OUT [DELAY]") { arguments in
  let source = try AVAudioFile(forReading: URL(fileURLWithPath: arguments.text("IN")))
  let format = source.processingFormat
  let target = try AVAudioFile(
    forWriting: URL(fileURLWithPath: arguments.text("OUT")), settings: format.settings)

  let engine = AVAudioEngine()
  let player = AVAudioPlayerNode()
  let echo = AVAudioUnitDelay()
  echo.delayTime = try arguments.number("DELAY", in: 0.01...2, default: 0.3)
  echo.feedback = 40
  echo.wetDryMix = 30
  engine.attach(player)
  engine.attach(echo)
  try engine.connectNode(player, to: echo, format: format)
  try engine.connectNode(echo, to: engine.mainMixerNode, format: format)

  try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4_096)
  try engine.start()
  player.scheduleFile(source, at: nil)
  try player.playAudio()

  // Eight echoes follow the end of the file.
  let tail = AVAudioFramePosition(8 * echo.delayTime * format.sampleRate)
  let buffer = try some(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096))
  while engine.manualRenderingSampleTime < source.length + tail {
    let left = source.length + tail - engine.manualRenderingSampleTime
    let frames = AVAudioFrameCount(min(left, AVAudioFramePosition(buffer.frameCapacity)))
    guard try engine.renderOffline(frames, to: buffer) == .success else {
      throw Failure("The engine did not render.")
    }
    try target.write(from: buffer)
  }
  engine.stop()
  show("\(target.length) frames")
}
