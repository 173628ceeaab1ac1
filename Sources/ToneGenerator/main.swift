// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import ToneTexts

Translation.prepare()
ToneGeneratorCommand.program.main(Array(CommandLine.arguments.dropFirst()))
