// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Starts a program, found by its path or by `PATH`, with an empty standard input.
///
/// The threads that run tests block most signals. The new process would inherit that, so this
/// unblocks all signals: the process can be terminated.
/// - Returns: The process ID.
/// - Throws: The reason why it cannot be started.
public func spawn(
  _ words: [String], environment: [String: String], output: Int32, errors: Int32
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, output, 1)
  posix_spawn_file_actions_adddup2(&actions, errors, 2)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  var arguments = words.map { strdup($0) } + [nil]
  var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for text in arguments + variables { free(text) } }
  var process = pid_t()
  let status = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables)
  guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EIO) }
  return process
}
