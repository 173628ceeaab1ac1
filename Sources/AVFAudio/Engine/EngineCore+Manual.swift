// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

// Manual rendering of an engine.
extension EngineCore {
  /// Sets the block of the input node, unless the engine runs.
  func setManualInput(_ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock) -> Bool {
    let isSet = lock.withLock {
      guard state == .stopped, format.sampleRate > 0, format.channelCount > 0,
        io.manualInput.unit.setFormat(format, kAudioUnitScope_Input, 0) == noErr
      else { return false }
      io.manualInput.set(format, block)
      return true
    }
    if isSet { connectionsChanged() }
    return isSet
  }

  /// Renders offline, and passes what was rendered to taps.
  func renderOffline(
    _ frames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
  ) throws -> AVAudioEngineManualRenderingStatus {
    let status = try manual.renderOffline(frames, io, isRunning: isRunning, to: buffer)
    if NodeTaps.exist { for node in attachedNodes { node.taps.collectOffline() } }
    return status
  }

  /// [render thread] Renders in real time.
  @_noLocks
  func renderRealtime(
    _ frames: AVAudioFrameCount, to list: UnsafeMutablePointer<AudioBufferList>,
    _ error: UnsafeMutablePointer<OSStatus>?
  ) -> AVAudioEngineManualRenderingStatus {
    let (runs, ends) = (runs.load(ordering: .acquiring), realTime.ends)
    return realTime.manual._withUnsafeGuaranteedRef {
      $0.renderRealtime(frames, ends, isRunning: runs, to: list, error)
    }
  }

  /// Switches manual rendering on: the engine must be stopped.
  func enableManualRendering(_ request: ManualRendering.Request) throws {
    let call = "AVAudioEngine.enableManualRenderingMode(_:format:maximumFrameCount:)"
    try lock.withLock {
      guard state == .stopped else {
        throw EngineError.refusal(
          call, "the engine is running or prepared", mend: "stop it first",
          OSStatus(AVAudioEngineManualRenderingError.initialized.rawValue))
      }
      try manual.enable(request, io.generic, call)
      try graph.setHead(io.generic, call)
    }
    removeIOTaps()
    connectionsChanged()
  }

  /// Stops the engine, resets it, and switches manual rendering off.
  func disableManualRendering() {
    guard manual.isOn else { return }
    stop()
    reset()
    lock.withLock {
      manual.disable()
      try? graph.setHead(nil, "")
    }
    removeIOTaps()
    connectionsChanged()
  }

  private func removeIOTaps() {
    for node in attachedNodes where node.role.isDevice { node.taps.removeAll() }
  }
}
