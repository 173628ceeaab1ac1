// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

// Exceptions of the program pass through the library, as CRealTime/Exceptions.cpp explains.

/// [any thread] Runs the body of a C function that may call the program. An exception of what it
/// calls leaves the function at its end.
@inline(__always)
package func border<Result>(_ body: () -> Result) -> Result {
  rt_border_enter()
  let result = body()
  rt_border_leave()
  return result
}

/// [any thread but a render thread] Runs `body`, which calls a function of the program; nil if
/// that threw an exception, which continues at the border.
///
/// An exception does not release what the frames that it leaves have retained, so `body` may outlive
/// the call. Nor does it end their accesses to variables: `body` passes no variable that it captures
/// to the program as `&variable`, but a pointer that it captures.
@discardableResult
package func callProgram<Value, Failure>(
  _ body: @escaping () throws(Failure) -> Value
) throws(Failure) -> Value? {
  var result: Result<Value, Failure>?
  runInC {
    do throws(Failure) {
      result = .success(try body())
    } catch {
      result = .failure(error)
    }
  }
  return try result?.get()
}

private func runInC(_ body: @escaping () -> Void) {
  var body = body
  withUnsafeMutablePointer(to: &body) {
    _ = rt_call_program({ $0.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
  }
}

/// [any thread] Calls a converter's input function; it supplies no packets if it throws.
package func callPacketInput(
  _ function: AudioConverterComplexInputDataProc, _ converter: AudioConverterRef,
  _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>,
  _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  rt_call_packet_input(
    unsafeBitCast(function, to: UnsafeRawPointer.self), UnsafeMutableRawPointer(converter),
    packets, list, descriptions, userData)
}
