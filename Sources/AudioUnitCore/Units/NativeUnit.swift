// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime

/// A unit of this library, which owns the parts that hosts control: elements, parameters,
/// properties, sources, presets and resources.
///
/// Families of units derive from it and produce the sound: `KernelUnit` runs a kernel, output units
/// use a device. A family overrides the members that this class declares `open`.
open class NativeUnit: RenderedUnit, @unchecked Sendable {
  private(set) final var elements: ElementList
  /// Reads and sets parameters on any thread.
  final let parameterControl: ParameterControl
  final let propertyCalls: PropertyCalls
  final var sources: SourcePublisher
  final let life = UnitLife()
  private let listeners = PropertyListeners()

  /// The maximum number of frames of one render.
  public final var maximumFrames: Int
  /// 0 (fastest) to 127 (best), set by hosts.
  public var renderQuality = 127
  var preset: (number: Int32, name: String) = (-1, "Untitled")
  final var host = HostSettings()

  /// A unit with the given numbers of elements, all with `format`.
  public init(
    component: Component, parameters: [ParameterDefinition], elements counts: ElementCounts,
    format: StreamFormat, maximumFrames: Int
  ) {
    let (side, elements) = RenderSide.allocate(RenderMailbox.messages) { pending in
      let elements = ElementList(parameters, counts, format, pending)
      let tables = RenderSide.Tables(
        sources: SourceTable.allocate([]), notifies: NotifyTable.allocate([]),
        elements: elements.makeTable(), history: RenderHistory.allocate([], frames: 0))
      return (tables, elements)
    }
    self.elements = elements
    self.maximumFrames = maximumFrames
    parameterControl = ParameterControl(side)
    propertyCalls = PropertyCalls(listeners)
    sources = SourcePublisher(side)
    super.init(component: component, side: side)
  }

  // MARK: What families of units override

  /// The rows of this unit in addition to the common ones, the most specific first. They are asked
  /// once for each kind of unit (a component's units of one class), so they must not depend on the
  /// unit: what does is in their closures, which get the unit.
  open var properties: [UnitProperty] { [] }
  /// The provider of properties that are in no table.
  open var propertyProvider: (any PropertyProvider)? { nil }
  /// Fixed or changeable counts of elements.
  open var elementCounts: ElementCounts { .init(inputs: inputs.count, outputs: outputs.count) }
  /// Whether it passes on its input while the formats are equal, through the `passThrough` of its render
  /// side.
  open var canPassThrough: Bool { false }
  /// Allowed combinations of channel counts; nil: equal input and output counts.
  open var channelCapabilities: [AUChannelInfo]? { nil }
  open var factoryPresets: [FactoryPreset] { [] }
  /// Whether the render quality has an effect, as in units that convert rates.
  open var hasRenderQuality: Bool { false }
  /// Whether a host can render it as fast as possible, without a device.
  open var rendersOffline: Bool { true }
  /// Whether what it runs is in a process of its own.
  open var isLoadedOutOfProcess: Bool { false }
  /// Bytes that initialising needs in addition to a render of each bus, as far as they depend on
  /// the host's settings.
  open var ownMemory: Int { 0 }
  /// Whether callbacks can write into memory of the host.
  open var usesExternalBuffer: Bool { false }
  /// Whether a parameter exists: some depend on properties, see `parametersChanged`.
  open func hasParameter(_ id: AudioUnitParameterID) -> Bool { true }
  /// The contents of a saved state in addition to the parameters.
  open var ownState: [String: PropertyList] { [:] }
  /// [control thread, under the lock] Restores `ownState` before the parameters, or refuses it.
  open func restoreOwnState(_ state: PropertyList) throws(AudioError) {}
  /// [control thread, under the lock] Applies what a factory preset contains in addition to
  /// parameters, before these are set.
  open func apply(_ preset: FactoryPreset) throws(AudioError) {}
  /// Seconds from input to output.
  open var latency: Double { 0 }
  /// Seconds for which it sounds after its input became silent; nil if it has no tail.
  open var tailTime: Double? { nil }
  /// [control thread] The default name of an element; nil: none.
  open func defaultName(of element: Element) -> String? { nil }

