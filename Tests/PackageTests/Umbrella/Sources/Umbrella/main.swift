// SPDX-License-Identifier: Apache-2.0
// Prints umbrella 440
import AVFoundation
import Accelerate
import OSLog
import os.log

let asset = AVAsset(name: "umbrella")
guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1) else { exit(1) }
let engine = AVAudioEngine()
let source = AVAudioSourceNode(format: format) { _, _, _, _ in noErr }
engine.attach(source)
engine.connect(source, to: engine.mainMixerNode, format: format)
let numbers: [Float] = vDSP.multiply(2, vDSP.ramp(withInitialValue: 0, increment: 110, count: 3))
let lock = OSAllocatedUnfairLock(initialState: numbers)
os_log("%{public}s", log: .disabled, "silent")
print(asset.name, lock.withLock { Int($0[2]) })
