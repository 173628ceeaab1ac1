// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import AudioSessions
import AudioSupport
import AudioToolbox

// Preferred and granted values.
extension AVAudioSession {
  /// Sets the preferred rate in Hz; 0 means no preference.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try run { () throws(AudioError) in try session.prefer(sampleRate: sampleRate) }
  }

  /// The preferred rate in Hz; 0 without a preference.
  public var preferredSampleRate: Double { session.preferences.sampleRate }

  /// The rate of the device in Hz; 0 without a device.
  public var sampleRate: Double { session.sampleRate }

  /// Sets the preferred cycle in seconds; 0 means no preference. The nearest power of two in frames
  /// is requested.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try run { () throws(AudioError) in try session.prefer(duration: duration) }
  }

  /// The preferred cycle in seconds; 0 without a preference.
  public var preferredIOBufferDuration: TimeInterval { session.preferences.duration }

  /// The cycle of the device in seconds; 0 without a device.
  public var ioBufferDuration: TimeInterval { session.duration }

  /// Sets the preferred number of input channels; 0 means no preference.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    try run { () throws(AudioError) in try session.prefer(channels: count, isInput: true) }
  }

  /// Sets the preferred number of output channels; 0 means no preference.
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    try run { () throws(AudioError) in try session.prefer(channels: count, isInput: false) }
  }

  /// The preferred number of input channels; 0 without a preference.
  public var preferredInputNumberOfChannels: Int { session.preferences.inputChannels }
  /// The preferred number of output channels; 0 without a preference.
  public var preferredOutputNumberOfChannels: Int { session.preferences.outputChannels }

  /// Input channels of the route; 0 in a category without input.
  public var inputNumberOfChannels: Int { session.channelCount(isInput: true) }
  /// Output channels of the route; 0 in a category without output.
  public var outputNumberOfChannels: Int { session.channelCount(isInput: false) }
  /// The largest preferred number of input channels.
  public var maximumInputNumberOfChannels: Int { session.maximumChannelCount(isInput: true) }
  /// The largest preferred number of output channels.
  public var maximumOutputNumberOfChannels: Int { session.maximumChannelCount(isInput: false) }

  /// Seconds from the device's input to a cycle, as far as the device reports it.
  public var inputLatency: TimeInterval { session.latency(isInput: true) }
  /// Seconds from a cycle to the device's output, as far as the device reports it.
  public var outputLatency: TimeInterval { session.latency(isInput: false) }

  /// The volume of the output device, 0 to 1. `outputVolumeDidChangeNotification` reports its
  /// changes, because this system has no key-value observing.
  public var outputVolume: Float { session.outputVolume }

  /// The volume of the input device, 0 to 1.
  public var inputGain: Float { session.inputGain }
  /// Whether `inputGain` can be set.
  public var isInputGainSettable: Bool { session.isInputGainSettable }

  /// Sets the volume of the input device, 0 to 1.
  public func setInputGain(_ gain: Float) throws {
    try run { () throws(AudioError) in try session.set(inputGain: gain) }
  }

  // MARK: Muting

  /// Whether the program is silent on all devices.
  public var isOutputMuted: Bool { !DeviceLevel.isAudible }

  /// Mutes or unmutes what the program plays, on all devices. Posts
  /// `outputMuteStateChangeNotification` if that changes.
  public func setOutputMuted(_ muted: Bool) throws {
    guard DeviceLevel.exchangeAudible(!muted) == muted else { return }
    NotificationCenter.default.post(
      name: Self.outputMuteStateChangeNotification, object: self,
      userInfo: [AVAudioSessionMuteStateKey: muted])
  }

  // MARK: Preferences that no device can grant or refuse

  /// Sets whether input and output should run on one clock; those of one device always do.
  public func setAggregatedIOPreference(_ inIOType: IOType) throws {
    try run { () throws(AudioError) in
      try session.prefer(aggregatesIO: inIOType == .aggregated)
    }
  }

  /// Stores the value, which has no effect: system sounds always play during recordings, and there
  /// are no haptics.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    session.prefer { $0.allowsHapticsWhileRecording = inValue }
  }

  /// The value that was set; initially false.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    session.preferences.allowsHapticsWhileRecording
  }

  /// Stores the value, which has no effect: system alerts never interrupt.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    session.prefer { $0.avoidsAlerts = inValue }
  }

  /// The value that was set; initially false.
  public var prefersNoInterruptionsFromSystemAlerts: Bool { session.preferences.avoidsAlerts }

  /// Stores the value, which has no effect: devices always receive all their channels.
  public func setSupportsMultichannelContent(_ inValue: Bool) throws {
    session.prefer { $0.supportsMultichannel = inValue }
  }

  /// The value that was set; initially false.
  public var supportsMultichannelContent: Bool { session.preferences.supportsMultichannel }

  /// Stores the value, which has no effect: a unit whose chosen device is gone always waits for it,
  /// and this is reported as an interruption.
  public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
    session.prefer { $0.endsWithRoute = inValue }
  }

  /// The value that was set; initially false.
  public var prefersInterruptionOnRouteDisconnect: Bool { session.preferences.endsWithRoute }

  /// Stores the value, which has no effect: no device here captures without echo. Voice processing
  /// does, see `AVAudioIONode.setVoiceProcessingEnabled(_:)`.
  public func setPrefersEchoCancelledInput(_ value: Bool) throws {
    session.prefer { $0.prefersEchoCancelledInput = value }
  }

  /// The value that was set; initially false.
  public var prefersEchoCancelledInput: Bool { session.preferences.prefersEchoCancelledInput }

  /// Always false, see `setPrefersEchoCancelledInput(_:)`.
  public var isEchoCancelledInputAvailable: Bool { false }

  /// Always false, see `setPrefersEchoCancelledInput(_:)`.
  public var isEchoCancelledInputEnabled: Bool { false }

  /// The layout of the output channels; empty without an output. That of more than two is unknown.
  public var supportedOutputChannelLayouts: [AVAudioChannelLayout] {
    let count = outputNumberOfChannels
    guard count > 0 else { return [] }
    let tag =
      count == 1
      ? kAudioChannelLayoutTag_Mono
      : count == 2
        ? kAudioChannelLayoutTag_Stereo
        : kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(clamping: count)
    return [AVAudioChannelLayout(layoutTag: tag)].compactMap(\.self)
  }

  /// Always `.normal`: prompts need not be short.
  public var promptStyle: PromptStyle { .normal }

  /// The mode that follows from the number of output channels.
  public var renderingMode: RenderingMode {
    outputNumberOfChannels > 2
      ? .surround : outputNumberOfChannels > 0 ? .monoStereo : .notApplicable
  }
}
