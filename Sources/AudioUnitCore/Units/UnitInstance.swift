// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
import CRealTime

/// One instance of a component, native or foreign: everything the C API can ask of an `AudioUnit`.
///
/// Connections, graphs and validators know units only through this class. What only a unit of ours can do
/// for a graph has a default that is right for any other: `GraphSide`.
open class UnitInstance: Disposable, @unchecked Sendable {
  /// The kind of unit that this is.
  public let component: Component
  /// The handle by which C knows it; set once by `assignHandle`.
  public private(set) var handle: AudioUnit?

  public init(component: Component) { self.component = component }

  /// How explanations call it: "AULowpass".
  public var title: String { component.ownName }

  // MARK: Life

  /// [control thread] Called once, when the handle exists.
  open func open() throws(AudioError) {}

  /// [any thread] Called when it begins to end: from now on it calls no function of the program's. Waits
  /// for a call that is under way on another thread, unless this one is inside a render.
  open func stopCallbacks() {}

  /// [control thread] Called once, last of all: nothing renders and nothing will.
  open func close() {}

  /// [control thread] Allocates, or frees, what rendering needs; formats are fixed between.
  open func initialize() throws(AudioError) { throw .unimplemented }
  open func uninitialize() throws(AudioError) { throw .unimplemented }
  /// [any thread] Forgets signal history; parameters and formats stay.
  open func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    throw .unimplemented
  }
  /// Whether it answers to a selector of the plug-in interface.
  open func canDo(_ selector: Int) -> Bool { false }
  open func start() throws(AudioError) { throw .unimplemented }
  open func stop() throws(AudioError) { throw .unimplemented }

  // MARK: Properties

  /// [control thread] Size and writability of a property.
  open func propertyInfo(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    throw .unimplemented
  }
  /// Writes at most `size` bytes and stores in `size` how many.
  open func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) { throw .unimplemented }
  open func setProperty(_ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32)
    throws(AudioError)
  { throw .unimplemented }
  open func addPropertyListener(_ id: AudioUnitPropertyID, _ listener: PropertyListener)
    throws(AudioError)
  { throw .unimplemented }
  /// Removes the listener; `listener.userData` counts only when `matchingUserData`.
  open func removePropertyListener(
    _ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool
  ) throws(AudioError) { throw .unimplemented }

  // MARK: Parameters

  /// [any thread] The value of a parameter.
  open func parameter(_ address: ParameterAddress) throws(AudioError) -> AudioUnitParameterValue {
    throw .unimplemented
  }
  /// [any thread] Sets a value, `offset` frames into the next slice.
  open func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) { throw .unimplemented }
  /// [any thread] Changes for the next slice.
  open func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(AudioError) {
    throw .unimplemented
  }

  // MARK: Notes

  /// [any thread] How a plug-in takes notes; nil for units that take none, or by functions of their own.
  open var noteMethods: NoteMethods? { nil }

  private func notes() throws(AudioError) -> NoteMethods {
    guard let noteMethods else { throw .doesNotAccept("notes") }
    return noteMethods
  }

  /// [any thread] Gives the unit an event of MIDI at a frame of the next slice.
  open func receiveMIDIEvent(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32
  ) throws(AudioError) {
    try notes().midiEvent(status, data1, data2, offset: offset)
  }

  /// [any thread] Gives the unit a message of MIDI.
  open func receiveMIDIMessage(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    try notes().message(bytes)
  }

  /// [any thread] Starts a note, and gives its name.
  open func startNote(
    _ instrument: MusicDeviceInstrumentID, group: MusicDeviceGroupID,
    _ parameters: UnsafePointer<MusicDeviceNoteParams>, offset: UInt32
  ) throws(AudioError) -> NoteInstanceID {
    try notes().startNote(instrument, group: group, parameters, offset: offset)
  }

  /// [any thread] Ends a note.
  open func stopNote(_ note: NoteInstanceID, group: MusicDeviceGroupID, offset: UInt32)
    throws(AudioError)
  {
    try notes().stopNote(note, group: group, offset: offset)
  }

  /// [control thread] Has an instrument ready for its first note.
  open func prepareInstrument(_ instrument: MusicDeviceInstrumentID) throws(AudioError) {
    try notes().prepareInstrument(instrument)
  }

  /// [control thread] The notes of an instrument are over.
  open func releaseInstrument(_ instrument: MusicDeviceInstrumentID) throws(AudioError) {
    try notes().releaseInstrument(instrument)
  }

  // MARK: Rendering

  /// [control thread] Adds, or removes, a function that is called before and after each render.
  open func addRenderNotify(_ notify: RenderCallback) throws(AudioError) { throw .unimplemented }
  open func removeRenderNotify(_ notify: RenderCallback) throws(AudioError) {
    throw .unimplemented
  }
  /// [render thread] Fills `data` with the next `frames` frames of an output bus.
  open func render(_ call: RenderCall, into data: UnsafeMutablePointer<AudioBufferList>)
    -> OSStatus
  { kAudio_UnimplementedError }
  /// [render thread] Processes `data` in place without pulling.
  open func process(_ call: RenderCall, _ data: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
    kAudio_UnimplementedError
  }
  /// [render thread] Processes many buses without pulling.
  open func processMultiple(
    _ call: RenderCall, inputs: UnsafeBufferPointer<UnsafePointer<AudioBufferList>?>,
    outputs: UnsafeBufferPointer<UnsafeMutablePointer<AudioBufferList>?>
  ) -> OSStatus { kAudio_UnimplementedError }

  /// [render thread] A host's own render of this unit, with all that it pulled, began at `start`, as `rt_ticks` has it,
  /// and ends now.
  open func measureLoad(since start: UInt64, frameCount: UInt32) {}

  /// [any thread] The most frames that one render may ask for, where that is known without asking.
  package var frameLimit: Int? { nil }
  /// [control thread, no lock held] Asks for that limit, where somebody else knows it.
  package func findFrameLimit() {}

  // MARK: Connections

  /// What a graph asks of it.
  package var graphSide: any GraphSide { ForeignGraphSide(unit: self) }

  /// What render threads see of a unit of ours.
  var renderSide: UnsafeMutablePointer<RenderSide>? { nil }
  /// The short way to its output, where there is one.
  var directSource: DirectSource? { nil }
  /// [control thread] `consumer` takes (or no longer takes) its input from an output bus of this
  /// unit; it is disconnected when this unit ends.
  open func sourceChanged(for consumer: UnitInstance, isConnected: Bool) {}
  /// [control thread] One of its readers asks for larger slices than before.
  package func readersChanged() {}
  /// [control thread] `source` ends: connections from it are undone.
  open func disconnect(from source: UnitInstance) {}
  /// [control thread] The units that it feeds, or has fed.
  open var readers: [UnitInstance] { [] }
  /// [control thread] Whether it cannot render, and all that read by way of it has ended.
  open var isReleased: Bool { false }
  /// [control thread] Waits until the render of this unit that is under way, if any, has ended.
  open func waitForRender() {}

  /// [any thread] Whether a render of this unit is under way.
  open var isRendering: Bool { false }

  /// [any thread] Has nobody give out again what this unit rendered; whether nobody reads it now.
  final var isUnread: Bool {
    let units = Self.downstream(of: [self])
    for unit in units { unit.dropSlice() }
    return !units.contains(where: \.isRendering)
  }

  /// [any thread] The last slice may point into memory that goes: it is not given out again.
  open func dropSlice() {}

  /// [control thread] Waits until nobody reads what this unit rendered, and nobody gives it out again:
  /// units find samples where they lie, and hand them on.
  final func waitForReaders() {
    for unit in Self.downstream(of: [self]) where unit !== self {
      unit.dropSlice()
      unit.waitForRender()
    }
  }

  /// [any thread] Has nobody give out again what `units` rendered, or read by way of them.
  package static func dropSlices(of units: [UnitInstance]) {
    for unit in downstream(of: units.filter { !$0.isReleased }) { unit.dropSlice() }
  }

  /// Units and all that read what they render, directly or by way of others. Each comes after those it
  /// reads from: a unit that drops its slice then cannot get the same one back.
  private static func downstream(of sources: [UnitInstance]) -> [UnitInstance] {
    var order: [UnitInstance] = []
    var seen: Set<ObjectIdentifier> = []
    for source in sources where seen.insert(ObjectIdentifier(source)).inserted {
      // From a source to the unit that is looked at, each with the readers that are left.
      var path = [(unit: source, readers: source.readers)]
      while let last = path.indices.last {
        if let reader = path[last].readers.popLast() {
          guard !reader.isReleased, seen.insert(ObjectIdentifier(reader)).inserted else { continue }
          path.append((reader, reader.readers))
        } else {
          order.append(path.removeLast().unit)
        }
      }
    }
    return order.reversed()
  }
}

extension UnitInstance {
  /// [control thread] Gets a handle, by which C knows it from now on.
  func assignHandle() throws(AudioError) { handle = try Handles.units.insert(self) }

  /// [control thread] Releases the handle of a unit that could not be opened.
  func abandonHandle() {
    guard let handle, Handles.units.invalidate(handle) else { return }
    _ = Handles.units.release(handle)
  }

  /// [any thread] Ends the unit behind `handle`: renders and listeners under way end first, then it is
  /// uninitialised and closed. Inside a callback the rest follows on another thread.
  public static func dispose(_ handle: AudioUnit) throws(AudioError) {
    try Handles.units.dispose(handle, kind: "audio unit")
  }

  /// [control thread] Ends it: nobody uses it any more.
  public func finishDisposal() { close() }
}
