// SPDX-License-Identifier: Apache-2.0
import Glibc

/// [control thread] Starts a thread that the program's signals pass by; whoever starts it joins or
/// detaches it.
///
/// A new thread inherits what is blocked: the program's signal handlers then run on its own threads.
/// Faults stay open, as crash reporters live on them, and profilers' timer.
///
/// - Throws: What the system says when it has no thread left.
package func startPlainThread(
  _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
  _ context: UnsafeMutableRawPointer
) throws(AudioError) -> pthread_t {
  var blocked = sigset_t()
  var before = sigset_t()
  sigfillset(&blocked)
  for open in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] {
    sigdelset(&blocked, open)
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  var thread = pthread_t()
  let answer = pthread_create(&thread, nil, body, context)
  guard answer == 0 else { throw .outOfMemory.because(String(cString: strerror(answer))) }
  return thread
}
