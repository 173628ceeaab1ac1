// SPDX-License-Identifier: Apache-2.0
import CRealTime

/// The place where a back end calls the handler of its client; an aggregate calls its own in
/// `AudioHardware`.
///
/// The compiler cannot see whether an overridden method is real-time safe. This call is: the client's
/// own render path is checked where it is written, and the call itself only borrows a reference,
/// without counting it, and reads the class's method table. The caller keeps the handler alive.
struct CycleCall {
  private let handler: Unmanaged<CycleHandler>

  init(to handler: CycleHandler) { self.handler = .passUnretained(handler) }

  /// [render thread] Has the handler read and fill one cycle. A thread that is late for long, and so
  /// never sleeps, rests for a moment.
  @_semantics("no_performance_analysis") @inline(never)
  func callAsFunction(_ cycle: DeviceCycle) {
    rt_enter()
    rt_current().pointee.cycles += 1
    handler._withUnsafeGuaranteedRef { $0.render(cycle) }
    rt_current().pointee.cycles -= 1
    rt_leave()
    rt_rest_if_due()
  }
}
