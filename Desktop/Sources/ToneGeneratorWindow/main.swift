// SPDX-License-Identifier: Apache-2.0
@_spi(Window) import AudioUnitTool
import CAdwaita
import Foundation
import ToneModel
import ToneTexts

// `ToneGenerator` starts this program if there is a display, and has checked the arguments; `au view` starts it
// with "view" before its own. If the display cannot be reached, this program starts the other one again.
let words = CommandLine.arguments
if gtk_init_check() == 0 {
  unsetenv("DISPLAY")
  unsetenv("WAYLAND_DISPLAY")
  if let program = getenv("TONE_GENERATOR_PROGRAM") {
    var arguments = ([String(cString: program)] + words.dropFirst()).map { strdup($0) } + [nil]
    execv(program, &arguments)
  }
  FileHandle.standardError.write(Data("ToneGeneratorWindow: there is no display\n".utf8))
  exit(1)
}
Translation.prepare()
if words.count > 1, words[1] == "view" {
  AUTool.view(Array(words.dropFirst(2))) { UnitApplication($0).run() }
}
Application(InitialState(words)).run()
