// SPDX-License-Identifier: Apache-2.0
import CommandSupport

ToneGeneratorCommand.program.main(Array(CommandLine.arguments.dropFirst()))
