// SPDX-License-Identifier: Apache-2.0

/// The process of a plug-in, as its unit sees it.
protocol PlugInProcess: AnyObject, Sendable {
  /// [any thread] Whether it has ended.
  var hasEnded: Bool { get }
  /// [control thread] Ends it, for a reason that later calls give; nil: how it ended by itself.
  func giveUp(_ reason: String?)
}
