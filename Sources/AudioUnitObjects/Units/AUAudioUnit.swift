// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolboxFunctions
public import AudioValues
public import CAudioToolbox
public import CCoreMIDI
import CoreAudio
public import CoreMIDI
public import Foundation

/// An audio unit as an object.
///
/// A host gets one from `instantiate(with:options:completionHandler:)`. A program implements its own
/// units as subclasses, which it registers as components with `registerSubclass(_:as:name:version:)`.
/// They override `inputBusses`, `outputBusses`, `parameterTree` and `internalRenderBlock`, and, if
/// rendering needs memory, `allocateRenderResources()`. An object of this class itself, and of
/// `AUAudioUnitV2Bridge`, stands for a C unit.
///
/// Members are for the control thread unless they say otherwise.
// Longer than most files: what can be overridden must be in the class.
open class AUAudioUnit: NSObject {
  // The first member: `UnitMaker` calls it for subclasses.
  /// A unit of a component. LV2, LADSPA and CLAP plug-ins can have a process of their own, if the options ask
  /// for it; other units are in this one.
  ///
  /// - Throws: If there is no such component, or if its unit cannot be made; `kAudio_ParamError` if the
  ///   options ask for both processes, or for something else.
  public init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    let type = Swift.type(of: self)
    do throws(AudioError) { try options.check() } catch { throw NSError(error) }
    parts = try UnitParts(
      UnitIdentity(componentDescription),
      isBridge: type == AUAudioUnit.self || type is AUAudioUnitV2Bridge.Type, options)
    super.init()
    if let bridge, !isLoadedInProcess { UnitObjects.add(self, of: bridge.handle) }
  }

  /// An object for an existing C unit, which must live as long as the object.
  init(lent handle: AudioUnit) throws {
    parts = try UnitParts(lent: handle)
    super.init()
    // The C unit refuses renders itself while it is not initialised.
    if bridge?.isShared == true {
      renderer.start(internalRenderBlock, maximumFrames: .max, buses: .max)
    }
  }

  /// All that it stores: a second stored property would move the initialiser, see `UnitMaker`.
  private final let parts: UnitParts

  final var identity: UnitIdentity { parts.identity }
  /// The C unit that the object stands for; nil for subclasses of programs.
  final var bridge: BridgedUnit? { parts.bridge }
  final var renderer: UnitRenderer { parts.renderer }
  final var bridgedParts: BridgedParts { parts.bridged }
  /// What a host has set.
  final var host: HostValues {
    get { parts.host }
    set { parts.host = newValue }
  }
  /// Called when a property has changed that C hosts know too.
  final var propertyChanged: (AudioUnitPropertyID) -> Void {
    get { parts.propertyChanged }
    set { parts.propertyChanged = newValue }
  }
  /// The observers of its properties.
  final var keyObservers: KeyObservers { parts.observers }
  /// Changes a property, and calls its observers.
  final func change(_ key: String, _ body: () -> Void) { parts.change(key, body) }
  private final var midi: UnitMIDI {
    UnitMIDI(bridge: bridge, renderer: renderer, takesMIDI: identity.description.takesMIDI)
  }
  private final var device: UnitDevice { UnitDevice(bridge: bridge) }

  // MARK: Its component

  /// The codes of its component.
  open var componentDescription: AudioComponentDescription { identity.description }

  /// Its component in the functions of AudioComponent.h.
  open var component: AudioComponent { identity.component }

  /// "Manufacturer: Name".
  open var componentName: String? { identity.fullName }

  /// The name, without the manufacturer.
  open var audioUnitName: String? { identity.names.name }

  /// The name of the manufacturer.
  open var manufacturerName: String? { identity.names.manufacturer }

  /// A short name for narrow places, which a host or a unit sets.
  open var audioUnitShortName: String? { nil }

  /// Major version in the upper 16 bits, minor and patch in eight each.
  open var componentVersion: UInt32 { identity.version }

  /// Whether the unit is in the process of the program, and not in one of its own.
  open var isLoadedInProcess: Bool {
    bridge?.value(kAudioUnitProperty_LoadedOutOfProcess, over: UInt32(0)) != 1
  }

  // MARK: Rendering

  /// Renders the unit, for hosts. [render thread]
  ///
  /// Get it before rendering, and keep it. It returns `kAudioUnitErr_Uninitialized` while there are
  /// no render resources, `kAudioUnitErr_TooManyFramesToProcess` for more frames than
  /// `maximumFramesToRender`, `kAudioUnitErr_InvalidElement` for a bus that does not exist, and
  /// `kAudioUnitErr_CannotDoInCurrentContext` while another render of the unit runs.
  open var renderBlock: AURenderBlock { bridgedParts.renderBlock(renderer, bridge) }

  /// Renders the unit, as it implements it. [render thread]
  ///
  /// Subclasses override it. It is read when render resources are allocated.
  open var internalRenderBlock: AUInternalRenderBlock {
    guard let bridge else { return { _, _, _, _, _, _, _ in kAudio_UnimplementedError } }
    return { flags, time, frames, bus, data, events, pull in
      bridge.render(flags, time, frames, bus, data, events, pull)
    }
  }

  /// Schedules changes of parameters, also during renders.
  open var scheduleParameterBlock: AUScheduleParameterBlock {
    bridge?.watchRenders()
    let renderer = renderer
    return { time, ramp, address, value in
      guard value.isFinite else { return }
      _ = renderer.events.pointee.push(time, ramp: ramp, address, value)
    }
  }

  /// Schedules MIDI messages, also during renders; nil if the unit takes none.
  open var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? {
    midi.scheduleBytes(in: audioUnitMIDIProtocol)
  }

  /// Schedules Universal MIDI Packets, also during renders; nil if the unit takes no MIDI.
  ///
  /// They come in the protocol of `audioUnitMIDIProtocol`, and as bytes to a unit that does not
  /// override it.
  open var scheduleMIDIEventListBlock: AUMIDIEventListBlock? {
    midi.scheduleLists(in: audioUnitMIDIProtocol)
  }

  /// Adds a block that is called before and after each render, and returns a token for its removal.
  @discardableResult
  open func token(byAddingRenderObserver observer: @escaping AURenderObserver) -> Int {
    bridge?.watchRenders()
    return renderer.observers.add(observer)
  }

  /// Removes a render observer. Afterwards it is not called any more.
  open func removeRenderObserver(_ token: Int) { renderer.observers.remove(token) }

  /// The largest number of frames of one render: 512 until a host sets it. While there are render
  /// resources it stays as it is, and so it does if a host sets 0.
  open var maximumFramesToRender: AUAudioFrameCount {
    get {
      bridge?.value(kAudioUnitProperty_MaximumFramesPerSlice, over: 0 as UInt32)
        ?? host.maximumFrames
    }
    set {
      guard newValue > 0, !renderResourcesAllocated else { return }
      change("maximumFramesToRender") {
        host.maximumFrames = newValue
        try? bridge?.set(kAudioUnitProperty_MaximumFramesPerSlice, to: newValue)
      }
    }
  }

  /// Allocates what rendering needs. It does nothing if that is allocated.
  ///
  /// Subclasses call it first, and then allocate theirs.
  ///
  /// - Throws: `kAudioUnitErr_FormatNotSupported` if the unit cannot have the numbers of channels
  ///   that its buses have. Then there are no render resources.
  open func allocateRenderResources() throws {
    guard !renderResourcesAllocated else { return }
    try bridge?.allocate(inputCount: inputBusses.count)
      ?? ChannelCheck(
        inputs: inputBusses.filter(\.isEnabled).map { Int($0.format.channelCount) },
        outputs: outputBusses.filter(\.isEnabled).map { Int($0.format.channelCount) },
        channelCapabilities
      ).check()
    setRenderResourcesAllocated(true)
  }

  /// Frees what rendering needs, when the current render has ended.
  ///
  /// Subclasses call it first, and then free theirs.
  open func deallocateRenderResources() {
    guard renderResourcesAllocated else { return }
    setRenderResourcesAllocated(false)
    bridge?.deallocate()
  }

  /// Whether there are render resources. The unit of an engine's node also has them if the engine
  /// has allocated them.
  open var renderResourcesAllocated: Bool {
    if let bridge, bridge.isShared { return bridge.isInitialized ?? false }
    return renderer.isReady
  }

  /// Begins rendering with `internalRenderBlock`, or ends it: for subclasses that do not call
  /// `allocateRenderResources` of this class.
  open func setRenderResourcesAllocated(_ flag: Bool) {
    guard flag != renderer.isReady, bridge?.isShared != true else { return }
    change("renderResourcesAllocated") {
      guard flag else { return renderer.stop() }
      midi.adopt(audioUnitMIDIProtocol)
      // A MIDI processor without outputs is rendered by bus 0.
      renderer.start(
        internalRenderBlock, maximumFrames: maximumFramesToRender,
        buses: bridge == nil ? max(outputBusses.count, 1) : .max)
    }
  }

  /// Clears the signal history, and drops the events that wait. Parameters and formats remain.
  open func reset() {
    renderer.events.pointee.drop()
    if let bridge { AudioUnitReset(bridge.handle, kAudioUnitScope_Global, 0) }
  }

  // MARK: Buses

  /// The inputs. Subclasses with inputs override it.
  open var inputBusses: AUAudioUnitBusArray { bridgedParts.buses(self, .input) }

  /// The outputs. Subclasses override it.
  open var outputBusses: AUAudioUnitBusArray { bridgedParts.buses(self, .output) }

  /// Whether a bus can have a format: true, unless a subclass says otherwise.
  @discardableResult
  open func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool { true }

  /// The numbers of input and output channels that the unit can have, in pairs; nil if they must be
  /// equal. In a pair, -1 is any number, the same for both if it is twice; -2 is any number; a
  /// smaller number limits the channels of all buses together.
  open var channelCapabilities: [NSNumber]? {
    bridge?.values(kAudioUnitProperty_SupportedNumChannels, filler: AUChannelInfo())?.flatMap {
      [NSNumber(value: $0.inChannels), NSNumber(value: $0.outChannels)]
    }
  }

  /// Which channel of the program is each channel of an output unit's device; -1 is none.
  open var channelMap: [NSNumber]? {
    get { bridge == nil ? host.channelMap : device.channelMap }
    set {
      change("channelMap") {
        guard bridge == nil else { return device.setChannelMap(newValue) }
        host.channelMap = newValue
      }
    }
  }

  // MARK: Parameters

  /// The parameters. Subclasses set or override it.
  open var parameterTree: AUParameterTree? {
    get { host.tree ?? bridgedParts.tree(bridge) }
    set {
      keyObservers.call("parameterTree", .before)
      host.tree = newValue
      propertyChanged(kAudioUnitProperty_ParameterList)
      keyObservers.call("parameterTree", .after)
    }
  }

  /// Whether the values of all parameters may have changed at once.
  open var allParameterValues: Bool { true }

  /// The addresses of the most important parameters, the first ones of those that can be set.
  open func parametersForOverview(withCount count: Int) -> [NSNumber] {
    if let object = bridge?.object { return object.parametersForOverview(withCount: count) }
    return (parameterTree?.allParameters ?? []).filter { $0.flags.contains(.flag_IsWritable) }
      .prefix(max(count, 0)).map { NSNumber(value: $0.address) }
  }

  // MARK: MIDI

  /// Whether it receives MIDI, as instruments and some effects do.
  open var isMusicDeviceOrEffect: Bool { identity.description.takesMIDI }

  /// The number of virtual MIDI cables: 1 if it receives MIDI.
  open var virtualMIDICableCount: Int { isMusicDeviceOrEffect ? 1 : 0 }

  /// Whether each note can have controllers of its own.
  open var supportsMPE: Bool { bridge?.flag(kAudioUnitProperty_SupportsMPE) ?? false }

  /// The protocol in which the unit gets MIDI, as event lists. A unit that does not override it has
  /// none (its raw value is 0), and gets bytes. It is read when render resources are allocated.
  open var audioUnitMIDIProtocol: MIDIProtocolID { midi.protocolOfBridge }

  /// The protocol in which the host wants the messages that the unit sends as event lists; none at
  /// first (its raw value is 0): then they come as the unit sends them.
  open var hostMIDIProtocol: MIDIProtocolID {
    get { host.midiProtocol }
    set {
      host.midiProtocol = newValue
      midi.tellProtocol(of: host)
    }
  }

  /// The names of the MIDI outputs: none, unless a subclass or a C unit has some.
  open var midiOutputNames: [String] {
    bridge?.object(kAudioUnitProperty_MIDIOutputCallbackInfo) as? [String] ?? []
  }

  /// Where the unit sends MIDI messages as bytes, if a host takes them. [called on the render thread]
  open var midiOutputEventBlock: AUMIDIOutputEventBlock? {
    get { host.midiOutput }
    set {
      host.midiOutput = newValue
      midi.update(host)
    }
  }

  /// Where the unit sends event lists, if a host takes them. [called on the render thread]
  ///
  /// The messages of a C unit come here, and not to `midiOutputEventBlock`, if a host sets both.
  open var midiOutputEventListBlock: AUMIDIEventListBlock? {
    get { midi.listReceiver(of: host) }
    set {
      host.midiListOutput = newValue
      midi.update(host)
    }
  }

  /// The most bytes of MIDI messages that the host has room for in one render, as a host sets it for
  /// the unit; 0 at first: unknown.
  open var midiOutputBufferSizeHint: Int {
    get { host.midiOutputSize }
    set { host.midiOutputSize = max(newValue, 0) }
  }

  /// The MIDI-CI profiles of a channel: none, unless a subclass has some.
  open func profileState(
    forCable cable: UInt8, channel: MIDIChannelNumber
  ) -> MIDICIProfileState {
    MIDICIProfileState(channel: channel, enabledProfiles: [], disabledProfiles: [])
  }

  /// Enables a profile of a channel, for subclasses that have some.
  ///
  /// - Throws: `kAudio_UnimplementedError`, unless a subclass overrides it.
  open func enable(
    _ profile: MIDICIProfile, cable: UInt8, onChannel channel: MIDIChannelNumber
  ) throws { throw NSError(AudioError.unimplemented.because("the unit has no profiles")) }

  /// Disables a profile of a channel, for subclasses that have some.
  ///
  /// - Throws: `kAudio_UnimplementedError`, unless a subclass overrides it.
  open func disableProfile(
    _ profile: MIDICIProfile, cable: UInt8, onChannel channel: MIDIChannelNumber
  ) throws { throw NSError(AudioError.unimplemented.because("the unit has no profiles")) }

  /// What a unit calls when it has enabled or disabled a profile, if a host has set it.
  open var profileChangedBlock: AUMIDICIProfileChangedBlock? {
    get { host.profileChanged }
    set { host.profileChanged = newValue }
  }

  // MARK: State

  /// The state, as a property list: the codes of the component and the values of the parameters. A
  /// subclass with more adds it.
  ///
  /// Setting it restores the values that it has; a state of another component changes nothing.
  open var fullState: [String: Any]? {
    get { UnitState(self).list(kAudioUnitProperty_ClassInfo) }
    set { UnitState(self).restore(newValue, kAudioUnitProperty_ClassInfo) }
  }

  /// The state for a document, which may have more than that of a preset; the same here.
  open var fullStateForDocument: [String: Any]? {
    get {
      bridge == nil ? fullState : UnitState(self).list(kAudioUnitProperty_ClassInfoFromDocument)
    }
    set {
      guard bridge != nil else { return fullState = newValue }
      UnitState(self).restore(newValue, kAudioUnitProperty_ClassInfoFromDocument)
    }
  }

  /// The presets that come with the unit.
  open var factoryPresets: [AUAudioUnitPreset]? { bridge?.factoryPresets }

  /// The preset that was selected last. Selecting a preset of the user restores its state, if the
  /// unit supports that; a subclass with factory presets overrides the setter.
  open var currentPreset: AUAudioUnitPreset? {
    get { bridge.map { $0.currentPreset } ?? host.preset }
    set { UnitState(self).select(newValue) }
  }

  /// The presets of the user, which are in files.
  open var userPresets: [AUAudioUnitPreset] { UserPresets(self).all }

  /// Whether the user can have presets: true for C units, and for a subclass that says so.
  open var supportsUserPresets: Bool {
    bridge.map { $0.object?.supportsUserPresets ?? true } ?? false
  }

  /// Saves the state as a preset of the user. The number becomes negative: 0 becomes -1, and 3
  /// becomes -3. A preset with the same name is replaced.
  ///
  /// - Throws: `kAudio_UnimplementedError` if the unit does not support that, `kAudio_ParamError`
  ///   without a name, or why the file cannot be written.
  open func saveUserPreset(_ userPreset: AUAudioUnitPreset) throws {
    try UserPresets(self).save(userPreset)
    keyObservers.call("userPresets", .after)
  }

  /// Deletes a preset of the user.
  ///
  /// - Throws: `kAudio_FileNotFoundError` if there is none with this number or name.
  open func deleteUserPreset(_ userPreset: AUAudioUnitPreset) throws {
    try UserPresets(self).delete(userPreset)
    keyObservers.call("userPresets", .after)
  }

  /// The state that a preset of the user has.
  ///
  /// - Throws: `kAudio_FileNotFoundError` if there is none with this number or name.
  open func presetState(for userPreset: AUAudioUnitPreset) throws -> [String: Any] {
    try UserPresets(self).state(of: userPreset)
  }

  // MARK: Properties

  /// The seconds by which the output lags the input.
  open var latency: TimeInterval {
    bridge?.value(kAudioUnitProperty_Latency, over: 0 as Double) ?? 0
  }

  /// The seconds for which the output sounds after the input fell silent.
  open var tailTime: TimeInterval {
    bridge?.value(kAudioUnitProperty_TailTime, over: 0 as Double) ?? 0
  }

  /// The quality of the sound, from 0 (fastest) to 127 (best); other numbers count as the nearest.
  open var renderQuality: Int {
    get {
      bridge?.value(kAudioUnitProperty_RenderQuality, over: 0 as UInt32).map(Int.init)
        ?? host.quality
    }
    set {
      change("renderQuality") {
        host.quality = min(max(newValue, 0), 127)
        try? bridge?.set(kAudioUnitProperty_RenderQuality, to: UInt32(host.quality))
      }
    }
  }

  /// Whether the input should pass unprocessed, for effects.
  open var shouldBypassEffect: Bool {
    get { bridge?.flag(kAudioUnitProperty_BypassEffect) ?? host.bypasses }
    set {
      change("shouldBypassEffect") {
        host.bypasses = newValue
        try? bridge?.set(kAudioUnitProperty_BypassEffect, toFlag: newValue)
      }
      propertyChanged(kAudioUnitProperty_BypassEffect)
    }
  }

  /// Whether the unit can render into the memory of its input: false, unless a subclass says
  /// otherwise.
  open var canProcessInPlace: Bool {
    bridge?.object?.canProcessInPlace ?? bridge?.flag(kAudioUnitProperty_InPlaceProcessing)
      ?? false
  }

  /// Whether the host renders as fast as it can, without a device.
  open var isRenderingOffline: Bool {
    get { bridge?.flag(kAudioUnitProperty_OfflineRender) ?? host.isOffline }
    set {
      change("renderingOffline") {
        host.isOffline = newValue
        try? bridge?.set(kAudioUnitProperty_OfflineRender, toFlag: newValue)
      }
    }
  }

  /// What the unit is used for, such as the name of a track.
  open var contextName: String? {
    get { host.contextName }
    set {
      change("contextName") {
        host.contextName = newValue
        try? bridge?.set(
          kAudioUnitProperty_ContextName, toObject: (newValue ?? "") as NSString)
      }
      propertyChanged(kAudioUnitProperty_ContextName)
    }
  }

  /// Where the unit asks for the host's tempo and place in the music. Read it before rendering.
  open var musicalContextBlock: AUHostMusicalContextBlock? {
    get { host.musicalContext }
    set {
      host.musicalContext = newValue
      bridge?.setHost(newValue, host.transportState)
    }
  }

  /// Where the unit asks what the host's transport does. Read it before rendering.
  open var transportStateBlock: AUHostTransportStateBlock? {
    get { host.transportState }
    set {
      host.transportState = newValue
      bridge?.setHost(host.musicalContext, newValue)
    }
  }

  /// Whether the unit has a view: never here.
  open var providesUserInterface: Bool { false }

  /// A channel for messages that host and unit agree on, by its name. A unit that has none of that
  /// name, as every C unit, gives one that replies with nothing.
  open func messageChannel(for channelName: String) -> any AUMessageChannel {
    SilentMessageChannel()
  }

  // MARK: Input and output units

  /// Whether it can have frames from a device's input.
  open var canPerformInput: Bool { bridge?.hasIO(kAudioUnitScope_Input, 1) ?? false }

  /// Whether it can play to a device.
  open var canPerformOutput: Bool { bridge?.hasIO(kAudioUnitScope_Output, 0) ?? false }

  /// Whether an output unit uses the device's input: false at first.
  open var isInputEnabled: Bool {
    get { bridge?.isIOEnabled(kAudioUnitScope_Input, 1) ?? false }
    set { bridge?.enableIO(newValue, kAudioUnitScope_Input, 1) }
  }

  /// Whether an output unit plays to the device: true at first.
  open var isOutputEnabled: Bool {
    get { bridge?.isIOEnabled(kAudioUnitScope_Output, 0) ?? true }
    set { bridge?.enableIO(newValue, kAudioUnitScope_Output, 0) }
  }

  /// Supplies what an output unit plays. [called on the render thread]
  ///
  /// Setting it waits until the old block has returned, unless this is within a render. On the unit of
  /// an engine's node it has no effect: the engine feeds it.
  open var outputProvider: AURenderPullInputBlock? {
    get { bridge?.provider }
    set { bridge?.provider = newValue }
  }

  /// Is called when an output unit has frames of the input; it gets them with `renderBlock`, from bus
  /// 1. [called on the render thread]
  ///
  /// Setting it waits as that of `outputProvider`, and has no effect on the unit of an engine's node
  /// either.
  open var inputHandler: AUInputHandler? {
    get { bridge?.handler }
    set { bridge?.handler = newValue }
  }

  /// The device of an output unit; 0 for other units.
  open var deviceID: AudioObjectID {
    bridge?.value(
      kAudioOutputUnitProperty_CurrentDevice, over: 0 as AudioObjectID) ?? 0
  }

  /// Selects the device of an output unit.
  ///
  /// - Throws: If there is no such device, or if the unit has none.
  open func setDeviceID(_ deviceID: AudioObjectID) throws { try device.select(deviceID) }

  /// The seconds by which the device delays the input.
  open var deviceInputLatency: TimeInterval { bridge?.deviceLatency(kAudioUnitScope_Input) ?? 0 }

  /// The seconds by which the device delays the output.
  open var deviceOutputLatency: TimeInterval { bridge?.deviceLatency(kAudioUnitScope_Output) ?? 0 }

  /// Whether the device of an output unit runs.
  open var isRunning: Bool { bridge?.flag(kAudioOutputUnitProperty_IsRunning) ?? false }

  /// Starts the device of an output unit, which needs render resources.
  ///
  /// - Throws: `kAudioUnitErr_Uninitialized` without render resources, `kAudio_UnimplementedError`
  ///   for other units.
  open func startHardware() throws { try device.start() }

  /// Stops the device of an output unit.
  open func stopHardware() { device.stop() }

  // MARK: Key-value coding

  /// The value of a key: the name of one of the properties above; nil for another key, unless a
  /// subclass overrides it.
  @discardableResult
  open func value(forKey key: String) -> Any? { UnitKeys.value(key, of: self) }

  /// Sets a property by its name. The program ends if it cannot be set or the value has another type.
  open func setValue(_ value: Any?, forKey key: String) { UnitKeys.set(key, of: self, to: value) }

  /// The value at the end of a path of keys with dots between them, such as
  /// "parameterTree.cutoff.value"; nil if there is none.
  @discardableResult
  open func value(forKeyPath keyPath: String) -> Any? { UnitKeys.value(path: keyPath, of: self) }

  /// Sets the value at the end of a path of keys with dots between them. The program ends if there is no
  /// such path, or if the value has another type.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    UnitKeys.set(path: keyPath, of: self, to: value)
  }

  /// Says that a property is about to change: observers with the option `.prior` are called.
  open func willChangeValue(forKey key: String) { keyObservers.call(UnitKeys.name(key), .before) }

  /// Says that a property has changed, such as "latency", for a subclass that computes it: observers,
  /// and listeners of the C interface, are called.
  open func didChangeValue(forKey key: String) {
    let name = UnitKeys.name(key)
    keyObservers.call(name, .after)
    if let property = ListenedProperties.id(of: name) { propertyChanged(property) }
  }

  deinit {
    if let bridge, !isLoadedInProcess { UnitObjects.remove(bridge.handle) }
    renderer.stop()
  }
}

/// An object that stands for a C unit.
open class AUAudioUnitV2Bridge: AUAudioUnit {
  /// The C unit.
  open var audioUnit: AudioUnit {
    guard let bridge else { fatalError("AUAudioUnitV2Bridge: it has no C unit") }
    return bridge.handle
  }
}
