// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import PlainText

/// Finds sources and destinations by what the user typed.
enum MIDIEndpointChoice {
  /// What an endpoint is.
  enum Kind: String {
    case source, destination
  }

  /// The endpoint with a name or unique identifier, or the only one whose name has the text in it,
  /// in upper or lower case.
  static func find(
    _ text: String, among endpoints: [MIDIEndpointsReport.Endpoint], _ kind: Kind
  ) throws(Failure) -> MIDIEndpointsReport.Endpoint {
    var found = endpoints.filter { $0.name == text }
    if found.isEmpty { found = endpoints.filter { "\($0.uniqueID)" == text } }
    if found.isEmpty {
      let part = text.lowercased()
      found = endpoints.filter { $0.name.lowercased().contains(part) }
    }
    if found.count == 1 { return found[0] }
    let quoted = Excerpt.quoted(text)
    if found.isEmpty {
      let all = endpoints.isEmpty ? "none" : Excerpt.list(endpoints.map(\.name))
      throw Failure("no \(kind.rawValue) has the name \(quoted); there are: \(all)")
    }
    // Names may be the same; unique identifiers are not.
    let choices = found.map { "\($0.name) (\($0.uniqueID))" }
    throw Failure(
      "\(quoted) may be several \(kind.rawValue)s: \(Excerpt.list(choices)); use a whole name or"
        + " the number")
  }

  /// The object of an endpoint.
  static func ref(of endpoint: MIDIEndpointsReport.Endpoint) throws(Failure) -> MIDIEndpointRef {
    var (ref, type) = (MIDIObjectRef(), MIDIObjectType.other)
    let number = Int32(clamping: endpoint.uniqueID)
    try Failure.check(MIDIObjectFindByUniqueID(number, &ref, &type), endpoint.name)
    return ref
  }
}

/// The client of this process, without which the ports of the machine are not there.
enum MIDIProgramClient {
  /// Creates it.
  static func make() throws(Failure) -> MIDIClientRef {
    var client = MIDIClientRef()
    try Failure.check(
      MIDIClientCreateWithBlock("au" as CFString, &client, nil), "Can't use MIDI")
    return client
  }
}
