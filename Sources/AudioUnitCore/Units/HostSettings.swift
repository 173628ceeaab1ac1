// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// What a host has told a unit about itself and its use of the unit.
struct HostSettings {
  /// The name and version of the host.
  var identifier: (name: String, version: UInt32)?
  /// The name of the unit's context, such as a track.
  var contextName: String?
  /// The host's name for the unit.
  var nickName: String?
  /// Whether it renders offline.
  var isOffline = false
  /// Whether it renders the unit in a chain over memory of the program, and never to a device.
  var isChain = false
  /// Memory for the frames that callbacks supply.
  var externalBuffer: AudioUnitExternalBuffer?
}
