// SPDX-License-Identifier: Apache-2.0

/// Which port of the machine an endpoint is.
struct MachinePlace {
  let backend: String
  var port: MachinePort
  var isPresent: Bool
  /// Of a destination: by which messages leave.
  var link: MachineLink?
}
