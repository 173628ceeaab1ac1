// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// `au spectrogram`.
enum SpectrogramCommand {
  private static let input = Argument<String>(
    "IN", .path("the path of a sound file; - for a pipe"), "a sound file, or - for a pipe")
  private static let output = Option<String?>(
    "output", "FILE",
    .path(
      "a path that ends in .png or .svg, or - for a PNG in a pipe",
      limits: ", whose name ends in .png or .svg, or - for a PNG in a pipe"),
    "the picture (default: the terminal)")
  private static let width = Option<Int>(
    "width", "POINTS", .wholeNumber(of: "points", in: 16...20_000), default: 1_024,
    "the width of the panel in a picture")
  private static let height = Option<Int>(
    "height", "POINTS", .wholeNumber(of: "points", in: 16...8_192), default: 512,
    "the height of the panel in a picture")
  private static let range = Option<Double>(
    "range", "DB", .number(of: "decibels", in: 10...200), default: 120,
    "the decibels below full scale that are shown")
  private static let log = Flag("log", "frequencies from 20 Hz on a logarithmic axis")

  /// Draws a spectrogram.
  static let command = Command(
    "spectrogram", "draw the spectrum over time: PNG, SVG or terminal",
    discussion: """
      Transforms of \(Spectrogram.size) frames with a Hann window; the channels are averaged. 0 dB is a \
      sine at full scale. The terminal gets colours if it is one, otherwise letters. Edits change what is \
      drawn: --from and --to draw a part, --pick a channel.
      """,
    parameters: [input, output, width, height, range, log] + EditOptions.all,
    examples: [
      .init("au spectrogram take.wav", "In the terminal."),
      .init("au spectrogram take.wav -o take.png", "A picture."),
      .init("au spectrogram - -o - < take.wav | feh -", "From a pipe to a pipe."),
      .init("au spectrogram take.wav -o part.svg --from 10 --to 20 --log", "Ten seconds of it."),
    ]
  ) { values in
    let ending = values[output].map { URL(fileURLWithPath: $0).pathExtension.lowercased() }
    let isPipe = values[output] == "-"
    if let ending, !isPipe, ending != "png", ending != "svg" {
      throw UsageError(
        "--output is \"\(values[output] ?? "")\": expected \(output.expected ?? "a path")")
    }
    let edit = try EditOptions.edit(values)
    let input = try SoundInput(values[input], ConversionSettings(), isStreamed: false)
    func open() throws(Failure) -> any SoundStream {
      try edit.apply(
        to: { () throws(Failure) in try input.open() }, rate: RateStep(newRate: { $0 }), EditNotes()
      )
    }
    var sound = try open()
    var length = sound.frameCount
    if length == nil {
      length = try sound.skip(.max)
      sound = try open()
    }
    guard let length, length > 0 else { throw Failure("\(input.title): has no frames") }
    let size = terminalSize
    let columnCount = ending == nil ? max(8, size.columns - 8) : values[width]
    var progress = Progress()
    let spectrogram = try Spectrogram(
      of: ReportedStream(sound) { progress.show($0) }, frameCount: length, columnCount: columnCount)
    progress.clear()
    let picture = SpectrogramPicture(
      spectrogram: spectrogram, width: values[width], height: values[height], range: values[range],
      isLogarithmic: values[log], title: input.title)
    guard let path = values[output] else {
      let isTerminal = isatty(STDOUT_FILENO) == 1
      let text = picture.text(
        columns: size.columns, rows: min(24, max(4, size.rows - 4)), hasColor: isTerminal)
      // The escape sequences are this program's own.
      return isTerminal ? FileHandle.standardOutput.write(Data(text.utf8)) : Console.print(text)
    }
    if ending == "svg" {
      try PictureFile.write(picture.svg, to: path)
    } else {
      try PictureFile.write(png: picture.png, to: path)
    }
    if !isPipe { Console.print(path) }
  }

  /// The size of the terminal; 80x24 if there is none.
  private static var terminalSize: (columns: Int, rows: Int) {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(clamping: TIOCGWINSZ), &size) == 0,
      size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
