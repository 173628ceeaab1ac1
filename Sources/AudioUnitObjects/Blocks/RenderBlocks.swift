// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
public import CCoreMIDI
public import CoreMIDI

// The blocks between a unit and its host.

/// As soon as possible. Up to 4095 may be added: so many frames after the start of the next render.
public let AUEventSampleTimeImmediate: AUEventSampleTime = -4_294_967_296

/// Supplies a unit with the frames of an input bus. [render thread]
///
/// The buffers of the list may be without memory; then the block points them at the source's memory.
public typealias AURenderPullInputBlock = (
  _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AUAudioFrameCount,
  _ inputBusNumber: Int, _ inputData: UnsafeMutablePointer<AudioBufferList>
) -> AUAudioUnitStatus

/// Renders an output bus, for hosts. [render thread]
public typealias AURenderBlock = (
  _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AUAudioFrameCount,
  _ outputBusNumber: Int, _ outputData: UnsafeMutablePointer<AudioBufferList>,
  _ pullInputBlock: AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// Renders an output bus, as a unit implements it. [render thread]
///
/// The list of events has those of these frames, in the order of time.
public typealias AUInternalRenderBlock = (
  _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AUAudioFrameCount,
  _ outputBusNumber: Int, _ outputData: UnsafeMutablePointer<AudioBufferList>,
  _ realtimeEventListHead: UnsafePointer<AURenderEvent>?,
  _ pullInputBlock: AURenderPullInputBlock?
) -> AUAudioUnitStatus

/// Is called before and after each render; the flags say which. [render thread]
public typealias AURenderObserver = (
  _ actionFlags: AudioUnitRenderActionFlags, _ timestamp: UnsafePointer<AudioTimeStamp>,
  _ frameCount: AUAudioFrameCount, _ outputBusNumber: Int
) -> Void

/// Is called when a device has frames of the input. [render thread]
public typealias AUInputHandler = (
  _ actionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AUAudioFrameCount,
  _ inputBusNumber: Int
) -> Void

/// Schedules a parameter's change: its time, the frames of a ramp (0 for a change at once), the
/// parameter's address, and its new value. [any thread]
///
/// At most 1024 events can wait; of more than that, those furthest in the future are dropped. At most
/// 1024 can be scheduled between two renders; others are dropped.
public typealias AUScheduleParameterBlock = (
  _ eventSampleTime: AUEventSampleTime, _ rampDurationSampleFrames: AUAudioFrameCount,
  _ parameterAddress: AUParameterAddress, _ value: AUValue
) -> Void

/// Schedules MIDI messages: their time, the virtual cable, and their bytes. [any thread]
///
/// The bytes are one system exclusive message, or whole messages of other kinds, each with its status.
/// There is room for as many events as for those of `AUScheduleParameterBlock` together, and for eight
/// messages of more than three bytes; others are dropped.
public typealias AUScheduleMIDIEventBlock = (
  _ eventSampleTime: AUEventSampleTime, _ cable: UInt8, _ length: Int,
  _ midiBytes: UnsafePointer<UInt8>
) -> Void

/// Receives the MIDI messages that a unit sends. [render thread]
public typealias AUMIDIOutputEventBlock = (
  _ eventSampleTime: AUEventSampleTime, _ cable: UInt8, _ length: Int,
  _ midiBytes: UnsafePointer<UInt8>
) -> OSStatus

/// Schedules MIDI messages as Universal MIDI Packets, on any thread: their time, the virtual cable, and
/// a list, in which the time of a packet is in frames and is added. A block of the same type receives
/// the messages that a unit sends. [render thread]
///
/// A time of a packet from 2^31 on is a host time, as in lists that a port has received, and counts as
/// 0. The result is `kAudioUnitErr_CannotDoInCurrentContext` if there is no room for all messages: for as
/// many as with `AUScheduleMIDIEventBlock`.
public typealias AUMIDIEventListBlock = (
  _ eventSampleTime: AUEventSampleTime, _ cable: UInt8, _ eventList: UnsafePointer<MIDIEventList>
) -> OSStatus

/// Is called when a unit has enabled or disabled a profile of MIDI-CI. [any thread]
public typealias AUMIDICIProfileChangedBlock = (
  _ cable: UInt8, _ channel: MIDIChannelNumber, _ profile: MIDICIProfile, _ enabled: Bool
) -> Void

/// Returns the host's tempo in beats per minute, and its place in the music; false if it has none.
/// [render thread]
public typealias AUHostMusicalContextBlock = (
  _ currentTempo: UnsafeMutablePointer<Double>?,
  _ timeSignatureNumerator: UnsafeMutablePointer<Double>?,
  _ timeSignatureDenominator: UnsafeMutablePointer<Int>?,
  _ currentBeatPosition: UnsafeMutablePointer<Double>?,
  _ sampleOffsetToNextBeat: UnsafeMutablePointer<Int>?,
  _ currentMeasureDownbeatPosition: UnsafeMutablePointer<Double>?
) -> Bool

/// Returns what the host's transport does, and its position; false if it has none. [render thread]
public typealias AUHostTransportStateBlock = (
  _ transportStateFlags: UnsafeMutablePointer<AUHostTransportStateFlags>?,
  _ currentSamplePosition: UnsafeMutablePointer<Double>?,
  _ cycleStartBeatPosition: UnsafeMutablePointer<Double>?,
  _ cycleEndBeatPosition: UnsafeMutablePointer<Double>?
) -> Bool
