// SPDX-License-Identifier: Apache-2.0
import AVFoundation

let generator = ToneGenerator(frequency: 440)
generator.play()
usleep(500_000)
generator.stop()
