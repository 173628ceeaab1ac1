// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// Preferred and granted values.
extension AVAudioSession {
  /// Prefers a rate in Hz; 0 is no preference.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try run { () throws(AudioError) in try session.prefer(sampleRate: sampleRate) }
  }

  /// The preferred rate in Hz; 0 without a preference.
  public var preferredSampleRate: Double { session.preferences.sampleRate }

  /// The rate of the device in Hz; 0 without a device.
  public var sampleRate: Double { session.sampleRate }

  /// Prefers a cycle in seconds; 0 is no preference. The nearest power of two in frames is
  /// requested.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try run { () throws(AudioError) in try session.prefer(duration: duration) }
  }

  /// The preferred cycle in seconds; 0 without a preference.
  public var preferredIOBufferDuration: TimeInterval { session.preferences.duration }

  /// The cycle of the device in seconds; 0 without a device.
  public var ioBufferDuration: TimeInterval { session.duration }

  /// Prefers a number of channels to capture; 0 is no preference.
  public func setPreferredInputNumberOfChannels(_ count: Int) throws {
    try run { () throws(AudioError) in try session.prefer(channels: count, isInput: true) }
  }

  /// Prefers a number of channels to play; 0 is no preference.
  public func setPreferredOutputNumberOfChannels(_ count: Int) throws {
    try run { () throws(AudioError) in try session.prefer(channels: count, isInput: false) }
  }

  /// 0 without a preference.
  public var preferredInputNumberOfChannels: Int { session.preferences.inputChannels }
  /// 0 without a preference.
  public var preferredOutputNumberOfChannels: Int { session.preferences.outputChannels }

  /// Input channels of the route; 0 in a category without input.
  public var inputNumberOfChannels: Int { session.channelCount(isInput: true) }
  /// Output channels of the route; 0 in a category without output.
  public var outputNumberOfChannels: Int { session.channelCount(isInput: false) }
  /// The most channels that can be preferred.
  public var maximumInputNumberOfChannels: Int { session.maximumChannelCount(isInput: true) }
  /// The most channels that can be preferred.
  public var maximumOutputNumberOfChannels: Int { session.maximumChannelCount(isInput: false) }

  /// Seconds from the device's input to a cycle, as far as the device reports it.
  public var inputLatency: TimeInterval { session.latency(isInput: true) }
  /// Seconds from a cycle to the device's output, as far as the device reports it.
  public var outputLatency: TimeInterval { session.latency(isInput: false) }

  /// The volume of the output device, 0 to 1. Key-value observing does not exist on this system:
  /// `outputVolumeDidChangeNotification` reports changes.
  public var outputVolume: Float { session.outputVolume }

  /// The volume of the input device, 0 to 1.
  public var inputGain: Float { session.inputGain }
  /// Whether it can be set.
  public var isInputGainSettable: Bool { session.isInputGainSettable }

  /// Sets the volume of the input device, 0 to 1.
  public func setInputGain(_ gain: Float) throws {
    try run { () throws(AudioError) in try session.set(inputGain: gain) }
  }

  // MARK: Wishes that no device can grant or refuse

  /// Whether input and output should run on one clock; those of one device do.
  public func setAggregatedIOPreference(_ inIOType: IOType) throws {
    try run { () throws(AudioError) in
      try session.prefer(aggregatesIO: inIOType == .aggregated)
    }
  }

  /// Nothing vibrates here, and system sounds play during recordings, so this is always the case.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    session.prefer { $0.allowsHapticsWhileRecording = inValue }
  }

  /// The value that was set; false at first.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    session.preferences.allowsHapticsWhileRecording
  }

  /// System alerts never interrupt here.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    session.prefer { $0.avoidsAlerts = inValue }
  }

  /// The value that was set; false at first.
  public var prefersNoInterruptionsFromSystemAlerts: Bool { session.preferences.avoidsAlerts }

  /// Devices get as many channels as they have, whatever is set here.
  public func setSupportsMultichannelContent(_ inValue: Bool) throws {
    session.prefer { $0.supportsMultichannel = inValue }
  }

  /// The value that was set; false at first.
  public var supportsMultichannelContent: Bool { session.preferences.supportsMultichannel }

  /// A unit whose device was chosen waits for it, which is reported as an interruption.
  public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
    session.prefer { $0.endsWithRoute = inValue }
  }

  /// The value that was set; false at first.
  public var prefersInterruptionOnRouteDisconnect: Bool { session.preferences.endsWithRoute }

  /// Prompts need not be short.
  public var promptStyle: PromptStyle { .normal }

  /// Channels are played as they are.
  public var renderingMode: RenderingMode {
    outputNumberOfChannels > 2
      ? .surround : outputNumberOfChannels > 0 ? .monoStereo : .notApplicable
  }
}
