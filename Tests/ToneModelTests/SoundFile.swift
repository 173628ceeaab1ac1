// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation

/// Runs `body` with the path of a new WAV file of 32-bit floats, which is deleted afterwards.
func withSoundFile<Result>(
  _ channels: [Signal], _ body: (_ path: String) throws -> Result
) throws -> Result {
  let path = NSTemporaryDirectory() + "sound-\(UUID().uuidString).wav"
  defer { try? FileManager.default.removeItem(atPath: path) }
  var data = Data()
  func add(_ number: Int, bytes: Int) {
    for byte in 0..<bytes { data.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
  }
  let rate = Int(channels[0].sampleRate)
  let (count, frames) = (channels.count, channels[0].count)
  data += Data("RIFF".utf8)
  add(36 + 4 * count * frames, bytes: 4)
  data += Data("WAVEfmt ".utf8)
  for (number, bytes) in [
    (16, 4), (3, 2), (count, 2), (rate, 4), (4 * count * rate, 4), (4 * count, 2), (32, 2),
  ] { add(number, bytes: bytes) }
  data += Data("data".utf8)
  add(4 * count * frames, bytes: 4)
  for frame in 0..<frames {
    for channel in channels {
      add(Int(Float(channel.samples[frame]).bitPattern), bytes: 4)
    }
  }
  try data.write(to: URL(fileURLWithPath: path))
  return try body(path)
}
