// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox
public import CCoreMIDI
import CRealTime
import Synchronization

/// An instance of a component, native or foreign: all operations of the C API on an `AudioUnit`.
///
/// Connections, graphs and validators use units only through this class. For the functions that
/// graphs need, and that only our own units have, see `GraphUnit`.
open class UnitInstance: Disposable, @unchecked Sendable {
  /// The component of which it is an instance.
  public let component: Component
  /// The handle in the C API; set once by `assignHandle`.
  public private(set) var handle: AudioUnit?

  public init(component: Component) { self.component = component }

  /// The name in explanations: "AULowpass".
  public var title: String { component.ownName }

  // MARK: Life cycle

  /// [control thread] Called once, when the handle exists.
  open func open() throws(AudioError) {}

  /// [any thread] Called when disposal begins: from now on it calls no function of the program.
  /// Waits for a call that runs on another thread, unless this thread is inside a render.
  open func stopCallbacks() {}

  /// [control thread] Called once, at the end, when nothing can render it any more.
  open func close() {}

  /// [control thread] Allocates, or frees, what rendering needs; formats are fixed in between.
  open func initialize() throws(AudioError) { throw .unimplemented }
  open func uninitialize() throws(AudioError) { throw .unimplemented }
  /// [any thread] Clears the signal history; parameters and formats remain.
  open func reset(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws(AudioError) {
    throw .unimplemented
  }
  /// Whether it implements the function of a selector of the plug-in interface.
  open func canDo(_ selector: Int) -> Bool { false }
  open func start() throws(AudioError) { throw .unimplemented }
  open func stop() throws(AudioError) { throw .unimplemented }

  // MARK: Properties

  /// [control thread] Size and writability of a property.
  open func propertyInfo(_ address: PropertyAddress) throws(AudioError) -> PropertyInfo {
    throw .unimplemented
  }
  /// Writes at most `size` bytes into `data`, and their number into `size`.
  open func getProperty(
    _ address: PropertyAddress, into data: UnsafeMutableRawPointer, size: inout UInt32
  ) throws(AudioError) { throw .unimplemented }
  open func setProperty(_ address: PropertyAddress, _ data: UnsafeRawPointer?, size: UInt32)
    throws(AudioError)
  { throw .unimplemented }
  open func addPropertyListener(_ id: AudioUnitPropertyID, _ listener: PropertyListener)
    throws(AudioError)
  { throw .unimplemented }
  /// Removes the listener; `listener.userData` is compared only if `matchingUserData`.
  open func removePropertyListener(
    _ id: AudioUnitPropertyID, _ listener: PropertyListener, matchingUserData: Bool
  ) throws(AudioError) { throw .unimplemented }

  /// [notifier] A render changed a global property.
  func renderChanged(_ id: AudioUnitPropertyID) {}

  // MARK: Parameters

  /// [any thread] The value of a parameter.
  open func parameter(_ address: ParameterAddress) throws(AudioError) -> AudioUnitParameterValue {
    throw .unimplemented
  }
  /// [any thread] Sets a value at once, or `offset` frames after the start of the next
  /// render.
  open func setParameter(
    _ address: ParameterAddress, to value: AudioUnitParameterValue, offset: UInt32
  ) throws(AudioError) { throw .unimplemented }
  /// [any thread] Schedules changes in the next render.
  open func schedule(_ events: UnsafeBufferPointer<AudioUnitParameterEvent>) throws(AudioError) {
    throw .unimplemented
  }

  // MARK: Notes

  /// [any thread] The functions of a plug-in that receive notes; nil for units without such
  /// functions, and for units that override the methods below.
  open var noteMethods: NoteMethods? { nil }

  private func notes() throws(AudioError) -> NoteMethods {
    guard let noteMethods else { throw .doesNotAccept("notes") }
    return noteMethods
  }

  /// [any thread] Sends the unit a MIDI event at a frame of the next render.
  open func receiveMIDIEvent(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32
  ) throws(AudioError) {
    try notes().midiEvent(status, data1, data2, offset: offset)
  }

  /// [any thread] Sends the unit a MIDI message.
  open func receiveMIDIMessage(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    try notes().message(bytes)
  }

  /// [any thread] Sends the unit Universal MIDI Packets; their times are frames after `offset`. A
  /// unit that does not accept them gets bytes.
  open func receiveEventList(_ list: UnsafePointer<MIDIEventList>, offset: UInt32)
    throws(AudioError)
  {
    guard let noteMethods, noteMethods.acceptsEventLists else {
      return try EventListBytes.send(list, offset: offset, to: self)
    }
    try noteMethods.eventList(list, offset: offset)
  }

  /// [any thread] Starts a note and returns its identifier.
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

  /// [control thread] Prepares an instrument for its first note.
  open func prepareInstrument(_ instrument: MusicDeviceInstrumentID) throws(AudioError) {
    try notes().prepareInstrument(instrument)
  }

  /// [control thread] Releases an instrument: there will be no more notes.
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

  /// [render thread] Measures the load of a host's render of this unit, including its sources: it
  /// began at `start` (`rt_ticks`) and ends now.
  open func measureLoad(since start: UInt64, frameCount: UInt32) {}

  /// [any thread] The maximum number of frames per render, if it is known without a query.
  package var frameLimit: Int? { nil }
  /// [control thread] The latency in seconds, if it is known without a query.
  package var ownLatency: Double? { nil }
  /// [control thread] Whether a program has set the maximum number of frames per slice. Such a
  /// maximum is kept: whatever pulls the unit cuts its pulls.
  package final var hasChosenMaximumFrames: Bool {
    get { chosenMaximumFrames.load(ordering: .relaxed) }
    set { chosenMaximumFrames.store(newValue, ordering: .relaxed) }
  }
  private let chosenMaximumFrames = Atomic(false)
  /// [control thread, no lock held] Queries the limit of a foreign unit.
  package func findFrameLimit() {}
  /// That limit, in memory that lives as long as the unit; `.max` if it is unknown.
  var foreignFrameLimit: UnsafeMutablePointer<Atomic<UInt32>>? { nil }

  // MARK: Connections

  /// Its functions for graphs.
  package var graphUnit: any GraphUnit { ForeignGraphUnit(unit: self) }

  /// The part of our own units that render threads use.
  var renderSide: UnsafeMutablePointer<RenderSide>? { nil }
  /// The direct path to its output, if there is one.
  var directSource: DirectSource? { nil }
  /// [control thread] Called when `consumer` was connected to an output bus of this unit, or
  /// disconnected. The consumer is disconnected when this unit is disposed of.
  open func sourceChanged(for consumer: UnitInstance, isConnected: Bool) {}
  /// [control thread] Called when one of its readers requests more frames at once than before.
  package func readersChanged() {}
  /// [control thread] Removes all connections from `source`, which is being disposed of.
  open func disconnect(from source: UnitInstance) {}
  /// [control thread] The units that it feeds, or has fed.
  open var readers: [UnitInstance] { [] }
  /// [control thread] Whether it cannot render, and all readers downstream have finished.
  open var isReleased: Bool { false }
  /// [control thread] Waits until the current render of this unit, if any, has ended.
  open func waitForRender() {}

  /// [any thread] Whether this unit is being rendered.
  open var isRendering: Bool { false }

  /// [any thread] Makes all units downstream drop this unit's samples; whether none of them is
  /// reading the samples now.
  final var isUnread: Bool {
    let units = Self.downstream(of: [self])
    for unit in units { unit.dropRender() }
    return !units.contains(where: \.isRendering)
  }

  /// [any thread] Prevents the last render from being returned again: it may point into memory that
  /// will be freed.
  open func dropRender() {}

  /// [control thread] Waits until no unit downstream reads this unit's samples or can return them
  /// again: units pass samples on without copying them.
  final func waitForReaders() {
    for unit in Self.downstream(of: [self]) where unit !== self {
      unit.dropRender()
      unit.waitForRender()
    }
  }

  /// [any thread] Makes `units`, and all units downstream, drop their last render.
  package static func dropRenders(of units: [UnitInstance]) {
    for unit in downstream(of: units.filter { !$0.isReleased }) { unit.dropRender() }
  }

  /// The `sources` and all units downstream of them. Each unit comes after those that it reads
  /// from: then a unit that has dropped its render cannot get the same one again.
  private static func downstream(of sources: [UnitInstance]) -> [UnitInstance] {
    var order: [UnitInstance] = []
    var seen: Set<ObjectIdentifier> = []
    for source in sources where seen.insert(ObjectIdentifier(source)).inserted {
      // The path from a source to the current unit, each with its remaining readers.
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
  /// [control thread] Assigns a handle for the C API.
  func assignHandle() throws(AudioError) { handle = try Handles.units.insert(self) }

  /// [control thread] Releases the handle of a unit that could not be opened.
  func abandonHandle() {
    guard let handle, Handles.units.invalidate(handle) else { return }
    _ = Handles.units.release(handle)
  }

  /// [any thread] Disposes of the unit behind `handle`: waits for its renders and listeners, then
  /// uninitialises and closes it. If called from a callback, another thread does this.
  public static func dispose(_ handle: AudioUnit) throws(AudioError) {
    try Handles.units.dispose(handle, kind: "audio unit")
  }

  /// [control thread] Closes it; nothing uses it any more.
  public func finishDisposal() { close() }
}
