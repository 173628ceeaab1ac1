// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import UnitValidation

/// The program `au`, for programs that have units of their own: these register their units and then call
/// `main`. Each command, such as `validate` and `render`, finds them beside all others.
public enum AUTool {
  private static let program = Program(
    "au", "play, record, convert and measure sound; look at audio units and devices",
    commands: [
      ListCommand.command, PlugInsCommand.command, InfoCommand.command, ToneCommand.command,
      PlayCommand.command, RecordCommand.command, RenderCommand.command, ConvertCommand.command,
      JoinCommand.command, JoinCommand.mix, SplitCommand.command, StatsCommand.command,
      CompareCommand.command, SpectrogramCommand.command, PlotCommand.command, ViewCommand.command,
      GraphCommand.command, NewCommand.command, DevicesCommand.command, SessionCommand.command,
      AggregateCommand.command, MIDICommand.command, LoopbackCommand.command,
      ValidateCommand.command,
      ExplainCommand.command,
      CompatibilityCommand.command,
    ],
    jobs: [
      ("Play files", "au play take.wav"),
      ("Record", "au record take.wav"),
      ("Play a test tone", "au tone 997 --level -20"),
      ("Convert and edit", "au convert take.wav -o take.flac --trim --loudness -16"),
      ("Join, mix, split", "au join a.wav b.wav -o both.wav"),
      ("Measure, compare", "au stats take.wav; au compare a.wav b.wav; au spectrogram take.wav"),
      ("Send through units", "au render rvb2,preset=plate take.wav room.wav"),
      ("Look at units", "au list; au info lowpass; au plot lowpass,cutoff=800"),
      ("Devices and MIDI", "au devices; au midi"),
      ("Write a program", "au graph chord.json; au new organ; au explain -10868"),
    ],
    environment: EnvironmentVariables.all,
    dynamicWords: { DynamicCompletions.words($0, $1, after: $2) })

  /// [main thread] Runs a command line, that of the process unless another is given, and ends the process.
  ///
  /// `au validate` tests each unit in a process that runs this program again, up to this call: what comes
  /// before it must register the units and do nothing else.
  public static func main(
    _ words: [String] = Array(CommandLine.arguments.dropFirst())
  ) -> Never {
    ValidationWorker.runIfStarted()
    program.main(words)
  }

  /// [main thread] Runs `au view` with these words in the program of the window, and ends the process: `show` shows
  /// the unit until the window is closed.
  @_spi(Window) public static func view(
    _ words: [String], show: @escaping (UnitModel) throws -> Void
  ) -> Never {
    ViewCommand.showInWindow = show
    program.main(["view"] + words)
  }
}
