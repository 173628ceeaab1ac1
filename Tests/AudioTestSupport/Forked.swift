// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

/// Forks, and returns the exit code of the child, which is what `body` returns there. A child that hangs
/// is ended by a signal, and -1 is returned.
public func forked(_ body: () -> Int32) throws -> Int32 {
  typealias Fork = @convention(c) () -> pid_t
  // The function exists, although Swift marks it unavailable.
  let address = try #require(dlsym(nil, "fork"))
  let child = unsafeBitCast(address, to: Fork.self)()
  if child == 0 {
    alarm(60)
    _exit(body())
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  return status & 0x7F == 0 ? status >> 8 : -1
}
