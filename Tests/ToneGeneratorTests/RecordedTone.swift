// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import Foundation

/// A file that stands for a sound card while a body runs, and what it has recorded.
func recording(
  rate: Double = 48_000, _ body: () throws -> Void
) throws -> RecordedFile {
  let path = NSTemporaryDirectory() + "tone-\(UUID().uuidString).wav"
  defer { try? FileManager.default.removeItem(atPath: path) }
  var environment = DeviceEnvironment()
  environment.device = DeviceName(backend: "file", device: path)
  environment.sampleRate = rate
  try DeviceEnvironment.$override.withValue(environment) { try body() }
  return try RecordedFile(path)
}

/// Sleeps for some seconds while a device runs.
func play(seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
