// SPDX-License-Identifier: Apache-2.0
// Plays a stream of MP3, AAC or another type while its bytes arrive: StreamPlayer FILE
//
// FILE may be a pipe, and - is standard input: curl http://radio.example/stream.mp3 | StreamPlayer -
import AVFoundation
import ExampleSupport

run("StreamPlayer FILE") { arguments in
  let path = try arguments.text("FILE")
  let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY)
  guard file >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
  defer { close(file) }
  _ = try activateSession(.playback)
  let player = try StreamPlayer()
  try withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { bytes in
    while true {
      // Returns as soon as there is something, and 0 at the end.
      let count = read(file, bytes.baseAddress, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
      guard count > 0 else { break }
      try player.parse(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    }
  }
  try player.finish()
}
