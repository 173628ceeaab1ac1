// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

extension NSError {
  /// The error for programs: the status code, and a description of the cause.
  convenience init(_ error: AudioError) {
    self.init(
      domain: NSOSStatusErrorDomain, code: Int(error.status),
      userInfo: [NSLocalizedDescriptionKey: error.text])
  }
}
