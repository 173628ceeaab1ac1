// SPDX-License-Identifier: Apache-2.0
import AudioSessions
import AudioSupport
import AudioToolbox

// What is preferred, and what is granted.
extension AVAudioSession {
  /// Prefers a rate in Hz; 0 is no preference.
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    try run { () throws(AudioError) in try session.prefer(sampleRate: sampleRate) }
  }

  /// The preferred rate in Hz; 0 without a preference.
  public var preferredSampleRate: Double { session.wishes.sampleRate }

  /// The rate of the device in Hz; 0 without a device.
  public var sampleRate: Double { session.sampleRate }

  /// Prefers a cycle in seconds; 0 is no preference. The nearest power of two in frames is
  /// requested.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    try run { () throws(AudioError) in try session.prefer(duration: duration) }
  }

  /// The preferred cycle in seconds; 0 without a preference.
  public var preferredIOBufferDuration: TimeInterval { session.wishes.duration }

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
  public var preferredInputNumberOfChannels: Int { session.wishes.inputChannels }
  /// 0 without a preference.
  public var preferredOutputNumberOfChannels: Int { session.wishes.outputChannels }

  /// Channels that the route captures; 0 in a category that captures nothing.
  public var inputNumberOfChannels: Int { session.channelCount(isInput: true) }
  /// Channels that the route plays; 0 in a category that plays nothing.
  public var outputNumberOfChannels: Int { session.channelCount(isInput: false) }
  /// As many as can be preferred.
  public var maximumInputNumberOfChannels: Int { session.maximumChannelCount(isInput: true) }
  /// As many as can be preferred.
  public var maximumOutputNumberOfChannels: Int { session.maximumChannelCount(isInput: false) }

  /// Seconds from the world to a cycle, as far as the device tells.
  public var inputLatency: TimeInterval { session.latency(isInput: true) }
  /// Seconds from a cycle to the world, as far as the device tells.
  public var outputLatency: TimeInterval { session.latency(isInput: false) }

  /// The volume of what is played to, 0 to 1. Key-value observing does not exist on this system:
  /// `outputVolumeDidChangeNotification` tells of changes.
  public var outputVolume: Float { session.outputVolume }

  /// The volume of what is captured from, 0 to 1.
  public var inputGain: Float { session.inputGain }
  /// Whether it can be set.
  public var isInputGainSettable: Bool { session.isInputGainSettable }

  /// Sets the volume of what is captured from, 0 to 1.
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

  /// Nothing vibrates here, and system sounds play while others record, so this holds by itself.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
    session.prefer { $0.allowsHapticsWhileRecording = inValue }
  }

  /// What was set; false at first.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    session.wishes.allowsHapticsWhileRecording
  }

  /// Alerts of the system never interrupt here.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
    session.prefer { $0.avoidsAlerts = inValue }
  }

  /// What was set; false at first.
  public var prefersNoInterruptionsFromSystemAlerts: Bool { session.wishes.avoidsAlerts }

  /// Devices get as many channels as they have, whatever is said here.
  public func setSupportsMultichannelContent(_ inValue: Bool) throws {
    session.prefer { $0.supportsMultichannel = inValue }
  }

  /// What was set; false at first.
  public var supportsMultichannelContent: Bool { session.wishes.supportsMultichannel }

  /// A unit that was told its device waits for it, which is told as an interruption.
  public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
    session.prefer { $0.endsWithRoute = inValue }
  }

  /// What was set; false at first.
  public var prefersInterruptionOnRouteDisconnect: Bool { session.wishes.endsWithRoute }

  /// No prompts are to be kept short.
  public var promptStyle: PromptStyle { .normal }

  /// Channels are played as they are.
  public var renderingMode: RenderingMode {
    outputNumberOfChannels > 2
      ? .surround : outputNumberOfChannels > 0 ? .monoStereo : .notApplicable
  }
}
