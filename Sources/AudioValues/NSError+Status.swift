// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Foundation

extension NSError {
  /// The error for programs: the status code, and a description of the cause.
  package convenience init(_ error: AudioError, domain: String = NSOSStatusErrorDomain) {
    self.init(
      domain: domain, code: Int(error.status), userInfo: [NSLocalizedDescriptionKey: error.text])
  }

  /// The error of a C function that has just failed on this thread: a status, and why it failed.
  package convenience init(failed status: OSStatus, domain: String = NSOSStatusErrorDomain) {
    self.init(
      domain: domain, code: Int(status),
      userInfo: [NSLocalizedDescriptionKey: Explanations.last ?? AudioError(status: status).text])
  }
}
