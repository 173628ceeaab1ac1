// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioBackends
@_spi(TrappingConversions) import CheckedNumbers
import SignalProcessing

/// Narrows the capabilities of a PCM down to one configuration. [control thread]
struct ALSASetup {
  private(set) var sampleRate = 0.0
  private(set) var channelCount = 0
  private(set) var periodFrames = 0
  private(set) var bufferFrames = 0

  private let alsa: ALSAFunctions
  private let pcm: OpaquePointer
  private let name: String
  private let hardware: OpaquePointer

  /// Best first. Plug-ins accept any of them, hardware only some.
  private static let formats: [(ALSAFormat, SampleFormat)] = [
    (ALSAFloat32, .float32), (ALSAInteger32, .int32),
    (ALSAInteger24In32, SampleFormat(.signedInteger, bits: 24, containerBytes: 4)),
    (ALSAInteger24, .int24), (ALSAInteger16, .int16),
  ]

  /// Starts with everything that an open PCM supports. The caller calls `free`.
  init(_ alsa: ALSAFunctions, _ pcm: OpaquePointer, named name: String) throws(AudioError) {
    self.alsa = alsa
    self.pcm = pcm
    self.name = name
    var parameters: OpaquePointer?
    guard alsa.snd_pcm_hw_params_malloc(&parameters) >= 0, let parameters else {
      throw .outOfMemory
    }
    hardware = parameters
    let answer = alsa.snd_pcm_hw_params_any(pcm, parameters)
    guard answer >= 0 else {
      free()
      throw failure("it has no configuration", answer)
    }
  }

  /// Releases its memory.
  func free() { alsa.snd_pcm_hw_params_free(hardware) }

  private func failure(_ what: String, _ answer: CInt) -> AudioError {
    .failedInitialization.because("\(ALSABackend.name):\(name): \(what): \(alsa.text(answer))")
  }

  /// The sample rates to choose from, in frames per second.
  var sampleRates: ClosedRange<Double> {
    var (least, most): (UInt32, UInt32) = (48_000, 48_000)
    _ = alsa.snd_pcm_hw_params_get_rate_min(hardware, &least, nil)
    _ = alsa.snd_pcm_hw_params_get_rate_max(hardware, &most, nil)
    // Plug-ins claim to support anything.
    let limits: ClosedRange<UInt32> = 4_000...768_000
    least = max(least, limits.lowerBound)
    return Double(least)...Double(max(least, min(most, limits.upperBound)))
  }

  /// The channel counts to choose from.
  var channelCounts: ClosedRange<Int> {
    var (least, most): (UInt32, UInt32) = (1, 2)
    _ = alsa.snd_pcm_hw_params_get_channels_min(hardware, &least)
    _ = alsa.snd_pcm_hw_params_get_channels_max(hardware, &most)
    least = min(max(least, 1), 256)
    return Int(least)...Int(max(least, min(most, 256)))
  }

  /// The period sizes to choose from, in frames.
  var periods: ClosedRange<Int> {
    var (least, most): (UInt, UInt) = (16, 8_192)
    _ = alsa.snd_pcm_hw_params_get_period_size_min(hardware, &least, nil)
    _ = alsa.snd_pcm_hw_params_get_period_size_max(hardware, &most, nil)
    least = max(least, 16)
    least = min(least, UInt(clamping: DeviceEnvironment.cycleFramesLimits.upperBound))
    return Int(clamping: least)...Int(clamping: max(least, min(most, 8_192)))
  }

  /// The default number of channels: all channels of hardware, two of a plug-in.
  func defaultChannelCount(isHardware: Bool) -> Int {
    let counts = channelCounts
    return isHardware ? counts.upperBound : min(max(2, counts.lowerBound), counts.upperBound)
  }

  /// Chooses how samples are transferred and their format.
  mutating func chooseFormat(
    mapped: Bool
  ) throws(AudioError) -> (format: SampleFormat, isMapped: Bool) {
    let isMapped =
      mapped
      && alsa.snd_pcm_hw_params_set_access(pcm, hardware, CInt(clamping: ALSAMapped.rawValue)) >= 0
    if !isMapped {
      let answer = alsa.snd_pcm_hw_params_set_access(
        pcm, hardware, CInt(clamping: ALSAReadWrite.rawValue))
      guard answer >= 0 else { throw failure("interleaved samples are not supported", answer) }
    }
    for (code, format) in Self.formats
    where alsa.snd_pcm_hw_params_set_format(pcm, hardware, CInt(clamping: code.rawValue)) >= 0 {
      return (format, isMapped)
    }
    throw .failedInitialization.because(
      "\(ALSABackend.name):\(name): it has neither Float32 nor 16, 24 or 32-bit integers")
  }

  /// Chooses rate, channels and sizes, and configures the PCM.
  mutating func negotiate(_ request: ALSAPort.Request, isHardware: Bool) throws(AudioError) {
    let counts = channelCounts
    channelCount =
      request.channelCount.map { min(max($0, counts.lowerBound), counts.upperBound) }
      ?? defaultChannelCount(isHardware: isHardware)
    try check(
      alsa.snd_pcm_hw_params_set_channels(pcm, hardware, UInt32(clamping: channelCount)),
      "\(channelCount) channels")
    var rate = UInt32(saturating: request.sampleRate)
    try check(alsa.snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil), "\(rate) Hz")
    sampleRate = Double(rate)
    var period = UInt(clamping: request.periodFrames)
    try check(
      alsa.snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil),
      "periods of \(period) frames")
    // One period plays, one waits, one is rendered.
    var buffer = 3 * min(period, UInt(clamping: Self.mostBufferFrames))
    try check(
      alsa.snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer),
      "a buffer of \(buffer) frames")
    try check(alsa.snd_pcm_hw_params(pcm, hardware), "configuration")
    _ = alsa.snd_pcm_hw_params_get_period_size(hardware, &period, nil)
    _ = alsa.snd_pcm_hw_params_get_buffer_size(hardware, &buffer)
    guard sampleRate > 0, let periodFrames = Outside(min(period, buffer / 2)).count,
      let bufferFrames = Outside(buffer).upTo(Self.mostBufferFrames), periodFrames > 0
    else {
      throw .failedInitialization.because(
        "\(ALSABackend.name):\(name): its driver chose \(rate) Hz and a buffer of \(buffer) frames")
    }
    (self.periodFrames, self.bufferFrames) = (periodFrames, bufferFrames)
    try configureSoftware()
  }

  /// The longest buffer in frames, half a minute at the usual rates.
  private static let mostBufferFrames = 1 << 20

  /// Sets when the thread wakes and when writing starts playback.
  private func configureSoftware() throws(AudioError) {
    var parameters: OpaquePointer?
    guard alsa.snd_pcm_sw_params_malloc(&parameters) >= 0, let parameters else {
      throw .outOfMemory
    }
    defer { alsa.snd_pcm_sw_params_free(parameters) }
    try check(alsa.snd_pcm_sw_params_current(pcm, parameters), "software parameters")
    let full = UInt(clamping: bufferFrames / periodFrames * periodFrames)
    _ = alsa.snd_pcm_sw_params_set_avail_min(pcm, parameters, UInt(clamping: periodFrames))
    _ = alsa.snd_pcm_sw_params_set_start_threshold(pcm, parameters, full)
    try check(alsa.snd_pcm_sw_params(pcm, parameters), "software parameters")
  }

  private func check(_ answer: CInt, _ what: String) throws(AudioError) {
    guard answer < 0 else { return }
    throw failure("\(what) not supported", answer)
  }
}
