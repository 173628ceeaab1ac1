// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CPlugIns
import Glibc

/// A library of plug-ins in this process. It is never closed: nobody knows when its last thread ends.
struct SharedObject: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// [control thread] Opens a library with all that it needs; its names are not visible to other libraries.
  /// - Throws: `invalidFile` if it cannot be opened.
  init(_ path: String) throws(AudioError) {
    Self.openMathematics
    // A path without a slash would be searched for among the system's libraries.
    let path = path.contains("/") ? path : "./" + path
    let opened = PlugInCall.control { dlopen(path, RTLD_NOW | RTLD_LOCAL) }
    guard let opened else {
      let reason = dlerror().map { String(cString: $0) }
      throw .invalidFile.because(reason ?? "\(path) cannot be opened")
    }
    handle = opened
  }

  /// [control thread] A function or variable of the library; nil if there is none.
  func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }

  /// Some libraries use functions of the mathematical library without naming it: they rely on a program that
  /// has it among its global names.
  private static let openMathematics: Void = {
    _ = dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL)
  }()
}

/// Calls into plug-ins that leave the process as it was.
enum PlugInCall {
  private static let locale = Lock()

  /// [control thread] Runs `call`, one at a time in the process; then restores the locale and the modes of
  /// the floating-point unit.
  static func control<Result>(_ call: () -> Result) -> Result {
    locale.withLock {
      let modes = floating_point_modes()
      let name = locale_name()
      defer {
        locale_restore(name)
        floating_point_restore(modes)
      }
      return call()
    }
  }
}
