// SPDX-License-Identifier: Apache-2.0

/// What a render thread has for a control thread. Plain memory.
struct PlayMessage: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// An event of the program, or a preset: the event with this serial number of a track.
    case user, preset
    /// A message for an endpoint, or the bytes of the event with this serial number.
    case midi, bytes
  }

  let kind: Kind
  var status: UInt8 = 0
  var data1: UInt8 = 0
  var data2: UInt8 = 0
  let target: PlayTarget
  /// The handle of the track.
  var track: UInt = 0
  var serial: UInt64 = 0
  /// The time of the event in its track.
  var beat = 0.0
  /// The beats in which it was played.
  var sliceStart = 0.0
  var sliceEnd = 0.0
  /// When it is due; 0 for now.
  var hostTime: UInt64 = 0

  /// Whether it is sent to an endpoint.
  var isForEndpoint: Bool { kind == .midi || kind == .bytes }

  @_noLocks
  init(_ kind: Kind, to target: PlayTarget) { (self.kind, self.target) = (kind, target) }
}
