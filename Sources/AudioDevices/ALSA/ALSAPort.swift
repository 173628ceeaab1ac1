// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends

/// One direction of an ALSA device: a PCM that is open and configured.
///
/// It never blocks. Hardware is waited for by its descriptors and its samples are read and written
/// where they lie; plug-ins say that they are ready before they are, so they are waited for by the
/// clock and their samples are passed by `readi` and `writei`.
// It belongs to whoever made it, then to the stream's thread.
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
  /// The transfer of its samples; valid as long as the port lives.
  let transfer: ALSATransfer

  /// The requested parameters; met as nearly as the device can.
  struct Wish {
    var sampleRate: Double
    var periodFrames: Int
    /// Nil: all that hardware has, two of a plug-in.
    var channelCount: Int?
  }

  /// [control thread] Opens a PCM by its name in ALSA's configuration.
  init(
    _ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection, _ wish: Wish
  ) throws(AudioError) {
    self.alsa = alsa
    self.direction = direction
    let pcm = try Self.open(alsa, name, direction)
    do throws(AudioError) {
      let isHardware = alsa.snd_pcm_type(pcm) == CInt(ALSATypeHardware)
      var setup = try ALSASetup(alsa, pcm, named: name)
      defer { setup.free() }
      let (format, isMapped) = try setup.chooseFormat(mapped: isHardware)
      try setup.negotiate(wish, isHardware: isHardware)
      (sampleRate, channelCount) = (setup.sampleRate, setup.channelCount)
      (periodFrames, bufferFrames) = (setup.periodFrames, setup.bufferFrames)
      self.isHardware = isHardware
      transfer = ALSATransfer(
        alsa, pcm, format, channelCount: channelCount, frameCount: bufferFrames,
        sampleRate: sampleRate,
        direction, isMapped: isMapped)
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

  /// [control thread] Opens a PCM, not to be used yet. The caller closes it.
  static func open(
    _ alsa: ALSAFunctions, _ name: String, _ direction: StreamDirection
  ) throws(AudioError) -> OpaquePointer {
    var pcm: OpaquePointer?
    let way = direction == .output ? ALSAPlayback : ALSACapture
    let answer = alsa.snd_pcm_open(&pcm, name, CInt(way.rawValue), CInt(ALSANonblock))
    guard answer >= 0, let pcm else {
      let what = direction == .output ? "playback" : "capture"
      throw .failedInitialization.because(
        "\"\(ALSABackend.name):\(name)\" cannot be opened for \(what): \(alsa.text(answer))")
    }
    return pcm
  }

  // MARK: Running

  /// [control thread] Makes it ready to begin, with nothing in it.
  func prepare() -> CInt { alsa.snd_pcm_prepare(pcm) }

  /// [stream's thread] Begins to run, where writing does not begin it by itself.
  func begin() -> CInt { alsa.snd_pcm_start(pcm) }

  /// [any thread] Ends at once; what has not been played is dropped.
  func drop() { _ = alsa.snd_pcm_drop(pcm) }

  /// [stream's thread] Waits for hardware, a tenth of a second at most; an error below zero.
  func waitForHardware() -> CInt { alsa.snd_pcm_wait(pcm, 100) }

  /// [stream's thread] Makes it usable after an error; false when that cannot be.
  func recover(from error: Int) -> Bool {
    alsa.snd_pcm_recover(pcm, CInt(clamping: error), 1) >= 0
  }
}

/// A PCM that is open and does nothing; closed with its end.
final class ALSAHold: Sendable {
  private let alsa: ALSAFunctions
  private nonisolated(unsafe) let pcm: OpaquePointer

  /// [control thread] Opens it; nil where that cannot be.
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
