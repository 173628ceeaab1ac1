// SPDX-License-Identifier: Apache-2.0
import Glibc

/// [control thread] Starts a thread that does not receive the program's signals. The caller joins
/// or detaches it.
///
/// A new thread inherits the mask of blocked signals, so the program's signal handlers run on its
/// own threads. Faults are not blocked, because crash reporters need them; nor is the profilers'
/// timer.
///
/// - Throws: The system's error when it cannot create another thread.
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
  let error = pthread_create(&thread, nil, body, context)
  guard error == 0 else { throw .outOfMemory.because(String(cString: strerror(error))) }
  return thread
}
