// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
public import AudioValues

/// How manual rendering is called.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
  /// `renderOffline(_:to:)`, on any thread that may wait.
  case offline = 0
  /// `manualRenderingBlock`, on a real-time thread.
  case realtime = 1
}

/// How a call of manual rendering ended.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
  /// It failed.
  case error = -1
  /// The frames are rendered.
  case success = 0
  /// The input block had no frames; other sources are rendered.
  case insufficientDataFromInputNode = 1
  /// The engine is being rendered or changed on another thread; call again.
  case cannotDoInCurrentContext = 2
}

/// Codes of errors of manual rendering.
public enum AVAudioEngineManualRenderingError: Int, Sendable {
  /// The call does not belong to the current mode.
  case invalidMode = -80800
  /// The engine must be stopped.
  case initialized = -80801
  /// The engine must run.
  case notRunning = -80802
}

/// Renders frames of manual rendering in real-time mode: the number of frames, the buffers, and a
/// place for the error. [render thread]
public typealias AVAudioEngineManualRenderingBlock = (
  _ numberOfFrames: AVAudioFrameCount, _ outBuffer: UnsafeMutablePointer<AudioBufferList>,
  _ outError: UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

extension NSNotification.Name {
  /// The device of a running engine has another rate or other channels: the engine has stopped. The
  /// object is the engine; the thread is not the main thread.
  public static let AVAudioEngineConfigurationChange = NSNotification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}
