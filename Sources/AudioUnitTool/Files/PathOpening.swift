// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Opens a path as `open` does, for this process alone, and again if a signal interrupts it; −1: `errno` has
/// the reason.
func openPath(_ path: String, _ flags: Int32) -> Int32 {
  while true {
    let descriptor = open(path, flags | O_CLOEXEC, 0o666)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}
