// SPDX-License-Identifier: Apache-2.0
// A synthesizer class around an AUGraph: nodes through convenience functions, and extensions of
// AUGraph and AudioUnit with functions of the same names.
// Plays 440 Hz at 0.3.

import AudioToolbox

let synth = try GraphSynth(frequency: 440)
synth.volume = 0.5
try synth.start()
Thread.sleep(forTimeInterval: 0.4)
try synth.stop()
