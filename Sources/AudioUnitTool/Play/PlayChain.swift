// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import PlainText
import Synchronization
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

/// The units that play a list: a file player, rate, pitch and effects, and the device.
final class PlayChain {
  /// The changes to the sound.
  struct Settings {
    var rate = 1.0
    /// In cents; nil: the pitch is unchanged.
    var pitch: Double?
    var effects: [UnitSpec] = []
    var gain = 0.0
    var loops = false
    /// How much of the channel for low-frequency effects a device with fewer channels gets; linear.
    var lowFrequencyGain: Float = 0
  }

  private let list: Playlist
  private let settings: Settings
  private var units: [AudioUnit] = []
  private var effects: ToneEffects?
  /// Nil if frames come through a pipe.
  private let player: AudioUnit?
  private let output: AudioUnit
  private var limit: FrameLimit?
  /// The frame of the list at the player's time 0, and the scheduled end; both count across all
  /// repetitions.
  private var base = 0
  private var scheduledEnd = 0
  private(set) var isPaused = false
  /// Whether decoding of the pipe has started.
  private var isBegun = false
  /// The first error of a file.
  fileprivate let failure = Atomic<OSStatus>(0)

  /// [control thread] Makes the units and connects them; playback has not started.
  init(_ list: Playlist, _ settings: Settings) throws {
    self.list = list
    self.settings = settings
    player =
      list.pipe == nil
      ? try Self.make(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer) : nil
    output = try Self.make(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput)
    if let player {
      units = [player]
      try setFormat(player, kAudioUnitScope_Output)
      try initialize(player)
    }
    try changeRate()
    if !settings.effects.isEmpty {
      effects = try ToneEffects(
        settings.effects, after: last, sampleRate: list.sampleRate,
        channelCount: list.channelCount)
    }
    let channels = deviceChannelCount()
    try mix(to: channels)
    try setFormat(output, kAudioUnitScope_Input, channels)
    try connect(end, to: output)
    try Failure.check(AudioUnitInitialize(output), "Can't open the output")
    guard let player else { return }
    var ids = list.entries.map(\.id)
    try Failure.check(
      AudioUnitSetProperty(
        player, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, &ids,
        UInt32(clamping: MemoryLayout<AudioFileID>.stride * ids.count)), "Can't use the files")
    if FrameLimit.isNeeded {
      // A device without its own pace may wait for the files.
      try set(player, kAudioUnitProperty_OfflineRender, UInt32(1), "Can't render offline")
    }
  }

  deinit {
    AudioOutputUnitStop(output)
    list.pipe?.stop()
    limit = nil
    AudioUnitUninitialize(output)
    AudioComponentInstanceDispose(output)
    effects = nil
    for unit in units.reversed() { AudioComponentInstanceDispose(unit) }
  }

  /// The last unit, or the pipe.
  private var last: ToneEffects.Source {
    if let unit = units.last { return .unit(unit) }
    guard let pipe = list.pipe else { preconditionFailure("a list has a player or a pipe") }
    return .callback(PipedFrames.callback(pipe.ring))
  }
  private var afterEffects: ToneEffects.Source { (effects?.last).map { .unit($0) } ?? last }
  private var isMixed = false
  /// The source of the device: the mixer, or the last effect.
  private var end: ToneEffects.Source { isMixed ? last : afterEffects }

