// SPDX-License-Identifier: Apache-2.0

/// The stages of a graph's life. A sub-graph has the stage of the graph that contains it.
enum GraphStage: Int, Comparable {
  /// There are no units yet.
  case created
  /// The units exist.
  case open
  /// The connected units are initialised; edits wait for an update.
  case initialized
  /// The head was started; it may have stopped by itself.
  case started

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
