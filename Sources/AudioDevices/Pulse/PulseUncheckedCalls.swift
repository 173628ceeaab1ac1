// SPDX-License-Identifier: Apache-2.0
import CAudioBackends
import CRealTime

// The compiler cannot see into the library. These functions are called inside its request for
// frames, on its own thread. The library is responsible for what it does, and the sanitizer is
// informed.
extension PulseFunctions {
  /// Memory of the library to fill or read.
  struct Part {
    var memory: UnsafeMutableRawPointer?
    var byteCount = 0
  }

  /// [render thread] The number of bytes that the server accepts now.
  @_semantics("no_performance_analysis") @inline(never)
  func writableSize(of stream: OpaquePointer) -> Int {
    rt_host_enter()
    defer { rt_host_leave() }
    return pa_stream_writable_size(stream)
  }

  /// [render thread] Memory to write at most `byteCount` bytes to. Nil memory if there is none.
  @_semantics("no_performance_analysis") @inline(never)
  func beginWrite(to stream: OpaquePointer, byteCount: Int) -> Part {
    rt_host_enter()
    defer { rt_host_leave() }
    var part = Part(byteCount: byteCount)
    let answer = pa_stream_begin_write(stream, &part.memory, &part.byteCount)
    return answer >= 0 ? part : Part()
  }

  /// [render thread] Commits the bytes written to that memory. False if the server rejects them.
  @_semantics("no_performance_analysis") @inline(never)
  func write(
    _ memory: UnsafeMutableRawPointer, byteCount: Int, to stream: OpaquePointer
  ) -> Bool {
    rt_host_enter()
    defer { rt_host_leave() }
    return pa_stream_write(stream, memory, byteCount, nil, 0, 0) >= 0
  }

  /// [render thread] The number of bytes available to read.
  @_semantics("no_performance_analysis") @inline(never)
  func readableSize(of stream: OpaquePointer) -> Int {
    rt_host_enter()
    defer { rt_host_leave() }
    return pa_stream_readable_size(stream)
  }

  /// [render thread] The next bytes to read, valid until `drop`. Nil memory if some were lost.
  @_semantics("no_performance_analysis") @inline(never)
  func peek(_ stream: OpaquePointer) -> Part {
    rt_host_enter()
    defer { rt_host_leave() }
    var memory: UnsafeRawPointer?
    var byteCount = 0
    guard pa_stream_peek(stream, &memory, &byteCount) >= 0 else { return Part() }
    return Part(memory: UnsafeMutableRawPointer(mutating: memory), byteCount: byteCount)
  }

  /// [render thread] Releases the bytes of `peek`.
  @_semantics("no_performance_analysis") @inline(never)
  func drop(_ stream: OpaquePointer) {
    rt_host_enter()
    defer { rt_host_leave() }
    _ = pa_stream_drop(stream)
  }

  /// [render thread] Nanoseconds from the next sample to the device's output, or from its input. 0
  /// until the server reports it.
  @_semantics("no_performance_analysis") @inline(never)
  func latency(of stream: OpaquePointer) -> Double {
    rt_host_enter()
    defer { rt_host_leave() }
    var microseconds: UInt64 = 0
    var isNegative: CInt = 0
    guard pa_stream_get_latency(stream, &microseconds, &isNegative) >= 0 else { return 0 }
    return (isNegative == 0 ? 1_000 : -1_000) * Double(microseconds)
  }
}