  /// [control thread, under the lock] Checks whether an element can have `format`.
  open func check(_ format: StreamFormat, at element: Element) throws(AudioError) {
    guard format.isPlanarFloat else {
      throw .formatNotSupported.because(
        "\(element.title): \(format.text); this unit works in native Float32, planar or mono")
    }
  }

  /// [control thread, under the lock] Why an element's format cannot change now; nil if it can.
  open func formatChangeRefusal(_ element: Element) -> AudioError? {
    guard isInitialized else { return nil }
    return .propertyNotWritable.because(
      "\(element.title): the format is fixed while the unit is initialized; uninitialize it first")
  }

  /// [control thread, under the lock] The format of an element changed.
  open func formatChanged(_ element: Element) {}

  /// [control thread, under the lock] Checks that the unit can be initialised with its formats.
  open func checkFormats() throws(AudioError) {
    try ChannelRules.check(
      inputs.map(\.format.channelCount), outputs.map(\.format.channelCount), channelCapabilities)
  }

  /// [any thread] Called when disposal begins; afterwards no device calls the unit any more.
  open func endCycles() {}

  /// [control thread, under the lock] The number of elements of a scope changed.
  open func elementsChanged() {}

  /// [control thread, under the lock] Whether an output bus may feed this unit's own input, as the
  /// captured input of an I/O unit may.
  open func feedsItself(from bus: UInt32) -> Bool { false }

  /// Whether it pulls its inputs independently of each other.
  open var pullsIndependently: Bool { false }

  /// [control thread, under the lock] Whether several readers that request the same frames get the
  /// same samples; otherwise each request renders new ones.
  open var rendersFramesOnce: Bool { side.pointee.passThrough != nil }
  /// [control thread, under the lock] Whether it pulls its inputs for the frames and the time of its
  /// own render.
  open var keepsTime: Bool { false }

  /// [control thread, under the lock] Allocates what rendering needs.
  open func allocateResources() throws(AudioError) {}
  /// [control thread, under the lock] Frees it, while nothing renders.
  open func releaseResources() {}

  // MARK: Life cycle

  open override func initialize() throws(AudioError) { try life.initialize(self) }
  open override func uninitialize() throws(AudioError) { life.uninitialize(self) }
  open override var isReleased: Bool { life.isReleased }

  open override func stopCallbacks() {
    side.pointee.pending.raise(.notReady)
    endCycles()
    listeners.removeAll()
    if rt_current().pointee.depth == 0 { waitForRender() }
  }

  open override func close() {
    // First, because a listener may be waiting for one of the locks below.
    listeners.removeAll()
    try? uninitialize()
    for input in inputs { input.removeSource(of: self) }
    // Its input sources may include this unit.
    lock.withLock { publishSources() }
    output.consumers.disconnect(from: self)
  }

