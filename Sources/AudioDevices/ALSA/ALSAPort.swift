// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
import SignalProcessing

/// One direction of an ALSA device: an open, configured PCM.
///
/// It never blocks. The descriptors of hardware wake the thread, and its samples are accessed in
/// place. Plug-ins report readiness too early, so the clock times them, and their samples go
/// through `readi` and `writei`.
// First its creator uses it, then the stream's thread.
final class ALSAPort: @unchecked Sendable {
  let alsa: ALSAFunctions
  let direction: StreamDirection
  /// The negotiated parameters.
  let sampleRate: Double
  let channelCount: Int
  let periodFrames: Int
  let bufferFrames: Int
  let isHardware: Bool

  let pcm: OpaquePointer
  /// Transfers the samples. Valid as long as the port lives.
  let transfer: ALSATransfer

  /// The requested parameters. The device matches them as closely as it can.
  struct Request {
    var sampleRate: Double
    var periodFrames: Int
    /// Nil for all channels of hardware, or two of a plug-in.
    var channelCount: Int?
    /// The noise with which the output is rounded to integers.
    var dither = Dither.none
  }

  /// [control thread] Opens a PCM by its name in ALSA's configuration.
  init(
    _ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection, _ request: Request
  ) throws(AudioError) {
    self.alsa = alsa
    self.direction = direction
    let pcm = try Self.open(alsa, name, direction)
    do throws(AudioError) {
      let isHardware = alsa.snd_pcm_type(pcm) == CInt(clamping: ALSATypeHardware)
      var setup = try ALSASetup(alsa, pcm, named: name)
      defer { setup.free() }
      let (format, isMapped) = try setup.chooseFormat(mapped: isHardware)
      try setup.negotiate(request, isHardware: isHardware)
      (sampleRate, channelCount) = (setup.sampleRate, setup.channelCount)
      (periodFrames, bufferFrames) = (setup.periodFrames, setup.bufferFrames)
      self.isHardware = isHardware
      transfer = ALSATransfer(
        alsa, pcm, format, channelCount: channelCount, frameCount: bufferFrames,
        sampleRate: sampleRate, direction, isMapped: isMapped, dither: request.dither)
    } catch {
      _ = alsa.snd_pcm_close(pcm)
      throw error
    }
    self.pcm = pcm
  }

  deinit {
    _ = alsa.snd_pcm_close(pcm)
    transfer.deallocate()
  }

  /// [control thread] Opens a PCM without preparing it. The caller closes it.
  static func open(
    _ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection
  ) throws(AudioError) -> OpaquePointer {
    var pcm: OpaquePointer?
    let code = direction == .output ? ALSAPlayback : ALSACapture
    let answer = alsa.snd_pcm_open(
      &pcm, name, CInt(clamping: code.rawValue), CInt(clamping: ALSANonblock))
    guard answer >= 0, let pcm else {
      let what = direction == .output ? "playback" : "capture"
      throw .failedInitialization.because(
        "\"\(ALSABackend.name):\(name)\" cannot be opened for \(what): \(alsa.text(answer))")
    }
    return pcm
  }

  // MARK: Running

  /// [control thread] Prepares the PCM to start with an empty buffer.
  func prepare() -> CInt { alsa.snd_pcm_prepare(pcm) }

  /// [stream's thread] Starts the PCM, unless writing starts it.
  func begin() -> CInt { alsa.snd_pcm_start(pcm) }

  /// [any thread] Stops immediately and drops the frames that have not been played.
  func drop() { _ = alsa.snd_pcm_drop(pcm) }

  /// [stream's thread] Waits for hardware, at most a tenth of a second. Returns a negative error
  /// code on failure.
  func waitForHardware() -> CInt { alsa.snd_pcm_wait(pcm, 100) }

  /// [stream's thread] Makes the PCM usable after an error. False if that is impossible.
  func recover(from error: Int) -> Bool {
    alsa.snd_pcm_recover(pcm, CInt(clamping: error), 1) >= 0
  }
}

/// A PCM that is open but idle; closed when this is released.
final class ALSAOpenPCM: Sendable {
  private let alsa: ALSAFunctions
  private nonisolated(unsafe) let pcm: OpaquePointer

  /// [control thread] Opens it; nil when it cannot be opened.
  init?(_ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection) {
    guard let pcm = try? ALSAPort.open(alsa, name, direction) else { return nil }
    (self.alsa, self.pcm) = (alsa, pcm)
  }

  deinit { _ = alsa.snd_pcm_close(pcm) }
}

extension ALSAFunctions {
  /// The text of an error.
  func text(_ error: CInt) -> String {
    snd_strerror(error).map { String(cString: $0) } ?? "\(error)"
  }
}
