// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CRealTime

/// When the edits of a graph fade.
public enum EditFades: UInt32, Sendable {
  /// Never: the sound changes between two renders.
  case never
  /// While a device plays the graph. Offline the sound changes between two renders.
  case onDevices
  /// Whenever the graph is initialised.
  case always
}

/// What the program chose for a whole graph; a change takes effect with the next update.
struct GraphOptions {
  /// The most threads that may render one graph.
  static let threadLimit = 64

  /// Whether branches that meet are aligned.
  var compensatesLatency = false
  /// How many threads may render, including the one that pulls; 0: one for each processor, used only
  /// for branches that are large enough.
  var threadCount = 1
  /// When edits fade.
  var editFades = EditFades.onDevices

  /// A team with the chosen number of threads: `current` if it is suitable; nil for a single thread.
  func team(_ current: RenderTeam?) throws(AudioError) -> RenderTeam? {
    let processors = min(Int(rt_processor_count()), Self.threadLimit)
    let helpers = (threadCount == 0 ? processors : threadCount) - 1
    guard helpers > 0 else { return nil }
    let keepsSmallBranches = threadCount == 0
    if let current, current.helperCount == helpers,
      current.keepsSmallBranches == keepsSmallBranches
    {
      return current
    }
    return try RenderTeam(helpers: helpers, keepsSmallBranches: keepsSmallBranches)
  }
}
