// SPDX-License-Identifier: Apache-2.0

/// The back ends of the process.
enum BackendChoice {
  /// [control thread] The back ends to use.
  static var available: [any PortBackend] { [] }
}
