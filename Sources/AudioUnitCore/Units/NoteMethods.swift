// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CCoreMIDI
import CRealTime

/// The functions of a plug-in that receive notes and MIDI, looked up once.
public struct NoteMethods: @unchecked Sendable {
  private let plugIn: UnsafeMutableRawPointer
  private let midiEvent: MusicDeviceMIDIEventProc?
  private let sysEx: MusicDeviceSysExProc?
  private let eventList: MusicDeviceMIDIEventListProc?
  private let startNote: MusicDeviceStartNoteProc?
  private let stopNote: MusicDeviceStopNoteProc?
  private let prepare: MusicDevicePrepareInstrumentProc?
  private let release: MusicDeviceReleaseInstrumentProc?

  /// Looks up the functions of a plug-in; their first argument is the plug-in's memory.
  init(of interface: UnsafeMutablePointer<AudioComponentPlugInInterface>) {
    func method<Function>(_ selector: Int, _ type: Function.Type) -> Function? {
      let found = callProgram { interface.pointee.Lookup(Int16(selector)) } ?? nil
      return found.map { unsafeBitCast($0, to: Function.self) }
    }
    plugIn = UnsafeMutableRawPointer(interface)
    midiEvent = method(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)
    sysEx = method(kMusicDeviceSysExSelect, MusicDeviceSysExProc.self)
    eventList = method(kMusicDeviceMIDIEventListSelect, MusicDeviceMIDIEventListProc.self)
    startNote = method(kMusicDeviceStartNoteSelect, MusicDeviceStartNoteProc.self)
    stopNote = method(kMusicDeviceStopNoteSelect, MusicDeviceStopNoteProc.self)
    prepare = method(
      kMusicDevicePrepareInstrumentSelect, MusicDevicePrepareInstrumentProc.self)
    release = method(
      kMusicDeviceReleaseInstrumentSelect, MusicDeviceReleaseInstrumentProc.self)
  }

  /// [any thread] Sends a MIDI event at a frame of the next render.
  func midiEvent(_ status: UInt32, _ data1: UInt32, _ data2: UInt32, offset: UInt32)
    throws(AudioError)
  {
    guard let midiEvent else { throw .doesNotAccept("MIDI events") }
    try check(rt_call_midi_event(address(midiEvent), plugIn, status, data1, data2, offset))
  }

  /// [any thread] Sends a system-exclusive message.
  func message(_ bytes: UnsafeBufferPointer<UInt8>) throws(AudioError) {
    guard let sysEx, let start = bytes.baseAddress else { throw .doesNotAccept("MIDI messages") }
    try check(rt_call_sysex(address(sysEx), plugIn, start, UInt32(bytes.count)))
  }

  /// Whether it accepts event lists.
  var acceptsEventLists: Bool { eventList != nil }

  /// [any thread] Sends an event list, from a frame of the next render on.
  func eventList(_ list: UnsafePointer<MIDIEventList>, offset: UInt32) throws(AudioError) {
    guard let eventList else { throw .doesNotAccept("event lists") }
    try check(rt_call_event_list(address(eventList), plugIn, offset, list))
  }

  /// [any thread] Starts a note and returns its id.
  func startNote(
    _ instrument: MusicDeviceInstrumentID, group: MusicDeviceGroupID,
    _ parameters: UnsafePointer<MusicDeviceNoteParams>, offset: UInt32
  ) throws(AudioError) -> NoteInstanceID {
    guard let startNote else { throw .doesNotAccept("notes") }
    var note: NoteInstanceID = 0
    try check(
      rt_call_start_note(
        address(startNote), plugIn, instrument, group, &note, offset, parameters))
    return note
  }

  /// [any thread] Ends a note.
  func stopNote(_ note: NoteInstanceID, group: MusicDeviceGroupID, offset: UInt32)
    throws(AudioError)
  {
    guard let stopNote else { throw .doesNotAccept("notes") }
    try check(rt_call_stop_note(address(stopNote), plugIn, group, note, offset))
  }

  /// [control thread] Prepares an instrument for its first note.
  func prepareInstrument(_ instrument: MusicDeviceInstrumentID) throws(AudioError) {
    guard let prepare else { throw .doesNotAccept("instruments") }
    try check(rt_call_instrument(address(prepare), plugIn, instrument))
  }

  /// [control thread] Releases an instrument: no more notes will come.
  func releaseInstrument(_ instrument: MusicDeviceInstrumentID) throws(AudioError) {
    guard let release else { throw .doesNotAccept("instruments") }
    try check(rt_call_instrument(address(release), plugIn, instrument))
  }

  private func address<Function>(_ function: Function) -> UnsafeRawPointer {
    unsafeBitCast(function, to: UnsafeRawPointer.self)
  }

  private func check(_ status: OSStatus) throws(AudioError) {
    guard status == noErr else { throw AudioError(status: status).because("the plug-in refused") }
  }
}

extension AudioError {
  /// The error of a unit that does not accept a kind of input.
  static func doesNotAccept(_ what: String) -> AudioError {
    .unimplemented.because("it does not accept \(what)")
  }
}
