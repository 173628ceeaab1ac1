// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import ToneModel

/// `au plot`.
enum PlotCommand {
  private static let unit = Argument<UnitSpec>(
    "UNIT", .unitSpec, "the unit, with the parameters that differ from their defaults")
  private static let output = Option<String?>(
    "output", "FILE", .path("the path of an SVG file"),
    "the SVG file to write (default: the name of the unit with .svg)")
  private static let rate = Option<Double>(
    "rate", "HZ", .sampleRate(in: 8_000...384_000), default: 48_000,
    "the sample rate")

  /// Draws a unit's responses.
  static let command = Command(
    "plot", "draw what a unit does to sound",
    discussion: """
      Draws magnitude, phase, impulse and step response as SVG; for dynamics and distortion also the \
      output level over the input level, for echoes and reverberation the decay. All of it is \
      measured on a running unit, in mono.

      A parameter is given by its name, which can be shortened, or by its number; `au info` lists \
      them. preset=NAME selects a factory preset first. The colours of the picture follow the \
      screen, light or dark.
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
    if path != "-" { Console.print(path) }
  }
}
