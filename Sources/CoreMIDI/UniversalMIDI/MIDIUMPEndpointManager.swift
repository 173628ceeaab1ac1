// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import Foundation

extension Notification.Name {
  /// An endpoint is enabled. The object is the manager; `MIDIUMPEndpointObjectKey` has the endpoint.
  public static let MIDIUMPEndpointWasAdded = Notification.Name("MIDIUMPEndpointWasAdded")
  /// An endpoint is not enabled any more.
  public static let MIDIUMPEndpointWasRemoved = Notification.Name("MIDIUMPEndpointWasRemoved")
  /// An endpoint has another name.
  public static let MIDIUMPEndpointWasUpdated = Notification.Name("MIDIUMPEndpointWasUpdated")
  /// A function block of an enabled endpoint has changed; `MIDIUMPFunctionBlockObjectKey` has it.
  public static let MIDIUMPFunctionBlockWasUpdated = Notification.Name(
    "MIDIUMPFunctionBlockWasUpdated")
}

/// The key of the endpoint of a notification.
public let MIDIUMPEndpointObjectKey = "MIDIUMPEndpoint"
/// The key of the function block of a notification.
public let MIDIUMPFunctionBlockObjectKey = "MIDIUMPFunctionBlock"

/// The endpoints of Universal MIDI Packets that are enabled: those of this process, because neither the
/// kernel nor sound servers tell of others on Linux. [any thread]
open class MIDIUMPEndpointManager: NSObject, @unchecked Sendable {  // guarded
  private struct Entry { weak var endpoint: MIDIUMPEndpoint? }

  /// The only one.
  public static let shared = MIDIUMPEndpointManager()

  private let entries = Guarded<[Entry]>([])

  override init() {}

  /// The endpoints, in the order in which they were enabled.
  open var umpEndpoints: [MIDIUMPEndpoint] {
    entries.withLock { entries in
      entries.removeAll { $0.endpoint == nil }
      return entries.compactMap(\.endpoint)
    }
  }

  /// [any thread] Lists an endpoint as long as it exists.
  func add(_ endpoint: MIDIUMPEndpoint) {
    entries.withLock { $0.append(Entry(endpoint: endpoint)) }
  }

  /// [any thread] Takes an endpoint off the list.
  func remove(_ endpoint: MIDIUMPEndpoint) {
    entries.withLock { $0.removeAll { $0.endpoint === endpoint } }
  }

  /// [any thread] Posts a notification about an endpoint, or one of its function blocks.
  func post(
    _ name: Notification.Name, _ endpoint: MIDIUMPEndpoint, _ block: MIDIUMPFunctionBlock? = nil
  ) {
    var entries: [String: Any] = [MIDIUMPEndpointObjectKey: endpoint]
    if let block { entries[MIDIUMPFunctionBlockObjectKey] = block }
    NotificationCenter.default.post(name: name, object: self, userInfo: entries)
  }
}
