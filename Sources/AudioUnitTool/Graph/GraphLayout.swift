// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The places of a graph's nodes in a picture: in columns, with the sound running from left to
/// right.
///
/// A node is one column before the nearest node that it feeds. Within a column, nodes are in the
/// order of the inputs that they feed, which keeps trees free of crossings (the barycentre method
/// of Sugiyama, Tagawa and Toda, 1981, in one pass).
struct GraphLayout {
  /// A node's place, in columns and rows; rows may be halves.
  struct Place {
    let column: Int
    let row: Double
  }

  let places: [AUNode: Place]
  let columnCount: Int
  let rowCount: Double

  init(_ map: GraphMap) {
    let depths = Self.depths(map)
    let deepest = depths.values.max() ?? 0
    var rows: [AUNode: Double] = [:]
    var height = 0.0
    for depth in 0...deepest {
      let column = map.nodes.filter { depths[$0.id] == depth }
      let preferences = column.map { (id: $0.id, row: Self.preferredRow($0.id, map, rows)) }
      var next = -Double.infinity
      for (id, row) in preferences.enumerated().sorted(by: {
        ($0.element.row, $0.offset) < ($1.element.row, $1.offset)
      }).map(\.element) {
        next = max(next + 1, row)
        rows[id] = next
      }
      height = max(height, next + 1)
    }
    let top = rows.values.min() ?? 0
    places = Dictionary(
      uniqueKeysWithValues: map.nodes.map { node in
        let column = deepest - (depths[node.id] ?? 0)
        return (node.id, Place(column: column, row: (rows[node.id] ?? 0) - top))
      })
    columnCount = deepest + 1
    rowCount = max(height - top, 1)
  }

  /// The number of connections from each node to an end, on the longest path.
  private static func depths(_ map: GraphMap) -> [AUNode: Int] {
    var depths = Dictionary(uniqueKeysWithValues: map.nodes.map { ($0.id, 0) })
    // An I/O unit may feed itself through the graph, so rounds are limited to the number of nodes,
    // which is enough without a cycle.
    for _ in map.nodes {
      var isSettled = true
      for edge in map.edges {
        guard case .node(let source, _) = edge.source, source != edge.destination,
          let depth = depths[edge.destination], depth + 1 < map.nodes.count,
          depths[source, default: 0] < depth + 1
        else { continue }
        depths[source] = depth + 1
        isSettled = false
      }
      if isSettled { break }
    }
    return depths
  }

  /// The preferred row of a node: the mean row of the nodes that it feeds, spread by their buses.
  private static func preferredRow(
    _ id: AUNode, _ map: GraphMap, _ rows: [AUNode: Double]
  ) -> Double {
    let preferences = map.edges.compactMap { edge -> Double? in
      guard case .node(id, _) = edge.source, let row = rows[edge.destination] else { return nil }
      let siblings = map.inputs(of: edge.destination)
      let index = siblings.firstIndex { $0.input == edge.input } ?? 0
      return row + Double(index) - Double(siblings.count - 1) / 2
    }
    return preferences.isEmpty ? 0 : preferences.reduce(0, +) / Double(preferences.count)
  }
}
