// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The default output unit that asks a mix for its samples: made to play, and torn down to stop.
public final class ToneOutput {
  /// What plays.
  public let mix: ToneMix
  /// Frames per second of the device.
  public let sampleRate: Double
  /// The device's channels.
  public let channelCount: Int

  /// What is said where no output unit is registered.
  static let missing = "Can't find default output"
  /// The effects between the tones and the device; nil when nothing does.
  public let effects: ToneEffects?

  /// The output unit; nil once it has been torn down.
  var unit: AudioUnit?

  /// Seconds from a sample's rendering to its sounding, once it plays.
  public private(set) var latency = 0.0

  /// [control thread] Makes the units and connects them; nothing sounds yet.
  ///
  /// `effects` stand between the tones and the device, in their order.
  public init(
    _ tones: [Tone], fade: Double = ToneSource.standardFade, effects wanted: [UnitSpec] = []
  ) throws(ToneError) {
    let unit = try makeInstance(
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple,
      missing: Self.missing)
    do throws(ToneError) {
      let device = try Self.deviceFormat(unit)
      sampleRate = device.mSampleRate
      channelCount = Int(device.mChannelsPerFrame)
      mix = try ToneMix(
        tones, sampleRate: device.mSampleRate, channelCount: channelCount > 1 ? 2 : 1, fade: fade)
      effects =
        wanted.isEmpty
        ? nil
        : try ToneEffects(
          wanted, after: .callback(mix.renderCallback), sampleRate: mix.sampleRate,
          channelCount: mix.channelCount)
      try Self.connect(mix, effects, to: unit)
      self.unit = unit
    } catch {
      AudioComponentInstanceDispose(unit)
      throw error
    }
  }

  deinit { tearDown() }

  /// What stops it where the device has no pace; nil elsewhere.
  private var limit: FrameLimit?

  /// [control thread] Ends the tones at a frame; without a fade, exactly then. A device without a pace
  /// renders no more than the cycle in which that is. To be called before it starts.
  public func end(atFrame frame: Int) throws(ToneError) {
    mix.end(atFrame: frame)
    guard FrameLimit.isNeeded, let unit else { return }
    limit = try FrameLimit(unit, frames: frame)
  }

  /// Whether the tones are over: they have ended, or what counts the frames has stopped the device.
  public var isOver: Bool { mix.isOver || limit?.isReached == true }

  /// [control thread] Begins to play.
  public func start() throws(ToneError) {
    guard let unit else { return }
    try ToneError.check(AudioUnitInitialize(unit), "Can't open the output")
    try ToneError.check(AudioOutputUnitStart(unit), "Can't start the output")
    refreshDevice()
    mix.wait(silentFrames: Int((latency * sampleRate).rounded(.up)))
  }

  /// [control thread] Fades out, waits until that has been heard, and tears everything down.
  ///
  /// A device that no longer asks for samples is given up after a second.
  public func stop() {
    mix.close()
    if isRunning, interruption == nil { mix.waitUntilOver(patience: 1) }
    tearDown()
  }

  /// Whether the device still asks for samples: false once it has gone.
  public var isRunning: Bool {
    guard let unit else { return false }
    let isRunning = property(
      unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, UInt32(0))
    return isRunning == 1
  }

  /// What people call the device, once it plays.
  public private(set) var deviceName = "the default device"

  /// Frames of its cycle when it was looked at last.
  private(set) var cycleFrames = 0

  /// The device that was looked at last.
  private var deviceID = AudioObjectID(kAudioObjectUnknown)

  /// [control thread] Looks which device it is by now, as the unit follows a default that moves;
  /// whether it is another one.
  @discardableResult
  func refreshDevice() -> Bool {
    guard let unit else { return false }
    let id = property(
      unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, AudioObjectID(0))
    guard let id, id != deviceID else { return false }
    deviceID = id
    deviceName = ToneDevices.name(of: id)
    cycleFrames = Int(
      property(
        unit, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, UInt32(0)) ?? 0)
    latency = property(unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0.0) ?? 0
    return true
  }

  /// In reverse of how it was made.
  private func tearDown() {
    guard let unit else { return }
    AudioOutputUnitStop(unit)
    limit = nil
    AudioUnitUninitialize(unit)
    AudioComponentInstanceDispose(unit)
    self.unit = nil
  }
}

extension ToneOutput {
  private static func deviceFormat(
    _ unit: AudioUnit
  ) throws(ToneError) -> AudioStreamBasicDescription {
    var format = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: format))
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size)
    try ToneError.check(status, "Can't read the device's format")
    return format
  }

  /// At the device's rate, so that the samples reach it unchanged.
  private static func connect(_ mix: ToneMix, _ effects: ToneEffects?, to unit: AudioUnit)
    throws(ToneError)
  {
    var format = floatFormat(sampleRate: mix.sampleRate, channelCount: mix.channelCount)
    try setProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, &format,
      "Can't set the format of the tone")
    if let effects { return try effects.connect(to: unit) }
    var callback = mix.renderCallback
    try setProperty(
      unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, &callback,
      "Can't connect the tone to the output")
  }
}
