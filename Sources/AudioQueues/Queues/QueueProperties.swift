// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import AudioDevices
package import AudioSupport
package import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension PropertyFamily {
  /// The properties of queues.
  static let queues = PropertyFamily(
    "a queue's",
    Errors(
      unknown: kAudioQueueErr_InvalidProperty, unreadable: kAudioQueueErr_InvalidProperty,
      readOnly: kAudioQueueErr_InvalidProperty, size: kAudioQueueErr_InvalidPropertySize,
      value: kAudioQueueErr_InvalidPropertyValue),
    mostBytes: 1 << 20)
}

// The properties of queues, one row each.
extension AudioQueue {
  private static let properties = PropertyTable<AudioQueue>(
    .queues, state + formats + levels + codecs + effects + devices)

  /// [any thread] The size of a property in bytes.
  package func propertySize(_ id: AudioQueuePropertyID) throws(AudioError) -> Int {
    try Self.properties.info(PropertyAddress(id), of: self).size
  }

  /// [any thread] Reads a property into memory of `size` bytes and sets `size` to its size.
  package func readProperty(
    _ id: AudioQueuePropertyID, into memory: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    try Self.properties.read(PropertyAddress(id), of: self, into: memory, size: &size)
  }

  /// [control thread] Sets a property.
  package func writeProperty(_ id: AudioQueuePropertyID, _ data: UnsafeRawBufferPointer)
    throws(AudioError)
  { try Self.properties.write(PropertyAddress(id), of: self, data) }

  /// This queue as a playback queue.
  private func playing() throws(AudioError) -> PlaybackQueue {
    guard let queue = self as? PlaybackQueue else {
      throw .queueProperty.because("a recording queue does not have this property")
    }
    return queue
  }

  private func recording() throws(AudioError) -> RecordingQueue {
    guard let queue = self as? RecordingQueue else {
      throw .queueProperty.because("a playback queue does not have this property")
    }
    return queue
  }

  private static let state: [PropertyRow<AudioQueue>] = [
    .flag(kAudioQueueProperty_IsRunning) { queue in queue.lock.withLock { queue.isRunning } },
    .value(AudioQueuePropertyID(kAUDiagnosticsProperty_Xruns)) { queue in
      AUDiagnosticsXruns(
        mCount: UInt32(clamping: queue.gaps), mServerCount: 0, mServerReports: 0)
    },
  ]

  private static let formats: [PropertyRow<AudioQueue>] = [
    .value(kAudioQueueProperty_StreamDescription) { $0.format },
    .array(
      kAudioQueueProperty_ChannelLayout,
      get: { (queue) throws(AudioError) -> [UInt8] in
        if let layout = queue.lock.withLock({ queue.layout }) { return layout }
        let channels = Int(queue.format.mChannelsPerFrame)
        let tag =
          ChannelLayout.standard(channelCount: channels).knownTag
          ?? kAudioChannelLayoutTag_DiscreteInOrder | queue.format.mChannelsPerFrame
        return [tag, 0, 0, 0, 0, 0, 0, 0].withUnsafeBytes { Array($0) }
      },
      set: { (queue, layout) throws(AudioError) in
        guard let count = ChannelLayouts.channelCount(layout) else {
          throw .queuePropertySize.because(
            "\(layout.count) bytes are not a whole AudioChannelLayout")
        }
        guard count == queue.format.mChannelsPerFrame else {
          throw .queuePropertyValue.because(
            "a layout of \(count) channels for a format of \(queue.format.mChannelsPerFrame)")
        }
        try queue.access.requireStopped()
        queue.lock.withLock { queue.layout = layout }
        queue.notify(kAudioQueueProperty_ChannelLayout)
      }),
    .value(kAudioQueueProperty_MaximumOutputPacketSize) { (queue) throws(AudioError) in
      UInt32(clamping: try queue.recording().encoder.largestPacket)
    },
  ]

  private static let levels: [PropertyRow<AudioQueue>] = [
    .flag(
      kAudioQueueProperty_EnableLevelMetering, get: { $0.measuresLevels },
      set: { queue, isOn in queue.measuresLevels = isOn }),
    .array(kAudioQueueProperty_CurrentLevelMeter, get: { $0.levels(inDecibels: false) }),
    .array(kAudioQueueProperty_CurrentLevelMeterDB, get: { $0.levels(inDecibels: true) }),
  ]

