// SPDX-License-Identifier: Apache-2.0
// Records the input to a WAV file with an audio queue: QueueRecorder FILE [SECONDS]
import AVFoundation
import ExampleSupport

run("QueueRecorder FILE [SECONDS]") { arguments in
  let seconds = try arguments.number("SECONDS", in: 0...3_600, default: 5)
  _ = try activateSession(.record)
  let recorder = try Recorder(arguments.text("FILE"))
  try recorder.start()
  wait(seconds: seconds)
  try recorder.stop()
  show(String(format: "%.1f s", recorder.seconds))
}
