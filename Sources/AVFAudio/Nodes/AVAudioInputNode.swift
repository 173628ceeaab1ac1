// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// What an engine captures: a source with the format of the device's input, which is not converted.
/// In manual rendering, a block supplies it.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
  /// Its only input is the device, which programs ask for its format.
  init() { super.init(nil, inputs: 1, outputs: 1) }

  /// Sets the block that supplies the input of manual rendering, and the linear PCM format of its
  /// frames. Returns false, and changes nothing, if the format is not linear PCM, or while the engine
  /// runs.
  @discardableResult @preconcurrency
  open func setManualRenderingInputPCMFormat(
    _ format: AVAudioFormat,
    inputBlock block:
      @escaping @Sendable (_ inNumberOfFrames: AVAudioFrameCount)
      -> UnsafePointer<AudioBufferList>?
  ) -> Bool { engine?.core.setManualInput(format, block) ?? false }

  // MARK: Voice processing

  private var io: EngineIO? { engine?.core.io }

  /// The unit that processes voice, if one exists.
  private func voiceUnit(_ io: EngineIO) -> NodeUnit? { io.processesVoice ? io.device : nil }

  private func voice<Value>(_ value: KeyPath<VoiceSettings.Values, Value>, _ initial: Value)
    -> Value
  { io?.voice.value(value) ?? initial }

  private func setVoice<Value>(
    _ value: WritableKeyPath<VoiceSettings.Values, Value>, to new: Value
  ) {
    guard let io else { return }
    // The unit may be made meanwhile: then it gets the settings here or when it is prepared.
    io.voice.set(value, to: new) { voiceUnit(io) }
  }

  /// Whether captured sound passes unprocessed although voice processing is on; initially false.
  open var isVoiceProcessingBypassed: Bool {
    get { voice(\.isBypassed, false) }
    set { setVoice(\.isBypassed, to: newValue) }
  }

  /// Whether voice processing controls the gain; initially true.
  open var isVoiceProcessingAGCEnabled: Bool {
    get { voice(\.followsLevel, true) }
    set { setVoice(\.followsLevel, to: newValue) }
  }

  /// Whether voice processing mutes what is captured; initially false.
  open var isVoiceProcessingInputMuted: Bool {
    get { voice(\.isMuted, false) }
    set { setVoice(\.isMuted, to: newValue) }
  }

  /// How voice processing lowers other sound of the process.
  open var voiceProcessingOtherAudioDuckingConfiguration:
    AVAudioVoiceProcessingOtherAudioDuckingConfiguration
  {
    get { voice(\.ducking, .init()) }
    set { setVoice(\.ducking, to: newValue) }
  }

  /// Sets what is called when somebody speaks while the input is muted; nil removes it. Returns
  /// whether that is possible: voice processing must be on. [a thread of the library]
  @discardableResult @preconcurrency
  open func setMutedSpeechActivityEventListener(
    _ listenerBlock: (@Sendable (AVAudioVoiceProcessingSpeechActivityEvent) -> Void)?
  ) -> Bool {
    guard let io, let unit = voiceUnit(io) else { return false }
    return io.voice.setListener(listenerBlock, unit)
  }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }

  // MARK: For the engine

  override var role: NodeRole { .input }
  override var formatRule: FormatRule { .generates }

  override func ownFormat(_ bus: AVAudioNodeBus) -> AVAudioFormat? {
    engine?.core.queries.captureFormat
  }

  override func tapSource(_ bus: AVAudioNodeBus) -> TapSource? {
    guard let core = engine?.core else { return nil }
    let (unit, output) = core.io.inputPort(isManual: core.manual.isOn)
    guard let format = unit.format(kAudioUnitScope_Output, output) else { return nil }
    return TapSource(unit, bus, format, core.manual.isOn ? nil : core.io.pump) { [weak core] in
      core?.rendersByItself ?? false
    }
  }

  /// Captured sound is not converted, so a connection has the rate of the device.
  override func checkFormat(
    _ format: AVAudioFormat, _ scope: AudioUnitScope, _ bus: AVAudioNodeBus, _ call: String
  ) throws {
    guard let own = engine?.core.queries.captureFormat,
      own.sampleRate != format.sampleRate || own.channelCount != format.channelCount
    else { return }
    throw EngineError.refusal(
      call, "the input node has \(own), which is not converted to \(format)",
      mend: "pass nil, and convert in a mixer", kAudioUnitErr_FormatNotSupported)
  }
}