  private static let codecs: [PropertyRow<AudioQueue>] = [
    .array(
      kAudioQueueProperty_MagicCookie,
      get: { (queue) throws(AudioError) -> [UInt8] in
        if let queue = queue as? PlaybackQueue {
          return queue.lock.withLock { queue.cookie }
        }
        guard let cookie = try queue.recording().encoder.cookie() else {
          throw .queueProperty.because(
            "\(StreamFormat.describe(queue.format)) needs no magic cookie")
        }
        return cookie
      },
      set: { (queue, cookie) throws(AudioError) in
        let queue = try queue.playing()
        do throws(AudioError) { try queue.set(cookie: cookie) } catch {
          throw error.asStatus(.queuePropertyValue)
        }
      }),
    .value(kAudioQueueProperty_ConverterError) { queue in
      queue.lock.withLock { UInt32(bitPattern: queue.converterError) }
    },
    .value(
      kAudioQueueProperty_DecodeBufferSizeFrames,
      get: { (queue) throws(AudioError) in
        let queue = try queue.playing()
        return queue.lock.withLock { UInt32(clamping: queue.renderers.decodeFrames) }
      },
      set: { (queue, frames: UInt32) throws(AudioError) in
        let queue = try queue.playing()
        let most = queue.renderers.mostFrames
        guard (64...most).contains(Int(frames)) else {
          throw .queuePropertyValue.because("\(frames) frames; expected 64 to \(most)")
        }
        try queue.access.requireStopped()
        queue.lock.withLock { queue.renderers.requestedFrames = Int(frames) }
      }),
    .value(
      kAudioQueueProperty_HardwareCodecPolicy,
      get: { queue in queue.lock.withLock { queue.codecPolicy } },
      set: { (queue, policy: UInt32) throws(AudioError) in
        guard policy <= UInt32(kAudioQueueHardwareCodecPolicy_PreferHardware) else {
          throw .queuePropertyValue.because("there is no policy \(policy), only 0 to 4")
        }
        guard policy != UInt32(kAudioQueueHardwareCodecPolicy_UseHardwareOnly) else {
          throw .queuePropertyValue.because("there are no hardware codecs")
        }
        queue.lock.withLock { queue.codecPolicy = policy }
      }),
  ]

  private static let effects: [PropertyRow<AudioQueue>] = [
    .flag(
      kAudioQueueProperty_EnableTimePitch,
      get: { (queue) throws(AudioError) in
        let queue = try queue.playing()
        return queue.lock.withLock { queue.feeding.timePitch.isEnabled }
      },
      set: { (queue, isOn) throws(AudioError) in
        let queue = try queue.playing()
        try queue.access.requireStopped()
        queue.lock.withLock { queue.feeding.timePitch.isEnabled = isOn }
      }),
    .flag(
      kAudioQueueProperty_TimePitchBypass,
      get: { (queue) throws(AudioError) in
        let queue = try queue.playing()
        return queue.lock.withLock { queue.feeding.timePitch.isBypassed }
      },
      set: { (queue, isOn) throws(AudioError) in
        let queue = try queue.playing()
        queue.lock.withLock { queue.feeding.timePitch.isBypassed = isOn }
      }),
    .value(
      kAudioQueueProperty_TimePitchAlgorithm,
      get: { (queue) throws(AudioError) in
        let queue = try queue.playing()
        return queue.lock.withLock { queue.feeding.timePitch.algorithm }
      },
      set: { (queue, algorithm: UInt32) throws(AudioError) in
        let queue = try queue.playing()
        guard TimePitch.algorithms.contains(algorithm) else {
          throw .queuePropertyValue.because(
            "there is no algorithm '\(FourCharacterCode(algorithm))'")
        }
        try queue.access.requireStopped()
        guard queue.lock.withLock({ queue.feeding.timePitch.isEnabled }) else {
          throw .queueRunState.because("set kAudioQueueProperty_EnableTimePitch first")
        }
        queue.lock.withLock { queue.feeding.timePitch.algorithm = algorithm }
      }),
  ]

  private static let devices: [PropertyRow<AudioQueue>] = [
    .value(kAudioQueueDeviceProperty_SampleRate) { (queue) throws(AudioError) in
      try queue.device().sampleRate
    },
    .value(kAudioQueueDeviceProperty_NumberChannels) { (queue) throws(AudioError) in
      let device = try queue.device()
      return UInt32(
        clamping: queue.isInput ? device.inputChannelCount : device.outputChannelCount)
    },
    .object(
      kAudioQueueProperty_CurrentDevice, type: "CFString",
      get: { (queue, _) throws(AudioError) in .string(try queue.device().uid) },
      write: { (queue, _, data) throws(AudioError) in
        let uid = try data.string()
        try queue.access.requireStopped()
        if let uid { _ = try DeviceLink.device(uid, isInput: queue.isInput) }
        queue.lock.withLock { queue.deviceUID = uid }
        queue.notify(kAudioQueueProperty_CurrentDevice)
      }),
    .array(
      kAudioQueueProperty_ChannelAssignments,
      size: .measured { queue in
        Int(queue.format.mChannelsPerFrame) * MemoryLayout<AudioQueueChannelAssignment>.stride
      },
      set: { (queue, assignments: [ChannelAssignment]) throws(AudioError) in
        try queue.playing().assign(assignments)
      }),
  ]
}
