// SPDX-License-Identifier: Apache-2.0
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
  var midiOutputSize = 0
  var musicalContext: AUHostMusicalContextBlock?
  var transportState: AUHostTransportStateBlock?
}
