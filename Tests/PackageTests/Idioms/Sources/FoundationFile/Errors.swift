// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Prints an error as its four characters, as programs with Foundation do.
func report(_ status: OSStatus) -> OSStatus {
  var code = CFSwapInt32HostToBig(UInt32(bitPattern: status))
  let text = withUnsafeBytes(of: &code) { String(decoding: $0, as: UTF8.self) }
  print("'\(text)' \(status == noErr ? "no error" : "error")")
  return status
}
