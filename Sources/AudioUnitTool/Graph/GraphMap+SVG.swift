// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

extension GraphMap {
  /// A drawing with a box for each node and a curve for each connection with its format; it is
  /// readable on light and dark screens.
  var svg: String { GraphDrawing(self).svg }
}

/// The dimensions of a drawing, and its parts.
private struct GraphDrawing {
  private static let boxWidth = 190.0
  private static let boxHeight = 54.0
  private static let columnWidth = 390.0
  private static let rowHeight = 92.0
  private static let margin = 24.0

  private let map: GraphMap
  private let layout: GraphLayout

  init(_ map: GraphMap) {
    self.map = map
    layout = GraphLayout(map)
  }

  var svg: String {
    let width = 2 * Self.margin + Double(layout.columnCount - 1) * Self.columnWidth + Self.boxWidth
    let height = 2 * Self.margin + (layout.rowCount - 1) * Self.rowHeight + Self.boxHeight
    let edges = map.edges.map(edge).joined()
    let nodes = map.nodes.map(box).joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
      width="\(number(width))" height="\(number(height))" role="img">
      <title>\(escaped(map.ends.map(\.name).joined(separator: ", ")))</title>
      <style>
        text { font: 13px sans-serif; fill: #24292f; }
        .component, .format, .bus { font-size: 11px; fill: #57606a; }
        .format { text-anchor: middle; paint-order: stroke; stroke: #ffffff; stroke-width: 4; }
        svg { background: #ffffff; }
        rect { fill: #f6f8fa; stroke: #57606a; }
        path { fill: none; stroke: #0969da; stroke-width: 1.5; }
        @media (prefers-color-scheme: dark) {
          svg { background: #0d1117; }
          text { fill: #e6edf3; }
          .component, .format, .bus { fill: #9198a1; }
          .format { stroke: #0d1117; }
          rect { fill: #161b22; stroke: #9198a1; }
          path { stroke: #58a6ff; }
        }
      </style>
      \(edges)\(nodes)</svg>

      """
  }

  private func box(_ node: GraphMap.Node) -> String {
    guard let corner = corner(node.id) else { return "" }
    let middle = corner.x + Self.boxWidth / 2
    let component = node.component.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
    return """
      <g text-anchor="middle"><rect x="\(number(corner.x))" y="\(number(corner.y))" \
      width="\(number(Self.boxWidth))" height="\(number(Self.boxHeight))" rx="8"/>\
      <text x="\(number(middle))" y="\(number(corner.y + 23))">\(escaped(node.name))</text>\
      <text class="component" x="\(number(middle))" y="\(number(corner.y + 41))">\
      \(escaped(component))</text></g>

      """
  }

  private func edge(_ edge: GraphMap.Edge) -> String {
    guard let destination = corner(edge.destination) else { return "" }
    let inputs = map.inputs(of: edge.destination)
    let index = Double(inputs.firstIndex { $0.input == edge.input } ?? 0)
    let end = (
      x: destination.x,
      y: destination.y + Self.boxHeight * (index + 1) / Double(inputs.count + 1)
    )
    guard case .node(let source, let output) = edge.source, let box = corner(source) else {
      return line(from: (end.x - 40, end.y), to: end)
        + label("callback", "bus", (end.x - 84, end.y + 4)) + bus(edge.input, end)
    }
    let outputs = map.edges.compactMap {
      if case .node(source, let output) = $0.source { output } else { nil }
    }
    .sorted()
    let place = Double(outputs.firstIndex(of: output) ?? 0)
    let start = (
      x: box.x + Self.boxWidth,
      y: box.y + Self.boxHeight * (place + 1) / Double(outputs.count + 1)
    )
    // The format is at the middle of the curve, where it is steepest and curves are far apart.
    let middle = ((start.x + end.x) / 2, (start.y + end.y) / 2 - 6)
    return line(from: start, to: end) + label(edge.format, "format", middle) + bus(edge.input, end)
  }

  private func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double)) -> String {
    let bend = (end.x - start.x) / 2
    return """
      <path d="M\(number(start.x)) \(number(start.y)) C\(number(start.x + bend)) \
      \(number(start.y)) \(number(end.x - bend)) \(number(end.y)) \(number(end.x)) \
      \(number(end.y))"/>

      """
  }

  private func bus(_ bus: UInt32, _ end: (x: Double, y: Double)) -> String {
    label("\(bus)", "bus", (end.x - 12, end.y - 4))
  }

  private func label(_ text: String, _ style: String, _ point: (x: Double, y: Double)) -> String {
    """
    <text class="\(style)" x="\(number(point.x))" y="\(number(point.y))">\(escaped(text))</text>

    """
  }

  private func corner(_ id: AUNode) -> (x: Double, y: Double)? {
    layout.places[id].map {
      (
        Self.margin + Double($0.column) * Self.columnWidth,
        Self.margin + $0.row * Self.rowHeight
      )
    }
  }

  private func number(_ value: Double) -> String { Numbers.rounded(value, digits: 1) }

  private func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
