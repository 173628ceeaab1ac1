// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox

/// A node that is one audio unit: an effect, a generator or an instrument. [any thread]
///
/// The unit exists from the creation of the node to its end. Parameters and presets may be set
/// before the node is attached and while the engine runs, and they stay through every connection. A
/// parameter out of range acts as the nearest value in the range; setting NaN or infinity changes
/// nothing.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
  /// Its unit, which is never nil.
  let own: NodeUnit
  private let component: AVAudioUnitComponent?
  private let capabilities: ChannelCapabilities

  init(_ unit: NodeUnit) {
    own = unit
    component = AVAudioUnitComponent(AudioComponentInstanceGetComponent(unit.handle))
    capabilities = ChannelCapabilities(of: unit)
    super.init(
      unit, inputs: unit.busCount(kAudioUnitScope_Input),
      outputs: unit.busCount(kAudioUnitScope_Output))
  }

  // MARK: The unit

  /// The unit, for the functions of AUComponent.h. Its formats, connections and callbacks are the
  /// engine's.
  open var audioUnit: AudioUnit { own.handle }

  /// The codes of its component.
  open var audioComponentDescription: AudioComponentDescription {
    component?.audioComponentDescription ?? AudioComponentDescription()
  }

  /// The name of its component, without the manufacturer.
  open var name: String { component?.name ?? "" }

  /// The name of the manufacturer.
  open var manufacturerName: String { component?.manufacturerName ?? "" }

  /// The version of the component: the major part in the upper 16 bits, minor and patch in eight
  /// each.
  open var version: Int { component?.version ?? 0 }

  /// Restores the state that an `.aupreset` file has. Throws if the file cannot be read, or if its
  /// state belongs to another component; then nothing has changed.
  open func loadPreset(at url: URL) throws {
    let call = "\(Self.self).loadPreset(at:)"
    let state: Any
    do {
      state = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: url), options: [], format: nil)
    } catch {
      throw EngineError.refusal(
        call, "\(url.path) has no property list: \(error.localizedDescription)",
        mend: "choose a file that an audio unit has saved", kAudio_FileNotFoundError)
    }
    guard let state = state as? [String: Any] else {
      throw EngineError.refusal(
        call, "\(url.path) has no dictionary", mend: "choose a file that an audio unit has saved",
        kAudioUnitErr_InvalidPropertyValue)
    }
    let object = state as NSDictionary
    try withExtendedLifetime(object) {
      try EngineError.check(
        own.set(
          kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0,
          Unmanaged.passUnretained(object).toOpaque()), call, of: url.path)
    }
  }

  // MARK: For the engine

  override var formatRule: FormatRule { numberOfInputs == 0 ? .generates : .passes }

  override func checkFormat(
    _ format: AVAudioFormat, _ scope: AudioUnitScope, _ bus: AVAudioNodeBus, _ call: String
  ) throws {
    let channels = Int(format.channelCount)
    guard !capabilities.allow(numberOfInputs == 0 ? 0 : channels, channels) else { return }
    throw EngineError.refusal(
      call, "\(name) cannot have \(channels) channels",
      mend: "connect it in another format, or pass nil", kAudioUnitErr_FormatNotSupported)
  }

  /// The number of channels that a source of one number of channels has.
  override var onlyChannelCount: UInt32? {
    guard numberOfInputs == 0, let entries = capabilities.entries, entries.count == 1 else {
      return nil
    }
    return UInt32(exactly: entries[0].outChannels)
  }

  // MARK: Instances of any component

  /// Makes a node of any component, on a thread of the library, and passes it to a block; the class
  /// of the node follows from the type of the component. If that fails, the block gets an error.
  ///
  /// A unit that is a subclass of `AUAudioUnit` gets the options. LV2, LADSPA and CLAP plug-ins can have a
  /// process of their own; other units are in this one. Options that ask for both processes, or for
  /// something else, are an error.
  @preconcurrency
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping @Sendable (AVAudioUnit?, (any Error)?) -> Void
  ) {
    // Never the main queue: programs wait on the main thread until the block is called.
    DispatchQueue.global().async {
      do {
        completionHandler(try node(audioComponentDescription, options), nil)
      } catch { completionHandler(nil, error) }
    }
  }

  /// Makes a node of any component; its class follows from the type of the component.
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> AVAudioUnit { try node(audioComponentDescription, options) }

  /// [any thread] The node of a new unit.
  private static func node(
    _ description: AudioComponentDescription, _ options: AudioComponentInstantiationOptions
  ) throws -> AVAudioUnit {
    let call = "AVAudioUnit.instantiate(with:options:)"
    var instance: AudioUnit?
    try EngineError.check(
      AudioComponentInstanceNew(try NodeUnit.component(description, call), options, &instance),
      call)
    guard let instance else { throw EngineError.failure(call, kAudio_ParamError) }
    let unit = NodeUnit(adopting: instance)
    return switch UnitRole(type: unit.componentType) {
    case .effect: AVAudioUnitEffect(unit)
    case .timeEffect: AVAudioUnitTimeEffect(unit)
    case .generator: AVAudioUnitGenerator(unit)
    case .instrument: AVAudioUnitMIDIInstrument(unit)
    case .other: AVAudioUnit(unit)
    case .output:
      throw EngineError.refusal(
        call, "output units belong to engines",
        mend: "use outputNode or inputNode of an engine", kAudioComponentErr_UnsupportedType)
    }
  }
}
