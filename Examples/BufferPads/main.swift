// SPDX-License-Identifier: Apache-2.0
// Plays a rhythm of short sounds: BufferPads [PATTERN] [BPM] [BARS]
//
// Each sign of PATTERN is a sixteenth: "x" is a low sound, "o" a high one, "*" both, "." none.
import AVFoundation
import ExampleSupport

run("BufferPads [PATTERN] [BPM] [BARS]") { arguments in
  let pattern = arguments["PATTERN"] ?? "x.o.*.o.x.oo*.oo"
  guard !pattern.isEmpty, pattern.allSatisfy("xo*.".contains) else {
    throw UsageFailure("PATTERN is \"\(pattern)\": expected the signs x, o, * and .")
  }
  let tempo = try arguments.number("BPM", in: 20...400, default: 110)
  let bars = try arguments.number("BARS", in: 1...1_000, default: 2)

  let rate = try activateSession(.playback)
  let engine = AVAudioEngine()
  let pads = try [Pad("x*", 110, rate), Pad("o*", 880, rate)]
  for pad in pads {
    engine.attach(pad.player)
    try engine.connectNode(pad.player, to: engine.mainMixerNode, format: pad.format)
    pad.player.volume = 0.5
  }

  // The sounds are in memory, so each begins at exactly its frame.
  let step = AVAudioFramePosition(rate * 60 / tempo / 4)
  let signs = Array(pattern)
  let steps = signs.count * Int(bars)
  for index in 0..<steps {
    for pad in pads where pad.signs.contains(signs[index % signs.count]) {
      pad.schedule(at: AVAudioFramePosition(index) * step)
    }
  }
  try engine.start()
  for pad in pads { try pad.player.playAudio() }
  wait(seconds: Double(steps) * Double(step) / rate + 0.5)
  engine.stop()
}
