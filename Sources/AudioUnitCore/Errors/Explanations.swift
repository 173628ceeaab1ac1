// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox
import CRealTime
import Glibc

/// The reason for the last failure, kept for each thread and printed when `AUDIOTOOLBOX_LOG` is set.
public enum Explanations {
  private final class Box {
    let text: String
    init(_ text: String) { self.text = text }
  }

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

  /// [any thread] Keeps why `call` failed and answers with the code to return. From inside a render
  /// nothing is kept: composing a text would allocate.
  public static func record(_ error: AudioError, in call: StaticString) -> OSStatus {
    guard rt_current().pointee.depth == 0 else { return error.status }
    let name = String(describing: call).prefix { $0 != "(" }
    var text = "\(name): \(StatusName.text(error.status))"
    if !error.explanation.isEmpty {
      text += ": \(error.explanation)"
    } else if let entry = StatusName.of(error.status) {
      text += ": \(entry.meaning)"
    }
    let old = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passRetained(Box(text)).toOpaque())
    if let old { Unmanaged<Box>.fromOpaque(old).release() }
    log(text)
    return error.status
  }

  /// [any thread but the render thread] Tells what nobody asked about, when `AUDIOTOOLBOX_LOG` is
  /// set.
  public static func log(_ text: @autoclosure () -> String) {
    guard isLogging else { return }
    let line = "AudioToolbox: \(text())\n"
    line.utf8CString.withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
  }

  /// [any thread] Why the last failing call of this thread failed; nil when none has.
  public static var last: String? {
    guard let value = pthread_getspecific(key) else { return nil }
    return Unmanaged<Box>.fromOpaque(value).takeUnretainedValue().text
  }
}