  /// How many channels the device gets: those of the list, if it has so many.
  private func deviceChannelCount() -> Int {
    var format = AudioStreamBasicDescription()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: format))
    let status = AudioUnitGetProperty(
      output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, &size)
    guard status == noErr, format.mChannelsPerFrame > 0 else { return list.channelCount }
    return min(list.channelCount, Int(format.mChannelsPerFrame))
  }

  // MARK: Making

  private static func make(_ type: OSType, _ subType: OSType) throws(Failure) -> AudioUnit {
    var description = AudioComponentDescription(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw Failure("there is no unit '\(FourCharacterCode(subType))'")
    }
    var unit: AudioUnit?
    try Failure.check(AudioComponentInstanceNew(component, &unit), "Can't make a unit")
    guard let unit else { throw Failure("Can't make a unit") }
    return unit
  }

  private static func isAvailable(_ subType: OSType) -> Bool {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_FormatConverter
    description.componentSubType = subType
    return AudioComponentFindNext(nil, &description) != nil
  }

  private func set<Value: BitwiseCopyable>(
    _ unit: AudioUnit, _ id: AudioUnitPropertyID, _ value: Value, _ step: String,
    _ scope: AudioUnitScope = kAudioUnitScope_Global
  ) throws(Failure) {
    var value = value
    try Failure.check(
      AudioUnitSetProperty(unit, id, scope, 0, &value, UInt32(clamping: MemoryLayout<Value>.size)),
      step)
  }

  private func setFormat(
    _ unit: AudioUnit, _ scope: AudioUnitScope, _ channels: Int? = nil
  ) throws(Failure) {
    let format = AudioStreamBasicDescription(
      mSampleRate: list.sampleRate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4,
      mChannelsPerFrame: UInt32(clamping: channels ?? list.channelCount), mBitsPerChannel: 32,
      mReserved: 0)
    try set(unit, kAudioUnitProperty_StreamFormat, format, "Can't set the format", scope)
  }

  private func initialize(_ unit: AudioUnit) throws(Failure) {
    try set(
      unit, kAudioUnitProperty_MaximumFramesPerSlice, UInt32(clamping: ToneSource.maximumFrames),
      "Can't set the slice")
    try Failure.check(AudioUnitInitialize(unit), "Can't initialize a unit")
  }

  private func connect(_ source: ToneEffects.Source, to unit: AudioUnit) throws(Failure) {
    let step = "Can't connect two units"
    switch source {
    case .unit(let source):
      try set(
        unit, kAudioUnitProperty_MakeConnection,
        AudioUnitConnection(sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: 0),
        step, kAudioUnitScope_Input)
    case .callback(let callback):
      try set(unit, kAudioUnitProperty_SetRenderCallback, callback, step, kAudioUnitScope_Input)
    }
  }

  private func append(_ unit: AudioUnit, _ parameters: [(AudioUnitParameterID, Double)])
    throws(Failure)
  {
    let source = last
    units.append(unit)
    try setFormat(unit, kAudioUnitScope_Input)
    try setFormat(unit, kAudioUnitScope_Output)
    for (id, value) in parameters {
      try Failure.check(
        AudioUnitSetParameter(unit, id, kAudioUnitScope_Global, 0, Float(value), 0),
        "Can't set a parameter")
    }
    try connect(source, to: unit)
    try initialize(unit)
  }

  /// Changes rate and pitch by spectral stretching, which keeps them independent.
  private func changeRate() throws(Failure) {
    guard settings.rate != 1 || settings.pitch ?? 0 != 0 else { return }
    let newTimePitch: OSType = 0x6E75_7470  // 'nutp'
    if Self.isAvailable(newTimePitch) {
      let unit = try Self.make(kAudioUnitType_FormatConverter, newTimePitch)
      return try append(unit, [(0, settings.rate), (1, settings.pitch ?? 0)])
    }
    guard settings.pitch == nil, (0.25...4).contains(settings.rate) else {
      throw Failure("there is no unit that changes the pitch")
    }
    let unit = try Self.make(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)
    try append(unit, [(kVarispeedParam_PlaybackRate, settings.rate)])
  }

  /// Applies the gain, and mixes to the channels of the device, if there is anything to do.
  private func mix(to outputs: Int) throws(Failure) {
    let inputs = list.channelCount
    guard settings.gain != 0 || outputs < inputs else { return }
    isMixed = true
    let mixer = try Self.make(kAudioUnitType_Mixer, kAudioUnitSubType_MatrixMixer)
    let source = afterEffects
    units.append(mixer)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try set(mixer, kAudioUnitProperty_ElementCount, UInt32(1), "Can't make the mixer", scope)
      try setFormat(mixer, scope, scope == kAudioUnitScope_Output ? outputs : inputs)
    }
    let gain = Float(pow(10, settings.gain / 20))
    var places: [(AudioUnitScope, UInt32, Float)] = [(kAudioUnitScope_Global, .max, gain)]
    let gains =
      outputs < inputs
      ? ConversionSource.gains(
        from: inputs, list.layout, to: outputs, lowFrequencyGain: settings.lowFrequencyGain)
      : (0..<inputs * inputs).map { $0 % (inputs + 1) == 0 ? 1 : 0 }
    for input in 0..<inputs {
      let source = UInt32(clamping: input)
      places.append((kAudioUnitScope_Input, source, 1))
      for output in 0..<outputs where gains[input * outputs + output] != 0 {
        let target = UInt32(clamping: output)
        places.append(
          (kAudioUnitScope_Global, source << 16 | target, gains[input * outputs + output]))
      }
    }
    for output in 0..<outputs {
      places.append((kAudioUnitScope_Output, UInt32(clamping: output), 1))
    }
    for (scope, element, value) in places {
      try Failure.check(
        AudioUnitSetParameter(mixer, kMatrixMixerParam_Volume, scope, element, value, 0),
        "Can't set the gain")
    }
    try connect(source, to: mixer)
    try initialize(mixer)
  }

  // MARK: Playing

  /// The playback position, in frames of the list.
  var position: Int {
    if let pipe = list.pipe { return pipe.ring.pointee.position }
    let length = max(list.length, 1)
    let frame = max(base + max(playTime, 0), 0)
    return settings.loops ? frame % length : min(frame, list.length)
  }

  private var playTime: Int {
    guard let player else { return 0 }
    var stamp = AudioTimeStamp()
    var size = UInt32(clamping: MemoryLayout.size(ofValue: stamp))
    let status = AudioUnitGetProperty(
      player, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &stamp, &size)
    return status == noErr ? Int(saturating: stamp.mSampleTime) : -1
  }

  /// Whether the player has played everything.
  var hasEnded: Bool {
    if let pipe = list.pipe { return pipe.ring.pointee.isPlayed }
    guard !settings.loops else { return list.length == 0 }
    return base + playTime >= list.length || limit?.isReached == true
  }

  /// The error of a file that could not be read to its end; nil if there was none.
  var fileError: OSStatus? {
    let status = failure.load(ordering: .relaxed)
    return status == noErr || status == userCanceledErr ? nil : status
  }

  /// The seconds of sound after the last frame of the list.
  var tail: Double {
    var seconds = (effects?.latency ?? 0) + min(effects?.tail ?? 0, 10)
    for unit in units + [output] {
      var latency = 0.0
      var size: UInt32 = 8
      if AudioUnitGetProperty(
        unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &latency, &size) == noErr
      {
        seconds += latency
      }
    }
    return seconds
  }

  /// [control thread] Plays from a frame of the list.
  func play(from frame: Int) throws(Failure) {
    guard let player else { return }
    if base + scheduledEnd > 0 {
      try Failure.check(
        AudioUnitReset(player, kAudioUnitScope_Global, 0), "Can't cancel what is scheduled")
      failure.store(noErr, ordering: .relaxed)
    }
    base = min(max(frame, 0), list.length)
    scheduledEnd = 0
    try schedule(from: base)
    try set(player, kAudioUnitProperty_ScheduledFilePrime, UInt32(0), "Can't read ahead")
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    stamp.mSampleTime = -1
    try set(player, kAudioUnitProperty_ScheduleStartTimeStamp, stamp, "Can't start the player")
  }

  /// [control thread] Schedules further repetitions of a list that loops.
  func refill() throws(Failure) {
    guard settings.loops, list.length > 0 else { return }
    // At most so many at a time: repetitions may be as short as a frame.
    for _ in 0..<200 where scheduledEnd < playTime + 30 * Int(saturating: list.sampleRate) {
      try schedule(from: 0)
    }
  }

  private func schedule(from frame: Int) throws(Failure) {
    guard let player else { return }
    for entry in list.entries where entry.start + entry.length > frame {
      let skipped = max(frame - entry.start, 0)
      let start =
        entry.frames.lowerBound
        + Int(saturating: (Double(skipped) * entry.format.mSampleRate / list.sampleRate).rounded())
      let rest = max(entry.frames.upperBound - start, 0)
      var region = ScheduledAudioFileRegion(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: storeError,
        mCompletionProcUserData: Unmanaged.passUnretained(self).toOpaque(),
        mAudioFile: entry.id, mLoopCount: 0, mStartFrame: Int64(start),
        mFramesToPlay: entry.isCut ? UInt32(clamping: rest) : .max)
      region.mTimeStamp.mFlags = .sampleTimeValid
      region.mTimeStamp.mSampleTime = Double(scheduledEnd)
      try set(player, kAudioUnitProperty_ScheduledFileRegion, region, entry.title)
      scheduledEnd += entry.length - skipped
    }
  }

  /// [control thread] Opens the device and starts playback.
  func start() throws(Failure) {
    if let pipe = list.pipe, !isBegun {
      isBegun = true
      if FrameLimit.isNeeded {
        pipe.ring.pointee.stop(output, framesAfterEnd: Int(saturating: tail * list.sampleRate) + 1)
      }
      pipe.start()
    } else if list.pipe == nil, FrameLimit.isNeeded, !settings.loops, limit == nil {
      let seconds = Double(list.length - base) / list.sampleRate / settings.rate + tail
      do { limit = try FrameLimit(output, frames: Int(saturating: seconds * deviceRate) + 1) } catch
      {
        throw Failure("\(error)")
      }
    }
    try Failure.check(AudioOutputUnitStart(output), "Can't start the output")
  }

  private var deviceRate: Double {
    var rate = 48_000.0
    var size: UInt32 = 8
    AudioUnitGetProperty(
      output, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0, &rate, &size)
    return rate
  }

  /// [control thread] Pauses or resumes.
  func togglePause() throws(Failure) {
    isPaused.toggle()
    if isPaused {
      try Failure.check(AudioOutputUnitStop(output), "Can't stop the output")
    } else {
      try start()
    }
  }
}

/// Stores the error of a file. [the library's thread]
private func storeError(
  context: UnsafeMutableRawPointer?, region: UnsafeMutablePointer<ScheduledAudioFileRegion>,
  status: OSStatus
) {
  guard let context, status != noErr else { return }
  Unmanaged<PlayChain>.fromOpaque(context).takeUnretainedValue().failure
    .store(status, ordering: .relaxed)
}
