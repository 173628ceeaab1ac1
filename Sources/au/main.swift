// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import UnitValidation

// Units are validated in a separate process, which runs this program too.
ValidationWorker.runIfStarted()

let program = Program(
  "au", "look at audio units and devices, play files and tones, measure latency",
  commands: [
    ListCommand.command, InfoCommand.command, ToneCommand.command, PlayCommand.command,
    RecordCommand.command, RenderCommand.command, ConvertCommand.command, PlotCommand.command,
    GraphCommand.command, NewCommand.command, DevicesCommand.command, SessionCommand.command,
    AggregateCommand.command, MIDICommand.command, LoopbackCommand.command,
    ValidateCommand.command,
    ExplainCommand.command,
    CompatibilityCommand.command,
  ],
  environment: EnvironmentVariables.all,
  dynamicWords: { DynamicCompletions.words($0, $1) })

program.main(Array(CommandLine.arguments.dropFirst()))
