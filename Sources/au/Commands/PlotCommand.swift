// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel

/// `au plot`.
enum PlotCommand {
  private static let unit = Argument<UnitSpec>(
    "UNIT", .unitSpec, "the unit's name or subtype, and parameters that are not at their defaults")
  private static let output = Option<String?>(
    "output", "FILE", .path("the path of an SVG file"),
    "where to write the picture (the unit with .svg, when it is not said)")
  private static let rate = Option<Double>(
    "rate", "HZ", .number(of: "frames per second", in: 8_000...384_000), default: 48_000,
    "the sample rate")

  /// Draws what a unit does to sound.
  static let command = Command(
    "plot", "draw what a unit does to sound",
    discussion: """
      An SVG picture of magnitude, phase, impulse and step response; for dynamics and distortion \
      also of the level that comes out over the level that goes in, for echoes and rooms of their \
      decay. All of it is measured from the unit as it plays, in mono.

      A parameter is named by words of its name, as many as make it clear, or by its number; \
      `au info` lists them. preset=NAME sets a factory preset first. The picture's colours follow \
      the reader's screen, light or dark.
      """,
    parameters: [unit, output, rate],
    examples: [
      .init("au plot lpas,cutoff=800,resonance=6", "A resonant low-pass, in lpas.svg."),
      .init("au plot rvb2,preset=cathedral --output room.svg", "A cathedral."),
      .init("au plot dely,time=0.01,feedback=80", "A comb filter."),
    ]
  ) { values in
    let spec = values[unit]
    let picture = try UnitPlot(spec, sampleRate: values[rate]).picture()
    let path = values[output] ?? "\(spec.name).svg".replacingOccurrences(of: " ", with: "")
    try PictureFile.write(picture, to: path)
    Console.print(path)
  }
}
