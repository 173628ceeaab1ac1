// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioDevices
import Foundation
import Synchronization
import Testing

/// An engine as a program uses it, with a source node that plays a sine in stereo at 48,000 Hz.
final class PlayingEngine: @unchecked Sendable {  // what changes is atomic
  let engine = AVAudioEngine()
  private let environment: DeviceEnvironment
  private let frames = FrameCount()
  private let changes = Atomic(0)
  private var observer: (any NSObjectProtocol)?

  /// An engine on a device named as in `AUDIOTOOLBOX_DEVICE`. With `restarts`, it starts again when
  /// its configuration has changed, as programs do.
  init(_ device: String, frames cycle: Int = 1_024, restarts: Bool = false) throws {
    var environment = DeviceEnvironment()
    environment.device = DeviceName(device)
    environment.cycleFrames = cycle
    self.environment = environment
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let source = AVAudioSourceNode(format: format) { [frames] _, _, count, list in
      let first = frames.value.load(ordering: .relaxed)
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = buffer.mData?.assumingMemoryBound(to: Float.self)
        for index in 0..<Int(count) {
          let frame = Double((first + index) % 48_000)
          samples?[index] = Float(0.25 * sin(2 * Double.pi * 440 / 48_000 * frame))
        }
      }
      frames.value.store(first + Int(count), ordering: .releasing)
      return noErr
    }
    observer = NotificationCenter.default.addObserver(
      forName: .AVAudioEngineConfigurationChange, object: engine, queue: nil
    ) { [weak self] _ in
      guard let self else { return }
      if restarts { try? start() }
      changes.add(1, ordering: .releasing)
    }
    environment.use {
      engine.attach(source)
      engine.connect(source, to: engine.mainMixerNode, format: format)
    }
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    engine.stop()
    for node in engine.attachedNodes where node is AVAudioSourceNode { engine.detach(node) }
  }

  func start() throws { try environment.use { try engine.start() } }

  /// How often its configuration has changed.
  var changeCount: Int { changes.load(ordering: .acquiring) }

  /// The frames that were rendered so far.
  var frameCount: Int { frames.value.load(ordering: .acquiring) }

  /// Waits until `frames` more have been rendered.
  func waits(forFrames frames: Int, seconds: Double = 60) -> Bool {
    let goal = frameCount + frames
    return wait(seconds: seconds) { frameCount >= goal }
  }

  /// The rate of the device in frames per second.
  var deviceRate: Double { engine.outputNode.outputFormat(forBus: 0).sampleRate }

  /// Why nothing is played. Nil while it plays.
  var interruption: String? {
    var text: Unmanaged<CFString>?
    property(kAUDiagnosticsProperty_Interruption, &text)
    return (text?.takeRetainedValue()).map { "\($0)" }
  }

  /// The number of late or skipped cycles, as the library and the server count them.
  var lateCycles: Int {
    var xruns = AUDiagnosticsXruns()
    property(kAUDiagnosticsProperty_Xruns, &xruns)
    return Int(xruns.mCount) + (xruns.mServerReports == 1 ? Int(xruns.mServerCount) : 0)
  }

  private func property<Value: BitwiseCopyable>(_ id: AudioUnitPropertyID, _ value: inout Value) {
    guard let unit = engine.outputNode.audioUnit else { return }
    var size = UInt32(MemoryLayout<Value>.size)
    AudioUnitGetProperty(unit, id, kAudioUnitScope_Global, 0, &value, &size)
  }
}

/// The frames that a render thread has made.
private final class FrameCount: Sendable {
  let value = Atomic(0)
}
