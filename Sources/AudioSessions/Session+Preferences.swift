// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport
import CoreAudio

// The session's preferences for devices, and the granted values.
extension Session {
  /// The range of preferred rates in Hz.
  private static let sampleRates = 1_000.0...768_000.0
  /// The longest preferred cycle in seconds.
  private static let longestDuration = 10.0
  /// The fewest frames of a preferred cycle. Shorter ones take more time than they save.
  private static let fewestFrames = 32

  /// Sets the preferred rate in Hz; 0 means no preference.
  package func prefer(sampleRate: Double) throws(AudioError) {
    guard sampleRate == 0 || Self.sampleRates.contains(sampleRate) else {
      throw .invalidArgument.because(
        "a rate of \(sampleRate.plainText) Hz: expected 0, or 1000 to 768000 Hz")
    }
    withState { $0.preferences.sampleRate = sampleRate }
    devicePreferences.set { $0.sampleRate = sampleRate == 0 ? nil : sampleRate }
    publishCycle()
  }

  /// Sets the preferred cycle in seconds; 0 means no preference.
  package func prefer(duration: Double) throws(AudioError) {
    guard duration >= 0, duration <= Self.longestDuration else {
      throw .invalidArgument.because("a cycle of \(duration) s: expected 0 to 10 s")
    }
    withState { $0.preferences.duration = duration }
    publishCycle()
  }

  /// Requests the nearest power of two in frames, because servers run such cycles.
  private func publishCycle() {
    let duration = preferences.duration
    guard duration > 0 else {
      return devicePreferences.set { $0.cycleFrames = Self.standardCycle }
    }
    let rate = sampleRate > 0 ? sampleRate : 48_000
    devicePreferences.set {
      $0.cycleFrames = max(Self.powerOfTwo(near: duration * rate), Self.fewestFrames)
    }
  }

  /// The power of two nearest to a number of frames, as far as devices have cycles of it.
  static func powerOfTwo(near frames: Double) -> Int {
    let frames = min(frames, Double(DeviceEnvironment.cycleFramesLimits.upperBound))
    var lower = 1
    while Double(lower * 2) <= frames { lower *= 2 }
    return frames - Double(lower) < Double(lower * 2) - frames ? lower : lower * 2
  }

  /// Sets the preferred number of channels of one direction; 0 means no preference.
  package func prefer(channels count: Int, isInput: Bool) throws(AudioError) {
    let most = maximumChannelCount(isInput: isInput)
    guard count >= 0, count <= most else {
      throw .invalidArgument.because(
        "\(count) channels of \(isInput ? "input" : "output"): expected 0 to \(most)")
    }
    let preferred = withState { state in
      if isInput {
        state.preferences.inputChannels = count
      } else {
        state.preferences.outputChannels = count
      }
      return [state.preferences.outputChannels, state.preferences.inputChannels].first { $0 > 0 }
    }
    devicePreferences.set { $0.channelCount = preferred }
  }

  /// Changes preferences that no device can grant or refuse.
  package func prefer(_ change: (inout Preferences) -> Void) {
    withState { change(&$0.preferences) }
  }

  /// Sets whether input and output should run on one clock.
  package func prefer(aggregatesIO: Bool) throws(AudioError) {
    let category = setup.category
    guard !aggregatesIO || SessionSetup.aggregable.contains(category) else {
      throw .invalidArgument.because(
        "aggregated input and output are for PlayAndRecord, MultiRoute; the category is "
          + category.shortName)
    }
    withState { $0.preferences.aggregatesIO = aggregatesIO }
  }

  // MARK: Granted values

  /// The rate in Hz of the output device, or of the input device if the category only records; 0
  /// without a device.
  package var sampleRate: Double { mainDevice?.sampleRate ?? 0 }

  /// The cycle in seconds; 0 without a device.
  package var duration: Double {
    guard let device = mainDevice else { return 0 }
    let rate = device.sampleRate
    return rate > 0 ? Double(device.cycleFrames) / rate : 0
  }

  private var mainDevice: SessionDevice? {
    let category = setup.category
    return category.usesOutput || !category.usesInput
      ? device(isInput: false) ?? device(isInput: true)
      : device(isInput: true) ?? device(isInput: false)
  }

  /// The channels of the route's input or output; 0 when the category does not use that direction.
  package func channelCount(isInput: Bool) -> Int { routed(isInput: isInput)?.channelCount ?? 0 }

  /// The largest number of channels that can be preferred.
  package func maximumChannelCount(isInput: Bool) -> Int {
    guard let device = routed(isInput: isInput) else { return 0 }
    // Devices without hardware have as many channels as requested.
    let isShaped = device.backend == NullBackend.name || device.backend == FileBackend.name
    let counts = inEnvironment { try? DeviceEnvironment.current() }?.channelCounts
    return isShaped ? counts?.upperBound ?? device.channelCount : device.channelCount
  }

  /// Seconds from a cycle to the device's output, or from its input to the cycle.
  package func latency(isInput: Bool) -> Double { routed(isInput: isInput)?.latency ?? 0 }

  /// The volume of the output device, 0 to 1; 1 when it has no volume control.
  package var outputVolume: Float { device(isInput: false)?.volume ?? 1 }

  // MARK: Input gain

  /// The volume of the route's input, 0 to 1; 1 when it has no volume control.
  package var inputGain: Float { routed(isInput: true)?.volume ?? 1 }

  package var isInputGainSettable: Bool { routed(isInput: true)?.isVolumeSettable ?? false }

  package func set(inputGain: Float) throws(AudioError) {
    guard (0...1).contains(inputGain) else {
      throw .invalidArgument.because("a gain of \(inputGain): expected 0 to 1")
    }
    guard let device = routed(isInput: true) else {
      throw .resourceNotAvailable.because("the route has no input")
    }
    guard device.isVolumeSettable, device.setVolume(inputGain) == noErr else {
      throw .resourceNotAvailable.because("\(device.uid): its gain cannot be set")
    }
  }
}
