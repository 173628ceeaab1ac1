// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI
import CoreAudio
import Foundation

/// What a host has set on a unit.
struct HostValues {
  var maximumFrames: AUAudioFrameCount = 512
  var tree: AUParameterTree?
  var preset: AUAudioUnitPreset?
  var quality = 127
  var bypasses = false
  var isOffline = false
  var contextName: String?
  var channelMap: [NSNumber]?
  var midiOutput: AUMIDIOutputEventBlock?
  var midiListOutput: AUMIDIEventListBlock?
  /// The protocol in which it wants lists.
  var midiProtocol = MIDIProtocolID.bytes
  var midiOutputSize = 0
  var profileChanged: AUMIDICIProfileChangedBlock?
  var musicalContext: AUHostMusicalContextBlock?
  var transportState: AUHostTransportStateBlock?
}

extension MIDIProtocolID {
  /// No protocol: a unit or a host that has not chosen one takes bytes.
  static var bytes: Self { Self(rawValue: 0) ?? ._1_0 }
}
