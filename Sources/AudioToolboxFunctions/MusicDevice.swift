// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
public import CAudioToolbox
public import CCoreMIDI

// The functions of MusicDevice.h.

@c @implementation
public func MusicDeviceMIDIEvent(
  _ inUnit: MusicDeviceComponent, _ inStatus: UInt32, _ inData1: UInt32, _ inData2: UInt32,
  _ inOffsetSampleFrame: UInt32
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    try unit.receiveMIDIEvent(inStatus, inData1, inData2, offset: inOffsetSampleFrame)
  }
}

@c @implementation
public func MusicDeviceSysEx(
  _ inUnit: MusicDeviceComponent, _ inData: UnsafePointer<UInt8>, _ inLength: UInt32
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(inData) else { throw .null("inData") }
    try unit.receiveMIDIMessage(UnsafeBufferPointer(start: inData, count: Int(inLength)))
  }
}

@c @implementation
public func MusicDeviceMIDIEventList(
  _ inUnit: MusicDeviceComponent, _ inOffsetSampleFrame: UInt32,
  _ evtList: UnsafePointer<MIDIEventList>
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(evtList) else { throw .null("evtList") }
    try unit.receiveEventList(evtList, offset: inOffsetSampleFrame)
  }
}

@c @implementation
public func MusicDeviceStartNote(
  _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID,
  _ inGroupID: MusicDeviceGroupID, _ outNoteInstanceID: UnsafeMutablePointer<NoteInstanceID>,
  _ inOffsetSampleFrame: UInt32, _ inParams: UnsafePointer<MusicDeviceNoteParams>
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    guard !isNull(outNoteInstanceID) else { throw .null("outNoteInstanceID") }
    guard !isNull(inParams) else { throw .null("inParams") }
    outNoteInstanceID.pointee = try unit.startNote(
      inInstrument, group: inGroupID, inParams, offset: inOffsetSampleFrame)
  }
}

@c @implementation
public func MusicDeviceStopNote(
  _ inUnit: MusicDeviceComponent, _ inGroupID: MusicDeviceGroupID,
  _ inNoteInstanceID: NoteInstanceID, _ inOffsetSampleFrame: UInt32
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in
    try unit.stopNote(inNoteInstanceID, group: inGroupID, offset: inOffsetSampleFrame)
  }
}

@c @implementation
public func MusicDevicePrepareInstrument(
  _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in try unit.prepareInstrument(inInstrument) }
}

@c @implementation
public func MusicDeviceReleaseInstrument(
  _ inUnit: MusicDeviceComponent, _ inInstrument: MusicDeviceInstrumentID
) -> OSStatus {
  status(inUnit) { unit throws(AudioError) in try unit.releaseInstrument(inInstrument) }
}