  open override func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement)
    throws(AudioError)
  {
    switch side.pointee.store(scope, element) {
    case .found, .slot, .noParameter: break
    case .noElement where scope == kAudioUnitScope_Global: break
    case .noScope:
      throw .invalidScope.because("this unit has no \(Element.scopeName(scope)) scope")
    case .noElement:
      throw .invalidElement.because(
        "\(Element.title(scope, element)) does not exist")
    }
    // The next render does the reset when it begins. If it were done here, a render that finds the
    // gate closed meanwhile would fail.
    side.pointee.pending.raise(.reset)
  }

  /// [control thread] Sets whether the unit, which is uninitialised, is rendered in a chain, and never to a
  /// device: then its memory comes when it is used.
  public final func setInChain(_ isInChain: Bool) {
    lock.withLock { host.isChain = isInChain }
  }

  /// The quality for rendering: the best when offline.
  public final var currentQuality: Int { host.isOffline ? 127 : renderQuality }

  /// [control thread, under the lock] Fails if initialising needs too much memory.
  final func checkMemory() throws(AudioError) {
    try UnitMemory.check(elements, maximumFrames: maximumFrames, own: ownMemory)
  }

  /// [control thread, under the lock] Sets the maximum number of frames of one render.
  package final func setMaximumFrames(_ frames: UInt32) throws(AudioError) {
    guard (1...1_048_576).contains(frames) else {
      throw .invalidPropertyValue.because("\(frames) frames; expected 1 to 1,048,576")
    }
    maximumFrames = Int(frames)
    hasChosenMaximumFrames = true
  }

  /// [control thread, under the lock, while nothing renders] Sets the limits of a render.
  package final func fixRenderLimits() {
    // Through a copy of the pointer, or it would count as a change of the whole side.
    let limits = side.pointee.limits
    limits.pointee.set(maximumFrames: maximumFrames, outputs: outputs.map(\.format))
    side.pointee.frameLimit.store(UInt32(maximumFrames), ordering: .relaxed)
  }

  package override var frameLimit: Int? { maximumFrames }
  package override var ownLatency: Double? {
    propertyProvider == nil ? try? control { () in latency } : nil
  }
  package override var graphUnit: any GraphUnit { self }
  open override func canDo(_ selector: Int) -> Bool { Selectors.ofEveryUnit.contains(selector) }

  // MARK: Elements

  public final var global: Element { elements.global }
  public final var inputs: [Element] { elements.inputs }
  public final var outputs: [Element] { elements.outputs }

  /// [control thread] An element by scope and number. The global scope has one element; its number
  /// is ignored, because programs often pass that of a bus.
  public final func element(_ scope: AudioUnitScope, _ index: AudioUnitElement) throws(AudioError)
    -> Element
  { try elements.element(scope, index) }

  /// The element whose format an address refers to; on the global scope it is the first output.
  package final func formatElement(_ address: PropertyAddress) throws(AudioError) -> Element {
    address.scope == kAudioUnitScope_Global && !outputs.isEmpty
      ? outputs[0] : try element(address.scope, address.element)
  }

  /// [control thread, under the lock] Changes the number of elements of a scope.
  final func setElementCount(_ scope: AudioUnitScope, _ count: Int) throws(AudioError) {
    let current = elements.of(scope).count
    guard current != count else { return }
    let range = elementCounts.range(of: scope)
    guard range.count > 1 else {
      throw .propertyNotWritable.because(
        "the \(Element.scopeName(scope)) scope always has \(current)")
    }
    guard !isInitialized else {
      throw .initialized.because(
        "elements are fixed while the unit is initialized; uninitialize it first")
    }
    guard range.contains(count) else {
      throw .invalidPropertyValue.because(
        "\(count) elements; expected \(range.lowerBound) to \(range.upperBound)")
    }
    for element in elements.setCount(scope, count) { element.removeSource(of: self) }
    publishElements()
    publishSources()
    elementsChanged()
  }

  /// [control thread, while nothing renders] Lays out the matrix of parameters for the channels of
  /// all buses.
  final func layOutMatrix() {
    if elements.layOutMatrix() { publishElements() }
  }

  private func publishElements() {
    // Waiting changes may belong to an element that is gone.
    while side.pointee.events.pointee.pop() != nil {}
    side.pointee.elements.publish(elements.makeTable(), isQuiet: { isQuiet })
  }

  // MARK: Parameters

  open override func parameter(_ address: ParameterAddress) throws(AudioError)
    -> AudioUnitParameterValue
  { try parameterControl.value(address) }
  open override func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) { try parameterControl.set(address, to: value, offset: offset) }
  open override func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>)
    throws(AudioError)
  { try parameterControl.schedule(events) }

  /// The parameters that it has now.
  final var parameters: ParameterList {
    ParameterList(elements.definitions.filter { hasParameter($0.id) })
  }

  /// [control thread, under the lock] Adds and removes parameters according to `hasParameter`.
  public final func parametersChanged() {
    for (slot, definition) in elements.definitions.enumerated()
    where definition.spec.scopes.contains(kAudioUnitScope_Global) {
      global.parameters.setPresent(
        slot, hasParameter(definition.id), default: definition.spec.defaultValue)
    }
    propertyCalls.record(
      PropertyAddress(kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0))
  }

  // MARK: Properties

  /// [under the lock] Its properties, with those of all units.
  final lazy var propertyTable: PropertyTable<NativeUnit> = component.shared(by: type(of: self)) {
    PropertyTable(.units, properties, over: StandardProperties.table)
  }

  /// [control thread] Every row that a host can access: first the unit's own, then those of all
  /// units.
  public final func allProperties() throws(AudioError) -> [UnitProperty] {
    try control { () throws(AudioError) in propertyTable.rows(of: self) }
  }

  open override func propertyInfo(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    try propertyCalls.info(address, of: self)
  }
  open override func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) {
    try propertyCalls.read(address, of: self, into: data, size: &size)
  }
  open override func setProperty(
    _ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32
  ) throws(AudioError) {
    try propertyCalls.write(address, of: self, data, size: size)
  }
  open override func addPropertyListener(_ id: AudioUnitPropertyID, _ listener: PropertyListener)
    throws(AudioError)
  { propertyCalls.add(id, listener, of: self) }
  open override func removePropertyListener(
    _ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool
  ) throws(AudioError) {
    propertyCalls.remove(id, listener, matchingUserData: matchingUserData, of: self)
  }

  /// [any thread] Whether a property has listeners.
  public final func hasListeners(_ id: AudioUnitPropertyID) -> Bool { listeners.contains(id) }

  /// [any thread but a render thread] Calls the listeners of a property as soon as this thread
  /// holds no lock.
  public final func notifyListeners(_ address: PropertyAddress) {
    listeners.notify(address, of: self)
  }
  final override func renderChanged(_ id: AudioUnitPropertyID) {
    notifyListeners(PropertyAddress(id, kAudioUnitScope_Global, 0))
  }

  // MARK: Sources

  /// [control thread, under the lock] Sets a callback as the source of a bus; a null function
  /// removes it.
  package final func setRenderCallback(
    _ callback: AURenderCallbackStruct, _ index: AudioUnitElement
  ) throws(AudioError) {
    let source = callback.inputProc == nil ? InputSource() : .callback(callback)
    // The host may free the old context as soon as this returns.
    plug(try element(kAudioUnitScope_Input, index), source, nil)
  }

  /// [control thread, under the lock] Connects an input bus to an output bus of another unit, and
  /// gives it that bus's format; a null unit disconnects.
  final func connect(_ connection: AudioUnitConnection) throws(AudioError) {
    let element = try element(kAudioUnitScope_Input, connection.destInputNumber)
    guard let sourceHandle = connection.sourceAudioUnit else {
      return plug(element, InputSource(), nil)
    }
    guard let entered = Handles.units.enter(sourceHandle) else {
      throw .invalidPropertyValue.because("the source is not an existing audio unit")
    }
    defer { Handles.units.leave(sourceHandle) }
    let source = entered.takeUnretainedValue()
    let bus = connection.sourceOutputNumber
    guard source !== self || feedsItself(from: bus) else {
      throw .invalidPropertyValue.because("a unit cannot be its own source")
    }
    let format =
      if let foreign = propertyCalls.foreignOutput {
        try foreign.format.get()
      } else {
        try source.streamFormat(kAudioUnitScope_Output, bus)
      }
    try FormatChange(self, element, to: format).adopt(from: source.title)
    plug(element, .connection(source, bus: bus), source)
  }

  override var directSource: DirectSource? { canPassThrough ? DirectSource(passingOf: side) : nil }

  open override func disconnect(from source: UnitInstance) {
    lock.withLock {
      for input in inputs { input.drop(source) }
      publishSources()
      sourcesChanged()
    }
  }

  private func plug(_ element: Element, _ source: InputSource, _ unit: UnitInstance?) {
    element.setSource(source, unit, of: self)
    publishSources()
    sourcesChanged()
  }

  private func publishSources() { sources.publish(inputs, isQuiet: { isQuiet }) }

  /// Must be called after the source of an input changed. Once this thread has released its last
  /// lock, only a render around the call may read the old source.
  private func sourcesChanged() {
    guard rt_current().pointee.depth == 0 else { return Self.dropRenders(of: [self]) }
    // The current render may be in a callback that waits for a thread that needs the lock.
    AfterLocks.perform { [self] in
      dropRender()
      waitForRender()
      waitForReaders()
    }
  }
}
