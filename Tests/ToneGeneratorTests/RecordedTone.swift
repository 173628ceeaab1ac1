// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import Foundation

/// Runs `body` with a file as the sound card; returns the recording.
func recording(
  rate: Double = 48_000, _ body: () throws -> Void
) throws -> RecordedFile {
  let path = NSTemporaryDirectory() + "tone-\(UUID().uuidString).wav"
  defer { try? FileManager.default.removeItem(atPath: path) }
  var environment = DeviceEnvironment()
  environment.device = DeviceName(backend: "file", device: path)
  environment.sampleRate = rate
  try environment.use { try body() }
  return try RecordedFile(path)
}

/// Sleeps while a device runs.
func play(seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
