// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A picture as SVG text. Its colours follow the preference of the screen, light or dark.
struct SVG {
  private var body = ""
  private let width: Int
  private let height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// A straight line; `style` is a class of the style sheet.
  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) {
    add(
      "<line class=\"\(style)\" x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\""
        + " x2=\"\(Self.number(x2))\" y2=\"\(Self.number(y2))\"/>")
  }

  /// A frame of a panel.
  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String
  ) {
    add(
      "<rect class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\""
        + " width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>")
  }

  /// A curve through points.
  mutating func curve(_ points: [(x: Double, y: Double)], _ style: String) {
    guard points.count > 1 else { return }
    let list = points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }
    add("<polyline class=\"\(style)\" points=\"\(list.joined(separator: " "))\"/>")
  }

  /// A PNG as an image.
  mutating func image(_ bytes: [UInt8], _ x: Double, _ y: Double, _ width: Double, _ height: Double)
  {
    add(
      "<image x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\""
        + " height=\"\(Self.number(height))\" preserveAspectRatio=\"none\""
        + " href=\"data:image/png;base64,\(Data(bytes).base64EncodedString())\"/>")
  }

  /// A text; `style` also defines its alignment.
  mutating func text(_ text: String, _ x: Double, _ y: Double, _ style: String) {
    add(
      "<text class=\"\(style)\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\">"
        + Self.escaped(text) + "</text>")
  }

  /// The whole document.
  var document: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
    height="\(height)">
    <style>
    .paper { fill: #ffffff }
    .panel { fill: none; stroke: #9aa3ad; stroke-width: 1 }
    .grid { stroke: #e4e8ec; stroke-width: 1 }
    .major { stroke: #c9d0d7; stroke-width: 1 }
    .curve { fill: none; stroke: #0b62c4; stroke-width: 1.6; stroke-linejoin: round }
    .second { fill: none; stroke: #c2500a; stroke-width: 1.4; stroke-linejoin: round }
    .guide { stroke: #8a939c; stroke-width: 1; stroke-dasharray: 4 4; fill: none }
    text { fill: #3b444d; font-family: "DejaVu Sans", Helvetica, Arial, sans-serif; font-size: 11px }
    .title { fill: #14191e; font-size: 18px; font-weight: bold }
    .name { fill: #14191e; font-size: 13px; font-weight: bold }
    .left { text-anchor: end }
    .below { text-anchor: middle }
    .note { text-anchor: end }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #14181c }
      .panel { stroke: #66707a }
      .grid { stroke: #252c33 }
      .major { stroke: #39424b }
      .curve { stroke: #62b0ff }
      .second { stroke: #ffa25e }
      .guide { stroke: #7d8791 }
      text { fill: #b9c2cb }
      .title, .name { fill: #f0f3f6 }
    }
    </style>
    <rect class="paper" width="\(width)" height="\(height)"/>
    \(body)</svg>

    """
  }

  private mutating func add(_ line: String) { body += line + "\n" }

  /// A hundredth of a point is invisible.
  private static func number(_ value: Double) -> String {
    let text = String(format: "%.2f", value.isFinite ? value : 0)
    return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}
