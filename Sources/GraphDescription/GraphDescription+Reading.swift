// SPDX-License-Identifier: Apache-2.0
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

extension GraphDescription {
  /// Reads the JSON form; `docs/graph.schema.json` describes it.
  package init(json text: String) throws(GraphDescriptionError) {
    let root = JSONCursor(try JSONText(parsing: text), at: TextPlace(line: 1, path: ""))
    let object = try root.object(
      keys: ["$schema", "nodes", "connections", "latencyCompensation", "renderThreads"])
    _ = try object["$schema"]?.string()
    guard let nodes = object["nodes"] else {
      throw GraphDescriptionError(at: root.place, "\"nodes\" is missing")
    }
    place = nodes.place
    for (name, cursor) in try nodes.members() {
      try Self.check(name, at: cursor.place)
      self.nodes.append(try Node(name, cursor))
    }
    for entry in try object["connections"]?.entries() ?? [] {
      connections.append(Placed(try Connection(entry), at: entry.place))
    }
    compensatesLatency = try object["latencyCompensation"]?.bool()
    renderThreads = try object["renderThreads"].map { cursor throws(GraphDescriptionError) in
      Placed(UInt32(clamping: try cursor.wholeNumber(in: 0...64)), at: cursor.place)
    }
    try checkConnections()
  }

  /// Checks that a name cannot be confused with the syntax of a connection.
  private static func check(_ name: String, at place: TextPlace) throws(GraphDescriptionError) {
    guard !name.isEmpty, !name.contains(":"), !name.contains("->"), !name.contains(" ") else {
      throw GraphDescriptionError(
        at: place, "a node's name must not be empty, nor contain a space, ':' or '->'")
    }
  }

  /// Checks that the nodes of all connections exist.
  private func checkConnections() throws(GraphDescriptionError) {
    let names = Set(nodes.map(\.name))
    for connection in connections {
      for name in [connection.value.source, connection.value.destination]
      where !names.contains(name) {
        throw GraphDescriptionError(
          at: connection.place,
          "there is no node \(Excerpt.quoted(name)); there are "
            + Excerpt.list(nodes.map(\.name)))
      }
    }
  }
}

extension GraphDescription.Node {
  fileprivate init(_ name: String, _ cursor: JSONCursor) throws(GraphDescriptionError) {
    let object = try cursor.object(
      keys: [
        "unit", "maximumFramesPerSlice", "preset", "file", "properties", "parameters", "inputs",
        "outputs",
      ])
    guard let unit = object["unit"] else {
      throw GraphDescriptionError(at: cursor.place, "\"unit\" is missing")
    }
    self.init(name: name, unit: .init(try unit.string(), at: unit.place), place: cursor.place)
    if let preset = object["preset"] { self.preset = .init(try preset.preset(), at: preset.place) }
    if let frames = object["maximumFramesPerSlice"] {
      maximumFramesPerSlice = .init(
        UInt32(clamping: try frames.wholeNumber(in: 1...1_048_576)), at: frames.place)
    }
    files = try object["file"]?.files() ?? []
    properties = try object["properties"]?.properties() ?? []
    parameters = try object["parameters"]?.settings() ?? []
    inputs = try object["inputs"].map(Self.buses)
    outputs = try object["outputs"].map(Self.buses)
  }

  private static func buses(_ cursor: JSONCursor) throws(GraphDescriptionError)
    -> Placed<[GraphDescription.Bus]>
  {
    var buses: [GraphDescription.Bus] = []
    for entry in try cursor.entries() { buses.append(try GraphDescription.Bus(entry)) }
    return .init(buses, at: cursor.place)
  }
}

extension GraphDescription.Bus {
  fileprivate init(_ cursor: JSONCursor) throws(GraphDescriptionError) {
    let object = try cursor.object(keys: ["format", "parameters", "properties"])
    if let format = object["format"] {
      self.format = .init(try GraphDescription.Format(format), at: format.place)
    }
    parameters = try object["parameters"]?.settings() ?? []
    properties = try object["properties"]?.properties() ?? []
  }
}

extension GraphDescription.Format {
  fileprivate init(_ cursor: JSONCursor) throws(GraphDescriptionError) {
    let object = try cursor.object(keys: ["sampleRate", "channels", "samples", "interleaved"])
    sampleRate = try object["sampleRate"]?.number(in: 1...1_536_000, as: .sampleRate)
    channels = try object["channels"].map { cursor throws(GraphDescriptionError) in
      UInt32(clamping: try cursor.wholeNumber(in: 1...1_024))
    }
    isInterleaved = try object["interleaved"]?.bool()
    samples = try object["samples"].map { cursor throws(GraphDescriptionError) in
      let name = try cursor.string()
      guard let samples = Samples(rawValue: name) else {
        let known = Samples.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        throw GraphDescriptionError(
          at: cursor.place, "\(Excerpt.quoted(name)): expected one of \(known)")
      }
      return samples
    }
  }
}

extension GraphDescription.Connection {
  /// Reads "mixer:0 -> output:0"; a bus without a number is the first.
  fileprivate init(_ cursor: JSONCursor) throws(GraphDescriptionError) {
    let text = try cursor.string()
    let parts = text.split(separator: "->", omittingEmptySubsequences: false)
    guard parts.count == 2, let source = Self.end(parts[0]), let destination = Self.end(parts[1])
    else {
      throw GraphDescriptionError(
        at: cursor.place,
        "\(Excerpt.quoted(text)): expected \"source:output -> destination:input\"")
    }
    self.init(
      source: source.name, output: source.bus, destination: destination.name,
      input: destination.bus)
  }

  private static func end(_ text: Substring) -> (name: String, bus: UInt32)? {
    let parts = text.split(separator: " ").joined(separator: " ")
      .split(separator: ":", omittingEmptySubsequences: false)
    guard let name = parts.first, !name.isEmpty, parts.count <= 2 else { return nil }
    guard parts.count == 2 else { return (String(name), 0) }
    // `UInt32` would accept a sign.
    return parts[1].first == "+" ? nil : UInt32(parts[1]).map { (String(name), $0) }
  }

  /// The text in a description.
  var text: String {
    "\(output == 0 ? source : "\(source):\(output)") -> \(destination):\(input)"
  }
}
