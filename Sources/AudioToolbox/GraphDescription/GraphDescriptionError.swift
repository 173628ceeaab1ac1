// SPDX-License-Identifier: Apache-2.0

/// What is wrong in the description of a graph, and where.
struct GraphDescriptionError: Error, Equatable {
  /// The line in the text, counted from one.
  let line: Int
  /// The members that lead there, as in "nodes.eq.parameters.cutoff"; empty at the root.
  let path: String
  let reason: String

  init(line: Int, path: String, _ reason: String) {
    self.line = line
    self.path = path
    self.reason = reason
  }

  init(at place: GraphDescription.Place, _ reason: String) {
    self.init(line: place.line, path: place.path, reason)
  }

  /// "line 12, nodes.eq.parameters.cutoff: …".
  var text: String {
    GraphDescription.Place(line: line, path: path).text.map { "\($0): \(reason)" } ?? reason
  }
}
