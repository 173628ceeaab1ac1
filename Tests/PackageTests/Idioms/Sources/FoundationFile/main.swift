// SPDX-License-Identifier: Apache-2.0
// A program in several files, most of which import only Foundation but use OSStatus.
// Plays 350 Hz at 0.5.
// Prints 'fmt\?'

let status = report(kAudioFormatUnsupportedDataFormatError)
guard status != noErr else { exit(1) }
let player = TonePlayer(frequency: 350)
guard player.start() == noErr else { exit(2) }
Thread.sleep(forTimeInterval: 0.35)
player.stop()
