// SPDX-License-Identifier: Apache-2.0

/// What a unit calls to ask its host: a message to a reply. Both are property lists.
public typealias CallHostBlock = ([AnyHashable: Any]) -> [AnyHashable: Any]

/// Messages between a host and a unit, which agree on their meaning: for what parameters and properties
/// cannot say. A unit offers channels by `AUAudioUnit.messageChannel(for:)`. [control thread]
///
/// Swift on this system has no optional members: a channel that lacks one replies with nothing.
public protocol AUMessageChannel: AnyObject {
  /// Sends a message to the unit, and returns its reply. Called by the host.
  func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any]

  /// What the unit calls to send a message to the host, which sets it; nil if no host listens.
  var callHostBlock: CallHostBlock? { get set }
}

extension AUMessageChannel {
  /// Replies with nothing.
  public func callAudioUnit(_ message: [AnyHashable: Any]) -> [AnyHashable: Any] { [:] }

  /// There is no block, and setting one changes nothing.
  public var callHostBlock: CallHostBlock? {
    get { nil }
    set {}
  }
}

/// The channel of a unit that has none of that name.
final class SilentMessageChannel: AUMessageChannel {}
