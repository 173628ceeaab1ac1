// SPDX-License-Identifier: Apache-2.0

/// Where a player is, for control threads. Plain memory.
struct PlayPosition: BitwiseCopyable {
  /// The number of the last jump that took effect.
  var jump: UInt64 = 0
  var rate = 1.0
  /// The seconds of the sequence at the start, at the beginning of the last slice, and at its end.
  var startSeconds = 0.0
  var seconds = 0.0
  var endSeconds = 0.0
  /// The host time of the beginning of the slice; 0 if it has none.
  var hostTime: UInt64 = 0
  /// The host time until which messages were sent; 0 if slices have none.
  var sentUntil: UInt64 = 0

  @_noLocks
  init() {}
}
