// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CRealTime
import Glibc

/// The reason for each thread's last failure, which is printed if `AUDIOTOOLBOX_LOG` is set.
public enum Explanations {
  private final class Box {
    let text: String
    let reason: String
    init(_ text: String, because reason: String) { (self.text, self.reason) = (text, reason) }
  }

  /// Describes the unit in which a render failed, before the bus and the frames: "AULowpass: "; nil
  /// if the handle is invalid. Set once, by the target that knows units, before the first unit is
  /// made.
  package nonisolated(unsafe) static var describeUnit: UnitDescription = { _, _, _, _ in nil }
  package typealias UnitDescription =
    @Sendable (
      _ unit: AudioUnit, _ status: OSStatus, _ bus: UInt32, _ frameCount: UInt32
    ) -> String?

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { value in
      guard let value else { return }
      Unmanaged<Box>.fromOpaque(value).release()
    }
    return key
  }()

  private static let isLogging: Bool = {
    guard let value = getenv("AUDIOTOOLBOX_LOG") else { return false }
    return ![0, UInt8(ascii: "0")].contains(UInt8(bitPattern: value[0]))
  }()

  /// [any thread] Records why `call` failed and returns the status. Inside a render nothing is
  /// recorded, because composing a text would allocate.
  public static func record(_ error: AudioError, in call: StaticString) -> OSStatus {
    guard rt_current().pointee.depth == 0 else { return error.status }
    let name = String(String(describing: call).prefix { $0 != "(" })
    let text = "\(name): \(error.text(from: name))"
    let box = Box(text, because: error.reason(from: name))
    rt_current().pointee.failed_status = noErr
    let old = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
    if let old { Unmanaged<Box>.fromOpaque(old).release() }
    log(text)
    return error.status
  }

  /// [any thread but a render thread] Logs an event when `AUDIOTOOLBOX_LOG` is set.
  public static func log(_ text: @autoclosure () -> String) {
    guard isLogging else { return }
    let line = "AudioToolbox: \(text())\n"
    line.utf8CString.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
  }

  /// [render thread] Records that an outermost render call failed; the text is composed on request.
  @_noLocks
  public static func recordRender(
    _ status: OSStatus, in call: StaticString, unit: AudioUnit, bus: UInt32, frameCount: UInt32
  ) {
    let context = rt_current()
    guard context.pointee.depth == 0, status != noErr else { return }
    context.pointee.failed_status = status
    context.pointee.failed_bus = bus
    context.pointee.failed_frames = frameCount
    context.pointee.failed_unit = UInt64(UInt(bitPattern: unit))
    context.pointee.failed_call = UnsafeRawPointer(call.utf8Start)
  }

  /// The function that `recordRender` recorded.
  private static func call(_ context: rt_context) -> String {
    let call = context.failed_call.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    return String(call?.prefix { $0 != "(" } ?? "")
  }

  /// The reason of the failure that `recordRender` recorded.
  private static func renderReason(_ context: rt_context) -> String {
    let unit = AudioUnit(bitPattern: UInt(context.failed_unit))
    let subject =
      unit.flatMap {
        describeUnit($0, context.failed_status, context.failed_bus, context.failed_frames)
      }
      ?? "the handle does not belong to an existing audio unit: "
    let text = "\(subject)bus \(context.failed_bus), \(context.failed_frames) frames"
    let status = StatusName.of(context.failed_status, from: call(context))
    return status.map { "\(text): \($0.meaning)" } ?? text
  }

  /// [any thread] The reason for this thread's last failure; nil when no call has failed.
  public static var last: String? {
    let context = rt_current().pointee
    guard context.failed_status != noErr else { return recorded?.text }
    let call = call(context)
    let status = StatusName.text(context.failed_status, from: call)
    return "\(call): \(status): \(renderReason(context))"
  }

  /// [any thread] The reason for this thread's last failure, with `status`, for people who did not
  /// write the call: without the names of call and status.
  package static func reason(after status: OSStatus) -> String {
    let context = rt_current().pointee
    guard context.failed_status == noErr else { return renderReason(context) }
    return recorded?.reason ?? AudioError(status: status).reason
  }

  private static var recorded: Box? {
    pthread_getspecific(key).map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
  }
}
