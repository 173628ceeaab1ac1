// SPDX-License-Identifier: Apache-2.0

/// An error in the description of a graph, with its position.
package struct GraphDescriptionError: Error, Equatable {
  /// The line in the text, counted from one.
  package let line: Int
  /// The path of members to the place, such as "nodes.eq.parameters.cutoff"; empty at the root.
  package let path: String
  package let reason: String

  init(line: Int, path: String, _ reason: String) {
    self.line = line
    self.path = path
    self.reason = reason
  }

  init(at place: TextPlace, _ reason: String) {
    self.init(line: place.line, path: place.path, reason)
  }

  /// "line 12, nodes.eq.parameters.cutoff: …".
  package var text: String {
    TextPlace(line: line, path: path).text.map { "\($0): \(reason)" } ?? reason
  }
}
