// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// A diagram: a frame with a grid, and curves.
struct Panel {
  /// The points of one curve, in values of the axes.
  struct Curve {
    let points: [(x: Double, y: Double)]
    var style = "curve"
  }

  let name: String
  let horizontal: Axis
  let vertical: Axis
  let curves: [Curve]
  /// A text in the corner.
  var note = ""

  /// Draws it with its texts into a rectangle.
  func draw(into picture: inout SVG, x: Double, y: Double, width: Double, height: Double) {
    let (left, top) = (x + 52, y + 24)
    let (inner, outer) = (width - 64, height - 66)
    for mark in horizontal.marks {
      let place = left + horizontal.place(mark.value) * inner
      picture.line(place, top, place, top + outer, mark.text.isEmpty ? "grid" : "major")
      if !mark.text.isEmpty { picture.text(mark.text, place, top + outer + 16, "below") }
    }
    for mark in vertical.marks {
      let place = top + outer - vertical.place(mark.value) * outer
      picture.line(left, place, left + inner, place, "major")
      picture.text(mark.text, left - 6, place + 4, "left")
    }
    for curve in curves {
      picture.curve(
        curve.points.map {
          (left + horizontal.place($0.x) * inner, top + outer - vertical.place($0.y) * outer)
        }, curve.style)
    }
    picture.rectangle(left, top, inner, outer, "panel")
    picture.text("\(name) (\(vertical.title))", left, top - 8, "name")
    picture.text(horizontal.title, left + inner / 2, top + outer + 32, "below")
    if !note.isEmpty { picture.text(note, left + inner, top - 8, "note") }
  }
}
