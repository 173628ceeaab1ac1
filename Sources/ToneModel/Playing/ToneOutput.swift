// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The default output unit with a mix as its source: made to play, and torn down to stop.
public final class ToneOutput {
  /// The tones.
  public let mix: ToneMix
  /// Frames per second of the device.
  public let sampleRate: Double
  /// The device's channels.
  public let channelCount: Int

  /// The error if no output unit is registered.
  static let missing = "Can't find default output"
  /// The effects between the tones and the device; nil if there are none.
  public let effects: ToneEffects?

  /// The output unit; nil once it has been torn down.
  var unit: AudioUnit?

  /// Seconds from rendering to the output connector, once it plays.
  public private(set) var latency = 0.0

  /// [control thread] Makes the units and connects them; playback has not started.
  ///
  /// `specs` are effects between the tones and the device, in order. `dither` is for devices with
  /// integers; nil: the usual one of the tones.
  public init(
    _ tones: [Tone], fade: Double = ToneSource.standardFade, effects specs: [UnitSpec] = [],
    dither: ToneDither? = nil
  ) throws(ToneError) {
    let unit = try makeInstance(
      kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput, kAudioUnitManufacturer_Apple,
      missing: Self.missing)
    do throws(ToneError) {
      let device = try Self.deviceFormat(unit)
      sampleRate = device.mSampleRate
      channelCount = Int(device.mChannelsPerFrame)
      mix = try ToneMix(
        tones, sampleRate: device.mSampleRate,
        channelCount: specs.isEmpty ? channelCount : min(channelCount, 2), fade: fade)
      effects =
        specs.isEmpty
        ? nil
        : try ToneEffects(
          specs, after: .callback(mix.renderCallback), sampleRate: mix.sampleRate,
          channelCount: mix.channelCount)
      try Self.connect(mix, effects, to: unit)
      var kind = (dither ?? ToneDither.usual(for: tones)).propertyValue
      try setProperty(
        unit, kAudioConverterPropertyDithering, kAudioUnitScope_Global, &kind,
        "Can't set the dither")
      self.unit = unit
    } catch {
      AudioComponentInstanceDispose(unit)
      throw error
    }
  }

  deinit { tearDown() }

  /// Stops a device that runs as fast as possible; nil for the others.
  private var limit: FrameLimit?

  /// [control thread] Ends the tones at a frame; without a fade, exactly there. A device that runs
  /// as fast as possible stops after the cycle with that frame. Call this before `start`.
  public func end(atFrame frame: Int) throws(ToneError) {
    mix.end(atFrame: frame)
    guard FrameLimit.isNeeded, let unit else { return }
    limit = try FrameLimit(unit, frames: frame)
  }

  /// Whether the tones are over: they have ended, or the frame limit has stopped the device.
  public var isOver: Bool { mix.isOver || limit?.isReached == true }

  /// [control thread] Starts playback.
  public func start() throws(ToneError) {
    guard let unit else { return }
    try ToneError.check(AudioUnitInitialize(unit), "Can't open the output")
    try ToneError.check(AudioOutputUnitStart(unit), "Can't start the output")
    refreshDevice()
    mix.wait(silentFrames: Int((latency * sampleRate).rounded(.up)))
  }

  /// [control thread] Fades out, waits until the fade has been played, and tears everything down.
  ///
  /// Gives up after a second if the device no longer requests samples.
  public func stop() {
    mix.close()
    if isRunning, interruption == nil { mix.waitUntilOver(timeout: 1) }
    tearDown()
  }

  /// Whether the device still runs: false once it is gone.
  public var isRunning: Bool {
    unit?.value(kAudioOutputUnitProperty_IsRunning, over: UInt32(0)) == 1
  }

  /// The display name of the device, once it plays.
  public private(set) var deviceName = "the default device"

  /// The frames of its cycle at the latest refresh.
  private(set) var cycleFrames = 0

  /// The device at the latest refresh.
  private var deviceID = AudioObjectID(kAudioObjectUnknown)

  /// [control thread] Checks which device the unit plays to, as it follows the default device;
  /// returns whether it has changed.
  @discardableResult
  func refreshDevice() -> Bool {
    guard let unit else { return false }
    let id = unit.value(kAudioOutputUnitProperty_CurrentDevice, over: AudioObjectID(0))
    guard let id, id != deviceID else { return false }
    deviceID = id
    deviceName = ToneDevices.name(of: id)
    cycleFrames = Int(unit.value(kAudioDevicePropertyBufferFrameSize, over: UInt32(0)) ?? 0)
    latency = unit.value(kAudioUnitProperty_Latency, over: 0.0) ?? 0
    return true
  }

  /// Releases everything in reverse order.
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
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size)
    try ToneError.check(status, "Can't read the device's format")
    return format
  }

  /// Connects at the device's rate, so that the samples reach it unchanged.
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
