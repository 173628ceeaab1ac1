// SPDX-License-Identifier: Apache-2.0
// Plays the input through an effect in a render callback: CallbackEffects EFFECT [SECONDS]
// EFFECT is tremolo, vibrato, echo, spectrum (passes 500 to 1000 Hz) or convolution (a small room).
import AVFoundation
import ExampleSupport

/// Puts an effect into memory that the audio thread may use.
func place<Effect>(
  _ effect: Effect, _ process: @escaping Process, release: @escaping (Effect) -> Void = { _ in }
) -> (UnsafeMutableRawPointer, Process, release: () -> Void) {
  let memory = UnsafeMutablePointer<Effect>.allocate(capacity: 1)
  memory.initialize(to: effect)
  return (
    UnsafeMutableRawPointer(memory), process,
    {
      release(memory.move())
      memory.deallocate()
    }
  )
}

run("CallbackEffects EFFECT [SECONDS]") { arguments in
  let name = try arguments.text("EFFECT")
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 10)
  let effect: (Double) -> (UnsafeMutableRawPointer, Process, release: () -> Void)
  switch name {
  case "tremolo":
    effect = { place(Tremolo(step: 2 * .pi * 5 / $0, depth: 0.8), Tremolo.process) }
  case "vibrato":
    effect = { rate in
      let swing = 0.0005 * rate
      let vibrato = Vibrato(
        step: 2 * .pi * 5 / rate, swing: swing, line: DelayLine(length: Int(2 * swing) + 4))
      return place(vibrato, Vibrato.process) { $0.line.deallocate() }
    }
  case "echo":
    effect = { rate in
      let delay = Int(0.25 * rate)
      let echo = Echo(delay: delay, feedback: 0.5, line: DelayLine(length: delay + 2))
      return place(echo, Echo.process) { $0.line.deallocate() }
    }
  case "spectrum":
    effect = { rate in
      place(Spectrum(passing: 500...1_000, sampleRate: rate), Spectrum.process) { $0.deallocate() }
    }
  case "convolution":
    effect = { rate in
      let room = Convolution(response: Convolution.room(sampleRate: rate))
      return place(room, Convolution.process) { $0.deallocate() }
    }
  default:
    throw UsageFailure(
      "EFFECT is \"\(name)\": expected tremolo, vibrato, echo, spectrum or convolution")
  }
  let program = try InputEffect(
    effect, sampleRate: try activateSession(.playAndRecord, cycle: 0.005))
  try program.start()
  wait(seconds: seconds)
  try program.stop()
}
